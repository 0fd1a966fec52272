/** Views of the copy in PostgreSQL, and what users built on them, while something below them changes. */
import { codeOf } from '../../../storage/error-code.ts';
import { DestinationError } from '../destination.ts';
import type { Sql } from './sql.ts';

/**
 * Makes a view empty, with the columns that it has. It then reads no table, and keeps its grants and the views that
 * read it. Does nothing if there is no such view.
 */
export async function emptyView(sql: Sql, name: string): Promise<void> {
  const columns = await sql.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relname = ? AND relkind = 'v' AND relnamespace = current_schema()::regnamespace
    ORDER BY attnum`,
    [name],
  );
  if (columns.length === 0) return;
  const nulls = columns.map((column) => `NULL::${column.type} AS ${column.name}`);
  await sql.query(`CREATE OR REPLACE VIEW ${name} AS SELECT ${nulls.join(', ')} WHERE false`);
}

/** Throws a DestinationError that names what a user made and what stops a change; `what` is what changes. */
export async function withDependents(
  sql: Sql,
  what: string,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!stopped.includes(codeOf(error) ?? '')) throw error;
    const [reason = ''] = String((error as { readonly detail?: unknown }).detail).split('\n');
    throw new DestinationError(
      'unsuitable',
      `Cannot change the columns of ${what} in ${sql.label}: ${reason.replace(/^rule _RETURN on /, '')}.`,
      {
        hint: 'Drop what depends on it, run the command again, and create it again.',
        cause: error,
      },
    );
  }
}

/** Something depends on what is dropped, or on a column whose type changes. */
const stopped = ['2BP01', '0A000'];
