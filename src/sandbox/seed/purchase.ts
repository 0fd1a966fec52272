/** A purchase and all later events until now, as rows of the store: its sale, rebills, and reversals. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay, secondOfDay } from '../../dates/pacific.ts';
import { VENDORS } from '../http/keys.ts';
import { addPeriods } from '../services/billing-date.ts';
import { CHARGEBACK_FEE, convert, roundIn, shareOf, shippingOf, taxOf } from '../services/money.ts';
import type { Columns } from '../store/schema.ts';
import type { NextIds } from '../store/transaction.ts';
import type { Plan } from './products.ts';
import type { Item, LineRow, Rows, Story, Txn } from './story.ts';

/** The vendor that is not enabled for partial refunds. */
export const [, , , , WITHOUT_PARTIAL_REFUNDS] = VENDORS;

/** Of a partial refund. */
export const REFUNDED_PERCENT = 50;

/** One in this number of refunds is partial. */
const PARTIAL = 6;

/** A cart is refunded as a whole. */
export function isPartialRefund(purchaseId: number, vendor: string, items: number): boolean {
  return purchaseId % PARTIAL === 1 && items === 1 && vendor !== WITHOUT_PARTIAL_REFUNDS;
}

/** The item of a purchase that is billed again. */
interface Recurring {
  readonly item: Item;
  readonly plan: Plan;
  readonly line: LineRow;
}

function blankTxn(story: Story, ids: NextIds): Txn {
  return {
    id: ids.txn,
    purchase_id: ids.purchase,
    line_item_id: null,
    receipt: story.receipt,
    type: 'SALE',
    time: story.at,
    total_cents: 0,
    shipping_cents: 0,
    tax_cents: 0,
    vendor_cents: 0,
    affiliate_cents: 0,
    vendor: story.items[0]?.product.site ?? '',
    affiliate: story.affiliate,
    reverses: null,
    reversed: null,
  };
}

const sum = (
  rows: readonly LineRow[],
  column: 'customer_cents' | 'vendor_cents' | 'affiliate_cents',
) => rows.reduce((total, row) => total + row[column], 0);

/** A payment with shipping and tax, in the customer's currency. */
function amounts({ customer }: Story, cents: number, shippable: boolean) {
  const { currency } = customer.columns;
  const shipping = shippingOf(shippable, currency);
  const tax = taxOf(cents, customer.taxPercent, currency);
  return { total_cents: cents + shipping + tax, shipping_cents: shipping, tax_cents: tax };
}

function saleTxn(story: Story, ids: NextIds, lines: readonly LineRow[]): Txn {
  const shippable = lines.some((line) => line.shippable === 1);
  return {
    ...blankTxn(story, ids),
    ...amounts(story, sum(lines, 'customer_cents'), shippable),
    vendor_cents: sum(lines, 'vendor_cents'),
    affiliate_cents: sum(lines, 'affiliate_cents'),
  };
}

function rebillCents({ customer }: Story, { item, plan }: Recurring): number {
  return convert(plan.price, item.product.currency, customer.columns.currency) * item.quantity;
}

/** The first rebill is the second payment, with the suffix -B002. */
function rebillTxns(
  story: Story,
  ids: NextIds,
  recurring: Recurring,
  billed: readonly number[],
): Txn[] {
  const { item, plan, line } = recurring;
  const share = shareOf(item.product, plan.price * item.quantity, story.affiliate !== null);
  return billed.map((time, i) => ({
    ...blankTxn(story, ids),
    ...amounts(story, rebillCents(story, recurring), item.product.shippable),
    id: ids.txn + 1 + i,
    line_item_id: line.id,
    receipt: `${story.receipt}-B${String(i + 2).padStart(3, '0')}`,
    type: 'BILL',
    time,
    vendor_cents: share.vendor,
    affiliate_cents: share.affiliate,
  }));
}

/** Never -0. */
const negative = (cents: number) => -cents || 0;

