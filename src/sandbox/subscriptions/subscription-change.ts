/** The operations of orders2 that change a subscription: their permissions, conditions, and effects. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay, secondOfDay } from '../../dates/pacific.ts';
import { daysBetween } from '../../operations/operation.ts';
import type { orders } from '../../operations/orders.ts';
import type { Database } from '../../storage/sqlite.ts';
import { addPeriods } from '../money/billing-date.ts';
import { recordChange, recordTransaction } from '../notifications/record.ts';
import type { Context, Handlers, State } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import { insertReversal } from '../store/orders/new-transaction.ts';
import { replaceItem, saveAddress, updateSubscription } from '../store/orders/subscription.ts';
import {
  findByReceipt,
  findLinesOf,
  getPayment,
  type LineItem,
  lineAmounts,
} from '../store/orders/transaction.ts';
import { findProduct, getProduct, type Product } from '../store/products/product.ts';

/** Instants in seconds. */
interface ProductChange {
  /** The original line of the subscription. */
  readonly sold: LineItem;
  readonly newSku: string;
  readonly nextPayment: number;
  readonly anchorDay: number;
  readonly now: number;
  readonly carryAffiliate: boolean;
  readonly refund: boolean;
}

const ships = (product: Product) => product.physical === 1 || product.physical_recurring === 1;

/** Returns the new product: of the same vendor and currency, recurring, and physical only if the old one is. */
function allowedProduct(db: Database, from: Product, newSku: string) {
  const to = findProduct(db, from.site, newSku);
  assertOr(to, 400, `The vendor has no product ${newSku}.`);
  assertOr(to.id !== from.id, 400, 'newSku must differ from oldSku.');
  const { rebill_price: rebillPrice, frequency, duration } = to;
  const recurs = rebillPrice !== null && frequency !== null && duration !== null;
  assertOr(recurs, 400, `The product ${newSku} is not a subscription.`);
  assertOr(to.currency === from.currency, 400, 'The new product must have the same currency.');
  assertOr(ships(from) || !ships(to), 400, 'A digital product cannot become a physical one.');
  return { ...to, rebillPrice, frequency, duration };
}

/** Returns the share, 0 to 1, of the period from `paid` to `due` that is after `now`. */
function unusedPart(paid: number, due: number, now: number): number {
  return due > paid ? Math.min(1, Math.max(0, (due - now) / (due - paid))) : 0;
}

/** Refunds the unused part of the last payment; `sold` is the original line of the subscription. */
function refundUnused(db: Database, line: Running, sold: LineItem, now: number): void {
  const payment = getPayment(db, sold.purchaseId, 'latest', sold.id);
  if (payment.reversed !== null) return;
  const part = unusedPart(payment.time, line.nextPayment, now);
  const paid = lineAmounts(payment, sold);
  const totalCents = Math.round(paid.customerCents * part);
  if (totalCents === 0) return;
  const amounts = {
    totalCents,
    shippingCents: 0,
    taxCents: 0,
    vendorCents: Math.round(paid.vendorCents * part),
    affiliateCents: Math.round(paid.affiliateCents * part),
  };
  const reversal = { type: 'RFND', lineItemId: line.id, amounts, time: now } as const;
  recordTransaction(db, insertReversal(db, payment, reversal));
}

/** Changes the product of the subscription whose current line is `line`; refuses with 400 if that is not allowed. */
function changeItem(db: Database, line: Running, change: ProductChange): void {
  const from = getProduct(db, line.productId);
  const to = allowedProduct(db, from, change.newSku);
  // The customer keeps paying in the currency of the order, at the rate of the former product.
  const rate = (line.rebillCents ?? 0) / (from.rebill_price || 1);
  if (change.refund) refundUnused(db, line, change.sold, change.now);
  replaceItem(db, line, {
    line: { productId: to.id, itemNo: to.sku, title: to.title, shippable: ships(to) ? 1 : 0 },
    terms: {
      rebillCents: Math.round(to.rebillPrice * rate),
      frequency: to.frequency,
      future: to.duration,
      nextPayment: change.nextPayment,
      anchorDay: change.anchorDay,
    },
    carryAffiliate: change.carryAffiliate,
    now: change.now,
  });
  recordChange(db, 'changeProduct', { soldAs: change.sold.id, time: change.now });
}

/** The current line of a subscription with payments to come. */
type Running = LineItem & { readonly nextPayment: number };

type Changes = Handlers<
  Pick<
    typeof orders,
    'reinstate' | 'pause' | 'extend' | 'changeProduct' | 'changeAddress' | 'changeDate'
  >
>;

const MAX_PAUSE_DAYS = 60;
const MAX_CANCELED_DAYS = 60;
/** The number of future payments that means an unlimited subscription. */
const ENDLESS = 999;

/** The lines of an order sold by the caller; an affiliate may not change anything. */
function linesOfOwn(db: Database, receipt: string, { caller }: Context): readonly LineItem[] {
  const [sale] = findByReceipt(db, receipt, caller.accounts);
  const own = sale && caller.accounts.includes(sale.vendor);
  assertOr(own, 403, 'The order does not exist, or this key may not change it.');
  return findLinesOf(db, sale.purchaseId);
}

function skusOf(lines: readonly LineItem[]): string {
  return lines.map((line) => line.itemNo).join(', ');
}

function currentOf(lines: readonly LineItem[], line: LineItem): LineItem {
  return lines.find((other) => other.id === line.currentItemId) ?? line;
}

interface Named {
  readonly receipt: string;
  readonly sku?: string | undefined;
}

/**
 * Chooses the recurring line to change; a sku must name it if the order has several items. After a product change,
 * the item keeps its original sku (beta operations); `orCurrent` also accepts its current sku.
 */
