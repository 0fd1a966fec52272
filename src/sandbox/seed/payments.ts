/** The transactions of a purchase: its sale, its rebills, and reversals. */
import { CHARGEBACK_FEE, convert, roundIn, shareOf, shippingOf, taxOf } from '../money/money.ts';
import type { NextIds } from '../store/bulk.ts';
import { isPartialRefund, REFUNDED_PERCENT } from './partial-refunds.ts';
import type { Plan } from './products.ts';
import type { Item, LineRow, Story, Txn } from './story.ts';

/** The item of a purchase that is billed again. */
export interface Recurring {
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

export function saleTxn(story: Story, ids: NextIds, lines: readonly LineRow[]): Txn {
  const shippable = lines.some((line) => line.shippable === 1);
  return {
    ...blankTxn(story, ids),
    ...amounts(story, sum(lines, 'customer_cents'), shippable),
    vendor_cents: sum(lines, 'vendor_cents'),
    affiliate_cents: sum(lines, 'affiliate_cents'),
  };
}

export function rebillCents({ customer }: Story, { item, plan }: Recurring): number {
  return convert(plan.price, item.product.currency, customer.columns.currency) * item.quantity;
}

/** The first rebill is the second payment, with the suffix -B002. */
export function rebillTxns(
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
export function hasPartialRefund({ reversal, items }: Story, { purchase }: NextIds): boolean {
  const vendor = items[0]?.product.site ?? '';
  return reversal?.type === 'RFND' && isPartialRefund(purchase, vendor, items.length);
}

/** When a reversal happens; undefined without one. */
export function reversalTime({ reversal, at }: Story): number | undefined {
  return reversal && at + reversal.after;
}

/** Returns the payments, with the reversal of the last one before it if that has happened by `now`. */
export function withReversal(
  story: Story,
  ids: NextIds,
  payments: readonly Txn[],
  now: number,
): Txn[] {
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
