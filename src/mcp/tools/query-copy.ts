/** The tool `query_copy`: one statement that reads, on the local copy. */
import type { Parameter, Queries } from '../../workflows/sync/query/statement.ts';
import { readStatement } from '../../workflows/sync/query/statement.ts';
import { pagingArguments } from '../rows/paging.ts';
import { inputOf, listOf, outputOf, text } from '../rows/schemas.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { countOf } from './lists.ts';

interface Asked {
  readonly sql?: string;
  readonly table?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** A cell longer than this is cut. */
const longestCell = 1000;

export const queryCopy: Tool = {
  name: 'query_copy',
  title: 'Query the copy',
  description:
    'Run one SELECT on the local copy of the account (SQLite), without requests. Without sql: list the tables, or the columns of a table. Columns that end in _at are in UTC; days are Pacific days; account_amount is in USD. For sums, use the view payments: one row for each transaction, without tests and fees.',
  writes: false,
  isLocal: true,
  writtenByOthers: ['texts in rows'],
  input: inputOf({
    sql: text('One SELECT or WITH statement; amounts with their currency column'),
    table: text('A table or view, to see its columns'),
    limit: pagingArguments.limit,
    offset: { type: 'integer', minimum: 0, maximum: 100_000 },
  }),
  output: outputOf(
    {
      columns: listOf(text()),
      rows: listOf({ type: 'array' }),
      nextOffset: { type: 'integer' },
    },
    ['columns', 'rows'],
  ),
  async run(args, { copy, signal }) {
    const asked = args as Asked;
    try {
      return await copy.queries(longestCell, signal, (queries) =>
        asked.sql === undefined ? describe(queries, asked.table) : runQuery(queries, asked),
      );
    } catch (error) {
      throw inWords(error);
    }
  },
};

async function runQuery(queries: Queries, { sql = '', limit = 25, offset = 0 }: Asked) {
  const statement = readStatement(sql);
  if (statement.parameters.length > 0) {
    throw new ToolError('The statement has parameters.', 'Write the values into the statement.');
  }
  const values: readonly Parameter[] = [];
  const { columns, pages } = await queries.run(statement, values);
  const found: (readonly unknown[])[] = [];
  const end = offset + limit;
  let at = 0;
  reading: for await (const page of pages) {
    for (const row of page) {
      if (at > end) break reading;
      if (at >= offset) found.push(row.map(cellOf));
      at += 1;
    }
  }
  const names = columns.map(({ name }) => name);
  const hasMore = found.length > limit;
  return resultOf(names, found.slice(0, limit), hasMore ? end : undefined);
}

async function describe(queries: Queries, table: string | undefined): Promise<ToolResult> {
  if (table === undefined) {
    const known = await queries.relations();
    const rows = known.map(({ name, kind, comment }) => [name, kind, comment ?? '']);
    return resultOf(['name', 'kind', 'comment'], rows, undefined);
  }
  const all = await queries.columns();
  const rows = all
    .filter((one) => one.table === table)
    .map(({ column, type, comment }) => [column, type, comment ?? '']);
  if (rows.length > 0) return resultOf(['column', 'type', 'comment'], rows, undefined);
  throw new ToolError(`There is no table '${table}'.`, tablesHint);
}

const tablesHint = 'Call query_copy without arguments to list the tables.';
const columnsHint = 'Call query_copy with table to list its columns.';

function resultOf(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  nextOffset: number | undefined,
): ToolResult {
  const more = nextOffset === undefined ? '' : `, and there are more: pass offset ${nextOffset}`;
  return {
    summary: `${countOf(rows.length, 'row')}${more}.`,
    data: { columns, rows, ...(nextOffset !== undefined && { nextOffset }) },
    lines: [columns.join('\t'), ...rows.map((row) => row.map(lineCell).join('\t'))],
  };
}

/** JSON has neither integers beyond the safe range nor blobs. */
function cellOf(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) {
    const rest = value.length > longestCell ? '…' : '';
    return `x'${Buffer.from(value.subarray(0, longestCell)).toString('hex')}${rest}'`;
  }
  if (typeof value !== 'string' || value.length <= longestCell) return value ?? null;
  return `${value.slice(0, longestCell)}…`;
}

function lineCell(value: unknown): string {
  return value === null ? '' : String(value).replaceAll(/\s+/g, ' ');
}

/** Errors of the statement, with what to do. */
function inWords(error: unknown): unknown {
  const isOfDatabase =
    error instanceof Error && String(Reflect.get(error, 'code')).startsWith('SQLITE_');
  if (!isOfDatabase) return error;
  const hint = /no such column/.test(error.message) ? columnsHint : tablesHint;
  return new ToolError(`The query failed: ${error.message}.`, hint);
}
