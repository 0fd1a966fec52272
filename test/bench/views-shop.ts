/** A copy of a large generated shop, written through the destination of a sync. Every run has the same rows. */
import { addDays, type Day } from '../../src/dates/day.ts';
import { sqlDestination } from '../../src/features/sync/database/copy.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import { analyticsSource } from '../../src/features/sync/tables/analytics-tables.ts';
import { orderSource } from '../../src/features/sync/tables/order-tables.ts';
import { subscriptionSource } from '../../src/features/sync/tables/sources.ts';
import { rowMaker, type Source } from '../../src/features/sync/tables/table.ts';

type Row = Readonly<Record<string, unknown>>;

const account = 'ACMESHOP';
const syncedAt = '2026-03-18T18:30:00Z';
const last: Day = '2026-03-18';
const [products, affiliates, trackingIds] = [40, 500, 5000];

/** Fills a copy with `count` orders of as many days, as ClickBank lists them. */
export async function fillCopy(sql: Sql, count: number, days: number): Promise<void> {
  const destination = sqlDestination(sql);
  const fill = async (source: Source, rows: readonly Row[], day?: Day) => {
    const make = rowMaker(source, { account, syncedAt, isAnonymous: () => false });
    const writer = await destination.begin(account, source);
    await writer.write(make(rows.map((row) => ({ row, day: day ?? last }))));
    const extent = day === undefined ? 'whole' : { first: day, last: day };
    const rowsByDay = day === undefined ? new Map() : new Map([[day, rows.length]]);
    await writer.commit({ extent, syncedAt, rowsByDay, nicknames: [] });
  };
  const order = orderMaker(count);
  for (let i = 0, made = 0; i < days; i++) {
    const day = addDays(last, i + 1 - days);
    const rows: Row[] = [];
    for (; made < Math.round((count * (i + 1)) / days); made++) rows.push(order(day, made));
    await fill(orderSource, rows, day);
  }
  const random = randomFrom(13);
  // ClickBank keeps a year of analytics.
  for (let i = 0; i < 364; i++) {
    const day = addDays(last, i - 363);
    await fill(analyticsSource, clicksOn(day, random), day);
  }
  await fill(subscriptionSource, subscriptions(count, days));
}

/** A small generator of numbers. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function receiptAt(number: number): string {
  return number.toString(36).toUpperCase().padStart(8, 'A');
}

/** Few products and affiliates sell most; 60 percent of the orders have a customer of their own. */
function orderMaker(orders: number): (day: Day, number: number) => Row {
  const random = randomFrom(7);
  const pick = (count: number) => Math.floor(count * random() ** 2.5);
  const customers = Math.ceil(orders * 0.6);
  return (day, number) => {
    const clock = new Date(Math.floor(random() * 86_400_000)).toISOString().slice(11, 19);
    const isNew = random() < 0.6;
    const customer = Math.floor(customers * (isNew ? number / orders : random()));
    const kind = random();
    const type = kind < 0.64 ? 'SALE' : kind < 0.92 ? 'BILL' : kind < 0.99 ? 'RFND' : 'CGBK';
    const sign = type === 'RFND' || type === 'CGBK' ? -1 : 1;
    const items = random() < 0.85 ? ['ORIGINAL'] : ['ORIGINAL', 'UPSELL'];
    return {
      transactionTime: `${day}T${clock}-08:00`,
      receipt: receiptAt(number),
      trackingId: random() < 0.7 ? `campaign${pick(trackingIds)}` : null,
      ...{ paytmentMethod: 'VISA', transactionType: type, vendor: account, role: 'VENDOR' },
      totalOrderAmount: (sign * 47 * items.length).toFixed(2),
      ...{ totalShippingAmount: '0.00', totalTaxAmount: '3.10' },
      affiliate: random() < 0.8 ? `PARTNER${pick(affiliates)}` : null,
      ...{ country: 'US', state: 'CA', postalCode: '94105' },
      ...{ firstName: 'Ada', lastName: 'Sample', fullName: 'Ada Sample' },
      currency: random() < 0.85 ? 'USD' : 'EUR',
      email: `ada.sample${customer}@example.com`,
      ...{ declinedConsent: false, customerContactInfo: null, vendorVariables: null },
      customerRefundableState: 'REFUNDABLE',
      lineItemData: items.map((lineItemType) => lineItem(pick(products), lineItemType, sign)),
    };
  };
}

function lineItem(product: number, lineItemType: string, sign: number): Row {
  return {
    itemNo: `product-${product}`,
    productTitle: `A course about subject number ${product}`,
    recurring: product % 2 === 0,
    ...{ shippable: false, quantity: 1, lineItemType, refundsBlocked: false, role: 'VENDOR' },
    customerAmount: (sign * 47).toFixed(2),
    accountAmount: (sign * 18.37).toFixed(2),
    ...{ rebillAmount: '47.00', processedPayments: 1, futurePayments: 998 },
    ...{ nextPaymentDate: null, status: 'ACTIVE' },
  };
}

/** Analytics name the 150 largest tracking IDs of a day. */
function clicksOn(day: Day, random: () => number): Row[] {
  return Array.from({ length: 150 }, (_, k) => ({
    ...{ nickname: account, role: 'VENDOR', dimension: 'TRACKING_ID', day },
    dimensionValue: `campaign${k + Math.floor(random() * 40) * 150}`,
    data: [
      { attribute: 'HOP_COUNT', value: Math.floor(random() * 500) },
      { attribute: 'SALE_COUNT', value: Math.floor(random() * 9) },
      { attribute: 'NET_SALE_AMOUNT', value: (random() * 300).toFixed(2) },
    ],
  }));
}

const frequencies = ['EVERY MONTH', 'EVERY MONTH', 'EVERY MONTH', 'EVERY YEAR', 'EVERY 3 MONTHS'];

/** One subscription for ten orders; most of them have ended. */
function subscriptions(orders: number, days: number): Row[] {
  const random = randomFrom(11);
  return Array.from({ length: Math.ceil(orders / 10) }, (_, i) => {
    const age = Math.floor(days * random());
    const end = addDays(last, -Math.floor(age * random()));
    const hasEnded = random() < 0.7;
    return {
      ...{ role: 'VENDOR', receipt: receiptAt(i), itemNo: `product-${i % products}` },
      ...{ pubNickName: account, status: hasEnded ? 'CANCELED' : 'ACTIVE', cancelled: hasEnded },
      currencyCode: random() < 0.85 ? 'USD' : 'EUR',
      frequency: frequencies[i % frequencies.length],
      purchaseDate: `${addDays(last, -age)}T12:00:00-08:00`,
      ...(hasEnded && { subCancelDate: `${end}T12:00:00-08:00` }),
      ...{ initialSaleAmount: '29.00', initialSaleCount: 1 },
      ...{ rebillSaleAmount: '87.00', rebillSaleCount: 3 },
      email: `ada.sample${Math.floor(orders * 0.6 * random())}@example.com`,
    };
  });
}
