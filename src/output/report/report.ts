/** What a report shows. */
import type { Period } from '../../dates/words.ts';
import type { Stat } from './figures.ts';

/** Numbers of transactions. One in which two of the accounts have a share counts once. */
export interface Counts {
  readonly sales: number;
  readonly rebills: number;
  readonly refunds: number;
  readonly chargebacks: number;
}

/** A product or an affiliate, with what the accounts of the report earned by it. */
export interface Earner {
  readonly name: string;
  /** For products: the SKU and the vendor. */
  readonly detail: string;
  /** Sales and rebills. */
  readonly payments: number;
  /** Refunds and chargebacks. */
  readonly returns: number;
  /** Less refunds and chargebacks. */
  readonly net: string;
}

export interface Activity {
  readonly counts: Counts;
  /** What the accounts earned by all transactions, less refunds and chargebacks. */
  readonly net: string;
  /** Of the days that are compared, and of the days before them; absent if nothing is compared. */
  readonly compared?: { readonly now: Counts; readonly before: Counts };
  /** The highest net amount first; transactions without items have the name ''. */
  readonly products: readonly Earner[];
  /** Sales without one have the name ''; empty if no account of the report is a vendor. */
  readonly affiliates: readonly Earner[];
}

export interface Report {
  readonly period: Period;
  /** Today, if the period contains it. */
  readonly unfinished?: string | undefined;
  /** The whole days, and the earlier days that they are compared with. */
  readonly compared?: { readonly now: Period; readonly before: Period } | undefined;
  /** Accounts with figures; ClickBank does not list others. */
  readonly accounts: readonly string[];
  readonly stats: readonly Stat[];
  /** The figures of the days before. */
  readonly previous?: readonly Stat[] | undefined;
  /** Absent if the transactions were not read. */
  readonly activity?: Activity | undefined;
  /** When the report was created, and by which version. */
  readonly made: string;
  /** What is missing and why, in sentences. */
  readonly gaps: readonly string[];
}
