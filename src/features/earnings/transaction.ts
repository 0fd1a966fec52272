/**
 * What a transaction means for the account that reads it (sections 2 and 4.3 of the specification). Its customer paid
 * `totalOrderAmount`, in US dollars or in `currency` (docs/figures.md); the account earns the `accountAmount` of its
 * items, in US dollars.
 */

import type { Client } from '../../client/client.ts';
import type { Days } from '../../client/zoned-period.ts';
import { addDays, type Day } from '../../dates/day.ts';
import { addDecimals } from '../../decimals/decimals.ts';
import type { Reply } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { quickstats } from '../../operations/quickstats.ts';

export type Transaction = Reply<typeof orders.list.returns>[number];

/** ClickBank keeps all accounts in US dollars, whatever the customer pays with. */
export const accountCurrency = 'USD';

const kinds = {
  SALE: 'sale',
  BILL: 'rebill',
  RFND: 'refund',
  CGBK: 'chargeback',
  FEE: 'fee',
} as const;

/** `other`: a type that this version does not know. */
export type TransactionKind = (typeof kinds)[keyof typeof kinds] | 'test' | 'other';

export function kindOf(type: unknown): TransactionKind {
  const name = String(type ?? '');
  if (name.startsWith('TEST')) return 'test';
  return Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : 'other';
}

/** The kinds that add up to the net amount of quickstats; the others belong to no figure. */
export const netKinds: readonly TransactionKind[] = ['sale', 'rebill', 'refund', 'chargeback'];

/** Kinds whose amounts the customer got back. */
export function isPaidBack(kind: TransactionKind): boolean {
  return kind === 'refund' || kind === 'chargeback';
}

/** What the customer paid, negative if it was paid back; undefined for a fee, which the account pays. */
export function customerPaid<T>(row: {
  readonly transactionType?: unknown;
  readonly totalOrderAmount?: T;
}): T | undefined {
  return kindOf(row.transactionType) === 'fee' ? undefined : row.totalOrderAmount;
}

/**
 * The exact sum of what the account earns by the items, or by the only one if the list was expanded; negative for refunds
 * and chargebacks. Undefined if no item has an amount, as in fees. Accepts rows with numbers of any form.
 */
export function youEarn({ lineItemData }: { readonly lineItemData?: unknown }): string | undefined {
  const items = [lineItemData].flat() as ({ accountAmount?: unknown } | undefined)[];
  const amounts = items.flatMap((item) => item?.accountAmount ?? []);
  return amounts.length === 0 ? undefined : addDecimals(amounts.map(String));
}

/** What a transaction adds to the account; undefined for a fee in another currency. A fee has no share of yours. */
export function bookedAmount(row: Transaction): string | undefined {
  if (kindOf(row.transactionType) !== 'fee') return youEarn(row);
  return row.currency === accountCurrency ? (row.totalOrderAmount ?? undefined) : undefined;
}

interface Parties {
  readonly role?: unknown;
  readonly vendor?: unknown;
  readonly affiliate?: unknown;
}

/** The nickname of the account whose share `youEarn` is; undefined for roles other than vendor and affiliate. */
export function earningAccount({ role, vendor, affiliate }: Parties): string | undefined {
  const nickname = role === 'VENDOR' ? vendor : role === 'AFFILIATE' ? affiliate : undefined;
  return typeof nickname === 'string' ? nickname : undefined;
}

/**
 * Whether a row is the affiliate's share of a transaction that another one of the accounts sold. `orders list` of a key
 * that reads both accounts returns such a transaction with the role of the vendor; `role=AFFILIATE` lists these shares.
 */
export function isOwnReferral({ role, vendor }: Parties, accounts: readonly string[]): boolean {
  return role === 'AFFILIATE' && isSecondShare({ role, vendor }, accounts);
}

/** The share of a second account, without the amounts of the order, which its customer paid once. */
export function withoutOrder<T extends object>(row: T): T {
  return { ...row, totalOrderAmount: null, totalTaxAmount: null, totalShippingAmount: null };
}

/**
 * Whether the account of a row referred what another one of the accounts sold: both have a share, and the transaction
 * counts once, with the row of the vendor. ClickBank may send no role: then the transaction counts.
 */
export function isSecondShare({ role, vendor }: Parties, accounts: readonly string[]): boolean {
  const isOther = typeof role === 'string' && role !== 'VENDOR';
  return isOther && typeof vendor === 'string' && accounts.includes(vendor);
}

/** Currencies of which one unit is worth less than 0.02 US dollars. */
const small = new Set([
  ...['AMD', 'ARS', 'BDT', 'CLP', 'COP', 'CRC', 'HUF', 'IDR', 'INR', 'ISK', 'JPY', 'KES', 'KRW'],
  ...['KZT', 'LKR', 'NGN', 'PHP', 'PKR', 'PYG', 'RSD', 'RUB', 'TZS', 'UGX', 'VND'],
]);

/**
 * Looks at up to 500 transactions of the last 90 days for one in a small currency, which shows whether its amount is in
 * dollars. That proves it for the account; the customer's currency is the answer only if none is.
 */
