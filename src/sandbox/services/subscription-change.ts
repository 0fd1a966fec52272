/** The operations of orders2 that change a subscription: their permissions, conditions, and effects. */
import { addDays, daysBetween, instantOf, pacificDay, secondOfDay } from '../../dates/day.ts';
import type { orders } from '../../operations/orders.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertOr, assertValid } from '../http/arguments.ts';
import type { Context, Handlers, State } from '../http/handlers.ts';
import { recordChange } from '../notifications/record.ts';
import { findProduct, getProduct, type Product } from '../store/product.ts';
import { insertRow, updateRow } from '../store/statements.ts';
import {
  findByReceipt,
  findLinesOf,
  getPayment,
  type LineItem,
  lineAmounts,
  type Transaction,
  updateSubscription,
} from '../store/transaction.ts';
import { addPeriods, ENDLESS } from './billing-date.ts';
import { convert, roundIn } from './money.ts';
import { isRunning, payBack, subjectOf } from './refunds.ts';

const ships = (product: Product) => product.physical === 1 || product.physicalRecurring === 1;

/** Refunds the unused part of the last payment, if that much is left; `sold` is the original line of the subscription. */
function refundUnused(
  db: Database,
  line: Running,
  { payment, sold }: { readonly payment: Transaction; readonly sold: LineItem },
  now: number,
): void {
  if (payment.reversed !== null) return;
  const period = line.nextPayment - payment.time;
  const part = period > 0 ? Math.min(1, Math.max(0, (line.nextPayment - now) / period)) : 0;
  const { customerCents } = lineAmounts(payment, sold);
  const subject = subjectOf(db, payment, payment.lineItemId ?? sold.id);
  payBack(db, subject, roundIn(payment.currency, customerCents * part), now);
}

/** The current line of a subscription with payments to come. */
type Running = LineItem & { readonly nextPayment: number };

const MAX_PAUSE_DAYS = 60;
const MAX_CANCELED_DAYS = 60;

/** The lines of an order sold by the caller; an affiliate may not change anything. */
function linesOfOwn(db: Database, receipt: string, { caller }: Context): readonly LineItem[] {
  const [sale] = findByReceipt(db, receipt, caller.accounts);
  const own = sale && caller.accounts.includes(sale.vendor);
  assertOr(own, 403, 'The order does not exist, or this key may not change it.');
  return findLinesOf(db, sale.purchaseId);
}

const skusOf = (lines: readonly LineItem[]) => lines.map((line) => line.itemNo).join(', ');

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
  assertValid(isNamed, 'The order has several items: sku is required.');
  const line = sold.find(({ itemNo, currentItemId }) => {
    const current = orCurrent ? lines.find(({ id }) => id === currentItemId)?.itemNo : undefined;
    return sku === undefined || itemNo === sku || current === sku;
  });
  assertValid(line, `The order has no item ${sku}. Its items are ${skusOf(sold)}.`);
  assertValid(line.soldAs !== null, `The item ${line.itemNo} is not a subscription.`);
  return line;
}

function assertActive(line: LineItem): asserts line is Running {
  const hasNext = isRunning(line) && line.nextPayment !== null;
  assertValid(hasNext, 'The subscription has no future payments.');
}

/** Moves the next payment to a day, keeping its time of day. */
function moveTo(state: State, line: Running, day: string): void {
  const next = instantOf(day, secondOfDay(line.nextPayment));
  updateSubscription(state.db, line.id, { nextPayment: next, anchorDay: Number(day.slice(8)) });
}

function nextDue(line: LineItem, lastPaid: number, today: string): number {
  const paid = pacificDay(lastPaid);
  const frequency = line.frequency ?? 'MONTHLY';
  let periods = 1;
  const due = () => addPeriods(paid, frequency, periods, line.anchorDay ?? undefined);
  while (due() <= today) periods += 1;
  return instantOf(due(), secondOfDay(lastPaid));
}

/** Adds the line of another product to a subscription, valid from `now`. Returns its ID. */
function replaceItem(db: Database, line: LineItem, to: Product, now: number): number {
  const replaces = line.soldAs ?? line.id;
  db.run(
    `INSERT INTO former_item (sold_as, line_item_id, affiliate, until)
     SELECT line_item_id, current_item_id, affiliate, ? FROM subscription WHERE line_item_id = ?`,
    [now, replaces],
  );
  const { purchaseId, quantity, type } = line;
  return insertRow(db, 'line_item', {
    ...{ purchaseId, replaces, quantity, type, recurring: 1, shippable: ships(to) ? 1 : 0 },
    ...{ productId: to.id, itemNo: to.sku, title: to.title },
    ...{ customerCents: 0, vendorCents: 0, affiliateCents: 0 },
  });
}

