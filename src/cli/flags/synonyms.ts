/**
 * Synonyms for the values of choices. Only exact words count, never similar ones: a write must not be sent with a
 * value that cb guessed.
 */
import type { Param } from '../../operations/operation.ts';

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
