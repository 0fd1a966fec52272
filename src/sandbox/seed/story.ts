/** A generated purchase, and its rows in the store. */
import type { Database } from '../../storage/sqlite.ts';
import type { Columns } from '../store/schema.ts';
import { insertRows, type Row } from '../store/statements.ts';
import type { NextIds } from '../store/transaction.ts';
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

/** The other columns of `purchase`: JSON, and whether the customer declined to be contacted. */
export type Extras = Pick<
  Columns<'purchase'>,
  | 'declined_consent'
  | 'contact_info'
  | 'vendor_variables'
  | 'common_tracking'
  | 'affiliate_tracking'
>;

export type LineRow = Columns<'line_item'>;
export type Txn = Columns<'txn'>;

const TABLES = ['purchase', 'line_item', 'subscription', 'txn', 'customer_event'] as const;

/** A purchase and its later events as rows of the store. */
export type Rows = {
  readonly [T in (typeof TABLES)[number]]: readonly (T extends 'customer_event'
    ? Omit<Columns<T>, 'id'>
    : Columns<T>)[];
};

export function insertPurchases(db: Database, purchases: readonly Rows[]): void {
  for (const table of TABLES) {
    insertRows(
      db,
      table,
      purchases.flatMap((rows): readonly Row[] => rows[table]),
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
