/** The tools that read the local copy: `metrics` with its views, and `query_copy` with one statement. */
import { LosslessNumber } from 'lossless-json';
import type { Day } from '../../../dates/day.ts';
import { countOf } from '../../../decimals/decimals.ts';
import type { SqlReader } from '../../sync/destination.ts';
import { type Queries, readStatement } from '../../sync/query/statement.ts';
import { oldestRead, queryOf, requireView, sourceStates } from '../../sync/views/missing-days.ts';
import { beginningOf, cellValue, notesOf } from '../../sync/views/view.ts';
import { views } from '../../sync/views/views.ts';
import { periodFrom } from '../arguments.ts';
import { linesOf, listResult, partOf, present } from '../rows.ts';
import * as schema from '../schema.ts';
import { type Tool, type ToolArguments, ToolError, type ToolResult } from '../tool.ts';

export const metrics: Tool = {
  name: 'metrics',
  title: 'Metrics from the copy',
  description:
    'Read a metric from the local copy of the account, without requests: daily figures, rates, order value, recurring revenue, churn, trials, cohorts, lifetime value, repeat customers. Amounts are in USD unless a column says otherwise. copyFrom says how current the copy is.',
  isLocal: true,
  writtenByOthers: ['names in rows'],
  input: schema.listInput(
    {
      metric: { type: 'string', enum: views.map(({ name }) => name) },
      startDate: schema.text('First day'),
      endDate: schema.text('Last day'),
      account: schema.text('Include only this account'),
      allowIncomplete: {
        type: 'boolean',
        description: 'Show a period although the copy lacks some of its days',
      },
    },
    ['metric'],
  ),
  output: schema.outputOf(
    {
      columns: { type: 'object' },
      copyFrom: schema.text(),
      rows: schema.listOf({ type: 'object' }),
      next: schema.text(),
    },
    ['columns', 'rows'],
  ),
  run: (args, { copy, signal, today }) => copy(signal, (reader) => readMetric(reader, args, today)),
};

async function readMetric(copy: SqlReader, args: ToolArguments, today: Day): Promise<ToolResult> {
  const view = views.find(({ name }) => name === args.metric);
  if (!view) throw new ToolError('There is no such metric.');
  const { startDate, endDate } = args;
  // Without days, a metric has all of them.
  const hasDays = startDate !== undefined || endDate !== undefined;
  const days = hasDays ? periodFrom(args, today, ['2000-01-01', 'today']) : undefined;
  const [first, last] = [startDate === undefined ? undefined : days?.first, days?.last];
  const only = typeof args.account === 'string' ? args.account : undefined;
  await requireView(copy, view);
  const asked = { account: only, first, last };
  const states = await sourceStates(copy, view, asked, today);
  const lacks = states.flatMap(({ missing }) => missing?.says ?? []);
  if (lacks[0] !== undefined && args.allowIncomplete !== true) {
    const hint = 'A person can run `cb sync`. Or use another period, or allowIncomplete.';
    throw new ToolError(lacks[0], hint);
  }
  const { text: sql, values } = queryOf(view, asked);
  const found = await copy.query(sql, values);
  const all = found.map((row) => {
    const cells = view.columns.map(({ name, kind }) => {
      const cell = cellValue(row[name], kind);
      return [name, cell instanceof LosslessNumber ? String(cell) : (cell ?? undefined)];
    });
    return present(Object.fromEntries(cells));
  });
  const list = listResult('row', partOf(all, [view.name, first, last, only], args));
  const copyFrom = oldestRead(states)?.readAt;
  const age = copyFrom === undefined ? [] : [`The copy is from ${copyFrom}.`];
  const ended = new Set(states.flatMap((one) => one.ended ?? []));
  const notes = [...notesOf(view, all), ...beginningOf(view, all, states)];
  return {
    summary: [`${view.summary}: ${list.summary}`, ...age, ...ended, ...lacks, ...notes].join(' '),
    data: {
      columns: Object.fromEntries(view.columns.map(({ name, comment }) => [name, comment])),
      ...present({ copyFrom }),
      ...list.data,
    },
    ownLines: view.columns.map(({ name, comment }) => `${name}: ${comment}`),
    lines: linesOf(list.data.rows),
  };
}

