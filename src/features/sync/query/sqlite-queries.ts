/** Statements of users on an SQLite file. They block this process: see `remote-queries.ts`. */
import {
  MEMORY_OF_QUERIES,
  openForQueries,
  type QueryConnection,
  sqliteCode,
} from '../../../storage/sqlite.ts';
import { dataTables, storedIn } from '../database/schema.ts';
import { errorFrom, openSqliteReader } from '../database/sqlite.ts';
import type { SqlReader } from '../destination.ts';
import { type Cell, columnsOf } from '../tables/table.ts';
import { views } from '../views/views.ts';
import {
  type Parameter,
  type Queries,
  QueryError,
  type Relation,
  type Result,
  type Statement,
} from './statement.ts';

export interface QueryLimits {
  /** Large temporary tables count toward the limit of memory, instead of moving to the disk. */
  readonly keepsInMemory?: boolean;
  /** A text or a blob may be cut after more than so many characters or bytes. */
  readonly longest?: number | undefined;
}

/** Throws a DestinationError if the file is no database. */
export async function openSqliteQueries(file: string, limits: QueryLimits = {}): Promise<Queries> {
  try {
    const connection = await openForQueries(file, limits.keepsInMemory);
    // Reads the file for the first time.
    connection.rowsOf('SELECT count(*) FROM sqlite_master', []);
    return {
      run: async (statement, values) => run(connection, statement, values, limits),
      relations: async () => relationsIn(connection),
      close: async () => connection.close(),
    };
  } catch (error) {
    throw errorFrom(error, file);
  }
}

/** Throws a QueryError, or the error of SQLite. */
function run(
  connection: QueryConnection,
  statement: Statement,
  values: readonly Parameter[],
  { longest }: QueryLimits,
): Result {
  requireHarmless(connection, statement);
  const columns = connection
    .prepare(statement.text)
    .columns.map(({ name, type }) => ({ name, type: type ?? undefined }));
  if (statement.isExplanation) {
    const { rows } = connection.prepare(withoutBlobs(statement));
    return { columns, pages: pagesOf(() => rows(values)) };
  }
  const { rows } = connection.prepare(quotedRows(statement, columns.length, longest));
  const read = (row: readonly unknown[]) => row.map((value) => unquoted(value, longest));
  return { columns, pages: pagesOf(() => rows(values), read) };
}

/** The driver fetches as many rows at once. */
const rowsOfPage = 100;

/** One text of JavaScript can't be much longer, and the rows of a page become one. */
const largestPage = 511 * 2 ** 20;

