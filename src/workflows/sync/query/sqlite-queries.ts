/** Statements of users on an SQLite file. */
import { existsSync } from 'node:fs';
import { openForQueries, type QueryConnection } from '../../../storage/sqlite.ts';
import { DestinationError } from '../destination.ts';
import { requireHarmless, withoutBlobs } from './guard.ts';
import {
  commentsOn,
  type Parameter,
  type Queries,
  type Relation,
  type TableColumn,
} from './queries.ts';
import { quotedRows, unquotedRow } from './quoted-rows.ts';
import type { Statement } from './statement.ts';

export interface QueryOptions {
  readonly file: string;
  readonly signal: AbortSignal;
  /** Runs work of SQLite, which blocks this process until it has the next rows. */
  blocking<T>(work: () => T): T;
}

/** Throws a DestinationError if the file does not exist or is no database. */
export async function openSqliteQueries({
  file,
  signal,
  blocking,
}: QueryOptions): Promise<Queries> {
  if (!existsSync(file)) {
    throw new DestinationError('missing', `There is no copy at ${file}.`, {
      hint: 'Create it with `cb sync`.',
    });
  }
  const connection = await opened(file);
  return {
    dialect: 'sqlite',
    async run(statement, values) {
      const { columns, rows } = blocking(() => prepared(connection, statement));
      return { columns, pages: pagesOf(() => rows(values), signal, blocking) };
    },
    relations: async () => relationsIn(connection),
    columns: async () => columnsIn(connection),
    close: async () => connection.close(),
  };
}

async function opened(file: string): Promise<QueryConnection> {
  try {
    const connection = await openForQueries(file);
    // Reads the file for the first time.
    connection.rowsOf('SELECT count(*) FROM sqlite_master', []);
    return connection;
  } catch (cause) {
    if (!String((cause as { code?: unknown }).code).startsWith('SQLITE_')) throw cause;
    const isOther = String((cause as { code?: unknown }).code).startsWith('SQLITE_NOTADB');
    const problem = isOther ? 'is not an SQLite database' : `can't be read: ${String(cause)}`;
    throw new DestinationError('unsuitable', `${file} ${problem}.`, { cause });
  }
}

/** Throws a QueryError, or the error of SQLite. */
function prepared(connection: QueryConnection, statement: Statement) {
  requireHarmless(connection, statement);
  const { columns } = connection.prepare(statement.text);
  const named = columns.map(({ name, type }) => ({ name, type: type ?? undefined }));
  if (statement.isExplanation) {
    return { columns: named, rows: connection.prepare(withoutBlobs(statement)).rows };
  }
  const { rows } = connection.prepare(quotedRows(statement, columns.length));
  return {
    columns: named,
    rows(values: readonly Parameter[]): Iterator<unknown[]> {
      const all = rows(values);
      return { next: () => unquotedRow(all.next()) };
    },
  };
}

/** The driver fetches as many rows at once. */
const rowsOfPage = 100;

async function* pagesOf(
  open: () => Iterator<unknown[]>,
  signal: AbortSignal,
  blocking: QueryOptions['blocking'],
) {
  const rows = blocking(open);
  for (;;) {
    signal.throwIfAborted();
    const page = blocking(() => {
      const some: unknown[][] = [];
      while (some.length < rowsOfPage) {
        const next = rows.next();
        if (next.done) break;
        some.push(next.value);
      }
      return some;
    });
    if (page.length > 0) yield page;
    if (page.length < rowsOfPage) return;
    // Signals and the reader of the output have their turn.
    await new Promise(setImmediate);
  }
}

const listed = "t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

function relationsIn(connection: QueryConnection): Relation[] {
  const found = connection.rowsOf(
    `SELECT t.name, t.type, t.sql FROM sqlite_master t WHERE ${listed} ORDER BY t.name`,
    [],
  );
  return found.map(([name, kind, sql]) => ({
    name: String(name),
    kind: kind === 'view' ? 'view' : 'table',
    comment: commentsOn(String(name))?.comment ?? commentIn(String(sql)) ?? null,
  }));
}

function columnsIn(connection: QueryConnection): TableColumn[] {
  const found = connection.rowsOf(
    `SELECT t.name, t.sql, c.name, c.type FROM sqlite_master t, pragma_table_info(t.name) c
     WHERE ${listed} ORDER BY t.name, c.cid`,
    [],
  );
  return found.map(([table, sql, column, type]) => ({
    table: String(table),
    column: String(column),
    type: String(type).toLowerCase(),
    comment:
      commentsOn(String(table))?.columns.get(String(column)) ??
      commentsBeside(String(sql)).get(String(column)) ??
      null,
  }));
}

/** SQLite keeps the text of CREATE statements, with the comments that cb writes into them. */
function commentIn(sql: string): string | undefined {
  return /^\s*-- (.*)$/m.exec(sql)?.[1];
}

function commentsBeside(sql: string): ReadonlyMap<string, string> {
  const lines = [...sql.matchAll(/^\s*(\w+)\b[^\n]*?-- (.*)$/gm)];
  return new Map(lines.map(([, column = '', comment = '']) => [column, comment]));
}
