/** Events as notifications, the URLs that receive them, their deliveries, and the attempts of each delivery. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import { getRow, insertRow, updateRow } from './statements.ts';

export type InsUrl = Pick<Stored<'ins_url'>, 'id' | 'url' | 'secret' | 'version'>;

/** In the order in which they were added. */
export function findUrls(db: Database): InsUrl[] {
  return db.all<InsUrl>('SELECT id, url, secret, version FROM ins_url ORDER BY id');
}

export function insertUrl(db: Database, url: Omit<InsUrl, 'id'>): void {
  insertRow(db, 'ins_url', url);
}

/** Also deletes its deliveries, and the events that no other URL receives. Returns false for an unknown URL. */
export function deleteUrl(db: Database, url: string): boolean {
  if (db.run('DELETE FROM ins_url WHERE url = ?', [url]).changes === 0) return false;
  db.run('DELETE FROM notification WHERE id NOT IN (SELECT notification_id FROM delivery)');
  return true;
}

/** The process that sends to a URL, as JSON, and until when it may, in real milliseconds since 1970. */
export interface Sending {
  readonly sender: string | null;
  readonly until: number;
}

/** Undefined if the URL was removed. */
export function getSending(db: Database, urlId: number): Sending | undefined {
  return db.first<Sending>('SELECT sender, sender_until until FROM ins_url WHERE id = ?', [urlId]);
}

export function saveSending(db: Database, urlId: number, { sender, until }: Sending): void {
  updateRow(db, ['ins_url', 'id', urlId], { sender, senderUntil: until });
}

/**
 * An event. The bodies and `tracking` are JSON objects without their outer braces: as in version 6, as in versions 7 and
 * 8, and the tracking parameters, which may be empty. The test notification has no purchase.
 */
export type NewNotification = Omit<Stored<'notification'>, 'id'>;

/** Events kept in the log. Older ones are deleted as new ones are added, unless they are still being sent. */
const KEPT = 20_000;

/** Adds an event and its delivery to each URL, due at once. Returns its ID. */
export function insertNotification(
  db: Database,
  event: NewNotification,
  mostAttempts: number,
): number {
  const id = insertRow(db, 'notification', event);
  db.run(
    `INSERT INTO delivery (notification_id, url_id, most_attempts, next_at)
     SELECT ?, id, ?, ? FROM ins_url ORDER BY id`,
    [id, mostAttempts, event.time],
  );
  db.run(
    `DELETE FROM notification WHERE id = ?1 AND NOT EXISTS (
       SELECT 1 FROM delivery WHERE notification_id = ?1 AND next_at IS NOT NULL)`,
    [id - KEPT],
  );
  return id;
}

export type Delivery = Stored<'delivery'> & NewNotification;

const DELIVERY = `SELECT ${select('d', 'delivery')}, n.time, n.type, n.receipt,
  n.purchase_id purchaseId, n.body6, n.body, n.tracking
  FROM delivery d CROSS JOIN notification n ON n.id = d.notification_id`;

/** The first deliveries to a URL that are due by `now`, in the order of the events. */
export function findDue(db: Database, urlId: number, now: number, most: number): Delivery[] {
  return db.all<Delivery>(
    `${DELIVERY} WHERE d.url_id = ? AND d.next_at <= ? ORDER BY d.next_at, d.id LIMIT ?`,
    [urlId, now, most],
  );
}

export function hasDue(db: Database, now: number): boolean {
  const due = `SELECT 1 FROM ins_url u WHERE EXISTS (
    SELECT 1 FROM delivery d WHERE d.url_id = u.id AND d.next_at <= ?)`;
  return db.first(due, [now]) !== undefined;
}

/** The deliveries of an event. */
export function findDeliveriesOf(db: Database, notificationId: number): Delivery[] {
  return db.all(`${DELIVERY} WHERE d.notification_id = ? ORDER BY d.id`, [notificationId]);
}

/** One page of all deliveries, the latest events first; `before` is the ID of the last one seen. */
export function findLatest(db: Database, before: number, most: number): Delivery[] {
  return db.all(`${DELIVERY} WHERE d.id < ? ORDER BY d.id DESC LIMIT ?`, [before, most]);
}

/** Sends it later, or only changes its order; a fault does that once. */
export function holdDelivery(db: Database, id: number, seconds: number): void {
  db.run('UPDATE delivery SET held = 1, next_at = next_at + ? WHERE id = ?', [seconds, id]);
}

/** One request, or none if a fault prevented it. */
export type Attempt = Omit<Stored<'delivery_attempt'>, 'id' | 'deliveryId'>;

/** Adds an attempt with what follows from it. Does nothing if the delivery was removed with its URL in the meantime. */
export function insertAttempt(
  db: Database,
  id: number,
  { number, time, iv, status, error, fault }: Attempt,
  next: Pick<Delivery, 'nextAt' | 'delivered'>,
): void {
  db.run(
    `INSERT INTO delivery_attempt (delivery_id, number, time, iv, status, error, fault)
     SELECT id, ?, ?, ?, ?, ?, ? FROM delivery WHERE id = ?`,
    [number, time, iv, status, error, fault, id],
  );
  updateRow(db, ['delivery', 'id', id], { ...next, attempts: number });
}

export function findAttempts(db: Database, deliveryId: number): Attempt[] {
  return db.all('SELECT * FROM delivery_attempt WHERE delivery_id = ? ORDER BY id', [deliveryId]);
}

const DETAILS = [
  ...(['language', 'phone', 'address1', 'address2', 'city', 'county', 'upsellOf'] as const),
];

/** What a notification tells about a purchase beyond its transactions. */
export interface PurchaseDetails extends Pick<Stored<'purchase'>, (typeof DETAILS)[number]> {
  /** The receipt of the purchase that this one is an upsell of. */
  readonly upsellReceipt: string | null;
}

export function getDetails(db: Database, purchaseId: number): PurchaseDetails {
  return getRow<PurchaseDetails>(
    db,
    `SELECT ${select('p', 'purchase', DETAILS)}, o.receipt upsellReceipt
     FROM purchase p LEFT JOIN purchase o ON o.id = p.upsell_of WHERE p.id = ?`,
    [purchaseId],
  );
}

/** The purchase of a line item. */
export function getPurchaseOf(db: Database, lineItemId: number): number {
  const sql = 'SELECT purchase_id id FROM line_item WHERE id = ?';
  return getRow<{ id: number }>(db, sql, [lineItemId]).id;
}
