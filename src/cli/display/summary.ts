/** The last line of a table on a terminal, as in `312 orders, 12,480.50 USD, 301.00 EUR`. */
import { addDecimals } from '../../output/rows/decimal-sum.ts';
import { isNumeral, type Row } from '../../output/rows/rows.ts';
import type { View } from './view.ts';

export interface Summary {
  add(rows: readonly Row[]): void;
  /** `isCut` means that `--limit` left out other rows. */
  line(isCut: boolean): string;
}

interface Sum {
  readonly amount: string;
  readonly rows: number;
}

/** Returns undefined for rows that have no name in the catalogue. Never adds amounts of different currencies. */
export function summaryOf({ resource: { counted } }: View): Summary | undefined {
  if (!counted) return undefined;
  const { noun, amount = '', currency = '' } = counted;
  const sums = new Map<string, Sum>();
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      for (const row of rows) {
        const value = row[amount];
        if (isNumeral(value)) addTo(sums, String(row[currency] ?? ''), value.value);
      }
    },
    line(isCut) {
      const counts = `${grouped(String(count))} ${noun}${count === 1 ? '' : 's'}`;
      return [isCut ? `First ${counts}` : counts, ...sumTexts(sums)].join(', ');
    },
  };
}

function addTo(sums: Map<string, Sum>, currency: string, value: string): void {
  const { amount, rows } = sums.get(currency) ?? { amount: '0', rows: 0 };
  const sum = addDecimals([amount, value]);
  if (sum !== undefined) sums.set(currency, { amount: sum, rows: rows + 1 });
}

/** The currency with the most rows comes first. */
function sumTexts(sums: ReadonlyMap<string, Sum>): string[] {
  return [...sums]
    .sort(([, one], [, other]) => other.rows - one.rows)
    .map(([currency, { amount }]) => `${grouped(amount)} ${currency || '(no currency)'}`);
}

/** `12480.50` as `12,480.50`. */
function grouped(number: string): string {
  const [whole = '', ...fraction] = number.split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}