async function* pagesOf(
  open: () => Iterator<unknown[]>,
  read = (row: readonly unknown[]): unknown[] => [...row],
) {
  try {
    const rows = open();
    for (;;) {
      const page: unknown[][] = [];
      let size = 0;
      while (page.length < rowsOfPage) {
        const next = rows.next();
        if (next.done) break;
        const row = read(next.value);
        page.push(row);
        for (const value of row) size += (value as string | null)?.length ?? 0;
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

function tooLarge(message: string, cause?: unknown): QueryError {
  return new QueryError(message, { hint: 'Read fewer or shorter values.', cause });
}

/** The tables beneath a view of cb, which has all of their columns. */
const beneath = dataTables.flatMap((table) =>
  storedIn(table)
    .map(({ name }) => name)
    .filter((name) => name !== table.name),
);

/** The meaning of tables and columns is that of cb, or in the text of CREATE, where cb writes comments. */
function relationsIn(connection: QueryConnection): Relation[] {
  const created = connection.rowsOf(
    `SELECT name, type, sql FROM sqlite_master
     WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    [],
  );
  const shown = created.filter(([name]) => !beneath.includes(String(name)));
  return shown.map(([relation, kind, text]) => {
    const name = String(relation);
    const sql = String(text);
    const view = views.find((one) => one.name === name);
    const table = dataTables.find((one) => one.name === name);
    const own = view?.columns ?? (table && columnsOf(table));
    const beside = [...sql.matchAll(/^\s*(\w+)\b[^\n]*?-- (.*)$/gm)];
    const comments = new Map<string, string>(
      own
        ? own.map((column) => [column.name, column.comment])
        : beside.map(([, column = '', comment = '']) => [column, comment]),
    );
    return {
      ...{ name, kind: kind === 'view' && !table ? 'view' : 'table' },
      comment: view?.summary ?? table?.comment ?? /^\s*-- (.*)$/m.exec(sql)?.[1] ?? null,
      columns: typedColumns(connection, name).map(([column, type]) => ({
        ...{ name: String(column), type: String(type).toLowerCase() },
        comment: comments.get(String(column)) ?? null,
      })),
    };
  });
}

/** None for a view that SQLite refuses, such as one of a table that is gone. */
function typedColumns(connection: QueryConnection, table: string): unknown[][] {
  try {
    return connection.rowsOf('SELECT name, type FROM pragma_table_info(?)', [table]);
  } catch {
    return [];
  }
}

// The file is opened for reading, but libsql comes with functions that read and write other files, load code, or run SQL in
// a text. So functions and tables that reach beyond the copy are refused.

/** Of SQLite itself: safe even in views of a hostile file (SQLITE_INNOCUOUS). */
const innocuous = 0x200000;

/** Of the extensions in the driver: they only compute. */
const computing = new Set([
  ...['acos', 'acosh', 'asin', 'asinh', 'atan', 'atan2', 'atanh', 'atn2', 'ceil', 'ceiling', 'cos'],
  ...['cosh', 'cot', 'coth', 'degrees', 'exp', 'floor', 'ln', 'log', 'log10', 'log2', 'mod', 'pi'],
  ...['pow', 'power', 'radians', 'sign', 'sin', 'sinh', 'sqrt', 'square', 'tan', 'tanh', 'trunc'],
  ...['stdev', 'variance', 'mode', 'median', 'lower_quartile', 'upper_quartile'],
  ...['charindex', 'difference', 'leftstr', 'rightstr', 'padc', 'padl', 'padr', 'proper'],
  ...['replicate', 'reverse', 'strfilter', 'match', 'bm25', 'highlight', 'snippet'],
]);

/** Table-valued functions that only compute. All others are refused by their names. */
const tables = /^(?:json_each|json_tree|generate_series|pragma_\w+)$/i;

/**
 * Instructions of SQLite's bytecode that change something, or that begin a transaction that may. Insert, Delete and
 * Clear also write into tables of the statement itself, such as sorters; for others, they need OpenWrite.
 */
const changing =
  /^(?:OpenWrite|Destroy|CreateBtree|SqlExec|ParseSchema|DropTable|DropIndex|DropTrigger|Vacuum|JournalMode|Checkpoint|SetCookie|AutoCommit|Savepoint|VCreate|VDestroy|VUpdate|VBegin|VRename|Program|IncrVacuum|LoadAnalysis|Expire)$/;

/** Instructions that call a function. */
const calling = /^(?:Pure)?Func(?:tion)?$|^Agg(?:Step|Step1|Inverse|Value|Final)$/;

/** Asks SQLite how it would run the statement, which runs nothing. Throws a QueryError. */
function requireHarmless(connection: QueryConnection, statement: Statement): void {
  const sql = withoutBlobs(statement).replace(/^EXPLAIN (?:QUERY PLAN )?/i, '');
  const nulls = statement.parameters.map(() => null);
  const names = (query: string) =>
    connection.rowsOf(query, []).map(([name]) => String(name).toLowerCase());
  const allowed = new Set([
    ...names(`SELECT name FROM pragma_function_list WHERE flags & ${innocuous} <> 0`),
    ...computing,
  ]);
  let opensTables = false;
  // A row of EXPLAIN: addr, opcode, p1, p2, p3, p4, p5, comment.
  for (const [, code, , p2, , p4] of connection.rowsOf(`EXPLAIN ${sql}`, nulls)) {
    const opcode = String(code);
    const isWrite = opcode === 'Transaction' && String(p2) !== '0';
    if (isWrite || changing.test(opcode)) {
      throw new QueryError('cb sql only reads.', { hint: 'Use a SELECT.' });
    }
    if (opcode === 'VOpen') opensTables = true;
    if (!calling.test(opcode)) continue;
    // A call that can't be read is refused.
    const called = (/^(.*)\(-?\d+\)$/s.exec(String(p4))?.[1] ?? String(p4)).toLowerCase();
    if (!allowed.has(called)) throw refused(called, 'function');
  }
  if (!opensTables) return;
  // SQLite accepts the name of a table as a text, too.
  const modules = names('SELECT name FROM pragma_module_list');
  for (const { kind, value } of statement.tokens) {
    if (kind === 'sign' || kind === 'number' || tables.test(value)) continue;
    if (modules.includes(value.toLowerCase())) throw refused(value, 'table');
  }
}

/** The driver aborts the process on text that is not UTF-8, which EXPLAIN returns for a blob. */
function withoutBlobs({ tokens }: Statement): string {
  const isBlob = (i: number) => {
    const [mark, text] = [tokens[i], tokens[i + 1]];
    const isAdjacent = mark && text?.kind === 'string' && text.at === mark.at + 1;
    return isAdjacent && /^x$/i.test(mark.text);
  };
  return tokens
    .map(({ kind, text }, i) => {
      if (kind === 'variable') return '?';
      if (isBlob(i)) return "x''";
      return isBlob(i - 1) ? '' : text;
    })
    .join(' ');
}

function refused(name: string, what: 'function' | 'table'): QueryError {
  return new QueryError(`The ${what} ${name} can't be used, because cb sql reads only the copy.`);
}

// libsql aborts the process on text that is not UTF-8, such as char(55296). So SQLite returns each value as the bytes of an
// SQL literal, which is read here.

/**
 * Selects the rows of a statement with each value as a quoted literal. Each expression is still computed once. With
 * `longest`, longer literals are cut before they leave SQLite.
 */
function quotedRows({ text }: Statement, columns: number, longest?: number): string {
  const names = Array.from({ length: columns }, (_, i) => `c${i}`);
  const literal = (name: string) =>
    longest === undefined ? `quote(${name})` : `substr(quote(${name}), 1, ${cutAfter(longest)})`;
  const quoted = names.map((name) => `CAST(${literal(name)} AS BLOB)`);
  return `WITH cb_result(${names.join(', ')}) AS (\n${text}\n) SELECT ${quoted.join(', ')} FROM cb_result`;
}

/** More characters than the literal of a value of this length can have: X'' and two for each byte. */
function cutAfter(longest: number): number {
  return 2 * longest + 4;
}

/** Invalid bytes become U+FFFD. A blob is returned as its literal, as bytes. */
function unquoted(value: unknown, longest?: number): unknown {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : (value as Buffer);
  const text = bytes.toString('utf8');
  const isCut = longest !== undefined && [...text].length === cutAfter(longest);
  const end = isCut ? undefined : -1;
  if (text.startsWith("'")) return text.slice(1, end).replaceAll("''", "'");
  if (text.startsWith('X')) return Buffer.from(text.slice(2, end), 'hex');
  if (text === 'NULL') return null;
  if (/[.eI]/.test(text)) return Number(text.replace('Inf', 'Infinity'));
  return BigInt(text);
}

/** `open` comes first. `next` is for a page of the latest `run`; its value is undefined after the last one. */
export type Request =
  | readonly ['open', file: string, limits: QueryLimits]
  | readonly ['run', statement: Statement, values: readonly Parameter[]]
  | readonly ['next' | 'relations']
  | readonly ['query', text: string, values: readonly Cell[]];

/** An error is a plain object, because its class would be lost. */
export type Answer = { readonly value: unknown } | { readonly error: Record<string, unknown> };

export function answerQueries(channel: NodeJS.Process): void {
  const send = (answer: Answer) => channel.send?.(answer);
  let file = '';
  let queries: Queries | undefined;
  let reader: SqlReader | undefined;
  let pages: AsyncIterator<readonly (readonly unknown[])[]> | undefined;

  async function valueFor(request: Request): Promise<unknown> {
    switch (request[0]) {
      case 'open':
        file = request[1];
        queries = await openSqliteQueries(file, request[2]);
        return undefined;
      case 'run': {
        const result = await queries?.run(request[1], request[2]);
        pages = result?.pages[Symbol.asyncIterator]();
        return result?.columns;
      }
      case 'next':
        return (await pages?.next())?.value;
      case 'relations':
        return queries?.relations();
      case 'query':
        reader ??= await openSqliteReader(file);
        return reader.query(request[1], request[2]);
    }
  }

  let before: Promise<unknown> = Promise.resolve();
  channel.on('message', (request: Request) => {
    before = before.then(async () => {
      try {
        send({ value: await valueFor(request) });
      } catch (error) {
        const { name, message } = error as Error;
        send({ error: { ...(error as object), name, message } });
      }
    });
  });
}
