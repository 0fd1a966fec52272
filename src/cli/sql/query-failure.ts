/** Turns errors of a query into failures that say where, and what was probably meant. */
import type { Queries } from '../../workflows/sync/query/queries.ts';
import { placeOf } from '../../workflows/sync/query/statement.ts';
import { tokensOf } from '../../workflows/sync/query/tokens.ts';
import { mostAlike, nearest } from '../flags/nearest.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';

/** Names that a message complains about, in the words of SQLite and of PostgreSQL. */
const unknownTable = /no such table: (?:\w+\.)?(\S+)|relation "([^"]+)" does not exist/;
const unknownColumn = /no such column: (?:\w+\.)?(\S+)|column "?(?:\w+\.)?(\w+)"? does not exist/;
const syntax = /near "([\s\S]*)": syntax error|syntax error at or near "([\s\S]*)"/;

/** Errors that come from something else than the query are returned unchanged. */
export async function queryFailure(
  error: unknown,
  sql: string,
  queries: Queries,
): Promise<unknown> {
  if (!(error instanceof Error) || !isOfDatabase(error)) return error;
  const { message } = error;
  const table = nameIn(unknownTable, message);
  if (table !== undefined) return unknown(sql, table, 'table', await tablesIn(queries), error);
  const column = nameIn(unknownColumn, message);
  if (column !== undefined) {
    return unknown(sql, column, 'column', await columnsNear(sql, queries), error);
  }
  const at = nameIn(syntax, message);
  if (at !== undefined) {
    const near = nearest(at, await tablesIn(queries));
    return usage(`Invalid SQL at ${placeIn(sql, at, queries)}: near ${at}.`, {
      hint: near && `Did you mean ${near}?`,
      next: "cb sql '.tables'",
      cause: error,
    });
  }
  if (/incomplete input|at end of input/.test(message)) {
    return usage('Invalid SQL: it ends too early.', { cause: error });
  }
  return usage(`The query failed: ${message}.`, { cause: error });
}

/** Errors of SQL: a code of SQLite, or of PostgreSQL from the classes 22, 42 and 25. */
function isOfDatabase(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /^SQLITE_(?:ERROR|AUTH|READONLY|MISMATCH|TOOBIG|RANGE|CONSTRAINT)|^(?:22|42|25)\w{3}$/.test(
    code,
  );
}

function nameIn(pattern: RegExp, message: string): string | undefined {
  const [, one, other] = pattern.exec(message) ?? [];
  return one ?? other;
}

function unknown(
  sql: string,
  name: string,
  what: 'table' | 'column',
  known: readonly string[],
  cause: Error,
): Failure {
  const near = nearest(name, known);
  const alike = mostAlike(name, known, 3).join(', ');
  const [found] = [...sql.matchAll(new RegExp(`\\b${escaped(name)}\\b`, 'gi'))];
  const place = found && sql.trimEnd().includes('\n') ? ` (${placeOf(sql, found.index)})` : '';
  return usage(`There is no ${what} ${name}${place}.`, {
    hint: near
      ? `Did you mean ${near}?`
      : alike === ''
        ? 'The database has no tables.'
        : `Similar names: ${alike}.`,
    next: what === 'table' ? "cb sql '.tables'" : "cb sql '.schema'",
    cause,
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function placeIn(sql: string, text: string, { dialect }: Queries): string {
  const token = tokensOf(sql, dialect).find((one) => one.text === text);
  return placeOf(sql, token?.at ?? Math.max(0, sql.indexOf(text)));
}

async function tablesIn(queries: Queries): Promise<string[]> {
  return (await queries.relations()).map(({ name }) => name);
}

/** The columns of the tables that the query names; of all tables if it names none. */
async function columnsNear(sql: string, queries: Queries): Promise<string[]> {
  const words = new Set(tokensOf(sql, queries.dialect).map(({ value }) => value.toLowerCase()));
  const all = await queries.columns();
  const named = all.filter(({ table }) => words.has(table.toLowerCase()));
  return [...new Set((named.length > 0 ? named : all).map(({ column }) => column))];
}

/** For a file that can't be read. */
export function unreadableFile(path: string, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const hint = 'Use --file with a text file that has one query.';
  return new Failure(exitCodes.usage, `Can't read ${path} (${code}).`, { hint, cause });
}
