/** The journal of notifications: what was received, and what became of it. It contains personal data. */
import { type Database, openDatabase } from '../../storage/sqlite.ts';
import { openCommitter } from './committer.ts';
import { prepareJournal } from './journal-schema.ts';
import type { DeliveryKind, NewEvent } from './journaled-event.ts';

export interface Accepted {
  readonly id: number;
  /** The event was journaled before; `id` is that of the first. */
  readonly isDuplicate: boolean;
}

export interface AcceptOptions {
  readonly kinds: readonly DeliveryKind[];
  /** Journal and deliver duplicates, too. Otherwise they are counted. */
  readonly duplicates?: boolean;
  /** When to deliver it, in milliseconds since 1970; default: at once. */
  readonly dueAt?: number;
}

/** What has to be delivered. */
export interface Due {
  readonly id: number;
  /** Attempts so far. */
  readonly attempts: number;
}

export interface Sent {
  readonly at: number;
  /** As in `HTTP 200` or `no answer within 10 seconds`. */
  readonly result: string;
  /** When to try again; undefined if it is done or given up. */
  readonly dueAt?: number | undefined;
  readonly isDone: boolean;
}

export interface Journal {
  readonly database: Database;
  /** Resolves when the event is on the disk. Rejects, and journals nothing, if the disk is full. */
  accept(event: NewEvent, options: AcceptOptions): Promise<Accepted>;
  /** The deliveries of a kind that are due, in the order in which they are. */
  due(kind: DeliveryKind, now: number, limit: number): readonly Due[];
  /** Makes events due, also delivered ones. `dueAt` keeps a running listener from delivering them meanwhile. */
  reopen(ids: readonly number[], kind: DeliveryKind, dueAt: number): Promise<void>;
  /** Records an attempt. */
  record(id: number, kind: DeliveryKind, sent: Sent): Promise<void>;
  pending(kind: DeliveryKind): number;
  setting(name: string): string | undefined;
  saveSetting(name: string, value: string): void;
  close(): void;
}

/** Opens a journal, or creates it as a file that only its user can read. Throws NotAJournal and SQLite errors. */
export async function openJournal(file: string): Promise<Journal> {
  const database = await openDatabase(file);
  try {
    prepareJournal(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const { commit } = openCommitter(database);
  return {
    database,
    accept: (event, options) => commit(() => insert(database, event, options)),
    due: (kind, now, limit) => database.all<Due>(dueSql, [kind, now, limit]),
    reopen: (ids, kind, dueAt) =>
      commit(() => {
        for (const id of ids) database.run(reopenSql, [id, kind, dueAt]);
      }),
    record: (id, kind, { at, result, dueAt, isDone }) =>
      commit(() => {
        const state = isDone ? 'done' : dueAt === undefined ? 'failed' : 'pending';
        database.run(recordSql, [state, dueAt ?? at, at, result, id, kind]);
      }),
    pending: (kind) => database.first<{ n: number }>(pendingSql, [kind])?.n ?? 0,
    setting: (name) =>
      database.first<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name])?.value,
    saveSetting: (name, value) =>
      void database.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [
        name,
        value,
      ]),
    close: () => database.close(),
  };
}

const dueSql = `
  SELECT event_id AS id, attempts FROM delivery
  WHERE kind = ? AND state = 'pending' AND due_at <= ? ORDER BY due_at, event_id LIMIT ?`;

const pendingSql = `SELECT count(*) AS n FROM delivery WHERE kind = ? AND state = 'pending'`;

const reopenSql = `
  INSERT INTO delivery (event_id, kind, state, due_at) VALUES (?, ?, 'pending', ?)
  ON CONFLICT DO UPDATE SET state = 'pending', attempts = 0, due_at = excluded.due_at`;

const recordSql = `
  UPDATE delivery SET state = ?, attempts = attempts + 1, due_at = ?, last_at = ?, result = ?
  WHERE event_id = ? AND kind = ?`;

const insertSql = `
  INSERT INTO event (received_at, type, receipt, event_time, event_day, amount, currency, vendor, role, text, body,
    fingerprint, reconstructed, duplicate_of)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function insert(
  database: Database,
  event: NewEvent,
  { kinds, duplicates = false, dueAt = event.receivedAt }: AcceptOptions,
): Accepted {
  const first = knownAs(database, event);
  if (first !== undefined && !duplicates) {
    database.run('UPDATE event SET copies = copies + 1 WHERE id = ?', [first]);
    return { id: first, isDuplicate: true };
  }
  const { lastInsertRowid } = database.run(insertSql, [
    event.receivedAt,
    event.type,
    event.receipt,
    event.eventTime,
    event.eventTime.slice(0, 10),
    event.amount,
    event.currency,
    event.vendor,
    event.role,
    event.text,
    event.body,
    event.fingerprint,
    event.isReconstructed ? 1 : 0,
    first ?? null,
  ]);
  const id = Number(lastInsertRowid);
  for (const kind of kinds) database.run(reopenSql, [id, kind, dueAt]);
  return { id, isDuplicate: first !== undefined };
}

/** An event that was reconstructed and the notification that comes after all are the same, whichever is first. */
function knownAs(database: Database, event: NewEvent): number | undefined {
  const same = database.first<{ id: number }>(
    'SELECT id FROM event WHERE fingerprint = ? ORDER BY id LIMIT 1',
    [event.fingerprint],
  );
  if (same || event.receipt === '') return same?.id;
  return database.first<{ id: number }>(
    `SELECT id FROM event WHERE receipt = ? AND type = ? AND event_time = ? AND reconstructed <> ?
     ORDER BY id LIMIT 1`,
    [event.receipt, event.type, event.eventTime, event.isReconstructed ? 1 : 0],
  )?.id;
}
