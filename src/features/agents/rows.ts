/** Rows of a tool: a part of a list with a cursor, and lines for clients that show only text. */

import type { RowOf } from '../../client/codec/reply.ts';
import { ApiError } from '../../client/errors.ts';
import { splitParameter } from '../../client/paging/windows.ts';
import type { Day } from '../../dates/day.ts';
import { countOf } from '../../decimals/decimals.ts';
import type { Arguments, Operation, Params, Returns } from '../../operations/operation.ts';
import { validate } from '../../operations/validate.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { operationArguments } from './arguments.ts';
import { type ToolArguments, type ToolCall, ToolError } from './tool.ts';

export type ToolRow = Readonly<Record<string, unknown>>;

/** Leaves out null, undefined and empty texts. */
export function present(row: ToolRow): ToolRow {
  const isPresent = (value: unknown) => value !== null && value !== undefined && value !== '';
  return Object.fromEntries(Object.entries(row).filter(([, value]) => isPresent(value)));
}

/** A tab-separated table for clients that show only text. A cell that is a list of rows has their values. */
export function linesOf(rows: readonly ToolRow[]): string[] {
  if (rows.length === 0) return [];
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [...names]
    .filter((name) => rows.some((row) => row[name] !== undefined))
    .map((name) => ({ name, inner: innerNames(rows.map((row) => row[name])) }));
  const header = columns.map(({ name, inner }) => (inner ? `${name} (${inner.join(', ')})` : name));
  const lines = rows.map((row) => columns.map(({ name, inner }) => cell(row[name], inner)));
  return [header, ...lines].map((cells) => cells.join('\t'));
}

/** The names of the rows in cells; undefined if there is any other value, or a value in them is no text or number. */
function innerNames(cells: readonly unknown[]): readonly string[] | undefined {
  const lists = cells.filter((value) => value !== undefined);
  if (!lists.every(Array.isArray)) return undefined;
  const inner: readonly unknown[] = lists.flat();
  if (!inner.every(isFlat)) return undefined;
  return [...new Set(inner.flatMap((row) => Object.keys(row)))];
}

function isFlat(value: unknown): value is ToolRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

function cell(value: unknown, inner?: readonly string[]): string {
  if (value === undefined || value === null) return '';
  if (inner) {
    const quoted = (text: string) => (/[,;"]/.test(text) ? JSON.stringify(text) : text);
    return (value as readonly ToolRow[])
      .map((row) => inner.map((name) => quoted(cell(row[name]))).join(', '))
      .join('; ');
  }
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return written.replaceAll(/\s+/g, ' ');
}

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Part<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next part; undefined at the end of the list. */
  readonly next?: string | undefined;
  /** The rows of the whole list, if they are known. */
  readonly total?: number;
  /** Sentences about the arguments, each followed by a space. */
  readonly notes?: string;
}

/** Page and row at which a part begins. Without a page, rows are counted from the start of the list. */
interface Position {
  readonly page?: number;
  readonly row: number;
}

const usualLimit = 25;

/** Names a list in its cursors. */
function listId(key: unknown): string {
  return digestOf(JSON.stringify(key)).slice(0, 12);
}

/** Reads the part of a list that a call asks for, with few requests. Throws a ToolError for a cursor of another list. */
export async function readList<P extends Params, R extends Returns>(
  operation: Operation<P, R>,
  args: ToolArguments,
  { client, today }: ToolCall,
): Promise<Part<RowOf<R>> & { readonly asked: Arguments<P> }> {
  const { limit = usualLimit, cursor } = args as Paging;
  const asked = operationArguments(operation, args, today);
  const notes = notesOn(operation, asked, today);
  const key = [operation.path, asked];
  if (operation.returns.kind === 'list') {
    const all = (await client.call(operation, asked)) as readonly RowOf<R>[];
    return { asked, notes, ...partOf(all, key, { limit, cursor }) };
  }
  const list = listId(key);
  // Several values of a filter are several lists, which have no common pages.
  const first = splitParameter(operation, asked) ? { row: 0 } : { page: 1, row: 0 };
  const read = async ({ page, row }: Position): Promise<Part<RowOf<R>>> => {
    const rows: RowOf<R>[] = [];
    const options = { from: page, expectedRows: row + limit + (page === undefined ? 1 : 0) };
    let [at, skip] = [page, row];
    for await (const one of client.pages(operation, asked, options)) {
      const taken = one.rows.slice(skip, skip + limit - rows.length);
      rows.push(...taken);
      const left = one.rows.length - skip - taken.length;
      if (at === undefined) {
        if (left > 0) return { rows, next: `${list}..${row + rows.length}` };
        skip = Math.max(0, -left);
      } else {
        if (left > 0) return { rows, next: `${list}.${at}.${skip + taken.length}` };
        [at, skip] = [at + 1, 0];
        if (rows.length >= limit) return { rows, next: one.more ? `${list}.${at}.0` : undefined };
      }
    }
    return { rows };
  };
  try {
    const position = cursor === undefined ? first : positionIn(cursor, list);
    return { asked, notes, ...(await read(position)) };
  } catch (error) {
    // A long period is several lists, which have no common pages.
    const isSplit = error instanceof ApiError && error.code === 'split-period';
    if (!isSplit || cursor !== undefined) throw error;
    return { asked, notes, ...(await read({ row: 0 })) };
  }
}

/** What a command notes about its arguments, such as the two days that a list covers without dates. */
export function notesOn(operation: Operation, asked: Arguments, today: Day): string {
  const notes = validate(operation, asked, today).map(({ says }) => `${says.replace(/\.$/, '')}. `);
  const text = notes.join('').replaceAll('{period}', 'startDate');
  return text.replaceAll(/\{(\w+)\}/g, '$1');
}

/** The part of rows that are already known. */
export function partOf<Row>(
  all: readonly Row[],
  key: unknown,
  { limit = usualLimit, cursor }: Paging,
): Part<Row> {
  const list = listId(key);
  const row = cursor === undefined ? 0 : positionIn(cursor, list).row;
  const end = row + limit;
  const next = end < all.length ? `${list}..${end}` : undefined;
  return { rows: all.slice(row, end), next, total: all.length };
}

function positionIn(cursor: string, list: string): Position {
  const [, own, page, row] = /^([0-9a-f]{12})\.(\d{0,6})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (own !== list || row === undefined) {
    throw new ToolError(
      'The cursor belongs to another list.',
      'Repeat the other arguments of the call that returned it, or leave out the cursor.',
    );
  }
  return page ? { page: Number(page), row: Number(row) } : { row: Number(row) };
}

/** The summary is as in `25 of 130 tickets with status open, and there are more: pass cursor "3f….1.25".` */
export function listResult(noun: string, part: Part<ToolRow>, more = '') {
  const { rows, next, total, notes = '' } = part;
  const isPart = total !== undefined && total > rows.length;
  const count = isPart ? `${rows.length} of ${countOf(total, noun)}` : countOf(rows.length, noun);
  const goesOn = next === undefined ? '' : `, and there are more: pass cursor "${next}"`;
  const data = { rows, ...(total !== undefined && { total }), ...(next !== undefined && { next }) };
  return { summary: `${notes}${count}${more}${goesOn}.`, data };
}
