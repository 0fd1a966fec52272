/** The ship notices of shipping, shipping2 and shipping3 (section 4.7 of the specification). */
import { instantOf, pacificDay } from '../../dates/pacific.ts';
import { notices, notices2, notices3 } from '../../operations/shipping.ts';
import type { Call, Context, Handlers, State } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import {
  addNotice,
  addressOf,
  findNotices,
  findPayment,
  type Notice,
  type Shipment,
} from '../store/orders/shipment.ts';
import { findLinesOf, type LineItem } from '../store/orders/transaction.ts';
import { physicalLines } from './shipment-row.ts';

type Params = typeof notices.add.params;
type Sending = Call<Params>['args'] & { readonly fillOrder?: boolean | undefined };

const NOT_FOUND = 'The order does not exist, or this key may not ship it.';

/** Returns a payment of the caller's own sales. 403 does not reveal whether another vendor has the receipt. */
function requirePayment({ db }: State, receipt: string, { caller }: Context): Shipment {
  const payment = findPayment(db, receipt, caller.accounts);
  assertOr(payment, 403, NOT_FOUND);
  return payment;
}

function namesOf(lines: readonly LineItem[]): string {
  return lines.map((line) => line.itemNo).join(', ');
}

/** Returns the only physical item, or the one with the given item number. */
function chooseItem(physical: readonly LineItem[], item: string | undefined): LineItem {
  assertOr(physical.length > 0, 400, 'The order has nothing to ship.');
  const named = physical.find((line) => item === undefined || line.itemNo === item);
  assertOr(
    item !== undefined || physical.length === 1,
    400,
    `The order has several physical items: item must be one of ${namesOf(physical)}.`,
  );
  assertOr(named, 400, `The order has no physical item ${item}. It has ${namesOf(physical)}.`);
  return named;
}

function assertDay(date: string, payment: Shipment, today: string): void {
  const bought = pacificDay(payment.time);
  assertOr(date >= bought, 400, `The parameter date must not be before the purchase, ${bought}.`);
  assertOr(date <= today, 400, `The parameter date must not be after today, ${today}.`);
}

/** The item is a field of the later generations only. */
function noticeRow({ receipt }: Shipment, notice: Notice) {
  return { ...notice, receipt, trackingId: notice.tracking };
}

/** Returns the chosen item, and with fillOrder every other physical item that has no notice yet. */
function itemsToShip(
  { db }: State,
  payment: Shipment,
  { item, fillOrder = false }: Sending,
): [LineItem, ...LineItem[]] {
  const physical = physicalLines(payment, findLinesOf(db, payment.purchaseId));
  const chosen = chooseItem(physical, item);
  if (!fillOrder) return [chosen];
  const noticed = findNotices(db, payment.id).map((notice) => notice.lineItemId);
  const others = physical.filter((line) => line !== chosen && !noticed.includes(line.id));
  return [chosen, ...others];
}

interface Receipt {
  readonly args: { readonly receipt: string };
}

const handlers = {
  list(state: State, { args }: Receipt, context: Context) {
    const payment = requirePayment(state, args.receipt, context);
    return findNotices(state.db, payment.id).map((notice) => noticeRow(payment, notice));
  },

  /** Every call adds a notice, even if the item has one already. */
  add(state: State, { args }: { readonly args: Sending }, context: Context) {
    const payment = requirePayment(state, args.receipt, context);
    const items = itemsToShip(state, payment, args);
    assertDay(args.date, payment, context.today);
    const sent = {
      shipDate: instantOf(args.date),
      carrier: args.carrier,
      tracking: args.tracking ?? null,
      comments: args.comments ?? null,
      shippedTo: addressOf(payment),
    };
    for (const { id } of items) addNotice(state.db, payment.id, { ...sent, lineItemId: id });
    const [{ id: lineItemId, itemNo }] = items;
    return noticeRow(payment, { ...sent, lineItemId, itemNo });
  },
};

export const noticesHandlers: Handlers<typeof notices> = {
  ...handlers,
  schema: () => notices.list.returns.resource,
};

export const notices2Handlers: Handlers<typeof notices2> = {
  ...handlers,
  schema: () => notices2.list.returns.resource,
};

export const notices3Handlers: Handlers<typeof notices3> = {
  ...handlers,
  schema: () => notices3.list.returns.resource,
};
