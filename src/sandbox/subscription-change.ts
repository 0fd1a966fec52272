/** The operations of orders2 that change a subscription: who may, when, and what becomes of it. */

import { addDays } from '../dates/day.ts';
import { instantOf, pacificDay, secondOfDay } from '../dates/pacific.ts';
import { daysBetween } from '../operations/operation.ts';
import type { orders } from '../operations/orders.ts';
import { addPeriods } from './billing-date.ts';
import type { Context, Handlers, State } from './handlers.ts';
import { changeItem } from './product-change.ts';
import { insist } from './refusal.ts';
import {
  addPayments,
  lastPayment,
  moveNextPayment,
  reinstateSubscription,
  saveAddress,
} from './store/subscription.ts';
import { findByReceipt, findLineItems, type LineItem } from './store/transaction.ts';

type Changes = Handlers<
  Pick<
    typeof orders,
    'reinstate' | 'pause' | 'extend' | 'changeProduct' | 'changeAddress' | 'changeDate'
  >
>;

const MAX_PAUSE_DAYS = 60;
const MAX_CANCELED_DAYS = 60;
/** This many payments to come means that they never end. */
const ENDLESS = 999;

/** The lines of an order that was sold by the caller: an affiliate changes nothing. */
function linesOfOwn({ db }: State, receipt: string, { caller }: Context): readonly LineItem[] {
  const [sale] = findByReceipt(db, receipt, caller.accounts);
  const own = sale && caller.accounts.includes(sale.vendor);
  insist(own, 403, 'The order does not exist, or this key may not change it.');
  return findLineItems(db, [sale.purchaseId]).get(sale.purchaseId) ?? [];
}

/** The recurring line to change; a sku must name it when the order has several items. */
function chooseLine(
  lines: readonly LineItem[],
  sku: string | undefined,
  accepts: (line: LineItem) => readonly (string | undefined)[],
): LineItem {
  const sold = lines.filter((line) => line.replaces === null);
  insist(
    sku !== undefined || sold.length === 1,
    400,
    'The order has several items: sku is needed.',
  );
  const line = sold.find((each) => sku === undefined || accepts(each).includes(sku));
  insist(line, 400, `The order has no item ${sku}. Its items are ${skusOf(sold)}.`);
  insist(line.soldAs !== null, 400, `The item ${line.itemNo} is not a subscription.`);
  return line;
}

function skusOf(lines: readonly LineItem[]): string {
  return lines.map((line) => line.itemNo).join(', ');
}

function currentOf(lines: readonly LineItem[], line: LineItem): LineItem {
  return lines.find((other) => other.id === line.currentItemId) ?? line;
}

/** After a product change the item is still named as it was sold (beta operations). */
const asSold = (line: LineItem) => [line.itemNo];

function insistActive(line: LineItem): asserts line is LineItem & { nextPayment: number } {
  const active = line.status !== 'CANCELED' && line.status !== 'COMPLETED';
  insist(active && line.nextPayment !== null, 400, 'The subscription has no payments to come.');
}

/** Moves the next payment to a day, at the time of day that it has. */
function moveTo(state: State, line: LineItem & { nextPayment: number }, day: string): void {
  const next = instantOf(day, secondOfDay(line.nextPayment));
  moveNextPayment(state.db, line.id, next, Number(day.slice(8)));
}

/** The next day of the subscription's rhythm that is still to come. */
function nextDue(state: State, line: LineItem, today: string): string {
  const paid = pacificDay(lastPayment(state.db, line.id).time);
  const frequency = line.frequency ?? 'MONTHLY';
  let periods = 1;
  const due = () => addPeriods(paid, frequency, periods, line.anchorDay ?? undefined);
  while (due() <= today) periods += 1;
  return due();
}

