/** What is wrong with which of the typed options, and what to type instead. */
import type { Option } from 'commander';
import type { Day } from '../../dates/day.ts';
import {
  dayForms,
  daysOfHours,
  dayWords,
  parsePeriod,
  periodWords,
  possibleDays,
} from '../../dates/words.ts';
import type { Finding } from '../../operations/finding.ts';
import { type Operation, type Param, periodsOf } from '../../operations/operation.ts';
import { type Failure, usage } from '../failure.ts';
import { shellWord } from '../shell-word.ts';
import { flagName, optionWord } from './flags.ts';
import { nearest } from './nearest.ts';

export interface TypedFinding extends Omit<Finding, 'code'> {
  readonly code: Finding['code'] | 'ambiguous' | 'conflict' | 'not-a-period';
  /** What the text can mean, or what can be typed in its place. */
  readonly candidates?: readonly string[];
}

const dayHint = `Use ${dayForms}. See cb help dates.`;
const periodHint =
  'Use a period such as last-7-days, this-month, last-quarter, 2026-03 or 2026-Q1. See cb help dates.';

export function sinceDay(typed: string, today: Day, hint = dayHint): Day {
  const [day, other] = possibleDays(typed, today);
  if (day === undefined) throw usage(`Invalid --since '${typed}'.`, { hint });
  if (other === undefined) return day;
  throw usage(`Ambiguous --since '${typed}'.`, { hint: `Use ${day} or ${other}.` });
}

/** What is wrong with an option, by its name in the help, and what to do, in whole sentences. */
export function explain(
  operation: Operation,
  finding: TypedFinding,
  today: Day,
): { readonly message: string; readonly hint: string | undefined } {
  const { param: name = '', value, code, candidates, accepts } = finding;
  const param = operation.params[name];
  const option = name === '' ? '' : flagName(operation, name);
  const invalid = `Invalid ${option} '${value}'.`;
  if (code === 'ambiguous') {
    return { message: `Ambiguous ${option} '${value}'.`, hint: eitherOf(finding, param) };
  }
  if (code === 'not-a-choice' && candidates) {
    return { message: invalid, hint: eitherOf(finding, param) };
  }
  if (code === 'not-a-period') return { message: invalid, hint: nearPeriod(String(value)) };
  if (code === 'wrong-kind' && param?.kind === 'date') {
    const hint = didYouMean(nearDay(operation, name, String(value), today));
    return { message: invalid, hint: joined(hint, dayHint) };
  }
  if (accepts !== undefined && value !== undefined) {
    const choices = code === 'not-a-choice' ? Object.keys(param?.values ?? {}) : [];
    return {
      message: invalid,
      hint: didYouMean(nearest(String(value), choices)) ?? `Use ${accepts}.`,
    };
  }
  const says = finding.says.replace(/\{(\w+)\}/g, (_, other: string) => flagName(operation, other));
  const message = sentence(option === '' ? says : `${option} ${says}`);
  return { message, hint: hintOn(operation, finding) };
}

/** Returns the message and the hint as one line, for a row of a file. */
export function messageOf(operation: Operation, finding: TypedFinding, today: Day): string {
  const { message, hint } = explain(operation, finding, today);
  return finding.weight === 'note' || hint === undefined ? message : `${message} ${hint}`;
}

/** Says what is wrong with the answer to a prompt, without the name of an option. */
export function reasonOf(param: Param, finding: TypedFinding): string {
  if (finding.code === 'ambiguous')
    return `'${finding.value}' is ambiguous. ${eitherOf(finding, param)}`;
  if (finding.code === 'wrong-kind' && param.kind === 'date') {
    const near = nearest(String(finding.value), dayWords);
    return joined(didYouMean(near), `Use ${dayForms}.`);
  }
  const says = finding.says.replace(/\{(\w+)\}/g, (_, other: string) =>
    optionWord(other).replaceAll('-', ' '),
  );
  return finding.accepts === undefined ? `The value ${says}.` : `Use ${finding.accepts}.`;
}

