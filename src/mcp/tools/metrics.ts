/** The tool `metrics`: the views of the local copy. */
import type { Day } from '../../dates/day.ts';
import type { SqlReader } from '../../workflows/sync/destination.ts';
import {
  oldestRead,
  queryOf,
  requireView,
  sourceStates,
} from '../../workflows/sync/views/missing-days.ts';
import { type CopyView, notesOf, type ViewColumnKind } from '../../workflows/sync/views/view.ts';
import { views } from '../../workflows/sync/views/views.ts';
import { periodFrom } from '../rows/arguments.ts';
import { type Paging, pagingArguments, partOf } from '../rows/paging.ts';
import { linesOf, present, type ToolRow } from '../rows/pick.ts';
import { inputOf, listOf, outputOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolResult } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { pagingOf, partText } from './lists.ts';

export const metrics: Tool = {
  name: 'metrics',
  title: 'Metrics from the copy',
  description:
    'Read a metric from the local copy of the account, without requests: daily figures, rates, subscriptions, churn, cohorts, repeat customers. Amounts are in USD unless a column says otherwise. copyFrom says how current the copy is.',
  writes: false,
  isLocal: true,
  writtenByOthers: ['names in rows'],
  input: inputOf(
    {
      metric: { type: 'string', enum: views.map(({ name }) => name) },
      startDate: text('First day'),
      endDate: text('Last day'),
      account: text('Only this account'),
      allowIncomplete: {
        type: 'boolean',
        description: 'Show what the copy has of an incomplete period',
      },
      ...pagingArguments,
    },
    ['metric'],
  ),
  output: outputOf(
    {
      columns: { type: 'object' },
      copyFrom: text(),
      rows: listOf({ type: 'object' }),
      next: text(),
    },
    ['columns', 'rows'],
  ),
  run: (args, { copy, signal, today }) =>
    copy.reader(signal, (reader) => readMetric(reader, args, today)),
};

async function readMetric(copy: SqlReader, args: ToolArguments, today: Day): Promise<ToolResult> {
  const view = views.find(({ name }) => name === args.metric);
  if (!view) throw new ToolError('There is no such metric.');
  const { first, last } = daysIn(args, today);
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
  const all = found.map((row) => rowFrom(view, row));
  const part = partOf(all, [view.name, first, last, only], args as Paging);
  const { rows } = part;
  const copyFrom = oldestRead(states);
  const age = copyFrom === undefined ? [] : [`The copy is from ${copyFrom}.`];
  return {
    summary: [
      `${view.summary}: ${partText(part, 'row')}.`,
      ...age,
      ...lacks,
      ...notesOf(view, all),
    ].join(' '),
    data: {
      columns: Object.fromEntries(view.columns.map(({ name, comment }) => [name, comment])),
      ...present({ copyFrom }),
      rows,
      ...pagingOf(part),
    },
    ownLines: view.columns.map(({ name, comment }) => `${name}: ${comment}`),
    isOurs: rows.length === 0,
    lines: linesOf(
      view.columns.map(({ name }) => name),
      rows,
    ),
  };
}

/** Without days, a metric has all of them. */
function daysIn(args: Readonly<Record<string, unknown>>, today: Day) {
  const { startDate, endDate } = args;
  if (startDate === undefined && endDate === undefined)
    return { first: undefined, last: undefined };
  const { first, last } = periodFrom(args, today, ['2000-01-01', 'today']);
  return { first: startDate === undefined ? undefined : first, last };
}

function rowFrom({ columns }: CopyView, found: Readonly<Record<string, unknown>>): ToolRow {
  return present(
    Object.fromEntries(columns.map(({ name, kind }) => [name, cellOf(found[name], kind)])),
  );
}

/** SQLite returns amounts as doubles. */
function cellOf(value: unknown, kind: ViewColumnKind): unknown {
  if (value === null || value === undefined) return undefined;
  if (kind === 'count') return Number(value);
  return kind === 'amount' || kind === 'percent' ? Number(value).toFixed(2) : String(value);
}
