/** Turns errors of a query into failures that say where, and what was probably meant. */

import { LosslessNumber } from 'lossless-json';
import { decimal, type Field, integer, resource, text } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { Pages } from '../../output/stream.ts';
import { codeOf } from '../../storage/error-code.ts';
import {
  placeOf,
  type Queries,
  type Result,
  type ResultColumn,
  tokensOf,
} from '../../workflows/sync/query/statement.ts';
import type { View } from '../display/view.ts';
import { mostAlike, nearest } from '../flags/nearest.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';

/** Errors that come from something else than the query are returned unchanged. */
export async function queryFailure(
  error: unknown,
  sql: string,
  queries: Queries,
): Promise<unknown> {
  if (!(error instanceof Error) || !ofDatabase.test(codeOf(error) ?? '')) return error;
  const { message } = error;
  const nameIn = (pattern: RegExp) => pattern.exec(message)?.[1];
  const table = nameIn(/no such table: (?:\w+\.)?(\S+)/);
  if (table !== undefined) return unknown(sql, table, 'table', await tablesIn(queries), error);
  const column = nameIn(/no such column: (?:\w+\.)?(\S+)/);
  if (column !== undefined) {
    return unknown(sql, column, 'column', await columnsNear(sql, queries), error);
  }
  const at = nameIn(/near "([\s\S]*)": syntax error/);
  if (at !== undefined) {
    const near = nearest(at, await tablesIn(queries));
    const token = tokensOf(sql).find(({ text }) => text === at);
    const place = placeOf(sql, token?.at ?? Math.max(0, sql.indexOf(at)));
    return usage(`Invalid SQL at ${place}: near ${at}.`, {
      hint: near && `Did you mean ${near}?`,
      next: "cb sql '.tables'",
      cause: error,
    });
  }
  if (message.includes('incomplete input')) {
    return usage('Invalid SQL: it ends too early.', { cause: error });
  }
  return usage(`The query failed: ${message}.`, { cause: error });
}

/** Errors of SQL by their code. */
const ofDatabase = /^SQLITE_(?:ERROR|AUTH|READONLY|MISMATCH|TOOBIG|RANGE|CONSTRAINT)/;

function unknown(
  sql: string,
  name: string,
  what: 'table' | 'column',
  known: readonly string[],
  cause: Error,
): Failure {
  const near = nearest(name, known);
  const alike = mostAlike(name, known, 3).join(', ');
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const [found] = [...sql.matchAll(new RegExp(`\\b${escaped}\\b`, 'gi'))];
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

async function tablesIn(queries: Queries): Promise<string[]> {
  return (await queries.relations()).map(({ name }) => name);
}

/** The columns of the tables that the query names; of all tables if it names none. */
async function columnsNear(sql: string, queries: Queries): Promise<string[]> {
  const words = new Set(tokensOf(sql).map(({ value }) => value.toLowerCase()));
  const all = await queries.columns();
  const named = all.filter(({ table }) => words.has(table.toLowerCase()));
  return [...new Set((named.length > 0 ? named : all).map(({ column }) => column))];
}

/** For a file that can't be read. */
export function unreadableFile(path: string, cause: unknown): Failure {
  const code = codeOf(cause) ?? String(cause);
  const hint = 'Use --file with a text file that has one query.';
  return new Failure(exitCodes.usage, `Can't read ${path} (${code}).`, { hint, cause });
}

/** Reads the first page, because the types of computed columns show only in their values. */
export async function viewOf({ columns, pages }: Result) {
  const names = distinctNames(columns);
  const rows = rowsOf(pages, names);
  const first = await rows.next();
  const seen = first.done ? [] : first.value;
  const fields = Object.fromEntries(
    names.map((name, i) => {
      const field = fieldOf(
        columns[i],
        seen.map((row) => row[name]),
      );
      return [name, { ...field, heading: name }];
    }),
  );
  async function* all() {
    if (!first.done) yield first.value;
    yield* rows;
  }
  const view: View = { resource: resource('row', names, fields) };
  return { view, pages: all() };
}

export async function* pagesOf(pages: AsyncIterable<readonly Row[]>): Pages {
  let number = 1;
  for await (const rows of pages) yield { number: number++, more: true, rows, totals: [] };
}

async function* rowsOf(pages: Result['pages'], names: readonly string[]): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    yield page.map((values) =>
      Object.fromEntries(names.map((name, i) => [name, valueFrom(values[i])])),
    );
  }
}

/**
 * The name of each column. A second column of the same name gets a number; a name that is a number becomes
 * `column_N`, because the fields of a row are in order only if their names are no numbers.
 */
function distinctNames(columns: readonly ResultColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }, i) => {
    const base = /^\d+$/.test(name) || name === '' ? `column_${i + 1}` : name;
    let distinct = base;
    for (let count = 2; taken.has(distinct); count++) distinct = `${base}_${count}`;
    taken.add(distinct);
    return distinct;
  });
}

function fieldOf(column: ResultColumn | undefined, values: readonly Value[]): Field {
  const type = column?.type?.toLowerCase() ?? '';
  if (/^(?:integer|bigint|int)/.test(type)) return integer;
  if (/^(?:numeric|real|double|decimal)/.test(type)) return decimal;
  const present = values.filter((value) => value !== null);
  const isNumber = (value: Value) => typeof value === 'number' || value instanceof LosslessNumber;
  return type === '' && present.length > 0 && present.every(isNumber) ? decimal : text;
}

/** A blob is a literal of SQL, x'0102'. */
function valueFrom(value: unknown): Value {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : new LosslessNumber(String(value));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ArrayBuffer) return valueFrom(Buffer.from(value));
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return (value ?? null) as Value;
}
