/** Shared parts of the analytics operations: role and account, period, pages, billing frequencies. */
import { endOf, instantOf } from '../../dates/pacific.ts';
import type { Params } from '../../operations/operation.ts';
import { assertFacts, assertOrder } from '../request/arguments.ts';
import type { Context } from '../request/handlers.ts';
import { requireAccount } from '../request/keys.ts';
import type { AnalyticsRole } from '../store/analytics/analytics.ts';
import type { Period, Rows } from '../store/statements.ts';

/** The account whose figures are requested, and its role. */
export interface AccountQuery {
  readonly role: AnalyticsRole;
  readonly account: string;
}

/** Refuses a value that its parameter does not allow with 400, and an account of another key with 403. */
export function readAsker(params: Params, args: AccountQuery, { caller }: Context): AccountQuery {
  assertFacts(params, { ...args });
  return { role: args.role, account: requireAccount(caller, args.account) };
}

/** Returns the inclusive period of two days; refuses an end before the start with 400. */
export function readSpan(startDate: string, endDate: string): Period {
  assertOrder(startDate, endDate);
  return { from: instantOf(startDate), until: endOf(endDate) };
}

const PAGE_SIZE = 100;

/** Returns one page of rows in memory; pages count from 1. */
export function pageOf<R>(rows: readonly R[], page: number): Rows<R> {
  const end = page * PAGE_SIZE;
  return { rows: rows.slice(end - PAGE_SIZE, end), more: rows.length > end };
}

const FREQUENCIES: Readonly<Record<string, string>> = {
  WEEKLY: 'EVERY WEEK',
  BI_WEEKLY: 'EVERY 2 WEEKS',
  MONTHLY: 'EVERY MONTH',
  QUARTERLY: 'EVERY 3 MONTHS',
  HALF_YEARLY: 'EVERY 6 MONTHS',
  YEARLY: 'EVERY YEAR',
};

/** Returns the billing frequency as written in analytics: `EVERY MONTH` for `MONTHLY`. */
export function frequencyText(frequency: string): string {
  return FREQUENCIES[frequency] ?? frequency;
}