/** `part` is the share of the payment that goes back; shares of accounts are in US dollars. */
function reversedCents(payment: Txn, currency: string, part: number) {
  const back = (cents: number) => negative(roundIn(currency, cents * part));
  return {
    total_cents: back(payment.total_cents),
    shipping_cents: back(payment.shipping_cents),
    tax_cents: back(payment.tax_cents),
    vendor_cents: negative(Math.round(payment.vendor_cents * part)),
    affiliate_cents: negative(Math.round(payment.affiliate_cents * part)),
  };
}

/** A chargeback costs the vendor a fee as well. */
function feeOf(story: Story, ids: NextIds, chargeback: Txn): Txn {
  return {
    ...blankTxn(story, ids),
    id: chargeback.id + 1,
    receipt: chargeback.receipt,
    type: 'FEE',
    time: chargeback.time,
    total_cents: -convert(CHARGEBACK_FEE, 'USD', story.customer.columns.currency),
    vendor_cents: -CHARGEBACK_FEE,
  };
}

/** Whether the reversal of a purchase, if any, is a partial refund, which leaves a subscription running. */
function hasPartialRefund({ reversal, items }: Story, { purchase }: NextIds): boolean {
  const vendor = items[0]?.product.site ?? '';
  return reversal?.type === 'RFND' && isPartialRefund(purchase, vendor, items.length);
}

/** When a reversal happens; undefined without one. */
function reversalTime({ reversal, at }: Story): number | undefined {
  return reversal && at + reversal.after;
}

/** Returns the payments, with the reversal of the last one before it if that has happened by `now`. */
function withReversal(story: Story, ids: NextIds, payments: readonly Txn[], now: number): Txn[] {
  const { reversal } = story;
  const time = reversalTime(story);
  const payment = payments.findLast((one) => time !== undefined && one.time <= time);
  if (!payment || !reversal || time === undefined || time > now) return [...payments];
  const { type } = reversal;
  const isPartial = hasPartialRefund(story, ids);
  const { currency } = story.customer.columns;
  const back = {
    ...payment,
    ...reversedCents(payment, currency, isPartial ? REFUNDED_PERCENT / 100 : 1),
    ...{ id: ids.txn + payments.length, type, time, reverses: payment.id },
    // A part of a payment is refunded for an item.
    ...(isPartial && { line_item_id: ids.line }),
  };
  const reversed = isPartial ? payment : { ...payment, reversed: type };
  const fee = type === 'CGBK' ? [feeOf(story, ids, back)] : [];
  return [...payments.map((one) => (one === payment ? reversed : one)), back, ...fee];
}

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
      replaces: null,
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
function findRecurring({ items }: Story, lines: readonly LineRow[]): Recurring | undefined {
  const index = items.findIndex((item) => item.product.plan);
  const [item, line] = [items[index], lines[index]];
  return item?.product.plan && line ? { item, plan: item.product.plan, line } : undefined;
}

function subscriptionRow(
  story: Story,
  recurring: Recurring,
  { billed, next, anchor }: Dates,
  canceled: number | null,
): Columns<'subscription'> {
  const { plan, line } = recurring;
  const completed = billed.length >= plan.rebills;
  const runs = !completed && canceled === null;
  const running = canceled === null ? (story.status ?? 'ACTIVE') : 'CANCELED';
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
    status: completed ? 'COMPLETED' : running,
    canceled: completed ? null : canceled,
    ended: runs ? null : (canceled ?? billed.at(-1) ?? story.at),
  };
}

/** The customer's actions after `now`, which happen as the clock advances. */
function eventRows(
  story: Story,
  ids: NextIds,
  now: number,
  { subscription, txn }: Pick<Rows, 'subscription' | 'txn'>,
): Rows['customer_event'] {
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
  const recurring = findRecurring(story, lines);
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
    purchase: [
      {
        id: ids.purchase,
        receipt: story.receipt,
        upsell_of: story.upsellOf,
        vendor: story.items[0]?.product.site ?? '',
        affiliate: story.affiliate,
        tracking_id: story.trackingId,
        payment_method: story.paymentMethod,
        ...story.customer.columns,
        ...story.extras,
      },
    ],
    line_item: lines,
    subscription,
    txn: story.test ? txn.map((row) => ({ ...row, type: `TEST_${row.type}` })) : txn,
    customer_event: eventRows(story, ids, now, { subscription, txn }),
  };
}
