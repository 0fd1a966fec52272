/** Statements of users on an SQLite file. */
import { existsSync } from 'node:fs';
import { openForQueries, type QueryConnection } from '../../../storage/sqlite.ts';
import { errorFrom } from '../database/sqlite.ts';
import { requireFile } from '../database/sqlite-file.ts';
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
}

/** Throws a DestinationError if the file does not exist or is no database. */
export async function openSqliteQueries({ file, signal }: QueryOptions): Promise<Queries> {
  requireFile(file);
  if (!existsSync(file)) {
    throw new DestinationError('missing', `There is no copy at ${file}.`);
  }
  const connection = await opened(file);
  return {
    dialect: 'sqlite',
    async run(statement, values) {
      const { columns, rows } = prepared(connection, statement);
      return { columns, pages: pagesOf(() => rows(values), signal) };
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
  } catch (error) {
    throw errorFrom(error, file);
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

async function* pagesOf(open: () => Iterator<unknown[]>, signal: AbortSignal) {
  const rows = open();
  for (;;) {
    signal.throwIfAborted();
    const page: unknown[][] = [];
    while (page.length < rowsOfPage) {
      const next = rows.next();
      if (next.done) break;
      page.push(next.value);
    }
    if (page.length > 0) yield page;
    if (page.length < rowsOfPage) return;
    // The reader of the output has its turn.
    await new Promise(setImmediate);
  }
}

function relationsIn(connection: QueryConnection): Relation[] {
  return createdIn(connection).map(({ name, kind, sql }) => ({
    name,
    kind: kind === 'view' ? 'view' : 'table',
    comment: commentsOn(name)?.comment ?? commentIn(sql) ?? null,
  }));
}

function columnsIn(connection: QueryConnection): TableColumn[] {
  return createdIn(connection).flatMap(({ name: table, sql }) => {
    const known = commentsOn(table)?.columns ?? commentsBeside(sql);
    return columnsOf(connection, table).map(([column, type]) => ({
      table,
      column: String(column),
      type: String(type).toLowerCase(),
      comment: known.get(String(column)) ?? null,
    }));
  });
}

function createdIn(connection: QueryConnection) {
  const found = connection.rowsOf(
    `SELECT name, type, sql FROM sqlite_master
     WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    [],
  );
  return found.map(([name, kind, sql]) => ({ name: String(name), kind, sql: String(sql) }));
}

/** None for a view that SQLite refuses, such as one of a table that is gone. */
function columnsOf(connection: QueryConnection, table: string): unknown[][] {
  try {
    return connection.rowsOf('SELECT name, type FROM pragma_table_info(?)', [table]);
  } catch {
    return [];
  }
}

/** SQLite keeps the text of CREATE statements, with the comments that cb writes into them. */
function commentIn(sql: string): string | undefined {
  return /^\s*-- (.*)$/m.exec(sql)?.[1];
}

function commentsBeside(sql: string): ReadonlyMap<string, string> {
  const lines = [...sql.matchAll(/^\s*(\w+)\b[^\n]*?-- (.*)$/gm)];
  return new Map(lines.map(([, column = '', comment = '']) => [column, comment]));
}
