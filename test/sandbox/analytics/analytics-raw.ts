/** Analytics over plain HTTP, with parsed lists and nils, and sums of orders without code of the sandbox to compare. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { cents, getJson, type Json, linesIn, listed, ofType } from '../raw.ts';

export const ANALYTICS = '/rest/1.3/analytics';
export const YEAR = 'startDate=2025-01-01&endDate=2026-03-18';
export const BY_TRACKING = 'VENDOR/TRACKING_ID?account=GREENLEAF';

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>;

/** The value of the dimension is among the figures, but is not one. */
function figuresIn(data: unknown): Figures {
  return Object.fromEntries(
    listed(data)
      .filter(({ attribute }) => attribute !== 'DIMENSION_VALUE')
      .map(({ attribute, value }) => [attribute, Number((value as { readonly $: string }).$)]),
  );
}

/** A page of figures by dimension; fails on anything but 200 and 206. */
export async function statistics(
  sandbox: Sandbox,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const { status, text } = await getJson(sandbox, `${ANALYTICS}/${path}`, headers);
  expect([200, 206], text).toContain(status);
  const body = JSON.parse(text);
  const rows = listed(body.rows.row).map((row) => ({
    value: String(row.dimensionValue),
    account: String(row.accountNickName),
    figures: figuresIn(row.data),
  }));
  return { status, body, rows, totals: figuresIn(body.totals.total) };
}

/** A page of subscriptions or of trends, which have the same wrapper. */
export async function wrapped(sandbox: Sandbox, path: string, Page = '1') {
  const { status, text } = await getJson(sandbox, `${ANALYTICS}/${path}`, { Page });
  expect([200, 206], text).toContain(status);
  const { totalCount, data, ...others } = JSON.parse(text);
  expect([typeof totalCount, others]).toEqual(['string', {}]);
  return { status, total: Number(totalCount), rows: listed(data.row) };
}

/** All pages of them. */
export async function wrappedPages(sandbox: Sandbox, path: string) {
  const pages: Awaited<ReturnType<typeof wrapped>>[] = [];
  do pages.push(await wrapped(sandbox, path, `${pages.length + 1}`));
  while (pages.at(-1)?.status === 206);
  return pages;
}

/** The rows of a subscription listing, after checking their total. */
export async function details(sandbox: Sandbox, path: string): Promise<Json[]> {
  const { status, total, rows } = await wrapped(sandbox, path);
  expect([status, total]).toEqual([200, rows.length]);
  return rows;
}

/** In the order of the response. */
export const FIELDS = [
  ...['SALE_COUNT', 'SALE_AMOUNT', 'UPSELL_COUNT', 'UPSELL_AMOUNT', 'REBILL_COUNT'],
  ...['REBILL_AMOUNT', 'GROSS_SALE_COUNT', 'GROSS_SALE_AMOUNT', 'REFUND_COUNT', 'REFUND_AMOUNT'],
  ...['REFUND_RATE', 'CHARGEBACK_COUNT', 'CHARGEBACK_AMOUNT', 'CHARGEBACK_RATE'],
  ...['NET_SALE_COUNT', 'NET_SALE_AMOUNT', 'HOP_COUNT', 'HOPS_PER_SALE', 'EARNINGS_PER_HOP'],
  ...['ORDER_IMPRESSION', 'ORDER_SUBMISSION', 'ORDER_FORM_SALE_CONVERSION'],
  'HOPS_PER_ORDER_FORM_IMPRESSION',
];

/** Fails unless the figures that are sums, not ratios, add up to the totals. */
export function expectSum(parts: readonly Figures[], totals: Figures): void {
  for (const name of FIELDS.filter((one) => !/RATE|PER_|CONVERSION/.test(one))) {
    const sum = parts.reduce((all, figures) => all + cents(figures[name]), 0);
    expect([name, sum]).toEqual([name, cents(totals[name])]);
  }
}

/** The account's share in line items, in cents. */
export function earned(lines: readonly Json[]): number {
  return lines.reduce((sum, line) => sum + cents(line.accountAmount), 0);
}

/** The figures that can be computed from orders alone. */
export function expectFigures(found: Figures | undefined, orders: readonly Json[], of: string) {
  const isUpsell = (order: Json) =>
    linesIn(order).every(({ lineItemType }) => lineItemType === 'UPSELL');
  const sales = ofType(orders, 'SALE');
  const groups = {
    SALE: sales.filter((one) => !isUpsell(one)),
    UPSELL: sales.filter(isUpsell),
    REBILL: ofType(orders, 'BILL'),
    GROSS_SALE: ofType(orders, 'SALE', 'BILL'),
    REFUND: ofType(orders, 'RFND'),
    CHARGEBACK: ofType(orders, 'CGBK'),
  };
  const figures = Object.entries(groups).flatMap(([name, some]) => [
    [`${name}_COUNT`, some.length],
    [`${name}_AMOUNT`, Math.abs(earned(some.flatMap(linesIn))) / 100],
  ]);
  const back = ofType(orders, 'RFND', 'CGBK');
  expect(found, of).toMatchObject({
    ...Object.fromEntries(figures),
    NET_SALE_COUNT: groups.GROSS_SALE.length - back.length,
    NET_SALE_AMOUNT: earned([...groups.GROSS_SALE, ...back].flatMap(linesIn)) / 100,
  });
}
