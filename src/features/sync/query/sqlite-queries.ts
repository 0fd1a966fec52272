/** Statements of users on an SQLite file. They block this process: see `remote-queries.ts`. */
import {
  MEMORY_OF_QUERIES,
  openForQueries,
  type QueryConnection,
  sqliteCode,
} from '../../../storage/sqlite.ts';
import { dataTables } from '../database/schema.ts';
import { errorFrom, openSqliteReader } from '../database/sqlite.ts';
import type { SqlReader } from '../destination.ts';
import { type Cell, columnsOf } from '../tables/table.ts';
import { views } from '../views/views.ts';
import {
  type Parameter,
  type Queries,
  QueryError,
  type Relation,
  type Statement,
  type TableColumn,
} from './statement.ts';

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
        for (const value of next.value) size += (value as string | null)?.length ?? 0;
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
    return typedColumns(connection, table).map(([column, type]) => ({
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
function typedColumns(connection: QueryConnection, table: string): unknown[][] {
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

/** Instructions of SQLite's bytecode that change something, or that begin a transaction that may. */
const changing =
  /^(?:OpenWrite|Insert|IdxInsert|Delete|IdxDelete|Destroy|Clear|CreateBtree|SqlExec|ParseSchema|DropTable|DropIndex|DropTrigger|Vacuum|JournalMode|Checkpoint|SetCookie|AutoCommit|Savepoint|VCreate|VDestroy|VUpdate|VBegin|VRename|Program|IncrVacuum|LoadAnalysis|Expire)$/;

/** These write into tables of the statement itself, too, such as sorters. */
const ownTables = /^(?:Insert|IdxInsert|Delete|IdxDelete|Clear)$/;

/** Asks SQLite how it would run the statement, which runs nothing. Throws a QueryError. */
function requireHarmless(connection: QueryConnection, statement: Statement): void {
  const sql = withoutBlobs(statement).replace(/^EXPLAIN (?:QUERY PLAN )?/i, '');
  const program = connection.rowsOf(`EXPLAIN ${sql}`, marks(statement)).map(instructionOf);
  const writes = program.some(
    ({ name, isWrite }) => isWrite || (changing.test(name) && !ownTables.test(name)),
  );
  if (writes) throw new QueryError('cb sql only reads.', { hint: 'Use a SELECT.' });
  const allowed = functionsOf(connection);
  for (const { called } of program) {
    if (called !== undefined && !allowed.has(called)) throw refused(called, 'function');
  }
  if (program.some(({ name }) => name === 'VOpen')) requireKnownTables(connection, statement);
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

function marks({ parameters }: Statement): null[] {
  return parameters.map(() => null);
}

interface Instruction {
  readonly name: string;
  /** The function that it calls, in lower case. */
  readonly called: string | undefined;
  /** It begins a transaction that writes. */
  readonly isWrite: boolean;
}

/** A row of EXPLAIN: addr, opcode, p1, p2, p3, p4, p5, comment. */
function instructionOf([, opcode, , p2, , p4]: readonly unknown[]): Instruction {
  const name = String(opcode);
  const isCall = /^(?:Pure)?Func(?:tion)?$|^Agg(?:Step|Step1|Inverse|Value|Final)$/.test(name);
  const called = isCall ? /^(.*)\(-?\d+\)$/s.exec(String(p4))?.[1] : undefined;
  return {
    name,
    // A call that can't be read is refused.
    called: isCall ? (called ?? String(p4)).toLowerCase() : undefined,
    isWrite: name === 'Transaction' && String(p2) !== '0',
  };
}

function functionsOf(connection: QueryConnection): ReadonlySet<string> {
  const known = connection.rowsOf('SELECT name, flags FROM pragma_function_list', []);
  const safe = known.filter(([, flags]) => (Number(flags) & innocuous) !== 0);
  return new Set([...safe.map(([name]) => String(name).toLowerCase()), ...computing]);
}

/** SQLite accepts the name of a table as a text, too. */
function requireKnownTables(connection: QueryConnection, { tokens }: Statement): void {
  const modules = connection.rowsOf('SELECT name FROM pragma_module_list', []).map(([name]) => {
    return String(name).toLowerCase();
  });
  for (const { kind, value } of tokens) {
    if (kind === 'sign' || kind === 'number' || tables.test(value)) continue;
    if (modules.includes(value.toLowerCase())) throw refused(value, 'table');
  }
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

function unquotedRow(row: IteratorResult<unknown[]>, longest?: number): IteratorResult<unknown[]> {
  return row.done
    ? row
    : { done: false, value: row.value.map((value) => unquoted(value, longest)) };
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
  | readonly ['next' | 'relations' | 'columns']
  | readonly ['query', text: string, values: readonly Cell[]];

/** An error is a plain object, because its class would be lost. */
export type Answer = { readonly value: unknown } | { readonly error: Record<string, unknown> };

interface Channel {
  on(event: 'message', listener: (request: Request) => void): unknown;
  send(answer: Answer): unknown;
}

export function answerQueries(channel: Channel): void {
  const answer = answerer();
  let before: Promise<unknown> = Promise.resolve();
  channel.on('message', (request) => {
    before = before.then(async () => channel.send(await answer(request)));
  });
}

function answerer(): (request: Request) => Promise<Answer> {
  let open: { readonly queries: Queries; readonly reader: () => Promise<SqlReader> } | undefined;
  let pages: AsyncIterator<readonly (readonly unknown[])[]> | undefined;

  async function answerTo(request: Request): Promise<unknown> {
    if (request[0] === 'open') {
      const [, file, limits] = request;
      const queries = await openSqliteQueries(file, limits);
      let reader: Promise<SqlReader> | undefined;
      open = { queries, reader: () => (reader ??= openSqliteReader(file)) };
      return undefined;
    }
    if (!open) throw new Error(`'${request[0]}' came before 'open'`);
    switch (request[0]) {
      case 'run': {
        const result = await open.queries.run(request[1], request[2]);
        pages = result.pages[Symbol.asyncIterator]();
        return result.columns;
      }
      case 'next': {
        const page = await pages?.next();
        return page?.done ? undefined : page?.value;
      }
      case 'query':
        return (await open.reader()).query(request[1], request[2]);
      default:
        return open.queries[request[0]]();
    }
  }

  return async (request) => {
    try {
      return { value: await answerTo(request) };
    } catch (error) {
      const { name, message } = error as Error;
      return { error: { ...(error as object), name, message } };
    }
  };
}

/** The meaning of a table or view of the copy, and of its columns by name; undefined for another table. */
function commentsOn(table: string) {
  const view = views.find(({ name }) => name === table);
  if (view) {
    const columns = new Map(view.columns.map(({ name, comment }) => [name, comment]));
    return { comment: view.summary, columns };
  }
  const known = dataTables.find(({ name }) => name === table);
  if (!known) return undefined;
  const columns = new Map(columnsOf(known).map(({ name, comment }) => [name, comment]));
  return { comment: known.comment, columns };
}
