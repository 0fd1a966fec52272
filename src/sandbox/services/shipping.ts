/** The services shipping, shipping2 and shipping3, and their ship notices (sections 4.6 and 4.7 of the specification). */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay } from '../../dates/pacific.ts';
import type { services } from '../../operations/index.ts';
import {
  notices,
  notices2,
  notices3,
  shipping,
  shipping2,
  shipping3,
} from '../../operations/shipping.ts';
import { assertFacts, assertOr, assertValid, readDays } from '../http/arguments.ts';
import type { Call, Context, Handlers, Page, State } from '../http/handlers.ts';
import {
  addNotice,
  addressOf,
  countShipments,
  findNotices,
  findParcels,
  findPayment,
  findShipments,
  type Notice,
  type Shipment,
  type ShipmentFilter,
} from '../store/shipment.ts';
import {
  findLineItems,
  findLinesOf,
  type LineItem,
  lineAmounts,
  linesOf,
} from '../store/transaction.ts';
import { vendorVariablesOf } from './orders.ts';

const DEFAULT_DAYS = 30;
/** Keeps the first day within the range of dates. */
const MOST_DAYS = 36_500;

type SearchCall = Call<typeof shipping.list.params>;
type Per = ShipmentFilter['per'];

/** Without a status, finds both shipped and other orders; this is not documented. */
function filterOf(search: SearchCall['args'], per: Per, context: Context): ShipmentFilter {
  assertFacts(shipping.list.params, search);
  const { receipt, status = 'all' } = search;
  const { accounts } = context.caller;
  if (receipt !== undefined) return { accounts, per, receipt };
  const shipped = status === 'all' ? undefined : status === 'shipped';
  // Dates take precedence over days; a single date leaves the other end open.
  const { days = DEFAULT_DAYS, startDate, endDate } = search;
  const isOpen = startDate === undefined && endDate === undefined;
  const since = addDays(context.today, -Math.min(days, MOST_DAYS));
  const period = readDays(isOpen ? { startDate: since } : { startDate, endDate });
  return { accounts, per, shipped, ...period };
}

type ToRows<Row> = (payment: Shipment, items: readonly LineItem[]) => readonly Row[];

function searchHandlers<Row>(per: Per, toRows: ToRows<Row>) {
  return {
    list({ db }: State, { args, page }: SearchCall, context: Context): Page<readonly Row[]> {
      const { rows, more } = findParcels(db, filterOf(args, per, context), page);
      const payments = findShipments(
        db,
        rows.map(({ txnId }) => txnId),
      );
      const purchases = [...payments.values()].map(({ purchaseId }) => purchaseId);
      const lines = findLineItems(db, purchases);
      const content = rows.flatMap(({ txnId, lineItemId }) => {
        const payment = payments.get(txnId);
        if (!payment) return [];
        const items = physicalLines(payment, lines.get(payment.purchaseId) ?? []);
        return toRows(
          payment,
          items.filter(({ id }) => per === 'order' || id === lineItemId),
        );
      });
      return { content, more };
    },
    count: ({ db }: State, { args }: SearchCall, context: Context) =>
      countShipments(db, filterOf(args, per, context)),
  };
}

/** Returns the physical items of a payment; `lines` are all lines of its purchase. */
function physicalLines(payment: Shipment, lines: readonly LineItem[]): readonly LineItem[] {
  return linesOf(payment, lines).filter((line) => line.shippable === 1);
}

const isTest = ({ type }: Shipment) => type.startsWith('TEST_');

/** A refund can apply to one line of a cart; a chargeback applies to all lines. */
function flagsOf(payment: Shipment, { id }: LineItem) {
  const { refundPending, pendingLineId, reversed } = payment;
  const refundedLines: readonly number[] = JSON.parse(payment.refundedLines);
  return {
    isRefundPending: refundPending === 1 && (pendingLineId ?? id) === id,
    hasBeenRefunded: reversed === 'RFND' || refundedLines.includes(id),
    hasBeenChargebacked: reversed === 'CGBK',
  };
}

