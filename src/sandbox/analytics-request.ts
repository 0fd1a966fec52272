/** What all analytics have in common: a role, an account of the key, a period of Pacific days, pages. */
import type { Params } from '../operations/operation.ts';
import { requireAccount } from './access.ts';
import type { Context } from './handlers.ts';
import { endOf, instantOf } from './pacific.ts';
import { insistFacts, insistOrder } from './param-facts.ts';
import type { AnalyticsRole } from './store/analytics.ts';
import type { Period, Rows } from './store/statements.ts';

/** Whose figures are asked for. */
export interface Asker {
  readonly role: AnalyticsRole;
  readonly account: string;
}

/** 400 for an argument that its parameter doesn't allow, 403 for an account of somebody else. */
export function readAsker(params: Params, args: Asker, { caller }: Context): Asker {
  insistFacts(params, { ...args });
  return { role: args.role, account: requireAccount(caller, args.account) };
}

/** Both days are included; 400 where they are the wrong way round. */
export function readSpan(startDate: string, endDate: string): Period {
  insistOrder(startDate, endDate);
  return { from: instantOf(startDate), until: endOf(endDate) };
}

const PAGE_SIZE = 100;

/** One page of rows that were all computed. */
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

/** How often a subscription is billed: `MONTHLY` is told as `EVERY MONTH`. */
export function frequencyText(frequency: string): string {
  return FREQUENCIES[frequency] ?? frequency;
}
