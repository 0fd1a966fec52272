/**
 * Records events as notifications, in the transaction of the event. Without a URL, nothing is composed
 * or written.
 */
import type { Database } from '../../storage/sqlite.ts';
import { findUrls, insertNotification } from '../store/notification.ts';
import { getRow } from '../store/statements.ts';
import {
  findLinesOf,
  forgetFailures,
  getPayment,
  getTransaction,
  linesOf,
  NO_AMOUNTS,
  updateSubscription,
} from '../store/transaction.ts';
import { notificationOf } from './notification-body.ts';

/** Attempts before a notification is lost. */
const MOST_ATTEMPTS = 5;

/** Transactions that the service tells of; fees are not among them. */
const TOLD = ['SALE', 'BILL', 'RFND', 'CGBK', 'TEST_SALE', 'TEST_BILL', 'TEST_RFND'];

const isAnyoneTold = (db: Database) => findUrls(db).length > 0;

/** Records a sale, rebill, refund or chargeback that has been written completely. */
export function recordTransaction(db: Database, txnId: number): void {
  if (!isAnyoneTold(db)) return;
  const txn = getTransaction(db, txnId);
  if (!TOLD.includes(txn.type)) return;
  const { time, receipt } = txn;
  // A returned electronic check is a chargeback in the list of orders, and has a type of its own here.
  const type = txn.type === 'CGBK' && txn.paymentMethod === 'CHECK' ? 'INSF' : txn.type;
  const lines = linesOf(txn, findLinesOf(db, txn.purchaseId));
  insertNotification(db, notificationOf(db, { type, time, receipt, txn, lines }), MOST_ATTEMPTS);
}

/** The types of each change for real orders and for test orders; there are none for some changes of the latter. */
const CHANGES = {
  cancel: ['CANCEL-REBILL', 'CANCEL-TEST-REBILL'],
  reinstate: ['UNCANCEL-REBILL', 'UNCANCEL-TEST-REBILL'],
  changeProduct: ['SUBSCRIPTION-CHG', undefined],
  failPayment: ['CUSTOMER_AUTH_FAILURE', undefined],
} as const;

/** The types of all notifications except the test notification. */
export const SENT_TYPES = [...TOLD, 'INSF', ...Object.values(CHANGES).flat()].filter(
  (type) => type !== undefined,
);

interface Change {
  /** The original line item of the subscription. */
  readonly soldAs: number;
  readonly time: number;
  /** By default that of the sale. */
  readonly receipt?: string;
}

/** Records a change of a subscription that has been written completely. */
export function recordChange(db: Database, kind: keyof typeof CHANGES, change: Change): void {
  if (!isAnyoneTold(db)) return;
  const { soldAs, time } = change;
  const of = 'SELECT purchase_id purchaseId FROM line_item WHERE id = ?';
  const { purchaseId } = getRow<{ purchaseId: number }>(db, of, [soldAs]);
  const sale = getPayment(db, purchaseId, 'sale');
  const [usual, ofTest] = CHANGES[kind];
  const type = sale.type.startsWith('TEST_') ? ofTest : usual;
  if (type === undefined) return;
  const lines = findLinesOf(db, purchaseId).filter(
    (line) => line.soldAs === soldAs && line.currentItemId === line.id,
  );
  const { receipt = sale.receipt } = change;
  const lineItemId = lines[0]?.id ?? soldAs;
  const txn = { ...sale, ...NO_AMOUNTS, lineItemId };
  insertNotification(db, notificationOf(db, { type, time, receipt, txn, lines }), MOST_ATTEMPTS);
}

export function endSubscription(db: Database, soldAs: number, time: number): void {
  const state = { status: 'CANCELED', canceled: time, ended: time, nextPayment: null };
  updateSubscription(db, soldAs, state);
  forgetFailures(db, soldAs);
  recordChange(db, 'cancel', { soldAs, time });
}