const rules: Changes = {
  changeDate(state, { args }, context) {
    const line = chooseLine(linesOfOwn(state, args.receipt, context), args.sku, asSold);
    insistActive(line);
    insist(
      args.changeDate > context.today,
      400,
      'The parameter changeDate must lie in the future.',
    );
    moveTo(state, line, args.changeDate);
  },

  pause(state, { args }, context) {
    const lines = linesOfOwn(state, args.receipt, context);
    const line = chooseLine(lines, args.sku, (each) => [
      each.itemNo,
      currentOf(lines, each).itemNo,
    ]);
    insistActive(line);
    const { restartDate } = args;
    const next = pacificDay(line.nextPayment);
    insist(restartDate >= next, 400, `restartDate must not lie before the next payment, ${next}.`);
    const ahead = daysBetween(context.today, restartDate);
    insist(ahead <= MAX_PAUSE_DAYS, 400, 'restartDate must be at most 60 days ahead.');
    insist(ahead > 0, 400, 'restartDate must lie in the future.');
    moveTo(state, line, restartDate);
  },

  extend(state, { args }, context) {
    const lines = linesOfOwn(state, args.receipt, context);
    const line = chooseLine(lines, args.sku, (each) => [
      each.itemNo,
      currentOf(lines, each).itemNo,
    ]);
    insistActive(line);
    const { numPeriods } = args;
    insist(numPeriods >= 1, 400, 'The parameter numPeriods must be at least 1.');
    // An endless subscription stays what it is.
    if (line.future !== ENDLESS) addPayments(state.db, line.id, numPeriods);
  },

  reinstate(state, { args }, context) {
    const line = chooseLine(linesOfOwn(state, args.receipt, context), args.sku, asSold);
    const canceled = line.status === 'CANCELED' && line.canceled !== null;
    insist(canceled, 400, 'The subscription is not cancelled.');
    const ago = daysBetween(pacificDay(line.canceled ?? 0), context.today);
    insist(ago <= MAX_CANCELED_DAYS, 400, 'The subscription was cancelled over 60 days ago.');
    const paid = lastPayment(state.db, line.id);
    const day = nextDue(state, line, context.today);
    reinstateSubscription(state.db, line.id, instantOf(day, secondOfDay(paid.time)));
  },

  changeProduct(state, { args }, context) {
    const lines = linesOfOwn(state, args.receipt, context);
    const current = lines.filter((line) => line.soldAs !== null && line.currentItemId === line.id);
    const chosen = current.find((line) => line.itemNo === args.oldSku);
    insist(chosen, 400, `oldSku must be the current product: ${skusOf(current) || 'none'}.`);
    insistActive(chosen);
    const { nextRebillDate = addDays(context.today, 1) } = args;
    insist(nextRebillDate > context.today, 400, 'nextRebillDate must lie in the future.');
    changeItem(state.db, chosen, {
      newSku: args.newSku,
      nextPayment: instantOf(nextRebillDate, secondOfDay(chosen.nextPayment)),
      anchorDay: Number(nextRebillDate.slice(8)),
      now: context.now,
      // Nothing is documented for an absent carryAffiliate: only an explicit true carries over.
      carryAffiliate: args.carryAffiliate ?? false,
      refund: args.applyProratedRefund ?? true,
    });
  },

  changeAddress(state, { args }, context) {
    const lines = linesOfOwn(state, args.receipt, context);
    const physical = lines.find((line) => line.recurring === 1 && line.shippable === 1);
    insist(physical, 400, 'Only the address of a physical subscription can be changed.');
    insist(/^[A-Z]{2}$/i.test(args.countryCode), 400, 'countryCode must be two letters, as in US.');
    saveAddress(state.db, physical.purchaseId, args);
  },
};

/** Each change reads, decides and writes in one transaction: two at once can't both pass. */
function alone<Call>(rule: (state: State, call: Call, context: Context) => undefined) {
  return (state: State, call: Call, context: Context): undefined =>
    state.db.immediately(() => rule(state, call, context));
}

export const reinstate: Changes['reinstate'] = alone(rules.reinstate);
export const pause: Changes['pause'] = alone(rules.pause);
export const extend: Changes['extend'] = alone(rules.extend);
export const changeProduct: Changes['changeProduct'] = alone(rules.changeProduct);
export const changeAddress: Changes['changeAddress'] = alone(rules.changeAddress);
export const changeDate: Changes['changeDate'] = alone(rules.changeDate);
