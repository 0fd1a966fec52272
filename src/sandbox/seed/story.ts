/** A generated purchase, and its rows in the store. */

import type { Database } from '../../storage/sqlite.ts';
import { insertRows, type NextIds, type Row } from '../store/bulk.ts';
import type { Customer } from './customer.ts';
import type { SeedProduct } from './products.ts';

/** The parameters of a seed; the same plan generates the same store. */
export interface SeedPlan {
  /** Total number of transactions; at least those of the fixed receipts. */
  readonly orders: number;
  readonly randomSeed: number;
  /** Seconds since 1970; nothing is seeded after it. */
  readonly now: number;
}

export interface Item {
  readonly product: SeedProduct;
  readonly type: string;
  readonly quantity: number;
  readonly refundsBlocked?: boolean;
}

/** A purchase and its later events; instants are seconds. */
export interface Story {
  readonly receipt: string;
  readonly upsellOf: number | null;
  readonly at: number;
  readonly items: readonly Item[];
  readonly customer: Customer;
  readonly affiliate: string | null;
  readonly trackingId: string | null;
  readonly paymentMethod: string | null;
  readonly test: boolean;
  readonly canceledAt?: number;
  /** The status of a running subscription, if it is not ACTIVE. */
  readonly status?: string;
  /** `after` this number of seconds since the sale, the last payment until then is reversed. */
  readonly reversal?: { readonly type: 'RFND' | 'CGBK'; readonly after: number };
  readonly extras: Extras;
}

export type Extras = {
  readonly declined_consent: number | null;
  /** JSON. */
  readonly contact_info: string;
  readonly vendor_variables: string;
  readonly common_tracking: string | null;
  readonly affiliate_tracking: string | null;
};

type Cents = 'customer_cents' | 'vendor_cents' | 'affiliate_cents';

/** A row of line_item. These types declare only the columns that the seed reads. */
export type LineRow = Row & Readonly<Record<'id' | 'shippable' | Cents, number>>;

export type SubscriptionRow = Row & { readonly next_payment: number | null };

type TxnCents = 'total_cents' | 'shipping_cents' | 'tax_cents' | 'vendor_cents' | 'affiliate_cents';

export type Txn = Row &
  Readonly<Record<'id' | 'time' | TxnCents, number>> &
  Readonly<Record<'receipt' | 'type', string>> & { readonly reverses: number | null };

const TABLES = ['purchase', 'line_item', 'subscription', 'txn', 'customer_event'] as const;

export interface Rows extends Readonly<Record<(typeof TABLES)[number], readonly Row[]>> {
  readonly line_item: readonly LineRow[];
  readonly subscription: readonly SubscriptionRow[];
  readonly txn: readonly Txn[];
}

export function insertPurchases(db: Database, purchases: readonly Rows[]): void {
  for (const table of TABLES) {
    insertRows(
      db,
      table,
      purchases.flatMap((rows) => rows[table]),
    );
  }
}

export function idsAfter(ids: NextIds, rows: Rows): NextIds {
  return {
    purchase: ids.purchase + rows.purchase.length,
    line: ids.line + rows.line_item.length,
    txn: ids.txn + rows.txn.length,
  };
}
