/** What customers will do on their own: reading the next event, and deleting it once it is done. */
import type { Database } from '../driver.ts';
import { getTransaction, type Transaction } from './transaction.ts';

export interface CustomerEvent {
  readonly id: number;
  readonly at: number;
  readonly kind: 'REFUND' | 'CHARGEBACK' | 'CANCEL';
  readonly purchaseId: number;
}

export function getFirstEvent(db: Database): CustomerEvent {
  const event = db.first<CustomerEvent>(
    'SELECT id, at, kind, purchase_id purchaseId FROM customer_event ORDER BY at, id LIMIT 1',
  );
  if (!event) throw new Error('no customer event is left');
  return event;
}

export function deleteEvent(db: Database, id: number): void {
  db.run('DELETE FROM customer_event WHERE id = ?', [id]);
}

/** Returns the sale of a purchase. */
export function getSale(db: Database, purchaseId: number): Transaction {
  return getPayment(db, purchaseId, 'ASC');
}

/** Returns the latest payment of a purchase: its sale or its last rebill. */
export function getLatestPayment(db: Database, purchaseId: number): Transaction {
  return getPayment(db, purchaseId, 'DESC');
}

function getPayment(db: Database, purchaseId: number, order: 'ASC' | 'DESC'): Transaction {
  const payment = db.first<{ id: number }>(
    `SELECT id FROM txn WHERE purchase_id = ? AND reverses IS NULL AND type NOT LIKE '%FEE'
     ORDER BY time ${order}, id ${order} LIMIT 1`,
    [purchaseId],
  );
  if (!payment) throw new Error(`the purchase ${purchaseId} was never paid`);
  return getTransaction(db, payment.id);
}
