/** Groups of transactions: by day, product, affiliate and other fields. */
import { earningAccount, type Transaction, youEarn } from './transaction.ts';

/** The groups that a summary can be split into. */
export const summaryGroups = [
  ...(['day', 'product', 'affiliate', 'tracking-id', 'country', 'currency'] as const),
];

export type SummaryGroup = (typeof summaryGroups)[number];

/** The groups that can be judged besides accounts. */
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