function chooseLine(state: State, { receipt, sku }: Named, context: Context, orCurrent = false) {
  const lines = linesOfOwn(state.db, receipt, context);
  const sold = lines.filter((line) => line.replaces === null);
  const isNamed = sku !== undefined || sold.length === 1;
  assertOr(isNamed, 400, 'The order has several items: sku is required.');
  const isMeant = (line: LineItem) =>
    sku === undefined ||
    line.itemNo === sku ||
    (orCurrent && currentOf(lines, line).itemNo === sku);
  const line = sold.find(isMeant);
  assertOr(line, 400, `The order has no item ${sku}. Its items are ${skusOf(sold)}.`);
  assertOr(line.soldAs !== null, 400, `The item ${line.itemNo} is not a subscription.`);
  return line;
}

function assertActive(line: LineItem): asserts line is Running {
  const active = line.status !== 'CANCELED' && line.status !== 'COMPLETED';
  assertOr(active && line.nextPayment !== null, 400, 'The subscription has no future payments.');
}

/** Moves the next payment to a day, keeping its time of day. */
function moveTo(state: State, line: Running, day: string): void {
  const next = instantOf(day, secondOfDay(line.nextPayment));
  updateSubscription(state.db, line.id, { nextPayment: next, anchorDay: Number(day.slice(8)) });
}

/** Returns the first regular payment in the future. */
function nextDue(line: LineItem, lastPaid: number, today: string): number {
  const paid = pacificDay(lastPaid);
  const frequency = line.frequency ?? 'MONTHLY';
  let periods = 1;
  const due = () => addPeriods(paid, frequency, periods, line.anchorDay ?? undefined);
  while (due() <= today) periods += 1;
  return instantOf(due(), secondOfDay(lastPaid));
}

export const subscriptionChanges: Changes = {
  changeDate(state, { args }, context) {
    const line = chooseLine(state, args, context);
    assertActive(line);
    assertOr(
      args.changeDate > context.today,
      400,
      'The parameter changeDate must be in the future.',
    );
    moveTo(state, line, args.changeDate);
  },

  pause(state, { args }, context) {
    const line = chooseLine(state, args, context, true);
    assertActive(line);
    const { restartDate } = args;
    const next = pacificDay(line.nextPayment);
    assertOr(restartDate >= next, 400, `restartDate must not be before the next payment, ${next}.`);
    const ahead = daysBetween(context.today, restartDate);
    assertOr(ahead <= MAX_PAUSE_DAYS, 400, 'restartDate must be at most 60 days ahead.');
    assertOr(ahead > 0, 400, 'restartDate must be in the future.');
    moveTo(state, line, restartDate);
  },

  extend(state, { args }, context) {
    const line = chooseLine(state, args, context, true);
    assertActive(line);
    const { numPeriods } = args;
    assertOr(numPeriods >= 1, 400, 'The parameter numPeriods must be at least 1.');
    // An unlimited subscription stays unlimited, and no other becomes unlimited.
    if (line.future === ENDLESS) return;
    const future = Math.min((line.future ?? 0) + numPeriods, ENDLESS - 1);
    updateSubscription(state.db, line.id, { future });
  },

  reinstate(state, { args }, context) {
    const line = chooseLine(state, args, context);
    const canceled = line.status === 'CANCELED' && line.canceled !== null;
    assertOr(canceled, 400, 'The subscription is not canceled.');
    const ago = daysBetween(pacificDay(line.canceled ?? 0), context.today);
    assertOr(ago <= MAX_CANCELED_DAYS, 400, 'The subscription was canceled more than 60 days ago.');
    const { time } = getPayment(state.db, line.purchaseId, 'latest', line.id);
    updateSubscription(state.db, line.id, {
      status: 'ACTIVE',
      canceled: null,
      ended: null,
      nextPayment: nextDue(line, time, context.today),
    });
    recordChange(state.db, 'reinstate', { soldAs: line.id, time: context.now });
  },

  changeProduct(state, { args }, context) {
    const lines = linesOfOwn(state.db, args.receipt, context);
    const current = lines.filter((line) => line.soldAs !== null && line.currentItemId === line.id);
    const chosen = current.find((line) => line.itemNo === args.oldSku);
    assertOr(chosen, 400, `oldSku must be the current product: ${skusOf(current) || 'none'}.`);
    assertActive(chosen);
    const { nextRebillDate = addDays(context.today, 1) } = args;
    assertOr(nextRebillDate > context.today, 400, 'nextRebillDate must be in the future.');
    changeItem(state.db, chosen, {
      sold: lines.find((line) => line.id === chosen.soldAs) ?? chosen,
      newSku: args.newSku,
      nextPayment: instantOf(nextRebillDate, secondOfDay(chosen.nextPayment)),
      anchorDay: Number(nextRebillDate.slice(8)),
      now: context.now,
      // The default of carryAffiliate is not documented: only an explicit true carries the affiliate over.
      carryAffiliate: args.carryAffiliate ?? false,
      refund: args.applyProratedRefund ?? true,
    });
  },

  changeAddress({ db }, { args }, context) {
    const lines = linesOfOwn(db, args.receipt, context);
    const physical = lines.find((line) => line.recurring === 1 && line.shippable === 1);
    assertOr(physical, 400, 'Only the address of a physical subscription can be changed.');
    assertOr(
      /^[A-Z]{2}$/i.test(args.countryCode),
      400,
      'countryCode must be two letters, as in US.',
    );
    const { firstName, lastName, address1, address2 = null, city, county = null } = args;
    const { province: state = null, postalCode = null } = args;
    const place = { city, county, state, country: args.countryCode.toUpperCase(), postalCode };
    saveAddress(db, physical.purchaseId, { firstName, lastName, address1, address2, ...place });
  },
};