export const subscriptionChanges = {
  changeDate(state, { args }, context) {
    const line = chooseLine(state, args, context);
    assertActive(line);
    assertValid(args.changeDate > context.today, 'The parameter changeDate must be in the future.');
    moveTo(state, line, args.changeDate);
  },

  pause(state, { args }, context) {
    const line = chooseLine(state, args, context, true);
    assertActive(line);
    const { restartDate } = args;
    const next = pacificDay(line.nextPayment);
    assertValid(restartDate >= next, `restartDate must not be before the next payment, ${next}.`);
    const ahead = daysBetween(context.today, restartDate);
    assertValid(ahead <= MAX_PAUSE_DAYS, 'restartDate must be at most 60 days ahead.');
    assertValid(ahead > 0, 'restartDate must be in the future.');
    moveTo(state, line, restartDate);
  },

  extend(state, { args }, context) {
    const line = chooseLine(state, args, context, true);
    assertActive(line);
    const { numPeriods } = args;
    assertValid(numPeriods >= 1, 'The parameter numPeriods must be at least 1.');
    // An unlimited subscription stays unlimited, and no other becomes unlimited.
    if (line.future === ENDLESS) return;
    const future = Math.min((line.future ?? 0) + numPeriods, ENDLESS - 1);
    updateSubscription(state.db, line.id, { future });
  },

  reinstate(state, { args }, context) {
    const line = chooseLine(state, args, context);
    const canceled = line.status === 'CANCELED' && line.canceled !== null;
    assertValid(canceled, 'The subscription is not canceled.');
    const ago = daysBetween(pacificDay(line.canceled ?? 0), context.today);
    assertValid(ago <= MAX_CANCELED_DAYS, 'The subscription was canceled more than 60 days ago.');
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
    assertValid(chosen, `oldSku must be the current product: ${skusOf(current) || 'none'}.`);
    assertActive(chosen);
    const { nextRebillDate = addDays(context.today, 1) } = args;
    assertValid(nextRebillDate > context.today, 'nextRebillDate must be in the future.');
    const { db } = state;
    const from = getProduct(db, chosen.productId);
    const to = findProduct(db, from.site, args.newSku);
    assertValid(to, `The vendor has no product ${args.newSku}.`);
    assertValid(to.id !== from.id, 'newSku must differ from oldSku.');
    const { rebillPrice, frequency, duration } = to;
    const recurs = rebillPrice !== null && frequency !== null && duration !== null;
    assertValid(recurs, `The product ${args.newSku} is not a subscription.`);
    assertValid(to.currency === from.currency, 'The new product must have the same currency.');
    assertValid(ships(from) || !ships(to), 'A digital product cannot become a physical one.');
    const sold = lines.find((line) => line.id === chosen.soldAs) ?? chosen;
    const { now } = context;
    const payment = getPayment(db, sold.purchaseId, 'latest', sold.id);
    if (args.applyProratedRefund ?? true) refundUnused(db, chosen, { payment, sold }, now);
    updateSubscription(db, chosen.soldAs ?? chosen.id, {
      ...{ frequency, future: duration },
      // The customer keeps paying in the currency of the order.
      rebillCents: convert(rebillPrice, to.currency, payment.currency) * chosen.quantity,
      currentItemId: replaceItem(db, chosen, to, now),
      nextPayment: instantOf(nextRebillDate, secondOfDay(chosen.nextPayment)),
      anchorDay: Number(nextRebillDate.slice(8)),
      // The default of carryAffiliate is not documented: only an explicit true carries the affiliate over.
      affiliate: args.carryAffiliate ? undefined : null,
    });
    recordChange(db, 'changeProduct', { soldAs: sold.id, time: now });
  },

  changeAddress({ db }, { args }, context) {
    const lines = linesOfOwn(db, args.receipt, context);
    const physical = lines.find((line) => line.recurring === 1 && line.shippable === 1);
    assertValid(physical, 'Only the address of a physical subscription can be changed.');
    assertValid(/^[A-Z]{2}$/i.test(args.countryCode), 'countryCode must be two letters, as in US.');
    const { firstName, lastName, address1, address2 = null, city, county = null } = args;
    const { province: state = null, postalCode = null } = args;
    const place = { city, county, state, country: args.countryCode.toUpperCase(), postalCode };
    const { purchaseId } = physical;
    const address = { firstName, lastName, address1, address2, ...place };
    updateRow(db, ['purchase', 'id', purchaseId], address);
    if (firstName === undefined && lastName === undefined) return;
    db.run(
      "UPDATE purchase SET full_name = trim(concat_ws(' ', first_name, last_name)) WHERE id = ?",
      [purchaseId],
    );
  },
} satisfies Partial<Handlers<typeof orders>>;