/** As in `Use 2026-03-04 or 2026-04-03.` */
function eitherOf({ candidates = [] }: TypedFinding, param: Param | undefined): string {
  return `Use ${valueList(candidates, param)}.`;
}

/** Lists values with their meanings, without the dotted prefix that all of them share: `2 (other) or 3 (…)`. */
export function valueList(values: readonly string[], param: Param | undefined): string {
  const [first = ''] = values;
  const parts = first.split('.');
  const prefixes = parts.map((_, i) => [...parts.slice(0, i), ''].join('.'));
  const shared = prefixes.findLast((prefix) => values.every((value) => value.startsWith(prefix)));
  const words = values.map((value) => {
    const meaning = param?.values?.[value];
    return meaning ? `${value.slice(shared?.length)} (${meaning})` : value;
  });
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function hintOn(operation: Operation, { param: name = '', code, says, accepts }: TypedFinding) {
  if (accepts !== undefined) return `Use ${accepts}.`;
  const end = periodsOf(operation).find(({ first }) => first === name);
  if (code === 'rule' && end && says.includes(`{${end.last}}`)) {
    const option = flagName(operation, name);
    return `Add a first day, for example ${option} -30d.`;
  }
  return undefined;
}

/** Returns what to type in place of a day: another word, or the period that it is. */
function nearDay(operation: Operation, name: string, typed: string, today: Day) {
  const period = periodsOf(operation).find(({ first, last }) => first === name || last === name);
  const days = period && parsePeriod(typed, today);
  if (period && days) return `--${optionWord(period.name)} ${shellWord(typed)}`;
  return nearest(typed, dayWords);
}

function nearPeriod(typed: string): string {
  const days = daysOfHours(typed);
  if (days) return `Did you mean ${days}? Periods are whole days. See cb help dates.`;
  const near = /^[1-9]\d{0,2}$/.test(typed)
    ? `last-${typed}-days`
    : nearest(typed, periodWords(typed));
  return joined(didYouMean(near), periodHint);
}

function didYouMean(text: string | undefined): string | undefined {
  return text && `Did you mean ${text}?`;
}

function joined(first: string | undefined, second: string): string {
  return first ? `${first} ${second}` : second;
}

/** Makes a sentence: it starts with a capital, unless it starts with an option, and ends with a period. */
function sentence(text: string): string {
  const whole = /[.?!]$/.test(text) ? text : `${text}.`;
  return /^[-<]/.test(whole) ? whole : whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** By the place of a value in the help: a value that every such option takes. */
const examples: Readonly<Record<string, string>> = {
  ...{ n: '10', date: '2026-03-01', period: 'last-7-days', time: '2m', amount: '19.90' },
  ...{ zone: 'America/New_York', format: 'csv', file: 'orders.csv', name: 'shop' },
  ...{ origin: 'queue', days: '60d' },
};

/** By command and option, where the usual example would be refused. */
const ownExamples: Readonly<Record<string, string>> = {
  'quickstats report --out': 'report.html',
  'export month --out': 'last-month.xlsx',
  'sync --tables': 'orders,tickets',
  'sync --to': 'parquet',
};

/** `flags` is an option of a command without its value, as the help shows it, and `next` the token after it. */
export function missingValue(
  { path, allOptions }: { readonly path: string; readonly allOptions: readonly Option[] },
  flags: string,
  next: string | undefined,
): Failure {
  const option = allOptions.find((one) => one.flags.includes(flags));
  const name = option?.long ?? flags;
  const [, place = 'value'] = /<(.*)>/.exec(flags) ?? [];
  const own = ownExamples[`${path} ${name}`];
  const example = own ?? Object.keys(option?.param?.values ?? {})[0] ?? examples[place];
  const more = example ? `, for example ${name} ${example}` : '';
  const asValue = next ? ` If ${next} is the value, type ${name}=${next}.` : '';
  return usage(`${name} needs a value.`, { hint: `Use ${name} <${place}>${more}.${asValue}` });
}
