/** The data fields of analytics (section 2 of the specification), computed from sums. */
import type { PlainText } from '../http/json.ts';
import type { Sums, SumsRow } from '../store/analytics.ts';
import { moneyText } from './money.ts';

/** A figure is either a count or a number of hundredths. */
interface Figure {
  readonly isCount: boolean;
  readonly of: (sums: Sums) => number;
}

const whole = (of: Figure['of']): Figure => ({ isCount: true, of });
const hundredths = (of: Figure['of']): Figure => ({ isCount: false, of });

/** Returns hundredths; 0 if the denominator is 0. */
function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : Math.round((100 * numerator) / denominator);
}

const percent = (part: number, of: number) => ratio(100 * part, of);

const grossCents = (s: Sums) => s.saleCents + s.upsellCents + s.rebillCents;
const grossCount = (s: Sums) => s.saleCount + s.upsellCount + s.rebillCount;
const netCents = (s: Sums) => grossCents(s) - s.refundCents - s.chargebackCents;
const netCount = (s: Sums) => grossCount(s) - s.refundCount - s.chargebackCount;

/**
 * Section 2 names the fields; the sandbox defines their meaning. Rates are percentages: of all
 * payments for refunds and chargebacks, of the displayed order forms for sales. A hop earns the
 * account's share. Upsells are sales that follow another sale, without an order form.
 */
const FIGURES: Readonly<Record<string, Figure>> = {
  SALE_COUNT: whole((s) => s.saleCount),
  SALE_AMOUNT: hundredths((s) => s.saleCents),
  UPSELL_COUNT: whole((s) => s.upsellCount),
  UPSELL_AMOUNT: hundredths((s) => s.upsellCents),
  REBILL_COUNT: whole((s) => s.rebillCount),
  REBILL_AMOUNT: hundredths((s) => s.rebillCents),
  GROSS_SALE_COUNT: whole(grossCount),
  GROSS_SALE_AMOUNT: hundredths(grossCents),
  REFUND_COUNT: whole((s) => s.refundCount),
  REFUND_AMOUNT: hundredths((s) => s.refundCents),
  REFUND_RATE: hundredths((s) => percent(s.refundCount, grossCount(s))),
  CHARGEBACK_COUNT: whole((s) => s.chargebackCount),
  CHARGEBACK_AMOUNT: hundredths((s) => s.chargebackCents),
  CHARGEBACK_RATE: hundredths((s) => percent(s.chargebackCount, grossCount(s))),
  NET_SALE_COUNT: whole(netCount),
  NET_SALE_AMOUNT: hundredths(netCents),
  HOP_COUNT: whole((s) => s.hops),
  HOPS_PER_SALE: hundredths((s) => ratio(s.hops, s.saleCount)),
  EARNINGS_PER_HOP: hundredths((s) => ratio(netCents(s) / 100, s.hops)),
  ORDER_IMPRESSION: whole((s) => s.impressions),
  ORDER_SUBMISSION: whole((s) => s.submissions),
  ORDER_FORM_SALE_CONVERSION: hundredths((s) => percent(s.saleCount, s.impressions)),
  HOPS_PER_ORDER_FORM_IMPRESSION: hundredths((s) => ratio(s.hops, s.impressions)),
};

/** Names the row's value of the dimension instead of a figure. Totals do not have it. */
const VALUE = 'DIMENSION_VALUE';

/** Every data field, in the order of the response. */
export const DATA_FIELDS: readonly string[] = [VALUE, ...Object.keys(FIGURES)];

interface Datum {
  readonly attribute: string;
  readonly value: string | PlainText;
}

/** The selected figures as sent: counts are integers, all others have two decimals. */
export function figuresOf(sums: Sums, select: readonly string[]): Datum[] {
  return select.flatMap((attribute) => {
    const figure = FIGURES[attribute];
    if (!figure) return [];
    const number = figure.of(sums);
    return [{ attribute, value: figure.isCount ? String(number) : moneyText(number) }];
  });
}

/** The selected data fields of a row: its figures and its value of the dimension. */
export function dataOf(sums: SumsRow, select: readonly string[]): Datum[] {
  const value = { attribute: VALUE, value: { text: sums.id } };
  return select.flatMap((name) => (name === VALUE ? [value] : figuresOf(sums, [name])));
}

/** Puts rows with hops but without sales at the end. */
const DEFAULT_ORDER = 'GROSS_SALE_AMOUNT';

/** Sorts by figure, in descending order by default, and then by dimension value. */
export function sortSums(
  rows: readonly SumsRow[],
  orderBy = DEFAULT_ORDER,
  ascending = false,
): SumsRow[] {
  const figure = FIGURES[orderBy];
  const direction = ascending ? 1 : -1;
  if (!figure) return ascending ? [...rows] : rows.toReversed();
  return rows.toSorted((a, b) => direction * (figure.of(a) - figure.of(b)));
}
