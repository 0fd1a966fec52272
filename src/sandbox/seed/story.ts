/** A purchase as it is thought up, and as it is written down. */
import type { BulkRow, Table } from '../store/bulk.ts';
import type { Customer } from './customer.ts';
import type { SeedProduct } from './products.ts';

export interface Item {
  readonly product: SeedProduct;
  readonly type: string;
  readonly quantity: number;
  readonly refundsBlocked?: boolean;
}

/** What happens; instants in seconds. */
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
  /** Of a subscription that still runs, when it isn't ACTIVE. */
  readonly status?: string;
  /** The last payment goes back, `after` so many seconds. */
  readonly reversal?: { readonly type: 'RFND' | 'CGBK'; readonly after: number };
  readonly extras: Extras;
}

export type Extras = Pick<
  BulkRow<'purchase'>,
  | 'declined_consent'
  | 'contact_info'
  | 'vendor_variables'
  | 'common_tracking'
  | 'affiliate_tracking'
>;

/** Rows by table. */
export type Rows = {
  readonly [T in Exclude<Table, 'account' | 'product' | 'image'>]: BulkRow<T>[];
};

/** The next free ids. */
export interface Ids {
  readonly purchase: number;
  readonly line: number;
  readonly txn: number;
}
