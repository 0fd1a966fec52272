/** The services shipping, shipping2 and shipping3, and their ship notices (sections 4.6 and 4.7 of the specification). */
import { addDays, instantOf, pacificDay } from '../../dates/day.ts';
import { words } from '../../operations/resource.ts';
import {
  notices,
  notices2,
  notices3,
  shipping,
  shipping2,
  shipping3,
} from '../../operations/shipping.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertFacts, assertOr, assertValid, readDays } from '../http/arguments.ts';
import type { Call, Context, Page, State } from '../http/handlers.ts';
import { type Stored, select } from '../store/schema.ts';
import {
  type Condition,
  countRows,
  findPage,
  given,
  insertRow,
  joined,
  ONE_OF,
} from '../store/statements.ts';
import {
  findLineItems,
  findLinesOf,
  type LineItem,
  lineAmounts,
  linesOf,
  refundedLinesOf,
  TRANSACTION,
  type Transaction,
} from '../store/transaction.ts';
import { vendorVariablesOf } from './orders.ts';

const DEFAULT_DAYS = 30;
/** Keeps the first day within the range of dates. */
const MOST_DAYS = 36_500;

/** A physical item of a payment: a rebill has its own line, a sale all of its lines. */
const PARCEL = `txn t CROSS JOIN line_item l ON l.purchase_id = t.purchase_id AND l.shippable = 1
  AND (l.id = t.line_item_id OR (t.line_item_id IS NULL AND l.replaces IS NULL))`;

const PAYMENT = `t.type IN ('SALE', 'BILL', 'TEST_SALE', 'TEST_BILL') AND t.reverses IS NULL`;

const SHIPPED = `EXISTS (SELECT 1 FROM ship_notice n
  WHERE n.txn_id = t.id AND n.line_item_id = l.id)`;

type SearchCall = Call<typeof shipping.list.params>;
/** A row is an item, or an order with all of its items. */
type Per = 'item' | 'order';

/** Without a status, finds both shipped and other orders; this is not documented. A receipt takes precedence. */
function conditionOf(search: SearchCall['args'], per: Per, context: Context): Condition {
  assertFacts(shipping.list.params, search);
  const { receipt, status = 'all', days = DEFAULT_DAYS, startDate, endDate } = search;
  // Dates take precedence over days; a single date leaves the other end open.
  const isOpen = startDate === undefined && endDate === undefined;
  const since = isOpen ? addDays(context.today, -Math.min(days, MOST_DAYS)) : startDate;
  const { from, until } = receipt === undefined ? readDays(since, endDate) : {};
  const { sql, values } = joined([
    given(`t.vendor ${ONE_OF}`, JSON.stringify(context.caller.accounts)),
    given('t.receipt = ?', receipt),
    given('t.time >= ?', from),
    given('t.time < ?', until),
  ]);
  const isAny = receipt !== undefined || status === 'all';
  const having = isAny ? '' : `HAVING min(${SHIPPED}) = ${status === 'shipped' ? 1 : 0}`;
  return {
    sql: `SELECT t.id txnId, t.time, min(l.id) lineItemId FROM ${PARCEL}
      WHERE ${PAYMENT} AND ${sql} GROUP BY t.id${per === 'item' ? ', l.id' : ''} ${having}`,
    values,
  };
}

/** A payment and its item; for an order, the first item. */
interface Parcel {
  readonly txnId: number;
  readonly lineItemId: number;
}

type ToRows<Row> = (payment: Shipment, items: readonly LineItem[]) => readonly Row[];

