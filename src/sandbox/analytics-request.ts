/** What all analytics have in common: a role, an account of the key, a period of Pacific days. */

import { endOf, instantOf } from '../dates/pacific.ts';
import type { Params } from '../operations/operation.ts';
import type { Context } from './handlers.ts';
import { requireAccount } from './own-account.ts';
import { insistFacts } from './param-facts.ts';
import { insist } from './refusal.ts';
import type { AnalyticsRole } from './store/analytics.ts';

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

/** Instants; the end is exclusive. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Both days are included; 400 where they are the wrong way round. */
export function readSpan(startDate: string, endDate: string): Span {
  insist(startDate <= endDate, 400, 'The parameter endDate must not lie before startDate.');
  return { from: instantOf(startDate), until: endOf(endDate) };
}
