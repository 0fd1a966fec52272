/** The parameters of an operation as flags and arguments, and what was typed as its arguments. */
import { Argument, type Command, Option } from 'commander';
import type { Day } from '../dates/day.ts';
import { periodForms } from '../dates/forms.ts';
import { parsePeriod, periodWords } from '../dates/words.ts';
import type { Operation, Param, Remark } from '../operations/operation.ts';
import { meant, parseValue } from './values.ts';

/** What commander read: by parameter name, a text, a list of texts, or a boolean. */
export type Typed = Readonly<Record<string, unknown>>;

export const helpGroups = {
  find: 'What to ask:',
  show: 'How to show it:',
  other: 'Everything else:',
};

/** `startDate` as it is typed: `--start-date`, or `<receipt>` for a part of the path. */
export function flagName(operation: Operation, name: string): string {
  return isArgument(operation, name) ? `<${name}>` : `--${kebab(name)}`;
}

/** For commands that look for an equal thing before they send. */
export function allowDuplicateOption(): Option {
  const summary = 'Send the request even if an equal ticket or ship notice exists';
  return new Option('--allow-duplicate', summary).helpGroup(helpGroups.other);
}

/** For commands that can refund a sale though their name does not say so. */
export function allowRefundOption(): Option {
  const summary = 'Allow this command to refund a sale when no person confirms it';
  return new Option('--allow-refund', summary).helpGroup(helpGroups.other);
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Parts of the path are typed as arguments, unless the catalogue says otherwise. */
export function isArgument({ path, params }: Operation, name: string): boolean {
  return path.includes(`{${name}}`) && !params[name]?.asFlag;
}

/**
 * Adds an operation's arguments and flags to its command, in the order of the catalogue; those that
 * another operation of the command has brought are there already. `many` may be typed several times.
 */
export function addParameters(command: Command, operation: Operation, many?: string): void {
  const isNew = (name: string) =>
    !command.options.some((option) => option.attributeName() === name) &&
    !command.registeredArguments.some((argument) => argument.name() === name);
  for (const [name, param] of Object.entries(operation.params)) {
    if (param.constant !== undefined || !isNew(name)) continue;
    if (isArgument(operation, name)) {
      const written = name === many ? `[${name}...]` : `[${name}]`;
      command.addArgument(new Argument(written, describe(param)));
    } else for (const option of optionsFor(name, param)) command.addOption(grouped(option));
  }
  for (const range of rangesOf(operation).filter(isNew)) {
    const option = new Option(`--${kebab(range)} <words>`, `Set both days at once: ${periodForms}`);
    command.addOption(grouped(option));
  }
}

function grouped(option: Option): Option {
  return option.helpGroup(helpGroups.find);
}

function optionsFor(name: string, param: Param): Option[] {
  const flag = `--${kebab(name)}`;
  if (param.kind === 'boolean') {
    const summary = param.off ?? `Send ${flag} as false`;
    const off = new Option(`--no-${kebab(name)}`, summary).default(undefined);
    return [new Option(flag, describe(param)), off];
  }
  const option = new Option(`${flag} <${placeholder(param)}>`, describe(param));
  if (param.repeatable) {
    option.argParser((text: string, before: string[] = []) => [...before, ...text.split(',')]);
  }
  return [option];
}

function placeholder({ kind, wildcard }: Param): string {
  if (wildcard) return 'text%';
  return {
    text: 'text',
    choice: 'value',
    integer: 'n',
    decimal: 'amount',
    boolean: '',
    date: 'day',
  }[kind];
}

function describe(param: Param): string {
  const values = Object.entries(param.values ?? {}).map(([value, meaning]) =>
    meaning ? `${value} (${meaning})` : value,
  );
  return [
    param.summary,
    values.length > 0 ? `: ${values.join(', ')}` : '',
    param.wildcard ? '; % matches any text' : '',
    param.fallback ? ` (default: ${param.fallback})` : '',
    param.required ? ' (required)' : '',
  ].join('');
}

function rangesOf({ params }: Operation): string[] {
  return [...new Set(Object.values(params).flatMap(({ range }) => (range ? [range.name] : [])))];
}

/** Whether a day or a period was typed, which the day of today gives its meaning or its limits. */
export function holdsDays(operation: Operation, typed: Typed): boolean {
  const { params } = operation;
  const dates = Object.keys(params).filter((name) => params[name]?.kind === 'date');
  return [...dates, ...rangesOf(operation)].some((name) => typed[name] !== undefined);
}

export interface Read {
  /** By parameter name; only what was typed and could be read. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Each names the flag it is about. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** Required parameters that were not typed. */
  readonly missing: readonly string[];
  /** Parameters that are only required beside what was typed; each is among the problems too. */
  readonly needed: readonly string[];
}

/** Reads what was typed, value by value, then holds it against the rules of the operation. */
export function readArguments(operation: Operation, typed: Typed, today: Day): Read {
  const args: Record<string, unknown> = {};
  const problems: string[] = [];
  const take = (name: string, param: Param, text: unknown) => {
    const { value, problem } = readOne(param, text, today);
    if (problem) problems.push(`${flagName(operation, name)} ${problem}`);
    else args[name] = value;
  };
  for (const [name, param] of Object.entries(operation.params)) {
    if (typed[name] !== undefined) take(name, param, typed[name]);
  }
  problems.push(...fillRanges(operation, typed, args, today));
  const missing = Object.entries(operation.params)
    .filter(([name, param]) => param.required && typed[name] === undefined && !(name in args))
    .map(([name]) => name);
  const remarks = problems.length + missing.length > 0 ? [] : check(operation, args, today);
  const inWords = ({ param, says }: Remark) => {
    const words = says.replace(/\{(\w+)\}/g, (_, name: string) => flagName(operation, name));
    return param === undefined ? words : `${flagName(operation, param)} ${words}`;
  };
  const ofWeight = (weight: string) => remarks.filter((one) => one.weight === weight).map(inWords);
  return {
    args,
    problems: [...problems, ...ofWeight('problem')],
    notes: ofWeight('note'),
    missing,
    needed: remarks.flatMap(({ param, isMissing }) => (isMissing && param ? [param] : [])),
  };
}

function check(operation: Operation, args: Read['args'], today: Day): Remark[] {
  return (operation.check?.(args, today) ?? []).filter((remark) => remark !== false);
}

function readOne(param: Param, typed: unknown, today: Day): { value?: unknown; problem?: string } {
  if (typeof typed === 'boolean') return { value: typed };
  if (!Array.isArray(typed)) return parseValue(param, String(typed), today);
  const parsed = typed.map((text: string) => parseValue(param, text, today));
  const bad = parsed.find((one) => 'problem' in one);
  return bad ?? { value: parsed.map((one) => 'value' in one && one.value) };
}

/** `--period` sets both ends of its range. */
function fillRanges(
  operation: Operation,
  typed: Typed,
  args: Record<string, unknown>,
  today: Day,
): string[] {
  return rangesOf(operation).flatMap((range) => {
    const words = typed[range];
    if (words === undefined) return [];
    const ends = Object.entries(operation.params).filter(
      ([, param]) => param.range?.name === range,
    );
    const both = ends.find(([name]) => typed[name] !== undefined);
    if (both)
      return [`--${kebab(range)} can't be given together with ${flagName(operation, both[0])}`];
    const period = parsePeriod(String(words), today);
    if (!period) {
      const near = meant(String(words), periodWords(String(words)));
      return [`--${kebab(range)} '${words}' is no such period: ${periodForms}${near}`];
    }
    for (const [name, { range: place }] of ends) args[name] = period[place?.end ?? 'first'];
    return [];
  });
}
