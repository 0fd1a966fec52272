/** Payments with physical items (sales and rebills) and their ship notices. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import {
  type Condition,
  countRows,
  findPage,
  given,
  insertRow,
  joined,
  ONE_OF,
  type Rows,
} from './statements.ts';
import { refundedLinesOf, TRANSACTION, type Transaction } from './transaction.ts';

export interface ShipmentFilter {
  /** The vendors; affiliates do not ship. */
  readonly accounts: readonly string[];
  readonly receipt?: string | undefined;
  /** Instants; the end is exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Whether every physical item has a notice. */
  readonly shipped?: boolean | undefined;
  /** A row is an item, or an order with all of its items. */
  readonly per: 'item' | 'order';
}

/** A physical item of a payment: a rebill has its own line, a sale all of its lines. */
const PARCEL = `txn t CROSS JOIN line_item l ON l.purchase_id = t.purchase_id AND l.shippable = 1
  AND (l.id = t.line_item_id OR (t.line_item_id IS NULL AND l.replaces IS NULL))`;

const PAYMENT = `t.type IN ('SALE', 'BILL', 'TEST_SALE', 'TEST_BILL') AND t.reverses IS NULL`;

const SHIPPED = `EXISTS (SELECT 1 FROM ship_notice n
  WHERE n.txn_id = t.id AND n.line_item_id = l.id)`;

function conditionOf(filter: ShipmentFilter): Condition {
  const { shipped } = filter;
  const { sql, values } = joined([
    given(`t.vendor ${ONE_OF}`, JSON.stringify(filter.accounts)),
    given('t.receipt = ?', filter.receipt),
    given('t.time >= ?', filter.from),
    given('t.time < ?', filter.until),
  ]);
  const having = shipped === undefined ? '' : `HAVING min(${SHIPPED}) = ${shipped ? 1 : 0}`;
  return {
    sql: `SELECT t.id txnId, t.time, min(l.id) lineItemId FROM ${PARCEL}
      WHERE ${PAYMENT} AND ${sql} GROUP BY t.id${filter.per === 'item' ? ', l.id' : ''} ${having}`,
    values,
  };
}

export function countShipments(db: Database, filter: ShipmentFilter): number {
  const { sql, values } = conditionOf(filter);
  return countRows(db, { sql: `FROM (${sql})`, values });
}

/** A payment and its item; for an order, the first item. */
export interface Parcel {
  readonly txnId: number;
  readonly lineItemId: number;
}

export function findParcels(db: Database, filter: ShipmentFilter, page: number): Rows<Parcel> {
  const { sql, values } = conditionOf(filter);
  return findPage(db, { sql: `${sql} ORDER BY t.time, t.id, lineItemId`, values }, page);
}

const ADDRESS = [
  ...(['fullName', 'address1', 'address2', 'city', 'state', 'postalCode', 'country'] as const),
];

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
export interface Shipment extends Transaction, Address {
  /** The line of a pending refund; null if it affects all lines. */
  readonly pendingLineId: number | null;
  /** JSON: the completely refunded lines of a partly refunded sale. */
  readonly refundedLines: string;
  readonly phone: string | null;
}

export function findShipments(
  db: Database,
  txnIds: readonly number[],
): ReadonlyMap<number, Shipment> {
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

/** The payment of a receipt, if one of these vendors got it, with or without something to ship. */
export function findPayment(
  db: Database,
  receipt: string,
  accounts: readonly string[],
): Shipment | undefined {
  const row = db.first<{ id: number }>(
    `SELECT t.id FROM txn t WHERE t.receipt = ? AND ${PAYMENT}
       AND t.vendor ${ONE_OF} LIMIT 1`,
    [receipt, JSON.stringify(accounts)],
  );
  return row && findShipments(db, [row.id]).get(row.id);
}

/** A notice with its item. `shipDate` is an instant. */
export interface Notice extends Omit<Stored<'ship_notice'>, 'id' | 'txnId'> {
  readonly itemNo: string;
}

export function findNotices(db: Database, txnId: number): Notice[] {
  return db.all<Notice>(
    `SELECT ${select('n', 'ship_notice')}, l.item_no itemNo
     FROM ship_notice n JOIN line_item l ON l.id = n.line_item_id
     WHERE n.txn_id = ? ORDER BY n.id`,
    [txnId],
  );
}

export function addNotice(db: Database, txnId: number, notice: Omit<Notice, 'itemNo'>): void {
  insertRow(db, 'ship_notice', { ...notice, txnId });
}
