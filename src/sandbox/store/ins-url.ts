/** The URLs that receive notifications, and which process sends to each of them. */
import type { Database } from '../../storage/sqlite.ts';
import type { Stored } from './schema.ts';
import { insertRow } from './statements.ts';

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
  db.run('UPDATE ins_url SET sender = ?, sender_until = ? WHERE id = ?', [sender, until, urlId]);
}
