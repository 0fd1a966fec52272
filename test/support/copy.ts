/** Copies of an account that `cb sync` made in a home folder. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openSqliteReader } from '../../src/features/sync/database/sqlite.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { type Home, home, sandboxHome } from './cb.ts';

/** A home whose sandbox was synced. The tests of a run share the sync, which takes a second, and get a copy of the home. */
export async function syncedHome(line: string, orders = 300): Promise<Home> {
  const name = createHash('sha256').update(`${orders} ${line}`).digest('hex').slice(0, 16);
  const template = join(process.env.CB_TEST_RUN ?? tmpdir(), `cb-synced-${name}`);
  if (!existsSync(template)) {
    const first = await sandboxHome(orders);
    expect(await first.cb(line)).toMatchObject({ code: 0 });
    // Complete at once, since tests of another thread may look for it.
    const draft = mkdtempSync(`${template}-`);
    cpSync(first.folder, draft, { recursive: true });
    try {
      renameSync(draft, template);
    } catch (error) {
      // Another thread was first.
      if (!existsSync(template)) throw error;
    }
  }
  const made = home();
  cpSync(template, made.folder, { recursive: true });
  return made;
}

/** The file of the copy of the built-in sandbox, unless a command names another one. */
export function copyOf({ folder }: Home): string {
  return join(folder, '.local/share/clickbank-cli/copies/sandbox.db');
}

/** Changes the copy of the built-in sandbox behind the back of cb. */
export async function changeCopy(at: Home, statements: string): Promise<void> {
  const database = await openDatabase(copyOf(at));
  database.execute(statements);
  database.close();
}

/** The rows of a query of a copy. */
export async function rowsOf<R = Readonly<Record<string, unknown>>>(file: string, query: string) {
  const copy = await openSqliteReader(file);
  return copy.query<R>(query).finally(() => copy.close());
}

/** The number that a query of a copy returns, such as a count. */
export async function numberOf(file: string, query: string): Promise<number> {
  const [row = {}] = await rowsOf(file, query);
  return Number(Object.values(row)[0]);
}