function searchHandlers<Row>(per: Per, toRows: ToRows<Row>) {
  return {
    list({ db }: State, { args, page }: SearchCall, context: Context): Page<readonly Row[]> {
      const { sql, values } = conditionOf(args, per, context);
      const ordered = { sql: `${sql} ORDER BY t.time, t.id, lineItemId`, values };
      const { rows, more } = findPage<Parcel>(db, ordered, page);
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
    count({ db }: State, { args }: SearchCall, context: Context) {
      const { sql, values } = conditionOf(args, per, context);
      return countRows(db, { sql: `FROM (${sql})`, values });
    },
  };
}

const ADDRESS = words('fullName address1 address2 city state postalCode country');

type Address = Pick<Stored<'purchase'>, (typeof ADDRESS)[number]>;

/** The shipping address in one line; null if nothing is known about the customer. */
export function addressOf(address: Address): string | null {
  const { fullName, address1, address2, city, state, postalCode, country } = address;
  const place = [city, state, postalCode].filter(Boolean).join(' ');
  const parts = [fullName, address1, address2, place, country].filter(Boolean);
  return parts.length ? parts.join(', ') : null;
}

/** The recipient of a payment's parcels, and since when they are due. */
export interface Consignment extends Parcel, Address {
  readonly type: string;
  readonly time: number;
}

/** Up to `count` physical items of payments before an instant, starting after `last`. */
export function findConsignments(
  db: Database,
  until: number,
  count: number,
  last: Parcel = { txnId: 0, lineItemId: 0 },
): Consignment[] {
  return db.all<Consignment>(
    `SELECT t.id txnId, l.id lineItemId, t.type, t.time,
       ${select('p', 'purchase', ADDRESS)}
     FROM ${PARCEL} CROSS JOIN purchase p ON p.id = t.purchase_id
     WHERE ${PAYMENT} AND t.time < ? AND t.id >= ? AND (t.id, l.id) > (?, ?)
     ORDER BY t.id, l.id LIMIT ?`,
    [until, last.txnId, last.txnId, last.lineItemId, count],
  );
}

/** A payment with the current address of its customer, and the refunded lines of a cart. */
interface Shipment extends Transaction, Address {
  /** The line of a pending refund; null if it affects all lines. */
  readonly pendingLineId: number | null;
  /** JSON: the completely refunded lines of a partly refunded sale. */
  readonly refundedLines: string;
  readonly phone: string | null;
}

function findShipments(db: Database, txnIds: readonly number[]): ReadonlyMap<number, Shipment> {
  const rows = db.all<Shipment>(
    `SELECT x.*, a.phone, a.address1, a.address2, a.city,
       (SELECT k.line_item_id FROM ticket k
        WHERE k.txn_id = x.id AND k.refund_state = 'PENDING') pendingLineId,
       (SELECT json_group_array(line) FROM (${refundedLinesOf('x.id')})
        WHERE x.lineItemId IS NULL) refundedLines
     FROM (${TRANSACTION} WHERE t.id ${ONE_OF}) x
     JOIN purchase a ON a.id = x.purchaseId`,
    [JSON.stringify([...new Set(txnIds)])],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A notice with its item. `shipDate` is an instant. */
interface Notice extends Omit<Stored<'ship_notice'>, 'id' | 'txnId'> {
  readonly itemNo: string;
}

function findNotices(db: Database, txnId: number): Notice[] {
  return db.all<Notice>(
    `SELECT ${select('n', 'ship_notice')}, l.item_no itemNo
     FROM ship_notice n JOIN line_item l ON l.id = n.line_item_id
     WHERE n.txn_id = ? ORDER BY n.id`,
    [txnId],
  );
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

/**
 * Returns a payment of the caller's own sales, with or without something to ship. 403 does not reveal whether another
 * vendor has the receipt.
 */
function requirePayment({ db }: State, receipt: string, { caller }: Context): Shipment {
  const found = db.first<{ id: number }>(
    `SELECT t.id FROM txn t WHERE t.receipt = ? AND ${PAYMENT} AND t.vendor ${ONE_OF} LIMIT 1`,
    [receipt, JSON.stringify(caller.accounts)],
  );
  const payment = found && findShipments(db, [found.id]).get(found.id);
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
    for (const { id: lineItemId } of items) {
      insertRow(state.db, 'ship_notice', { ...sent, txnId: payment.id, lineItemId });
    }
    const [{ id: lineItemId, itemNo }] = items;
    return noticeRow(payment, { ...sent, lineItemId, itemNo });
  },
};

const orders = searchHandlers('order', (payment, items) => [shipmentRow(payment, items)]);

export const shippingHandlers = {
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
