/** `cb metrics`: the views of the copy. */

import { LosslessNumber } from 'lossless-json';
import { pacificDay } from '../../../dates/pacific.ts';
import { text as textParameter } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import {
  day,
  decimal,
  type Field,
  headed,
  integer,
  naming,
  type Resource,
  text,
} from '../../../operations/resource.ts';
import type { Row, Value } from '../../../output/rows/rows.ts';
import { onePage } from '../../../output/stream.ts';
import type { CommandContext } from '../../../shell/command-context.ts';
import { command } from '../../../shell/define.ts';
import {
  type ChartFacts,
  chartingFor,
  chartOption,
  requireFigure,
} from '../../../shell/display/chart.ts';
import { showPages } from '../../../shell/display/show.ts';
import { exitCodes } from '../../../shell/exit-codes.ts';
import { Failure, usage } from '../../../shell/failure.ts';
import type { Typed } from '../../../shell/options/flags.ts';
import { nearest } from '../../../shell/options/nearest.ts';
import { type OutputOptions, requireShowable } from '../../../shell/options/show-flags.ts';
import { nowFor } from '../../../shell/session/service-clock.ts';
import { shellWord } from '../../../shell/shell-word.ts';
import { requirePacific } from '../../../shell/terminal/zone.ts';
import { argumentsFrom } from '../../mirror/arguments.ts';
import { placeOfCopy, withCopyAt } from '../open-copy.ts';
import {
  type MetricQuery,
  nounOf,
  oldestRead,
  queryOf,
  requireView,
  type SourceState,
  sourceStates,
} from './missing-days.ts';
import { type CopyView, notesOf, type ViewColumn, type ViewColumnKind } from './view.ts';
import { views } from './views.ts';

async function runMetrics(
  cmd: CommandContext,
  flags: MetricFlags & { readonly name?: string | undefined },
  output: OutputOptions,
): Promise<void> {
  const { name } = flags;
  requirePacific(cmd);
  if (name === undefined) {
    requireNoFilter(flags);
    const rows = views.map((view) => ({ name: metricName(view), shows: `${view.summary}.` }));
    await showPages(cmd, output, { resource: listResource }, onePage(rows));
    return;
  }
  const view = viewNamed(name);
  const shape = { resource: resourceOf(view) };
  const facts = chartOf(view);
  requireShowable(output, shape.resource);
  requireFigure(output, facts);
  const now = await nowFor(cmd);
  const today = pacificDay(Math.floor(now.getTime() / 1000));
  const asked = await readAsked(cmd, flags, today);
  const chart = chartingFor(output, facts, shape, {});
  await withCopyAt(await placeOfCopy(cmd, flags.database), async (copy) => {
    await requireView(copy, view);
    const states = await sourceStates(copy, view, asked, today);
    requireComplete(cmd, states, flags);
    const { text, values } = queryOf(view, asked);
    const rows = (await copy.query(text, values)).map((row) => rowFrom(view, row));
    await showPages(cmd, output, { ...shape, chart }, onePage(rows));
    for (const note of notesOf(view, rows)) cmd.messages.say(`note: ${note}`);
    tellAge(cmd, view, states, now);
  });
}

async function readAsked(
  cmd: CommandContext,
  { account, period, startDate, endDate }: MetricFlags,
  today: string,
): Promise<MetricQuery> {
  const typed = { account, period, startDate, endDate };
  const { args } = await argumentsFrom(cmd, metricFilters, typed, today);
  const {
    startDate: first,
    endDate: last,
    account: only,
  } = args as Readonly<Partial<Record<'startDate' | 'endDate' | 'account', string>>>;
  return { account: only, first, last };
}

/** The list of metrics is the same for every account and period. */
function requireNoFilter(flags: MetricFlags): void {
  const { period, startDate, endDate, account, database, allowIncomplete } = flags;
  const filters = [period, startDate, endDate, account, database, allowIncomplete];
  if (filters.every((one) => one === undefined)) return;
  throw usage('The name of a metric is missing.', { next: 'cb metrics' });
}

interface MetricFlags extends Typed {
  readonly account?: string;
  readonly database?: string;
  readonly allowIncomplete?: boolean;
}

const { startDate, endDate } = orders.list.params;

/** An operation with the period of the list of orders, so that periods are read as in every list. */
const metricFilters = {
  ...orders.list,
  params: {
    startDate,
    endDate,
    account: textParameter('Only this account of the copy', { names: 'account' }),
  },
};

const fields: Readonly<Record<ViewColumnKind, Field>> = {
  ...{ text, day, month: day, count: integer, amount: decimal, percent: decimal },
};

function fieldOf({ name, kind }: ViewColumn): Field {
  if (name === 'account' || name === 'nickname') return naming('account', text);
  if (name === 'product') return naming('sku', text);
  if (kind === 'percent') return headed(heading(name.replace(/_percent$/, ' %')), fields[kind]);
  return /mrr/.test(name) ? headed(heading(name), fields[kind]) : fields[kind];
}

