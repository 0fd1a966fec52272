/** What is at the path of a copy in SQLite, found out without a change to it or to its folder. */
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { openUnchanged } from '../../../storage/sqlite.ts';
import { DestinationError } from '../destination.ts';

/** Throws a DestinationError for anything else, such as a folder or the database of another program. */
export async function contentOf(file: string): Promise<'nothing' | 'copy'> {
  const stats = statsOf(file);
  if (!stats) return 'nothing';
  requireFile(file, stats);
  if (stats.size === 0) return 'nothing';
  requireHeader(file);
  return namesIn(file);
}

function statsOf(file: string): Stats | undefined {
  return attempted(file, () => statSync(file, { throwIfNoEntry: false }));
}

function attempted<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new DestinationError('unavailable', `Cannot use ${file}: ${code}.`, {
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
    throw new DestinationError('unsuitable', `${file} is a folder.`, { hint });
  }
  throw new DestinationError('unsuitable', `${file} is not a regular file.`, { hint: another });
}

const another = 'Name another file.';
const start = 'SQLite format 3\0';

function requireHeader(file: string): void {
  const found = attempted(file, () => {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(start.length);
      return bytes.toString('latin1', 0, readSync(opened, bytes));
    } finally {
      closeSync(opened);
    }
  });
  if (found === start) return;
  throw new DestinationError('unsuitable', `${file} is not an SQLite database.`, { hint: another });
}

async function namesIn(file: string): Promise<'nothing' | 'copy'> {
  const database = await openUnchanged(file);
  try {
    const names = database.all<{ name: string }>('SELECT name FROM sqlite_master');
    if (names.length === 0) return 'nothing';
    // Another program may have a table with this name.
    const meta = database.all<{ name: string }>("SELECT name FROM pragma_table_info('sync_meta')");
    if (meta.map(({ name }) => name).join() === 'name,value') return 'copy';
  } finally {
    database.close();
  }
  const message = `${file} is the database of another program, not a copy of cb sync.`;
  throw new DestinationError('unsuitable', message, { hint: another });
}
