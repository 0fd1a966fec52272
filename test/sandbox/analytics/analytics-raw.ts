/** Analytics over plain HTTP, with parsed lists and nils, and sums of orders without code of the sandbox to compare. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { getJson, keyed, linesIn } from '../raw.ts';

export const ANALYTICS = '/rest/1.3/analytics';

export type Json = Readonly<Record<string, unknown>>;

/** A list in JSON: nothing, one bare element, or several. */
export function listed<T = Json>(value: unknown): T[] {
  return value === null || value === undefined ? [] : ([value].flat() as T[]);
}

interface Figure {
  readonly attribute: string;
  readonly value: { readonly '@type': string; readonly $: string };
}

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>;

export interface Statistics {
  readonly status: number;
  readonly body: Json;
  readonly rows: { readonly value: string; readonly account: string; readonly figures: Figures }[];
  readonly totals: Figures;
}

/** The value of the dimension is among the figures, but is not one. */
function figuresIn(data: unknown): Figures {
  const figures = listed<Figure>(data).filter(({ attribute }) => attribute !== 'DIMENSION_VALUE');
  return Object.fromEntries(figures.map(({ attribute, value }) => [attribute, Number(value.$)]));
}

/** A page of figures by dimension; fails on anything but 200 and 206. */
export async function statistics(
  sandbox: Sandbox,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Statistics> {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`, headers);
  expect([200, 206], response.text).toContain(response.status);
  const body = JSON.parse(response.text);
  const rows = listed(body.rows.row).map((row) => ({
    value: String(row.dimensionValue),
    account: String(row.accountNickName),
    figures: figuresIn(row.data),
  }));
  return { status: response.status, body, rows, totals: figuresIn(body.totals.total) };
}

/** Fails unless the request is refused with a sentence that contains `says`. */
export async function expectRefusal(
  sandbox: Sandbox,
  path: string,
  status: number,
  says: string | RegExp,
  key = 'full',
): Promise<void> {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`, keyed(sandbox, key));
  expect([path, response.status]).toEqual([path, status]);
  expect(response.headers['content-type']).toMatch(/^text\/plain/);
  expect(response.text).toMatch(says);
}

/** The rows of a subscription listing, after checking their total. */
export async function details(sandbox: Sandbox, path: string): Promise<Json[]> {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`);
  expect(response.status, response.text).toBe(200);
  const body = JSON.parse(response.text);
  const rows = listed(body.data.row);
  expect(body.totalCount).toBe(String(rows.length));
  return rows;
}

export const YEAR = 'startDate=2025-01-01&endDate=2026-03-18';
export const SEED = { orders: 1500 };
export const BY_TRACKING = 'VENDOR/TRACKING_ID?account=GREENLEAF';

/** In the order of the response. */
export const FIELDS = [
  ...['SALE_COUNT', 'SALE_AMOUNT', 'UPSELL_COUNT', 'UPSELL_AMOUNT', 'REBILL_COUNT'],
  ...['REBILL_AMOUNT', 'GROSS_SALE_COUNT', 'GROSS_SALE_AMOUNT', 'REFUND_COUNT', 'REFUND_AMOUNT'],
  ...['REFUND_RATE', 'CHARGEBACK_COUNT', 'CHARGEBACK_AMOUNT', 'CHARGEBACK_RATE'],
  ...['NET_SALE_COUNT', 'NET_SALE_AMOUNT', 'HOP_COUNT', 'HOPS_PER_SALE', 'EARNINGS_PER_HOP'],
  ...['ORDER_IMPRESSION', 'ORDER_SUBMISSION', 'ORDER_FORM_SALE_CONVERSION'],
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
