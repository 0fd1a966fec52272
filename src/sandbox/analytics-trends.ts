/** Subscription trends (section 4.1 of the specification): by product, and by day if asked. */

import { instantOf, pacificTime } from '../dates/pacific.ts';
import { analytics, type subscriptionTrendsData } from '../operations/analytics.ts';
import type { Row } from '../operations/resource.ts';
import { readAsker, readSpan } from './analytics-request.ts';
import { frequencyText } from './analytics-terms.ts';
import type { Handlers, Sent } from './handlers.ts';
import { moneyText } from './money.ts';
import { insist } from './refusal.ts';
import { findTrends, type Trend } from './store/analytics-trends.ts';

type Trends = Handlers<Pick<typeof analytics, 'trends'>>['trends'];
type Sums = Sent<Row<typeof subscriptionTrendsData>>;
type SentTrend = NonNullable<NonNullable<Sums['data']>['row']>[number];

const PAGE_SIZE = 100;
const DAY = 86_400;

/** Two decimals. */
const rounded = (number: number) => moneyText(Math.round(number * 100));

function productOf(trend: Trend) {
  return {
    nickname: trend.site,
    productId: trend.productId,
    itemNo: trend.sku,
    title: trend.title,
    description: trend.description,
    frequency: trend.frequency === null ? null : frequencyText(trend.frequency),
    duration: trend.duration,
    trialPeriod: trend.trialDays === null ? null : String(trend.trialDays),
  };
}

/** Amounts are the account's share in US dollars, ages are days. */
function answerTrend(trend: Trend): SentTrend {
  const gross = trend.initialCents + trend.rebillCents;
  return {
    businessDate: trend.day === null ? null : pacificTime(instantOf(trend.day)),
    ...productOf(trend),
    totalSalesCnt: trend.initialCount + trend.rebillCount,
    grossSales: moneyText(gross),
    netSales: moneyText(gross - trend.reversedCents),
    initialSaleAmt: moneyText(trend.initialCents),
    initialSaleCnt: trend.initialCount,
    recurringSaleAmt: moneyText(trend.rebillCents),
    recurringSaleCnt: trend.rebillCount,
    cancelSubCnt: trend.canceled,
    avgActiveSubCnt: rounded(trend.active),
    avgSubAge: rounded(trend.age / DAY),
    avgSubValue: rounded(trend.valueCents / 100),
  };
}

function insistIds(ids: readonly string[] = []): void {
  const whole = ids.every((id) => /^\d{1,15}$/.test(id));
  insist(whole, 400, 'The parameter productId must be a product id, a whole number.');
}

/** `totalCount` is the number of rows on all pages. */
export const trends: Trends = ({ db }, { args, page }, context) => {
  const { startDate: firstDay, endDate: lastDay, groupBy, productId } = args;
  const asker = readAsker(analytics.trends.params, args, context);
  insistIds(productId);
  const filter = {
    ...asker,
    ...readSpan(firstDay, lastDay),
    firstDay,
    lastDay,
    now: context.now,
    byDay: groupBy === 'DATE',
    productIds: productId,
  };
  const found = findTrends(db, filter);
  const end = page * PAGE_SIZE;
  const row = found.slice(end - PAGE_SIZE, end).map(answerTrend);
  return { bean: { totalCount: found.length, data: { row } }, more: found.length > end };
};
