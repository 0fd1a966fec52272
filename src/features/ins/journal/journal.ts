/** The journal of notifications: what was received, and what became of it. It contains personal data. */

import { createHash } from 'node:crypto';
import { pacificTime } from '../../../dates/day.ts';
import { exitCodes, Failure } from '../../../shell/failure.ts';
import { type Database, openDatabase } from '../../../storage/sqlite.ts';
import type { ExactObject } from '../event-text.ts';
import { blockSize } from '../open-notification.ts';

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

export interface Sent {
  readonly at: number;
  /** As in `HTTP 200` or `no answer within 10 seconds`. */
  readonly result: string;
  /** When to try again; undefined if it is done or given up. */
  readonly dueAt?: number | undefined;
  readonly isDone: boolean;
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Opens a journal, or creates it as a file that only its user can read. Throws Failures and SQLite errors. */
export async function openJournal(file: string) {
  const database = await openDatabase(file);
  try {
    prepareJournal(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
  const commit = openCommitter(database);
  return {
    database,
    /** Resolves when the event is on the disk. Rejects, and journals nothing, if the disk is full. */
    accept: (event: NewEvent, options: AcceptOptions) =>
      commit(() => insert(database, event, options)),
    /** The deliveries of a kind that are due, in the order in which they are. */
    due: (kind: DeliveryKind, now: number, limit: number) =>
      database.all<{ readonly id: number; readonly attempts: number }>(dueSql, [kind, now, limit]),
    /** Makes an event due, also a delivered one. `dueAt` keeps a running listener from delivering it meanwhile. */
    reopen: (id: number, kind: DeliveryKind, dueAt: number) =>
      commit(() => void database.run(reopenSql, [id, kind, dueAt])),
    record: (id: number, kind: DeliveryKind, { at, result, dueAt, isDone }: Sent) =>
      commit(() => {
        const state = isDone ? 'done' : dueAt === undefined ? 'failed' : 'pending';
        database.run(recordSql, [state, dueAt ?? at, at, result, id, kind]);
      }),
    /** Makes the events due that were received since a time and were not for this kind then. */
    adopt: (kind: DeliveryKind, since: number) =>
      commit(() => void database.run(adoptSql, [kind, since, kind])),
    pending: (kind: DeliveryKind) => pendingIn(database, kind),
    setting: (name: string) =>
      database.first<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name])?.value,
    saveSetting(name: string, value: string) {
      database.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, value]);
    },
    close: () => database.close(),
  };
}

const dueSql = `
  SELECT event_id AS id, attempts FROM delivery
  WHERE kind = ? AND state = 'pending' AND due_at <= ? ORDER BY due_at, event_id LIMIT ?`;

export function pendingIn(database: Database, kind: DeliveryKind): number {
  const sql = `SELECT count(*) AS n FROM delivery WHERE kind = ? AND state = 'pending'`;
  return database.first<{ n: number }>(sql, [kind])?.n ?? 0;
}

const reopenSql = `
  INSERT INTO delivery (event_id, kind, state, due_at) VALUES (?, ?, 'pending', ?)
  ON CONFLICT DO UPDATE SET state = 'pending', attempts = 0, due_at = excluded.due_at`;

const adoptSql = `
  INSERT INTO delivery (event_id, kind, state, due_at)
  SELECT id, ?, 'pending', received_at FROM event
  WHERE id > coalesce((SELECT id FROM event WHERE received_at < ? ORDER BY id DESC LIMIT 1), 0)
    AND duplicate_of IS NULL
    AND NOT EXISTS (SELECT 1 FROM delivery WHERE event_id = id AND kind = ?)`;

const recordSql = `
  UPDATE delivery SET state = ?, attempts = attempts + 1, due_at = ?, last_at = ?, result = ?
  WHERE event_id = ? AND kind = ?`;

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
  const { type, receipt, eventTime, amount, currency, vendor, role, text, body } = event;
  const row = {
    ...{ received_at: event.receivedAt, event_time: eventTime, event_day: eventTime.slice(0, 10) },
    ...{ type, receipt, amount, currency, vendor, role, text, body },
    ...{ fingerprint: event.fingerprint, reconstructed: event.isReconstructed ? 1 : 0 },
    duplicate_of: first ?? null,
  };
  const names = Object.keys(row);
  const { lastInsertRowid } = database.run(
    `INSERT INTO event (${names.join()}) VALUES (${names.map(() => '?').join()})`,
    Object.values(row),
  );
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

interface Task {
  work(): unknown;
  done(result: unknown): void;
  fail(error: unknown): void;
}

/** Runs synchronous work in the next transaction, with all that waits then, and resolves when this is on the disk. */
function openCommitter(database: Database) {
  let waiting: Task[] = [];

  function flush(): void {
    const batch = waiting;
    waiting = [];
    try {
      const results = database.immediately(() => batch.map(({ work }) => work()));
      for (const [index, task] of batch.entries()) task.done(results[index]);
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  return <T>(work: () => T) =>
    new Promise<T>((done, fail) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ work, done: (result) => done(result as T), fail });
    });
}

/** `cbin` in ASCII, so that the file of another program is recognized. */
const applicationId = 0x6362_696e;
const schemaVersion = 1;

/** 4 GB in pages of 4 KB: a flood of notifications must not fill the disk. */
const mostPages = 1_048_576;

