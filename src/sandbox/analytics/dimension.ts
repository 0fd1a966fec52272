/** Figures by dimension and their summaries (section 4.1 of the specification). */
import { addDays } from '../../dates/day.ts';
import { analytics } from '../../operations/analytics.ts';
import { assertFacts } from '../request/arguments.ts';
import type { Context, Handlers, State } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import {
  type AnalyticsRole,
  type Company,
  type DimensionName,
  sumByDimension,
  totalOf,
} from '../store/analytics/analytics.ts';
import { DATA_FIELDS, dataOf, figuresOf, sortSums } from './figures.ts';
import { pageOf, readAsker, readSpan } from './request.ts';

type Figures = Handlers<Pick<typeof analytics, 'dimension' | 'summary'>>;
type AnalyticsCall = Parameters<Figures['dimension']>[1];

const ONLY: Readonly<Partial<Record<DimensionName, AnalyticsRole>>> = {
  PRODUCT_SKU: 'VENDOR',
  VENDOR_PRODUCT_SKU: 'AFFILIATE',
};

function assertRole(dimension: DimensionName, role: AnalyticsRole): void {
  const only = ONLY[dimension] ?? role;
  assertOr(only === role, 400, `The dimension ${dimension} is only for the role ${only}.`);
}

/** One page of rows, and totals over the rows of all pages. */
function figuresPage(
  { db }: State,
  { args, page }: AnalyticsCall,
  context: Context,
  company: Company,
): ReturnType<Figures['dimension']> {
  const asker = readAsker(analytics.dimension.params, args, context);
  const { dimension } = args;
  assertRole(dimension, asker.role);
  const select = [...new Set(args.select ?? DATA_FIELDS)];
  const { startDate = addDays(context.today, -1), endDate = context.today } = args;
  const { dimensionFilter: id, orderBy, sortAscending } = args;
  const filter = { ...asker, ...readSpan(startDate, endDate), dimension, company, id };
  const found = sortSums(sumByDimension(db, filter), orderBy, sortAscending);
  const { rows, more } = pageOf(found, page);
  const row = rows.map((sums) => ({
    dimensionIdentifier: sums.id,
    dimensionValue: sums.id,
    accountNickName: asker.account,
    data: dataOf(sums, select),
  }));
  const total = figuresOf(totalOf(found), select);
  return { content: { rows: { row }, totals: { total } }, more };
}

/**
 * VENDOR_ONLY adds up what the account sold or referred without a partner, AFFILIATE_ONLY what it sold or referred
 * together with another account. Together, they are all figures of the account; amounts are its own share in both.
 */
const COMPANIES = { VENDOR_ONLY: 'alone', AFFILIATE_ONLY: 'partners' } as const;

export const dimension: Figures['dimension'] = (state, call, context) =>
  figuresPage(state, call, context, 'any');

export const summary: Figures['summary'] = (state, call, context) => {
  assertFacts(analytics.summary.params, call.args);
  return figuresPage(state, call, context, COMPANIES[call.args.summaryType]);
};