const longestCell = 1000;

export const queryCopy: Tool = {
  name: 'query_copy',
  title: 'Query the copy',
  description:
    'Run one SELECT on the local copy of the account (SQLite), without requests. Without sql: list the tables, or the columns of a table. Columns that end in _time or _at are in UTC; days are Pacific days; account_amount is in USD. For sums, use the view payments: one row for each transaction, without tests and fees.',
  isLocal: true,
  writtenByOthers: ['text in rows'],
  input: schema.inputOf({
    sql: schema.text('One SELECT or WITH statement; amounts with their currency column'),
    table: schema.text('A table or view, to see its columns'),
    limit: schema.limitArgument,
    offset: { type: 'integer', minimum: 0, maximum: 100_000 },
  }),
  output: schema.outputOf(
    {
      columns: schema.listOf(schema.text()),
      rows: schema.listOf({ type: 'array' }),
      nextOffset: { type: 'integer' },
    },
    ['columns', 'rows'],
  ),
  async run({ sql, table, limit = 25, offset = 0 }, { copy, signal }) {
    try {
      const work = (queries: Queries) =>
        sql === undefined
          ? describe(queries, table)
          : runQuery(queries, String(sql), Number(limit), Number(offset));
      return await copy(signal, work, longestCell);
    } catch (error) {
      const isOfDatabase =
        error instanceof Error && String(Reflect.get(error, 'code')).startsWith('SQLITE_');
      if (!isOfDatabase) throw error;
      const hint = /no such column/.test(error.message) ? columnsHint : tablesHint;
      throw new ToolError(`The query failed: ${error.message}.`, hint);
    }
  },
};

async function runQuery(queries: Queries, sql: string, limit: number, offset: number) {
  const statement = readStatement(sql);
  if (statement.parameters.length > 0) {
    throw new ToolError('The statement has parameters.', 'Write the values into the statement.');
  }
  const { columns, pages } = await queries.run(statement, []);
  const found: (readonly unknown[])[] = [];
  const end = offset + limit;
  let at = 0;
  reading: for await (const page of pages) {
    for (const row of page) {
      if (at > end) break reading;
      if (at >= offset) found.push(row.map(queriedCell));
      at += 1;
    }
  }
  const names = columns.map(({ name }) => name);
  const hasMore = found.length > limit;
  return resultOf(names, found.slice(0, limit), hasMore ? end : undefined);
}

async function describe(queries: Queries, table: unknown): Promise<ToolResult> {
  const known = await queries.relations();
  if (table === undefined) {
    const rows = known.map(({ name, kind, comment }) => [name, kind, comment ?? '']);
    return resultOf(['name', 'kind', 'comment'], rows);
  }
  const columns = known.find(({ name }) => name === table)?.columns ?? [];
  if (columns.length === 0) throw new ToolError(`There is no table '${table}'.`, tablesHint);
  const rows = columns.map(({ name, type, comment }) => [name, type, comment ?? '']);
  return resultOf(['column', 'type', 'comment'], rows);
}

const tablesHint = 'Call query_copy without arguments to list the tables.';
const columnsHint = 'Call query_copy with table to list its columns.';

function resultOf(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  nextOffset?: number,
): ToolResult {
  const lineCell = (value: unknown) =>
    value === null ? '' : String(value).replaceAll(/\s+/g, ' ');
  const more = nextOffset === undefined ? '' : `, and there are more: pass offset ${nextOffset}`;
  return {
    summary: `${countOf(rows.length, 'row')}${more}.`,
    data: { columns, rows, ...(nextOffset !== undefined && { nextOffset }) },
    lines: [columns.join('\t'), ...rows.map((row) => row.map(lineCell).join('\t'))],
  };
}

/** JSON has neither integers beyond the safe range nor blobs. */
function queriedCell(value: unknown): unknown {
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
