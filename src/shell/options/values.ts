/** Reads the arguments of an operation from what was typed. */
import type { Day } from '../../dates/day.ts';
import { durationText, parseDuration, type TimeUnit } from '../../dates/duration.ts';
import { hyphenated, parsePeriod, possibleDays } from '../../dates/words.ts';
import { type Operation, type Param, periodsOf } from '../../operations/operation.ts';
import { checkValue, followingValues, validate } from '../../operations/validate.ts';
import { usage } from '../failure.ts';
import { reasonOf, type TypedFinding } from './findings.ts';
import { type Typed, valuesMeant } from './flags.ts';
import { suggest } from './nearest.ts';

/** Words such as `-7d` count from `today`. A value that can't be read is kept as typed. */
export function readArguments(operation: Operation, given: Typed, today: Day) {
  const { typed, findings: signs } = withoutSigns(operation, given);
  const args: Record<string, unknown> = {};
  const found = [...signs];
  const pending = new Set<string>();
  for (const [name, param] of Object.entries(operation.params)) {
    if (typed[name] === undefined) continue;
    const values = Object.fromEntries(followingValues(param, args));
    const { value, candidates } = readValues(param, typed[name], today, values);
    const isUnknown = param.coded && !Object.hasOwn(param.values ?? {}, String(value));
    if (candidates.length === 0 && !isUnknown) args[name] = value;
    else if (param.follows && !isKnown(param.follows, args)) pending.add(name);
    else {
      const code = candidates.length > 0 ? 'ambiguous' : 'not-a-choice';
      const known = candidates.length > 0 ? candidates : Object.keys(values);
      found.push({ ...problem(name, code), value: typed[name], candidates: known });
    }
  }
  found.push(...fillPeriods(operation, typed, args, today));
  const checked = validate(operation, args, today);
  // Those that concern several values, or a value that is missing, follow from those that were found.
  const wrong = checked.filter(
    ({ code, weight }) =>
      weight === 'problem' && !['missing', 'rule', 'reversed-period'].includes(code),
  );
  const findings = found.length > 0 ? [...wrong, ...found] : checked;
  return {
    args,
    findings: findings.filter(
      ({ code, param = '' }) => !(code === 'missing' && pending.has(param)),
    ),
  };
}

function problem(param: string, code: TypedFinding['code'], says = ''): TypedFinding {
  return { param, code, says, weight: 'problem' };
}

/** Whether the value is right on which the meaning of codes depends. */
function isKnown({ param, prefixes }: NonNullable<Param['follows']>, args: Typed): boolean {
  return Object.hasOwn(prefixes, String(args[param]));
}

interface Reading {
  /** The value as the catalogue writes it, or the text itself if it is invalid. */
  readonly value: unknown;
  /** What the text can mean, if it is ambiguous; otherwise empty. */
  readonly candidates: readonly string[];
}

function readValues(
  param: Param,
  typed: unknown,
  today: Day,
  values: Readonly<Record<string, string>>,
): Reading {
  if (!Array.isArray(typed)) return readValue(param, typed, today, values);
  const each = typed.map((text) => readValue(param, text, today, values));
  const read = each.map(({ value }) => value);
  const different = [...new Set(read)];
  // Several requests for the same value would return the same rows twice.
  const split = different.length < 2 ? different[0] : different;
  return {
    value: param.splits ? split : read,
    candidates: each.find(({ candidates }) => candidates.length > 0)?.candidates ?? [],
  };
}

function readValue(
  param: Param,
  typed: unknown,
  today: Day,
  values: Readonly<Record<string, string>> = param.values ?? {},
): Reading {
  const sure = (value: unknown) => ({ value, candidates: [] });
  if (typeof typed === 'boolean') return sure(typed);
  const text = String(typed);
  const small = text.toLowerCase();
  if (param.kind === 'integer') return sure(/^-?\d{1,15}$/.test(text) ? Number(text) : text);
  if (param.kind === 'boolean') return sure(/^(true|false)$/.test(small) ? small === 'true' : text);
  if (param.names === 'receipt') return sure(receiptFrom(text));
  const meant =
    param.kind === 'date'
      ? possibleDays(text, today, param.future ? 'future' : 'past')
      : (exactly(param, text) ?? valuesMeant(param, text, values));
  return { value: meant[0] ?? text, candidates: meant.length > 1 ? meant : [] };
}

/** Returns a receipt as ClickBank writes it, in upper case. */
export function receiptFrom(typed: string): string {
  return typed.trim().toUpperCase();
}

/** Returns the value that was typed in full, even if it does not fit the other arguments. */
function exactly({ values = {} }: Param, text: string): string[] | undefined {
  const found = Object.keys(values).filter((value) => value.toLowerCase() === text.toLowerCase());
  return found.length > 0 ? found : undefined;
}

