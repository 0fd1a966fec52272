/** Adds a row of sums below a list, exact to the last digit. */
import { LosslessNumber } from 'lossless-json';
import { addDecimals } from '../../decimals/decimals.ts';
import { isNumeral, type Row } from '../../output/rows/rows.ts';
import type { Summing } from './view.ts';

/** Adds up the named fields; `label` has the values of the other fields. */
export function sumsOf(fields: readonly string[], label: Row): Summing {
  const digits = new Map<string, string>();
  let rows = 0;
  return {
    add(page) {
      rows += page.length;
      for (const field of fields) {
        const numbers = page.map((row) => row[field]).filter(isNumeral);
        const before = digits.get(field);
        const sum = addDecimals([before ?? '0', ...numbers.map(({ value }) => value)]);
        if (sum !== undefined) digits.set(field, sum);
      }
    },
    row() {
      if (rows === 0) return undefined;
      const sums = [...digits].map(([field, sum]) => [field, new LosslessNumber(sum)]);
      return { ...label, ...Object.fromEntries(sums) };
    },
  };
}
