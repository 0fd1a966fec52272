/**
 * Checks the arguments of an operation against the rules of the catalogue. Findings name parameters, never options,
 * so that a command line, a library and an agent can each report them in their own terms.
 */
import { isDay } from '../dates/day.ts';
import type { Finding } from './finding.ts';
import { type Given, type Operation, type Param, periodsOf } from './operation.ts';

/** All findings, in the order of the parameters; rules across parameters if each value is valid. `today` is Pacific. */
export function validate(operation: Operation, args: Given, today: string): readonly Finding[] {
  const wrong = wrongValues(operation, args);
  if (wrong.length > 0) return wrong;
  const remarks = operation.check?.(args, today) ?? [];
  return [
    ...checkPeriods(operation, args),
    ...remarks.flatMap((remark) => (remark ? [{ ...remark, code: 'rule' as const }] : [])),
  ];
}

/** Only the problems, and what they say in sentences. */
export function problemsIn(findings: readonly Finding[]) {
  const problems = findings.filter(({ weight }) => weight === 'problem');
  const texts = problems.map(({ param, says }) => `${param ?? ''} ${says}.`.trim());
  // `{name}` in a text stands for a parameter.
  return { problems, message: texts.join(' ').replaceAll(/\{(\w+)\}/g, '$1') };
}

function wrongValues({ params }: Operation, args: Given): readonly Finding[] {
  return [
    ...Object.keys(args)
      .filter((name) => args[name] !== undefined && !Object.hasOwn(params, name))
      .map((name) => problem(name, 'unknown-parameter', 'is not a parameter of this operation')),
    ...Object.entries(params).flatMap(([name, param]): readonly Finding[] => {
      const value = args[name];
      if (value === undefined) {
        return param.required
          ? [{ ...problem(name, 'missing', 'is missing'), isMissing: true }]
          : [];
      }
      const isList = (param.repeatable || param.splits) && Array.isArray(value);
      const values: readonly unknown[] = isList ? value : [value];
      // As a filter, no value would not filter.
      if (values.length === 0) return [problem(name, 'empty', 'must not be empty')];
      return values.flatMap((one) => checkValue(name, param, one) ?? []).slice(0, 1);
    }),
  ];
}

/** The values of a choice that go with that of another parameter; all if that is missing or wrong. */
export function followingValues({ values = {}, follows }: Partial<Param> = {}, args: Given) {
  const prefix = follows?.prefixes[String(args[follows.param])] ?? '';
  return Object.entries(values).filter(([value]) => value.startsWith(prefix));
}

/** The values of a choice, with meanings, that fit the other arguments as far as these are right. */
export function fittingValues(
  operation: Operation,
  name: string,
  args: Given,
  today: string,
): readonly (readonly [value: string, meaning: string])[] {
  const values = followingValues(operation.params[name], args);
  if (wrongValues(operation, { ...args, [name]: values[0]?.[0] }).length > 0) return values;
  const remarks = (value: string) => operation.check?.({ ...args, [name]: value }, today) ?? [];
  return values.filter(
    ([value]) =>
      !remarks(value).some((one) => one && one.param === name && one.weight === 'problem'),
  );
}

/** Checks one value by itself; returns undefined if it is valid. */
export function checkValue(name: string, param: Param, value: unknown): Finding | undefined {
  const { kind, pattern, values, min, max } = param;
  const wrong = (code: Finding['code'], says: string) => ({ ...problem(name, code, says), value });
  const shown = typeof value === 'string' ? `'${value}'` : value;
  const instead = (code: Finding['code'], accepts: string) => ({
    ...wrong(code, `must be ${accepts}, not ${shown}`),
    accepts,
  });
  if (typeof value === 'string') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    if (/[\u0000-\u001f\u007f]/.test(value)) {
      return wrong(
        'control-character',
        'must not contain a line break or another control character',
      );
    }
    if (value.trim() === '') return wrong('empty', 'must not be empty');
  } else if (kind !== 'integer' && kind !== 'boolean') {
    return instead('wrong-kind', 'text');
  }
  const form = forms[kind];
  if (form && !form.fits(value)) return instead('wrong-kind', form.says);
  if (values && !Object.hasOwn(values, String(value))) {
    return instead('not-a-choice', `one of ${Object.keys(values).join(', ')}`);
  }
  if (pattern && !pattern.matches.test(String(value))) {
    return instead('wrong-pattern', pattern.says);
  }
  const isBelow = min !== undefined && Number(value) < min;
  const isAbove = max !== undefined && Number(value) > max;
  if (!isBelow && !isAbove) return undefined;
  if (max === undefined) return instead('out-of-range', `${min} or more`);
  const range = min === undefined ? `${max} or less` : `a number from ${min} to ${max}`;
  return instead('out-of-range', range);
}

/** Days are `yyyy-mm-dd`, so they compare as texts. */
function checkPeriods(operation: Operation, args: Given): Finding[] {
  return periodsOf(operation).flatMap(({ first, last }): Finding[] => {
    const [from, to] = [args[first], args[last]];
    if (typeof from !== 'string' || typeof to !== 'string' || from <= to) return [];
    return [problem(last, 'reversed-period', `must not be before {${first}}`)];
  });
}

function problem(param: string, code: Finding['code'], says: string): Finding {
  return { param, code, says, weight: 'problem' };
}

/** What a value of a kind must look like, unless any text is valid. */
const forms: Readonly<
  Partial<Record<Param['kind'], { fits(value: unknown): boolean; readonly says: string }>>
> = {
  integer: { fits: Number.isSafeInteger, says: 'a whole number' },
  decimal: {
    fits: (value) => /^-?\d{1,15}(\.\d{1,10})?$/.test(String(value)),
    says: 'a number like 19.90',
  },
  boolean: { fits: (value) => typeof value === 'boolean', says: 'true or false' },
  date: { fits: (value) => isDay(String(value)), says: 'a date as YYYY-MM-DD' },
};
