/** Events as notifications, the URLs that receive them, and their deliveries. */
import type { EventVersion } from '../../operations/notification-versions.ts';
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import { insertRow } from './statements.ts';

export interface InsUrl extends Pick<Stored<'ins_url'>, 'id' | 'url' | 'secret'> {
  readonly version: EventVersion;
}

/** In the order in which they were added. */
export function findUrls(db: Database): InsUrl[] {
  return db.all<InsUrl>('SELECT id, url, secret, version FROM ins_url ORDER BY id');
}

/** An event. The test notification has no purchase. */
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

export const DELIVERY = `SELECT ${select('d', 'delivery')}, n.time, n.type, n.receipt,
  n.purchase_id purchaseId, n.body
  FROM delivery d CROSS JOIN notification n ON n.id = d.notification_id`;

/** One request, or none if a fault prevented it. */
export type Attempt = Omit<Stored<'delivery_attempt'>, 'id' | 'deliveryId'>;
