/** Generated orders of a large shop, as ClickBank lists them. */
import { addDays, type Day } from '../../../src/dates/day.ts';

type Row = Readonly<Record<string, unknown>>;

export interface ShopSize {
  readonly orders: number;
  readonly days: number;
}

const products = 40;
const affiliates = 500;
const trackingIds = 5000;

/** A small generator of numbers, so that every run measures the same rows. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Yields the orders of each day, from the first to the last. Few products and affiliates sell most. */
export function* shopDays(
  last: Day,
  { orders, days }: ShopSize,
): Generator<{ readonly day: Day; readonly rows: readonly Row[] }> {
  const random = randomFrom(7);
  const pick = (count: number) => Math.floor(count * random() ** 2.5);
  const customers = Math.ceil(orders * 0.6);
  let made = 0;
  for (let i = 0; i < days; i++) {
    const day = addDays(last, i + 1 - days);
    const until = Math.round((orders * (i + 1)) / days);
    const rows: Row[] = [];
    for (; made < until; made++) {
      const second = Math.floor(random() * 86_400);
      const customer =
        random() < 0.6 ? Math.floor((customers * made) / orders) : Math.floor(random() * customers);
      rows.push(orderOf(made, day, second, customer, { random, pick }));
    }
    yield { day, rows };
  }
}

interface Chance {
  random(): number;
  pick(count: number): number;
}

function orderOf(
  number: number,
  day: Day,
  second: number,
  customer: number,
  { random, pick }: Chance,
): Row {
  const kind = random();
  const type = kind < 0.64 ? 'SALE' : kind < 0.92 ? 'BILL' : kind < 0.99 ? 'RFND' : 'CGBK';
  const sign = type === 'RFND' || type === 'CGBK' ? -1 : 1;
  const clock = new Date(second * 1000).toISOString().slice('yyyy-mm-ddT'.length, -'.000Z'.length);
  const count = random() < 0.85 ? 1 : 2;
  return {
    transactionTime: `${day}T${clock}-08:00`,
    receipt: number.toString(36).toUpperCase().padStart(8, 'A'),
    trackingId: random() < 0.7 ? `campaign${pick(trackingIds)}` : null,
    paytmentMethod: 'VISA',
    transactionType: type,
    totalOrderAmount: (sign * 47 * count).toFixed(2),
    totalShippingAmount: '0.00',
    totalTaxAmount: '3.10',
    vendor: 'ACMESHOP',
    affiliate: random() < 0.8 ? `PARTNER${pick(affiliates)}` : null,
    country: 'US',
    state: 'CA',
    lastName: 'Sample',
    firstName: 'Ada',
    currency: random() < 0.85 ? 'USD' : 'EUR',
    declinedConsent: false,
    email: `ada.sample${customer}@example.com`,
    postalCode: '94105',
    customerContactInfo: null,
    role: 'VENDOR',
    fullName: 'Ada Sample',
    customerRefundableState: 'REFUNDABLE',
    vendorVariables: null,
    lineItemData: Array.from({ length: count }, (_, position) =>
      itemOf(pick(products), position, sign),
    ),
  };
}

function itemOf(product: number, position: number, sign: number): Row {
  return {
    itemNo: `product-${product}`,
    productTitle: `A course about subject number ${product}`,
    recurring: product % 2 === 0,
    shippable: false,
    customerAmount: (sign * 47).toFixed(2),
    accountAmount: (sign * 18.37).toFixed(2),
    quantity: 1,
    lineItemType: position === 0 ? 'ORIGINAL' : 'UPSELL',
    refundsBlocked: false,
    rebillAmount: '47.00',
    processedPayments: 1,
    futurePayments: 998,
    nextPaymentDate: null,
    status: 'ACTIVE',
    role: 'VENDOR',
  };
}
