/** A purchase and all later events until now, as rows of the store. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay, secondOfDay } from '../../dates/pacific.ts';
import { addPeriods } from '../money/billing-date.ts';
import { convert, shareOf } from '../money/money.ts';
import type { NextIds, Row } from '../store/bulk.ts';
import {
  hasPartialRefund,
  type Recurring,
  rebillCents,
  rebillTxns,
  reversalTime,
  saleTxn,
  withReversal,
} from './payments.ts';
import type { Plan } from './products.ts';
import type { LineRow, Rows, Story, SubscriptionRow } from './story.ts';

/** Billing dates before `end`, the next billing date, and the billing day of the month. */
interface Dates {
  readonly billed: readonly number[];
  readonly next: number;
  readonly anchor: number;
}

function dueDates(at: number, plan: Plan, end: number): Dates {
  const day = pacificDay(at);
  const first = plan.trialDays ? addDays(day, plan.trialDays) : addPeriods(day, plan.frequency, 1);
  const anchor = Number((plan.trialDays ? first : day).slice(8));
  const due = (k: number) =>
    instantOf(addPeriods(first, plan.frequency, k, anchor), secondOfDay(at));
  const billed: number[] = [];
  while (billed.length < plan.rebills && due(billed.length) < end) billed.push(due(billed.length));
  return { billed, next: due(billed.length), anchor };
}

function lineRows({ items, customer, affiliate }: Story, ids: NextIds): LineRow[] {
  return items.map(({ product, type, quantity, refundsBlocked }, i) => {
    const share = shareOf(product, product.price * quantity, affiliate !== null);
    return {
      id: ids.line + i,
      purchase_id: ids.purchase,
      product_id: product.id,
      item_no: product.sku,
      title: type === 'TOKEN' ? null : product.title,
      recurring: product.plan ? 1 : 0,
      shippable: product.shippable ? 1 : 0,
      customer_cents:
        convert(product.price, product.currency, customer.columns.currency) * quantity,
      vendor_cents: share.vendor,
      affiliate_cents: share.affiliate,
      quantity,
      type,
      refunds_blocked: refundsBlocked ? 1 : 0,
    };
  });
}

/** At most one item of a purchase is a subscription. */
function recurringOf(story: Story, lines: readonly LineRow[]): Recurring | undefined {
  const index = story.items.findIndex((item) => item.product.plan);
  const item = story.items[index];
  const line = lines[index];
  return item?.product.plan && line ? { item, plan: item.product.plan, line } : undefined;
}

function subscriptionRow(
  story: Story,
  recurring: Recurring,
  { billed, next, anchor }: Dates,
  canceled: number | null,
): SubscriptionRow {
  const { plan, line } = recurring;
  const completed = billed.length >= plan.rebills;
  const runs = !completed && canceled === null;
  const status = completed
    ? 'COMPLETED'
    : canceled === null
      ? (story.status ?? 'ACTIVE')
      : 'CANCELED';
  return {
    line_item_id: line.id,
    current_item_id: line.id,
    affiliate: story.affiliate,
    frequency: plan.frequency,
    anchor_day: anchor,
    rebill_cents: rebillCents(story, recurring),
    processed: billed.length + 1,
    future: plan.rebills === 999 ? 999 : plan.rebills - billed.length,
    next_payment: runs ? next : null,
    status,
    canceled: completed ? null : canceled,
    ended: runs ? null : (canceled ?? billed.at(-1) ?? story.at),
  };
}

function purchaseRow(story: Story, ids: NextIds): Row {
  return {
    id: ids.purchase,
    receipt: story.receipt,
    upsell_of: story.upsellOf,
    vendor: story.items[0]?.product.site ?? '',
    affiliate: story.affiliate,
    tracking_id: story.trackingId,
    payment_method: story.paymentMethod,
    ...story.customer.columns,
    ...story.extras,
  };
}

/** The customer's actions after `now`, which happen as the clock advances. */
function eventRows(
  story: Story,
  ids: NextIds,
  now: number,
  { subscription, txn }: Pick<Rows, 'subscription' | 'txn'>,
): Row[] {
  const { canceledAt, reversal } = story;
  const runs = subscription.some((row) => row.next_payment !== null);
  if (runs && canceledAt !== undefined && canceledAt > now) {
    return [{ at: canceledAt, kind: 'CANCEL', purchase_id: ids.purchase }];
  }
  const at = reversalTime(story);
  if (!reversal || at === undefined || txn.some(({ reverses }) => reverses !== null)) return [];
  const kind = reversal.type === 'RFND' ? 'REFUND' : 'CHARGEBACK';
  return [{ at, kind, purchase_id: ids.purchase }];
}

/** Returns the rows of a purchase. Everything after `now` becomes events. */
export function rowsOf(story: Story, ids: NextIds, now: number): Rows {
  const lines = lineRows(story, ids);
  const recurring = recurringOf(story, lines);
  const reversed = hasPartialRefund(story, ids) ? undefined : reversalTime(story);
  const stop = Math.min(now + 1, story.canceledAt ?? reversed ?? Number.POSITIVE_INFINITY);
  const dates = recurring && dueDates(story.at, recurring.plan, stop);
  const bills = recurring && dates ? rebillTxns(story, ids, recurring, dates.billed) : [];
  const txn = withReversal(story, ids, [saleTxn(story, ids, lines), ...bills], now);
  const ended = story.canceledAt ?? reversed;
  const canceled = ended !== undefined && ended <= now ? ended : null;
  const subscription =
    recurring && dates ? [subscriptionRow(story, recurring, dates, canceled)] : [];
  return {
    purchase: [purchaseRow(story, ids)],
    line_item: lines,
    subscription,
    txn: story.test ? txn.map((row) => ({ ...row, type: `TEST_${row.type}` })) : txn,
    customer_event: eventRows(story, ids, now, { subscription, txn }),
  };
}
