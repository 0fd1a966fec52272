/** A part of a list, and a cursor with which the next call goes on. */
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { splitParameter } from '../../client/paging/windows.ts';
import type { Arguments, Operation, Params, Returns } from '../../operations/operation.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { ToolError } from '../tool-error.ts';
import type { Schema } from './schemas.ts';

/** The arguments of every tool that returns a list. */
export const pagingArguments: Readonly<Record<'limit' | 'cursor', Schema>> = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  cursor: {
    type: 'string',
    description: 'next of the previous result; repeat its other arguments',
  },
};

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Part<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next part; undefined at the end of the list. */
  readonly next: string | undefined;
  /** The rows of the whole list, if they are known. */
  readonly total?: number;
}

/** Page and row at which a part begins. Without a page, rows are counted from the start of the list. */
interface Position {
  readonly page?: number;
  readonly row: number;
}

const usualLimit = 25;

/** Reads a part of a list, with few requests wherever it begins. Throws a ToolError for a cursor of another list. */
export async function readPart<P extends Params, R extends Returns>(
  client: Client,
  operation: Operation<P, R>,
  args: Arguments<P>,
  { limit = usualLimit, cursor }: Paging,
) {
  const list = digestOf(JSON.stringify([operation.path, args])).slice(0, 12);
  // Several values of a filter are several lists, which have no common pages.
  const first = splitParameter(operation, args) ? { row: 0 } : { page: 1, row: 0 };
  const start = cursor === undefined ? first : positionIn(cursor, list);
  const read = (at: Position) =>
    at.page === undefined
      ? fromTheStart(client, operation, args, at, limit)
      : fromPage(client, operation, args, { page: at.page, row: at.row }, limit);
  try {
    return named(list, await read(start));
  } catch (error) {
    // A long period is several lists, which have no common pages.
    const isSplit = error instanceof ApiError && error.code === 'split-period';
    if (!isSplit || cursor !== undefined) throw error;
    return named(list, await read({ row: 0 }));
  }
}

/** The part of rows that are already known. */
export function partOf<Row>(all: readonly Row[], key: unknown, paging: Paging): Part<Row> {
  const { limit = usualLimit, cursor } = paging;
  const list = digestOf(JSON.stringify(key)).slice(0, 12);
  const { row } = cursor === undefined ? { row: 0 } : positionIn(cursor, list);
  const rows = all.slice(row, row + limit);
  const isEnd = row + limit >= all.length;
  const part = named(list, { rows, at: isEnd ? undefined : { row: row + limit } });
  return { ...part, total: all.length };
}

interface Read<Row> {
  readonly rows: readonly Row[];
  readonly at: Position | undefined;
}

async function fromPage<P extends Params, R extends Returns>(
  client: Client,
  operation: Operation<P, R>,
  args: Arguments<P>,
  start: Required<Position>,
  limit: number,
) {
  const rows = [];
  let { page, row } = start;
  const options = { from: page, expectedRows: row + limit };
  for await (const one of client.pages(operation, args, options)) {
    const taken = one.rows.slice(row, row + limit - rows.length);
    rows.push(...taken);
    const end = row + taken.length;
    if (end < one.rows.length) return { rows, at: { page, row: end } };
    page += 1;
    row = 0;
    if (rows.length >= limit) return { rows, at: one.more ? { page, row } : undefined };
  }
  return { rows, at: undefined };
}

async function fromTheStart<P extends Params, R extends Returns>(
  client: Client,
  operation: Operation<P, R>,
  args: Arguments<P>,
  { row }: Position,
  limit: number,
) {
  const end = row + limit;
  const rows = [];
  let at = 0;
  for await (const one of client.list(operation, args, { expectedRows: end + 1 })) {
    if (at === end) return { rows, at: { row: end } };
    if (at >= row) rows.push(one);
    at += 1;
  }
  return { rows, at: undefined };
}

function named<Row>(list: string, { rows, at }: Read<Row>): Part<Row> {
  return { rows, next: at && [list, at.page ?? '', at.row].join('.') };
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
