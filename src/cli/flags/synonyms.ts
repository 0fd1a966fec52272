/**
 * Other words for the values of choices. Only exact words count, never similar ones: a request that changes
 * something must not be sent with a value that cb guessed.
 */
import type { Param } from '../../operations/operation.ts';

/** By value. Words stand in lower case, with hyphens. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  SALE: ['sales'],
  RFND: ['refund', 'refunds'],
  CGBK: ['chargeback', 'chargebacks', 'charge-back'],
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
  // These two share a word: the sign of the amount decides, or else it is ambiguous.
  PARTIAL_PERCENT: ['percent', 'percentage', 'partial'],
  PARTIAL_AMOUNT: ['amount', 'partial'],
};

/** A sign behind a number that says which value of the choice beside it is meant. */
export const numberSigns: Readonly<
  Record<string, { readonly sign: string; readonly choice: string; readonly value: string }>
> = {
  refundAmount: { sign: '%', choice: 'refundType', value: 'PARTIAL_PERCENT' },
};

/** The values that the text can stand for; `values` are those to choose from, with their meanings. */
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

/** `TEST_SALE`, `test sale` and `Test-Sale` are the same. */
function comparable(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}

/** The words of a text without its punctuation. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
