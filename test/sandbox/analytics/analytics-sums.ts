/** Sums of orders for comparison with figures, computed without code of the sandbox. */
import { expect } from 'vitest';
import { linesIn } from '../raw.ts';
import type { Figures } from './analytics-raw.ts';

export const YEAR = 'startDate=2025-01-01&endDate=2026-03-18';
export const SEED = { orders: 1500 };
export const BY_TRACKING = 'VENDOR/TRACKING_ID?account=GREENLEAF';

export const FIELDS = [
  'SALE_COUNT',
  'SALE_AMOUNT',
  'UPSELL_COUNT',
  'UPSELL_AMOUNT',
  'REBILL_COUNT',
  'REBILL_AMOUNT',
  'GROSS_SALE_COUNT',
  'GROSS_SALE_AMOUNT',
  'REFUND_COUNT',
  'REFUND_AMOUNT',
  'REFUND_RATE',
  'CHARGEBACK_COUNT',
  'CHARGEBACK_AMOUNT',
  'CHARGEBACK_RATE',
  'NET_SALE_COUNT',
  'NET_SALE_AMOUNT',
  'HOP_COUNT',
  'HOPS_PER_SALE',
  'EARNINGS_PER_HOP',
  'ORDER_IMPRESSION',
  'ORDER_SUBMISSION',
  'ORDER_FORM_SALE_CONVERSION',
  'HOPS_PER_ORDER_FORM_IMPRESSION',
];
/** Figures that are sums of rows; the others are ratios. */
export const ADDITIVE = FIELDS.filter((name) => !/RATE|PER_|CONVERSION/.test(name));

export const COUNTED = ['SALE', 'BILL', 'RFND', 'CGBK'];

export type Order = Readonly<Record<string, unknown>>;

/** The account's share according to the orders list. */
function accountCents(orders: readonly Order[]): number {
  return orders
    .flatMap((order) => linesIn(order))
    .reduce((sum, line) => sum + Math.round(Number(line.accountAmount) * 100), 0);
}

export const cents = (amount: number | undefined) => Math.round(Number(amount) * 100);
const upsold = (order: Order) => linesIn(order).every((line) => line.lineItemType === 'UPSELL');

/** The figures that can be computed from orders alone. */
function figuresOf(orders: readonly Order[]) {
  const of = (type: string) => orders.filter((order) => order.transactionType === type);
  const [sales, upsells] = [of('SALE').filter((one) => !upsold(one)), of('SALE').filter(upsold)];
  const gross = [...of('SALE'), ...of('BILL')];
  const back = [...of('RFND'), ...of('CGBK')];
  return {
    SALE_COUNT: sales.length,
    SALE_AMOUNT: accountCents(sales),
    UPSELL_COUNT: upsells.length,
    UPSELL_AMOUNT: accountCents(upsells),
    REBILL_COUNT: of('BILL').length,
    REBILL_AMOUNT: accountCents(of('BILL')),
    GROSS_SALE_COUNT: gross.length,
    GROSS_SALE_AMOUNT: accountCents(gross),
    REFUND_COUNT: of('RFND').length,
    REFUND_AMOUNT: 0 - accountCents(of('RFND')),
    CHARGEBACK_COUNT: of('CGBK').length,
    CHARGEBACK_AMOUNT: 0 - accountCents(of('CGBK')),
    NET_SALE_COUNT: gross.length - back.length,
    NET_SALE_AMOUNT: accountCents([...gross, ...back]),
  };
}

export function expectFigures(
  found: Figures | undefined,
  orders: readonly Order[],
  of: string,
): void {
  const expected = Object.entries(figuresOf(orders)).map(([name, value]) => [
    name,
    name.endsWith('AMOUNT') ? value / 100 : value,
  ]);
  expect(found, of).toMatchObject(Object.fromEntries(expected));
}
