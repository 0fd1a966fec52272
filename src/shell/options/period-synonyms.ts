/** `--since` and `--until`: the first and last day under the same names for every command that reads a period. */
import { type Command, Option } from 'commander';
import type { Operation, Param } from '../../operations/operation.ts';
import { type Period, periodsOf } from '../../operations/period.ts';
import { type Accepting, flagName, type Typed } from './flags.ts';

/** The options, each with the end of the period that it sets. */
const ends = { since: 'first', until: 'last' } as const;

/**
 * An option that sets the value of another option. commander and the check for repeated options compare attribute
 * names.
 */
class SynonymOption extends Option {
  private readonly target: string;

  constructor(meant: Option, name: string) {
    super(meant.flags.replace(/--\S+/, `--${name}`), `Same as ${meant.long}`);
    this.target = meant.attributeName();
    if (meant.helpGroupHeading !== undefined) this.helpGroup(meant.helpGroupHeading);
  }

  override attributeName(): string {
    // The constructor of the parent class calls this method too.
    return this.target ?? super.attributeName();
  }
}

/** The period that dates the rows, otherwise the first one that the operation accepts. */
function mainPeriod(operation: Omit<Operation, 'check'>): Period | undefined {
  const { returns } = operation;
  const periods = periodsOf(operation);
  const by = 'dated' in returns ? returns.dated?.by : undefined;
  return periods.find(({ name }) => name === by) ?? periods[0];
}

/** Adds the two options, unless another operation of the command has added them. */
export function addPeriodSynonyms(command: Accepting, operation: Omit<Operation, 'check'>): void {
  const period = mainPeriod(operation);
  for (const [name, end] of Object.entries(ends)) {
    const meant = command.options.find((option) => option.attributeName() === period?.[end]);
    if (!meant || command.options.some(({ long }) => long === `--${name}`)) continue;
    command.addOption(new SynonymOption(meant, name));
  }
}

/** Records for `typedName` which of the options were typed. */
export function markSynonyms(command: Command): void {
  for (const option of command.options) {
    if (!(option instanceof SynonymOption)) continue;
    const name = option.name();
    command.on(`option:${name}`, () => command.setOptionValue(markOf(name), true));
  }
}

/** Returns the key that records that the user typed the synonym. */
function markOf(name: string): string {
  return `${name}Typed`;
}

/**
 * Returns the option or argument of a parameter as the user typed it, for example `--since` instead of
 * `--start-date`.
 */
export function typedName(operation: Operation, param: string, typed: Typed): string {
  const period = mainPeriod(operation);
  const synonym = Object.entries(ends).find(
    ([name, end]) => period?.[end] === param && typed[markOf(name)] === true,
  );
  return synonym ? `--${synonym[0]}` : flagName(operation, param);
}

/** Synonyms by value, in lower case with hyphens. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  SALE: ['sales'],
  RFND: ['refund', 'refunds', 'refunded'],
  CGBK: ['chargeback', 'chargebacks', 'charge-back', 'charged-back'],
  FEE: ['fees'],
  BILL: ['rebill', 'rebills'],
  TEST_SALE: ['test-sales'],
  TEST_BILL: ['test-rebill', 'test-rebills'],
  TEST_RFND: ['test-refund', 'test-refunds'],
  TEST_FEE: ['test-fees'],
  rfnd: ['refund', 'refunds'],
  cncl: ['cancel', 'cancellation', 'cancellations'],
  tech: ['tech-support', 'technical-support', 'support'],
  reopened: ['re-opened'],
  notshipped: ['not-shipped', 'unshipped'],
  // These two share a word. A % sign after the amount decides; otherwise the word is ambiguous.
  PARTIAL_PERCENT: ['percent', 'percentage', 'partial'],
  PARTIAL_AMOUNT: ['amount', 'partial'],
};

/** By parameter: a sign after the number that selects the value of another choice. */
export const numberSigns: Readonly<
  Record<string, { readonly sign: string; readonly choice: string; readonly value: string }>
> = {
  refundAmount: { sign: '%', choice: 'refundType', value: 'PARTIAL_PERCENT' },
};

/** Returns the values that the text can mean; `values` are the choices, with their meanings. */
export function valuesMeant(
  { coded }: Param,
  text: string,
  values: Readonly<Record<string, string>>,
): string[] {
  const typed = comparable(text);
  const names = Object.keys(values);
  const matching = (matches: (value: string) => boolean) => names.filter(matches);
  const exact = matching((value) => comparable(value) === typed);
  if (exact.length > 0) return exact;
  const named = matching((value) => synonyms[value]?.includes(typed) ?? false);
  if (named.length > 0 || !coded || typed === '') return named;
  const ends = matching((value) => comparable(value).endsWith(`.${typed}`));
  if (ends.length > 0) return ends;
  const meaning = (value: string) => wordsOf(values[value] ?? '');
  const same = matching((value) => meaning(value) === wordsOf(text));
  return same.length > 0
    ? same
    : matching((value) => ` ${meaning(value)} `.includes(` ${wordsOf(text)} `));
}

/** Makes `TEST_SALE`, `test sale` and `Test-Sale` equal. */
function comparable(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}

/** Removes the punctuation of a text. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
