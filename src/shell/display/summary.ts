/**
 * The last line of a table on a terminal, as in `312 orders; you earn 5,301.22 USD; customers paid 12,480.50 USD,
 * 301.00 EUR`.
 */
import { hash } from 'node:crypto';
import { LosslessNumber } from 'lossless-json';
import { addDecimals, grouped, groupedCount, readableAmount } from '../../decimals/decimals.ts';
import { isNumeral, type Row, toJson } from '../../output/rows/rows.ts';
import { digitsOf } from '../../output/series.ts';
import type { Summing } from '../../output/stream.ts';
import type { SummedAmount, Unsummed, View } from './view.ts';

export type Summary = NonNullable<ReturnType<typeof summaryOf>>;

/** Returns undefined for rows that have no name in the catalogue. Never adds amounts of different currencies. */
export function summaryOf(view: View) {
  const { sums, unsummed = [], subtracted = [], ofThem, isRepeated } = view;
  const { counted } = view.resource;
  if (!counted) return undefined;
  const { noun, amount, currency = '' } = counted;
  const heading = view.resource.fields[amount ?? '']?.heading;
  const named: SummedAmount = {
    label: (heading ?? amount ?? '').toLowerCase(),
    amount: (row) => digitsOf(row[amount ?? '']),
    currency: (row) => String(row[currency] ?? ''),
  };
  const adders = (sums ?? (amount === undefined ? [] : [named])).map(adderOf);
  let count = 0;
  let matching = 0;
  const skipped = tallyOf(unsummed);
  const negative = tallyOf(subtracted);
  return {
    add(rows: readonly Row[]) {
      count += rows.length;
      if (ofThem) matching += rows.filter(ofThem.is).length;
      for (const row of rows) {
        negative.has(row);
        if (!skipped.has(row) && !isRepeated?.(row)) for (const { add } of adders) add(row);
      }
    },
    /** `isCut` means that `--limit` left out other rows. */
    line(isCut: boolean) {
      const some = ofThem ? `, ${grouped(matching)} ${ofThem.adjective}` : '';
      const counts = `${isCut ? 'First ' : ''}${groupedCount(count, negative.only(count) ?? skipped.only(count) ?? noun)}${some}`;
      const texts = adders.map(({ text }) => text()).filter((text) => text !== '');
      const without = skipped.only(count) ? [] : skipped.texts('without');
      return [counts, ...texts, ...without].join('; ');
    },
  };
}

/** Counts rows that belong to no sum, or are subtracted. */
export function tallyOf(some: readonly Unsummed[]) {
  const counts = some.map(() => 0);
  return {
    /** Whether the row is one of them, which counts it unless it is the second share of a transaction. */
    has(row: Row) {
      const at = some.findIndex(({ is }) => is(row));
      if (at >= 0 && row.totalOrderAmount !== null) counts[at] = (counts[at] ?? 0) + 1;
      return at >= 0;
    },
    /** The name of all `total` rows, if they are of one kind. */
    only: (total: number) => some.find((_, at) => total > 0 && counts[at] === total)?.noun,
    /** As in `without 2 fees and 19 test transactions`; empty if there are none. */
    texts(before: string) {
      const texts = some.flatMap(({ noun }, at) =>
        counts[at] ? [groupedCount(counts[at], noun)] : [],
      );
      return texts.length === 0 ? [] : [`${before} ${texts.join(' and ')}`];
    },
  };
}

/** Rows of the same identity stand close together, so not all identities need to be kept. */
const mostRecent = 100_000;

/** Whether a text was asked about before, by another asker. Without one, each call is another asker. */
export function recentOnes(most = mostRecent) {
  const recent = new Map<string, unknown>();
  return (text: string, asker: unknown = Symbol()) => {
    if (recent.size === most) recent.clear();
    if (!recent.has(text)) recent.set(text, asker);
    return recent.get(text) !== asker;
  };
}

/** Whether another profile has listed the same row, because both keys read its account. */
export function listedByOthers() {
  // The rows of one profile follow all rows of another one, so all are kept, as digests.
  const isRepeated = recentOnes(Number.POSITIVE_INFINITY);
  return ({ profile, ...row }: Row) => isRepeated(hash('sha256', toJson(row), 'base64'), profile);
}

/** Adds up one amount of the rows by currency. The text names the amount, and is empty if no row has it. */
function adderOf({ label, amount, currency, identity, undisputed }: SummedAmount) {
  const sums = new Map<string, { readonly sum: string; readonly rows: number }>();
  const isRepeated = recentOnes();
  return {
    add(row: Row) {
      const value = identity && isRepeated(identity(row)) ? undefined : amount(row);
      if (value !== undefined) {
        const { sum: before, rows } = sums.get(currency(row)) ?? { sum: '0', rows: 0 };
        const sum = addDecimals([before, value]);
        if (sum !== undefined) sums.set(currency(row), { sum, rows: rows + 1 });
      }
    },
    text() {
      if (sums.size === 0) return '';
      const isDisputed = undisputed && [...sums.keys()].some((one) => one && one !== undisputed);
      const end = isDisputed ? ' (currencies disputed)' : '';
      // The currency with the most rows comes first.
      const texts = [...sums]
        .sort(([, one], [, other]) => other.rows - one.rows)
        .map(([currency, { sum }]) => readableAmount(`${sum} ${currency || '(no currency)'}`));
      return `${label} ${texts.join(', ')}${end}`.trim();
    },
  };
}

/** Adds up the named fields; `label` has the values of the other fields. */
export function columnSums(fields: readonly string[], label: Row): Summing {
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