/** Removes the sign of `--refund-amount 50%`, and sets the type of the refund that it stands for. */
function withoutSigns(
  { params: { refundType: type } }: Operation,
  given: Typed,
): { readonly typed: Typed; readonly findings: TypedFinding[] } {
  const text = String(given.refundAmount ?? '').trim();
  if (!type || !text.endsWith('%')) return { typed: given, findings: [] };
  const typed = { ...given, refundAmount: text.slice(0, -1).trim() };
  const percent = 'PARTIAL_PERCENT';
  const words = String(given.refundType ?? percent);
  const meant = exactly(type, words) ?? valuesMeant(type, words, type.values ?? {});
  if (meant.includes(percent)) return { typed: { ...typed, refundType: percent }, findings: [] };
  if (meant.length === 0) return { typed, findings: [] };
  const says = `${text} can't be combined with {refundType} ${words}`;
  return { typed, findings: [{ ...problem('refundAmount', 'conflict', says), value: text }] };
}

/** Sets the days of periods. `--period` sets both days; a first day alone starts a period that ends today. */
function fillPeriods(
  operation: Operation,
  typed: Typed,
  args: Record<string, unknown>,
  today: Day,
): TypedFinding[] {
  return periodsOf(operation).flatMap(({ name, first, last }): TypedFinding[] => {
    const from = args[first];
    if (typed[name] === undefined) {
      const isOpen = typed[last] === undefined && typeof from === 'string';
      if (isOpen && from <= today) args[last] = today;
      const isAhead = isOpen && from > today && possibleDays(from, today).length === 1;
      return isAhead ? [{ ...problem(first, 'conflict', 'must not be after today') }] : [];
    }
    const words = String(typed[name]);
    const other = [first, last].find((end) => typed[end] !== undefined);
    if (other) return [problem(name, 'conflict', `can't be combined with {${other}}`)];
    const period = parsePeriod(words, today);
    if (!period) {
      const candidates = possibleDays(words, today);
      const code = candidates.length > 1 ? 'ambiguous' : 'not-a-period';
      return [
        { ...problem(name, code), value: words, ...(candidates.length > 1 && { candidates }) },
      ];
    }
    args[first] = period.first;
    args[last] = period.last;
    return [];
  });
}

/** Says what is wrong with an argument beside the others; undefined if it is valid. */
export function problemIn(operation: Operation, given: Typed, name: string, today: Day) {
  const { findings } = readArguments(operation, given, today);
  const finding = findings.find(({ param, weight }) => param === name && weight === 'problem');
  const param = operation.params[name];
  return finding && param && reasonOf(param, finding);
}

/** Says what is wrong with an answer to a prompt; undefined if it is valid. */
export function problemWith(param: Param, answer: string, today: Day): string | undefined {
  const { value, candidates } = readValue(param, answer, today);
  const finding: TypedFinding | undefined =
    candidates.length > 0
      ? { ...problem('', 'ambiguous'), value: answer, candidates }
      : checkValue('', param, value);
  return finding && reasonOf(param, finding);
}

export interface DurationLimits {
  /** The unit of a bare number. If absent, a bare number is rejected. */
  readonly bare?: TimeUnit;
  /** Milliseconds. */
  readonly least?: number;
  readonly most: number;
  /** As in `30s or 2m`. */
  readonly examples: string;
}

/** Milliseconds. Throws a usage failure that names the option, its limits and examples. */
export function durationFrom(
  option: string,
  typed: string,
  { bare, least = 0, most, examples }: DurationLimits,
): number {
  const found = parseDuration(typed, bare);
  if (found !== undefined && found >= least && found <= most) return found;
  const limits =
    least > 0
      ? `from ${durationText(least)} to ${durationText(most)}`
      : `up to ${durationText(most)}`;
  throw usage(`Invalid ${option} '${typed}'.`, {
    hint: `Use a time ${limits}, such as ${examples}.`,
  });
}

/** Returns the value that was typed for an option, in any case. Throws a usage failure that names the choices. */
export function choiceFrom<T extends string>(
  flag: string,
  typed: string | undefined,
  values: readonly T[],
): T | undefined {
  if (typed === undefined) return undefined;
  const words = hyphenated(typed);
  const found = values.find((value) => value === words || `${value}s` === words);
  if (found) return found;
  throw usage(`Invalid ${flag} '${typed}'.`, {
    hint: suggest(words, values, `Use one of ${values.join(', ')}.`),
  });
}

/** The separator of the columns of csv, such as `;` or `tab`: no part of a value, and no mark of its quotes and lines. */
export function delimiterFrom(typed: string | undefined): string | undefined {
  const mark = typed === '\\t' || typed === 'tab' ? '\t' : typed;
  if (mark === undefined || /^[^\p{L}\p{N}"\r\n]$/u.test(mark)) return mark;
  throw usage(`Invalid --delimiter '${typed}'. Use one character, such as ; or |, or tab.`);
}
