/** Reads the copy of an account that `cb sync` made in a home folder. */
import { join } from 'node:path';
import { openSqliteReader } from '../../src/workflows/sync/database/sqlite.ts';
import type { Home } from './cb.ts';

/** The file of the copy of the built-in sandbox, unless a command names another one. */
export function copyOf({ folder }: Home): string {
  return join(folder, '.local/share/clickbank-cli/copies/sandbox.db');
}

/** The rows of a query of a copy. */
export async function rowsOf<R = Readonly<Record<string, unknown>>>(
  file: string,
  query: string,
): Promise<R[]> {
  const copy = await openSqliteReader(file);
  try {
    return await copy.query<R>(query);
  } finally {
    await copy.close();
  }
}

/** The transactions of a copy by their identity, with the row as received. */
export async function ordersIn(file: string): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; raw: string }>(
    file,
    'SELECT account, transaction_id AS id, raw FROM orders ORDER BY 1, 2',
  );
  return new Map(rows.map(({ id, raw }) => [id, raw]));
}
