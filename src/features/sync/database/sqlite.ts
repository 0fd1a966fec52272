/** A copy in an SQLite file. */
import { type Stats, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { shownCode } from '../../../storage/files.ts';
import { acquireLock, type Lock, LockError } from '../../../storage/lock.ts';
import type { Processes } from '../../../storage/lock-owner.ts';
import {
  type Database,
  isBusy,
  openDatabase,
  openForReading,
  openUnchanged,
  sqliteCode,
  type Value,
} from '../../../storage/sqlite.ts';
import {
  busyCopy,
  DestinationError,
  type DestinationErrorKind,
  damagedCopy,
  missingCopy,
  type Sql,
  type SqlReader,
} from '../destination.ts';
import type { Cell } from '../tables/table.ts';

/** Rows of one INSERT statement, at most: SQLite binds up to 32,766 values. */
const rowsOfStatement = 50;

/** Creates the file if it does not exist. Throws a DestinationError, and changes nothing, if it is no copy. */
export async function openSqlite(file: string, processes: Processes): Promise<Sql> {
  const database = await guarded(file, async () => {
    await hasCopy(file);
    const made = await openDatabase(file);
    // Readers continue while a sync writes.
    made.execute('PRAGMA journal_mode = WAL');
    // A mapped file counts as memory of the process, and a sync reads little of it.
    made.execute('PRAGMA mmap_size = 0');
    // In memory, the rows of a window and of a sort would grow with the account.
    made.execute('PRAGMA temp_store = FILE');
    return made;
  });
  let lock: Lock | undefined;
  return {
    ...readerOf(database, file),
    async transaction(work) {
      lock?.assertHeld();
      return guarded(file, async () => database.immediately(work));
    },
    async load(table, columns, rows) {
      const one = `(${columns.map(() => '?').join(', ')})`;
      const insert = (some: readonly (readonly Cell[])[]) => {
        const text = `INSERT INTO ${table} VALUES ${some.map(() => one).join(', ')}`;
        database.run(
          text,
          some.flatMap((row) => row.map(bound)),
        );
      };
      await guarded(file, async () =>
        database.immediately(() => {
          for (let at = 0; at < rows.length; at += rowsOfStatement) {
            insert(rows.slice(at, at + rowsOfStatement));
          }
        }),
      );
    },
    async lock(patience) {
      try {
        lock = await acquireLock(file, { processes, patience, command: 'sync' });
      } catch (error) {
        const isHeld = error instanceof LockError && error.problem === 'held';
        throw isHeld ? busyCopy(file, undefined, error) : error;
      }
    },
    lockAccount: async () => undefined,
    lockAccounts: async () => undefined,
    async close() {
      lock?.release();
      database.close();
    },
  };
}

/** Opens an existing file for reading. Throws a DestinationError. */
export async function openSqliteReader(file: string): Promise<SqlReader> {
  return guarded(file, async () => {
    if (!(await hasCopy(file))) throw missingCopy(`at ${file}`);
    const database = await openForReading(file);
    return { ...readerOf(database, file), close: async () => database.close() };
  });
}

function readerOf(database: Database, file: string): Omit<SqlReader, 'close'> {
  return {
    dialect: 'sqlite',
    label: file,
    query: <R>(text: string, values: readonly Cell[] = []) =>
      guarded(file, async () => database.all<R>(text, values.map(bound))),
  };
}

async function guarded<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw errorFrom(error, file);
  }
}

/** The driver takes no booleans. */
function bound(cell: Cell): Value {
  return typeof cell === 'boolean' ? Number(cell) : cell;
}

/** Errors of SQLite by their code; anything else stays as it is. */
export function errorFrom(error: unknown, file: string): unknown {
  const code = sqliteCode(error);
  if (!(error instanceof Error) || code === '') return error;
  if (isBusy(error)) return busyCopy(file, 'program', error);
  const isWrongSchema = /^(?:no such (?:table|column)|duplicate column name): /.test(error.message);
  if (isWrongSchema || code.startsWith('SQLITE_CORRUPT')) {
    return damagedCopy(file, error.message, error);
  }
  const because = (kind: DestinationErrorKind, message: string, hint: string) =>
    new DestinationError(kind, message, { hint, cause: error });
  if (code.startsWith('SQLITE_FULL')) {
    // SQLite does not say which disk is full: that of the file, or that of the temporary tables, which hold a window.
    const scratch = tmpdir();
    const again = 'Then run the command again to continue.';
    if (freeBytes(scratch) >= freeBytes(dirname(file))) {
      return because('full', `The disk of ${file} is full.`, `Free some space. ${again}`);
    }
    const hint = `Free some space, or set TMPDIR to a folder on another disk. ${again}`;
    return because('full', `The disk of temporary files is full: ${scratch}.`, hint);
  }
  if (code.startsWith('SQLITE_NOTADB')) {
    return unsuitable(`${file} is not an SQLite database.`, undefined, error);
  }
  if (/^(?:table|index|view) \S+ already exists/.test(error.message)) {
    return unsuitable(`${file} has other tables: ${error.message}.`, undefined, error);
  }
  if (/^SQLITE_(?:CANTOPEN|READONLY|IOERR|PERM)/.test(code)) {
    const isShort = error.message.startsWith('ConnectionFailed');
    const reason = isShort ? 'it cannot be opened' : error.message;
    return because(
      'unavailable',
      `Cannot use ${file}: ${reason}.`,
      'Check the file and its folder.',
    );
  }
  return error;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws a DestinationError for anything but a copy or an empty file, such as the database of another program. */
async function hasCopy(file: string): Promise<boolean> {
  const stats = statsOf(file);
  requireFile(file, stats);
  if (!stats || stats.size === 0) return false;
  // SQLite takes one byte for an empty database.
  if (stats.size === 1) {
    throw unsuitable(`${file} is not an SQLite database.`);
  }
  const database = await openUnchanged(file);
  try {
    const names = database.all('SELECT name FROM sqlite_master');
    if (names.length === 0) return false;
    // Another program may have a table with this name.
    const meta = database.all<{ name: string }>("SELECT name FROM pragma_table_info('sync_meta')");
    if (meta.map(({ name }) => name).join() === 'name,value') return true;
  } finally {
    database.close();
  }
  throw unsuitable(`${file} is the database of another program, not a copy of cb sync.`);
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw new DestinationError('unavailable', `Cannot use ${file}: ${shownCode(cause)}.`, {
      hint: 'Check the file and its folder.',
      cause,
    });
  }
}

/** A pipe or a device would block, or would be lost. Throws a DestinationError. */
export function requireFile(file: string, stats = statsOf(file)): void {
  if (!stats || stats.isFile()) return;
  if (stats.isDirectory()) {
    const hint = `Name a file in it, such as ${join(file, 'shop.db')}.`;
    throw unsuitable(`${file} is a folder.`, hint);
  }
  throw unsuitable(`${file} is not a regular file.`);
}

function unsuitable(
  message: string,
  hint = 'Name another file.',
  cause?: unknown,
): DestinationError {
  return new DestinationError('unsuitable', message, { hint, cause });
}