export async function findAmountCurrency(client: Client, today: Day) {
  const period = { startDate: addDays(today, -90), endDate: today };
  const [perPage, mostPages] = [100, 5];
  let pages = 0;
  let other: Transaction | undefined;
  for await (const { rows } of client.pages(orders.list, period, {
    expectedRows: perPage * mostPages,
  })) {
    for (const row of rows) {
      const [paid, share] = [Number(row.totalOrderAmount ?? 0), Number(youEarn(row) ?? 0)];
      const isPayment = ['sale', 'rebill'].includes(kindOf(row.transactionType));
      if (!isPayment || !small.has(row.currency ?? '') || !(paid > 0 && share > 0)) continue;
      // Nobody earns more than the customer paid, so in a small currency it is at least 50 times the share. An amount in
      // dollars can be that much, too, if the share is small: then the order suggests the customer's currency wrongly.
      if (paid < 50 * share) return { amounts: 'dollars', row };
      other ??= row;
    }
    pages += 1;
    if (pages >= mostPages) break;
  }
  return other && { amounts: 'customer', row: other };
}

/** The groups that a summary can be split into. */
export const summaryGroups = [
  ...(['day', 'product', 'affiliate', 'tracking-id', 'country', 'currency'] as const),
];

export type SummaryGroup = (typeof summaryGroups)[number];

/** The groups that can be checked besides accounts. */
export const checkGroups = ['affiliate', 'product'] as const;

export type Dimension = SummaryGroup | 'vendor' | 'account';

/** The part of a transaction that belongs to a group. */
export interface Part {
  readonly key: string;
  /** Null if the transaction has none, such as a sale without an affiliate. */
  readonly name: string | null;
  /** For products: the title and the vendor, since vendors choose SKUs themselves. */
  readonly title?: string | null;
  readonly vendor?: string | null;
  readonly amount: string;
}

type Item = NonNullable<Transaction['lineItemData']>[number];

/** Splits a transaction among the groups of a dimension; `day` is its Pacific day. */
export function partsOf(row: Transaction, dimension: Dimension, day: string): Part[] {
  const amount = youEarn(row) ?? '0';
  if (dimension === 'product') return productsOf(row, amount);
  const name = dimension === 'day' ? day : nameOf(row, dimension);
  return [{ key: name ?? '', name, amount }];
}

function nameOf(row: Transaction, dimension: Exclude<Dimension, 'day' | 'product'>): string | null {
  if (dimension === 'account') return earningAccount(row) ?? null;
  if (dimension === 'tracking-id') return row.trackingId || null;
  return row[dimension] || null;
}

/** Each product once, with the sum of its line items. */
function productsOf(row: Transaction, amount: string): Part[] {
  const vendor = row.vendor ?? null;
  const items: readonly Item[] = Array.isArray(row.lineItemData) ? row.lineItemData : [];
  if (items.length === 0) return [{ key: '', name: null, amount }];
  const skus = [...new Set(items.map(({ itemNo }) => itemNo ?? null))];
  return skus.map((sku) => {
    const own = items.filter(({ itemNo }) => (itemNo ?? null) === sku);
    return {
      key: `${vendor ?? ''}\u0000${sku ?? ''}`,
      name: sku,
      title: own.find(({ productTitle }) => productTitle)?.productTitle ?? null,
      vendor,
      amount: youEarn({ lineItemData: own }) ?? '0',
    };
  });
}

export type EarningRole = 'VENDOR' | 'AFFILIATE';

interface TransactionQuery {
  readonly days: Days;
  /** Only shares with this role; default: all. */
  readonly role?: EarningRole | undefined;
  /** The accounts of the key, if they are known; otherwise they are read unless there is a role. */
  readonly accounts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields pages of transactions, latest first. A key can read several accounts; if one sold and another referred a
 * transaction, ClickBank may list it only with the role of the vendor. The shares of such affiliates follow at
 * the end, from a second list, so that the sums agree with quickstats.
 */
export async function* readTransactions(
  client: Client,
  { days, role, accounts: known, signal }: TransactionQuery,
): AsyncGenerator<readonly Transaction[]> {
  const period = { startDate: days.first, endDate: days.last };
  const accounts = role === undefined ? (known ?? (await accountsOf(client))) : [];
  const isOwn = (row: Transaction) => isOwnReferral(row, accounts);
  let isShared = false;
  const args = { ...period, ...(role && { role }) };
  for await (const { rows } of client.pages(orders.list, args, { signal })) {
    isShared ||= rows.some((row) => isOwn(row) || accounts.includes(row.affiliate ?? ''));
    yield rows.filter((row) => !isOwn(row));
  }
  if (!isShared) return;
  const again = { ...period, role: 'AFFILIATE' } as const;
  for await (const { rows } of client.pages(orders.list, again, { signal })) {
    const shares = rows.filter(isOwn);
    if (shares.length > 0) yield shares;
  }
}

/** The nicknames of the accounts that the key may read. */
export async function accountsOf(
  client: Client,
  options: { readonly retries?: boolean } = {},
): Promise<readonly string[]> {
  const rows = await client.call(quickstats.accounts, {}, options);
  return [...new Set(rows.flatMap(({ nickName }) => nickName ?? []))];
}
