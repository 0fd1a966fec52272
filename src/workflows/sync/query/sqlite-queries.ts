/** Statements of users on an SQLite file. They block this process: see `remote-queries.ts`. */
import {
  MEMORY_OF_QUERIES,
  openForQueries,
  type QueryConnection,
  sqliteCode,
} from '../../../storage/sqlite.ts';
import { errorFrom } from '../database/sqlite.ts';
import { requireHarmless, withoutBlobs } from './guard.ts';
import {
  commentsOn,
  type Parameter,
  type Queries,
  type Relation,
  type TableColumn,
} from './queries.ts';
import { quotedRows, unquotedRow } from './quoted-rows.ts';
import { QueryError, type Statement } from './statement.ts';

export interface QueryLimits {
  /** Large temporary tables count toward the limit of memory, instead of moving to the disk. */
  readonly keepsInMemory?: boolean;
  /** A text or a blob may be cut after more than so many characters or bytes. */
  readonly longest?: number;
}

/** Throws a DestinationError if the file is no database. */
export async function openSqliteQueries(file: string, limits: QueryLimits = {}): Promise<Queries> {
  const connection = await opened(file, limits);
  return {
    dialect: 'sqlite',
    async run(statement, values) {
      const { columns, rows } = prepared(connection, statement, limits);
      return { columns, pages: pagesOf(() => rows(values)) };
    },
    relations: async () => relationsIn(connection),
    columns: async () => columnsIn(connection),
    close: async () => connection.close(),
  };
}

async function opened(file: string, limits: QueryLimits): Promise<QueryConnection> {
  try {
    const connection = await openForQueries(file, limits.keepsInMemory);
    // Reads the file for the first time.
    connection.rowsOf('SELECT count(*) FROM sqlite_master', []);
    return connection;
  } catch (error) {
    throw errorFrom(error, file);
  }
}

/** Throws a QueryError, or the error of SQLite. */
function prepared(connection: QueryConnection, statement: Statement, { longest }: QueryLimits) {
  requireHarmless(connection, statement);
  const { columns } = connection.prepare(statement.text);
  const named = columns.map(({ name, type }) => ({ name, type: type ?? undefined }));
  if (statement.isExplanation) {
    return { columns: named, rows: connection.prepare(withoutBlobs(statement)).rows };
  }
  const { rows } = connection.prepare(quotedRows(statement, columns.length, longest));
  return {
    columns: named,
    rows(values: readonly Parameter[]): Iterator<unknown[]> {
      const all = rows(values);
      return { next: () => unquotedRow(all.next(), longest) };
    },
  };
}

/** The driver fetches as many rows at once. */
const rowsOfPage = 100;

/** One text of JavaScript can't be much longer, and the rows of a page become one. */
const largestPage = 511 * 2 ** 20;

async function* pagesOf(open: () => Iterator<unknown[]>) {
  try {
    const rows = open();
    for (;;) {
      const page: unknown[][] = [];
      let size = 0;
      while (page.length < rowsOfPage) {
        const next = rows.next();
        if (next.done) break;
        page.push(next.value);
        size += sizeOf(next.value);
        if (size > largestPage) throw tooLarge('The result has values of more than 512 MB.');
      }
      if (page.length > 0) yield page;
      if (page.length < rowsOfPage) return;
    }
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_NOMEM') throw error;
    throw tooLarge(`The query needs more than ${MEMORY_OF_QUERIES / 2 ** 30} GB of memory.`, error);
  }
}

function sizeOf(row: readonly unknown[]): number {
  return row.reduce<number>((sum, value) => sum + ((value as string | null)?.length ?? 0), 0);
}

function tooLarge(message: string, cause?: unknown): QueryError {
  return new QueryError(message, { hint: 'Read fewer or shorter values.', cause });
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