function heading(name: string): string {
  const words = name.replaceAll('_', ' ').replace('mrr', 'MRR');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Columns that most copies have only one value in; a table shows the others first. */
const usual = ['account', 'role', 'vendor', 'nickname'];

function resourceOf({ name, columns }: CopyView): Resource {
  const names = columns.map((column) => column.name);
  return {
    element: name,
    headline: [
      ...names.filter((one) => !usual.includes(one)),
      ...names.filter((one) => usual.includes(one)),
    ],
    fields: Object.fromEntries(columns.map((column) => [column.name, fieldOf(column)])),
  };
}

function chartOf(view: CopyView): ChartFacts {
  const dated =
    view.columns.find(({ kind }) => kind === 'day') ??
    // In cohorts, it is the second month.
    view.columns.findLast(({ kind }) => kind === 'month');
  const names = view.columns.filter(({ kind }) => kind === 'text');
  return {
    names: [...names.map(({ name }) => name), ...(view.name === 'cohorts' ? ['cohort'] : [])],
    figures: view.columns
      .filter(({ kind }) => kind === 'count' || kind === 'amount' || kind === 'percent')
      .map(({ name }) => name),
    standard: view.charts,
    ...(dated && view.name !== 'repeat_customers' && { day: dated.name }),
  };
}

const listResource: Resource = {
  element: 'metric',
  headline: ['name', 'shows'],
  fields: { name: text, shows: text },
};

/** Values of a driver as cb prints them: amounts have two decimals in both databases. */
function rowFrom({ columns }: CopyView, found: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(columns.map(({ name, kind }) => [name, cellValue(found[name], kind)]));
}

function cellValue(value: unknown, kind: ViewColumnKind): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'count') return Number(value);
  if (kind === 'amount' || kind === 'percent') {
    // SQLite returns doubles, PostgreSQL exact digits.
    const digits = String(value);
    return new LosslessNumber(/^-?\d+\.\d\d$/.test(digits) ? digits : Number(digits).toFixed(2));
  }
  return String(value);
}

/** As users type it. */
function metricName({ name }: CopyView): string {
  return name.replaceAll('_', '-');
}

/** Returns the view with this name, in any case, with hyphens or underscores. Throws a usage failure. */
function viewNamed(typed: string): CopyView {
  const words = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const found = views.find((view) => metricName(view) === words);
  if (found) return found;
  const names = views.map(metricName);
  const near = nearest(words, names);
  throw usage(`Unknown metric '${typed}'.`, {
    hint: near ? `Did you mean ${near}?` : `Use one of ${names.join(', ')}.`,
    next: 'cb metrics',
  });
}

/** Milliseconds after which a copy is worth a note. */
const aDay = 24 * 3_600_000;

/** Throws a Failure if days are missing, or notes them on stderr if the user allows it. */
function requireComplete(
  { messages }: CommandContext,
  states: readonly SourceState[],
  { allowIncomplete, database }: MetricFlags,
): void {
  for (const { firstDay, missing, ended } of states) {
    if (ended !== undefined) messages.say(`note: ${ended}`);
    if (!missing) continue;
    if (allowIncomplete) {
      messages.say(`note: ${missing.says}`);
      continue;
    }
    const sync = database === undefined ? 'cb sync' : `cb sync ${shellWord(database)}`;
    const since = missing.first < firstDay ? ` --since ${missing.first}` : '';
    throw new Failure(exitCodes.incomplete, missing.says, {
      hint: `Run \`${sync}${since}\`, or add --allow-incomplete to show what the copy has.`,
    });
  }
}

/** Writes a note to stderr if the rows of a metric were last read more than a day ago. */
function tellAge(
  { messages }: CommandContext,
  view: CopyView,
  states: readonly SourceState[],
  now: Date,
): void {
  const oldest = oldestRead(states);
  if (oldest === undefined || now.getTime() - Date.parse(oldest) <= aDay) return;
  const day = pacificDay(Math.floor(Date.parse(oldest) / 1000));
  messages.say(
    `note: The ${nounOf(view)} of the copy are from ${day}. To bring them up to date, run cb sync.`,
  );
}

export const metrics = command({
  words: 'metrics',
  args: { '[name]': 'The name of a metric, such as sales-by-day-and-product' },
  parameters: [metricFilters],
  options: {
    database: ['--database <db>', 'Another copy, such as shop.db or a postgres:// URL'],
    allowIncomplete: ['--allow-incomplete', 'Show what the copy has of an incomplete period'],
    chart: chartOption({ names: [], figures: [], standard: ['by metric'] }),
  },
  shows: { rows: true },
  help: {
    notes: [
      'Answers from the copy of cb sync, without requests. Without a name, lists the metrics. A metric by month shows each month of the period. If the copy lacks days, it ends with exit code 8.',
    ],
    examples: [
      'cb metrics',
      'cb metrics sales-by-day-and-product --period last-7-days',
      'cb metrics rates-by-affiliate --period last-month --sort refunds:desc --limit 10',
      'cb metrics subscriptions-by-month --chart mrr',
      'cb metrics cohorts -o csv',
    ],
    obeys: ['--profile', '--sandbox'],
    topics: ['dates', 'output', 'exit-codes'],
  },
  run: runMetrics,
});
