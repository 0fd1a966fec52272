/** Reads the arguments of an operation from what was typed, and names the flags in its errors. */
import type { Day } from '../../dates/day.ts';
import { dayForms, periodForms } from '../../dates/forms.ts';
import { dayWords, parseDay, parsePeriod, periodWords } from '../../dates/words.ts';
import type { Operation, Param } from '../../operations/operation.ts';
import { periodsOf } from '../../operations/period.ts';
import { checkValue, type Finding, validate } from '../../operations/validate.ts';
import { flagName, type Typed } from './flags.ts';
import { nearest } from './nearest.ts';

export interface Read {
  /** By parameter name; a value that can't be read is kept as typed. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
}

/** `today` is the day that words like `-7d` start from. */
export function readArguments(operation: Operation, typed: Typed, today: Day): Read {
  const args: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(operation.params)) {
    if (typed[name] !== undefined) args[name] = readValue(param, typed[name], today);
  }
  const wrongPeriods = fillPeriods(operation, typed, args, today);
  const findings = wrongPeriods.length > 0 ? wrongPeriods : validate(operation, args, today);
  // Lists are read in as many parts as a period needs.
  return { args, findings: findings.filter(({ code }) => code !== 'long-period') };
}

/** The value as the catalogue writes it, or the text itself if it is not of that kind. */
function readValue(param: Param, typed: unknown, today: Day): unknown {
  if (Array.isArray(typed)) return typed.map((text) => readValue(param, text, today));
  if (typeof typed === 'boolean') return typed;
  const text = String(typed);
  const small = text.toLowerCase();
  if (param.kind === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (param.kind === 'boolean') return /^(true|false)$/.test(small) ? small === 'true' : text;
  if (param.kind === 'date') return parseDay(text, today) ?? text;
  return Object.keys(param.values ?? {}).find((value) => value.toLowerCase() === small) ?? text;
}

/** `--period` sets both days of its period. */
function fillPeriods(
  operation: Operation,
  typed: Typed,
  args: Record<string, unknown>,
  today: Day,
): Finding[] {
  const wrong = (param: string, says: string): Finding[] => [
    { param, code: 'wrong-kind', says, weight: 'problem' },
  ];
  return periodsOf(operation).flatMap(({ name, first, last }) => {
    if (typed[name] === undefined) return [];
    const words = String(typed[name]);
    const other = [first, last].find((end) => typed[end] !== undefined);
    if (other) return wrong(name, `can't be given together with {${other}}`);
    const period = parsePeriod(words, today);
    if (!period) {
      const near = meant(words, periodWords(words));
      return wrong(name, `must be a period (${periodForms}), not '${words}'${near}`);
    }
    args[first] = period.first;
    args[last] = period.last;
    return [];
  });
}

/** What is wrong with an answer to a prompt, if anything. */
export function problemWith(param: Param, answer: string, today: Day): string | undefined {
  const finding = checkValue('', param, readValue(param, answer, today));
  return finding && wordsOf(param, finding);
}

export function messageOf(operation: Operation, finding: Finding): string {
  const { param } = finding;
  const words = wordsOf(operation.params[param ?? ''], finding).replace(
    /\{(\w+)\}/g,
    (_, name: string) => flagName(operation, name),
  );
  return param === undefined ? words : `${flagName(operation, param)} ${words}`;
}

function wordsOf(param: Param | undefined, { code, says, value }: Finding): string {
  const typed = String(value);
  if (code === 'not-a-choice') return `${says}${meant(typed, Object.keys(param?.values ?? {}))}`;
  if (code !== 'wrong-kind' || param?.kind !== 'date') return says;
  return `must be a date (${dayForms}), not '${typed}'${meant(typed, dayWords())}`;
}

function meant(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near ? `; did you mean ${near}?` : '';
}
