/** The tables of the journal of notifications. */
import type { Database } from '../../storage/sqlite.ts';

/** `cbin` in ASCII, so that the file of another program is recognized. */
const applicationId = 0x6362_696e;
const schemaVersion = 1;

/** 4 GB in pages of 4 KB: a flood of notifications must not fill the disk. */
const mostPages = 1_048_576;

/** The file is not a journal of this version of cb. The command line recognizes it by its name. */
class NotAJournal extends Error {
  override readonly name = 'NotAJournal';
}

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

/** Creates the tables in an empty database. Throws NotAJournal for anything but a journal. */
export function prepareJournal(database: Database): void {
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
  requireJournal(database);
}

export function requireJournal(database: Database): void {
  const id = database.first<{ application_id: number }>('PRAGMA application_id');
  const version = database.first<{ user_version: number }>('PRAGMA user_version');
  if (id?.application_id !== applicationId) {
    throw new NotAJournal('The file is not a journal of notifications.');
  }
  if (version?.user_version !== schemaVersion) {
    throw new NotAJournal('The journal of notifications was made by another version of cb.');
  }
}