const tables = `
  CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Milliseconds since 1970.
    received_at INTEGER NOT NULL,
    type TEXT NOT NULL,
    receipt TEXT NOT NULL,
    -- The time of the transaction, as 2026-02-18T15:11:38-0800, and its Pacific day; empty if unknown.
    event_time TEXT NOT NULL,
    event_day TEXT NOT NULL,
    amount TEXT,
    currency TEXT,
    vendor TEXT,
    role TEXT,
    -- The decrypted JSON, and the body as received.
    text TEXT NOT NULL,
    body TEXT,
    -- Of the event without attemptCount and without its first block.
    fingerprint TEXT NOT NULL,
    reconstructed INTEGER NOT NULL,
    -- How often it was received, and the first row of a duplicate that has a row of its own.
    copies INTEGER NOT NULL DEFAULT 1,
    duplicate_of INTEGER
  );
  CREATE INDEX event_fingerprint ON event (fingerprint);
  CREATE INDEX event_receipt ON event (receipt, type);
  CREATE INDEX event_day ON event (event_day);
  CREATE TABLE delivery (
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    last_at INTEGER,
    result TEXT,
    PRIMARY KEY (event_id, kind)
  ) WITHOUT ROWID;
  CREATE INDEX delivery_due ON delivery (kind, due_at, event_id) WHERE state = 'pending';
  CREATE INDEX delivery_failed ON delivery (event_id) WHERE state <> 'done' AND attempts > 0;
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** Creates the tables in an empty database. Throws a Failure for anything but a journal. */
function prepareJournal(database: Database, file: string): void {
  // A commit must survive a power failure: the sender never sends an accepted notification again.
  database.execute('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // A mapped file and a large cache would count as memory of the process, and little is read twice.
  database.execute('PRAGMA mmap_size = 0; PRAGMA cache_size = -8192');
  database.execute(`PRAGMA max_page_count = ${mostPages}; PRAGMA busy_timeout = 1000`);
  // Answers wait while the log, up to 40 MB of it, is written back to the file, so that happens seldom.
  database.execute('PRAGMA wal_autocheckpoint = 10000');
  database.immediately(() => {
    const found = database.first<{ n: number }>('SELECT count(*) AS n FROM sqlite_master');
    if (found?.n === 0) database.execute(tables);
  });
  requireJournal(database, file);
}

/** Throws a Failure for anything but a journal of this version. */
export function requireJournal(database: Database, file: string): void {
  const id = database.first<{ application_id: number }>('PRAGMA application_id');
  const version = database.first<{ user_version: number }>('PRAGMA user_version');
  const isOurs = id?.application_id === applicationId;
  if (isOurs && version?.user_version === schemaVersion) return;
  const message = isOurs
    ? 'The journal of notifications was made by another version of cb.'
    : 'The file is not a journal of notifications.';
  const hint = `Move ${file} away, or set XDG_DATA_HOME to another folder.`;
  throw new Failure(exitCodes.key, message, { hint });
}

/** Where events go: `forward` is the receiver of the user, `exec` the command of the user. */
export type DeliveryKind = 'forward' | 'exec' | 'sync';

export interface NewEvent {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly type: string;
  readonly receipt: string;
  /** `2026-02-18T15:11:38-0800`; empty if unknown. */
  readonly eventTime: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly vendor: string | null;
  /** The role of the account in the transaction. */
  readonly role: string | null;
  /** The decrypted JSON. */
  readonly text: string;
  /** As received, or as encrypted for a reconstructed event; null if there is no secret for one. */
  readonly body: string | null;
  readonly fingerprint: string;
  /** Not received, but made from an order that no notification came for. */
  readonly isReconstructed: boolean;
}

interface EventSource extends Pick<NewEvent, 'text' | 'body' | 'receivedAt' | 'isReconstructed'> {
  readonly exact: ExactObject;
}

/** Longer texts are cut in columns; the JSON keeps them. */
const longest = 200;

export function journaledEvent({ exact, text, ...source }: EventSource): NewEvent {
  const trimmed = text.replace(/[\0-\x20]+$/, '');
  const type = columnOf(exact.transactionType) ?? '';
  const receipt = columnOf(exact.receipt) ?? '';
  return {
    ...source,
    text: trimmed,
    type,
    receipt,
    eventTime: readableTime(columnOf(exact.transactionTime) ?? ''),
    amount: columnOf(exact.totalOrderAmount),
    currency: columnOf(exact.currency),
    vendor: columnOf(exact.vendor),
    role: columnOf(exact.role),
    fingerprint: fingerprintOf(trimmed, type, receipt),
  };
}

/**
 * The same for every attempt to deliver an event, which differ only in `attemptCount` and in their encryption. It leaves
 * out the first block, which anybody who saw a notification can change by changing its IV, without the secret.
 */
function fingerprintOf(text: string, type: string, receipt: string): string {
  const bytes = Buffer.from(text.replaceAll(/"attemptCount"\s*:\s*[\d.]+/g, '"attemptCount":'));
  const hash = createHash('sha256').update(JSON.stringify([type, receipt]));
  return hash.update(bytes.length > blockSize ? bytes.subarray(blockSize) : bytes).digest('hex');
}

function columnOf(value: unknown): string | null {
  if (value === undefined || value === null || Array.isArray(value)) return null;
  return String(value).slice(0, longest);
}

const eitherForm =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d))$/;

/** The IV is not authenticated, so a copy can have a different first block, in which the time begins. */
export const alteredCopy =
  'It may be an altered copy of a notification; compare it with the order.';

/** A time in either form, whatever the version of its event says, as `2026-02-18T15:11:38-0800`; empty for another text. */
export function readableTime(time: string): string {
  const [found, year, month, day, hour, minute, second, hours = '+00', minutes = '00'] =
    eitherForm.exec(time) ?? [];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${hours}:${minutes}`;
  const milliseconds = found === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(milliseconds)) return '';
  return pacificTime(milliseconds / 1000).replace(/:(\d\d)$/, '$1');
}