/** A row of the first generation. The contents of `orderDetails` are not documented. */
function itemRow(payment: Shipment, line: LineItem) {
  const { firstName, lastName, address1, address2, postalCode, vendor } = payment;
  return {
    ...{ ...payment, firstname: firstName, lastname: lastName, addr1: address1, addr2: address2 },
    ...{ zip: postalCode, orderDate: payment.time, site: vendor },
    ...{ displayName: line.title, productNo: line.itemNo, orderDetails: null },
    isTestTransaction: isTest(payment),
    ...flagsOf(payment, line),
  };
}

/** A row of the later generations; the second one omits the phone number. */
function shipmentRow(payment: Shipment, items: readonly LineItem[]) {
  return {
    ...payment,
    transactionTime: payment.time,
    phoneNumber: payment.phone,
    isTestTransaction: isTest(payment),
    vendorVariables: vendorVariablesOf(payment),
    lineItemShipData: items.map((line) => {
      const { customerCents, vendorCents } = lineAmounts(payment, line);
      return {
        ...{ ...line, productTitle: line.title, shippingMethod: line.shippingProfile },
        ...{ customerAmount: customerCents, accountAmount: vendorCents },
        ...flagsOf(payment, line),
      };
    }),
  };
}

type Sending = Call<typeof notices.add.params>['args'] & {
  readonly fillOrder?: boolean | undefined;
};

/** Returns a payment of the caller's own sales. 403 does not reveal whether another vendor has the receipt. */
function requirePayment({ db }: State, receipt: string, { caller }: Context): Shipment {
  const payment = findPayment(db, receipt, caller.accounts);
  assertOr(payment, 403, 'The order does not exist, or this key may not ship it.');
  return payment;
}

/** The item is a field of the later generations only. */
function noticeRow({ receipt }: Shipment, notice: Notice) {
  return { ...notice, receipt, trackingId: notice.tracking };
}

/** Returns the named or only item, and with fillOrder every other physical item that has no notice yet. */
function itemsToShip({ db }: State, payment: Shipment, { item, fillOrder }: Sending) {
  const physical = physicalLines(payment, findLinesOf(db, payment.purchaseId));
  assertValid(physical.length > 0, 'The order has nothing to ship.');
  const names = physical.map((line) => line.itemNo).join(', ');
  const several = `The order has several physical items: item must be one of ${names}.`;
  assertValid(item !== undefined || physical.length === 1, several);
  const chosen = physical.find((line) => item === undefined || line.itemNo === item);
  assertValid(chosen, `The order has no physical item ${item}. It has ${names}.`);
  const noticed = findNotices(db, payment.id).map((notice) => notice.lineItemId);
  const others = physical.filter((line) => line !== chosen && !noticed.includes(line.id));
  return [chosen, ...(fillOrder ? others : [])] as const;
}

const noticeHandlers = {
  list(state: State, { args }: { readonly args: { readonly receipt: string } }, context: Context) {
    const payment = requirePayment(state, args.receipt, context);
    return findNotices(state.db, payment.id).map((notice) => noticeRow(payment, notice));
  },

  /** Every call adds a notice, even if the item has one already. */
  add(state: State, { args }: { readonly args: Sending }, context: Context) {
    const payment = requirePayment(state, args.receipt, context);
    const items = itemsToShip(state, payment, args);
    const { date } = args;
    const bought = pacificDay(payment.time);
    assertValid(date >= bought, `The parameter date must not be before the purchase, ${bought}.`);
    const { today } = context;
    assertValid(date <= today, `The parameter date must not be after today, ${today}.`);
    const sent = {
      shipDate: instantOf(date),
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

const orders = searchHandlers('order', (payment, items) => [shipmentRow(payment, items)]);

type Services = typeof services;

export const shippingHandlers: {
  readonly [S in keyof Services as S extends `${'shipping' | 'notices'}${string}`
    ? S
    : never]: Handlers<Services[S]>;
} = {
  shipping: {
    ...searchHandlers('item', (payment, items) => items.map((item) => itemRow(payment, item))),
    schema: () => shipping.list.returns.resource,
  },
  shipping2: { ...orders, schema: () => shipping2.list.returns.resource },
  shipping3: { ...orders, schema: () => shipping3.list.returns.resource },
  notices: { ...noticeHandlers, schema: () => notices.list.returns.resource },
  notices2: { ...noticeHandlers, schema: () => notices2.list.returns.resource },
  notices3: { ...noticeHandlers, schema: () => notices3.list.returns.resource },
};
