/** Runs `cb metrics`: reads a view of the copy and shows it. */
import { pacificDay } from '../../dates/pacific.ts';
import type { SqlReader } from '../../workflows/sync/database/sql.ts';
import { type MetricQuery, queryOf, requireView } from '../../workflows/sync/views/metric-query.ts';
import { sourceStates } from '../../workflows/sync/views/missing-days.ts';
import { type CopyView, notesOf } from '../../workflows/sync/views/view.ts';
import { views } from '../../workflows/sync/views/views.ts';
import { chartingFor, requireFigure } from '../display/chart.ts';
import { onePage, showPages } from '../display/show.ts';
import { argumentsFrom } from '../endpoint/arguments.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { requireShowable } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { nowFor } from '../session/service-clock.ts';
import { withCopy } from '../sync/open-copy.ts';
import { requirePacific } from '../terminal/zone.ts';
import { requireComplete, tellAge } from './copy-age.ts';
import { viewNamed } from './metric-names.ts';
import { type MetricFlags, metricFilters } from './metric-options.ts';
import { chartOf, listResource, listRow, resourceOf, rowFrom } from './metric-view.ts';

export async function runMetrics(
  cmd: CommandContext,
  flags: MetricFlags,
  output: OutputOptions,
  name: string | undefined,
): Promise<void> {
  requirePacific(cmd);
  if (name === undefined) {
    requireNoFilter(flags);
    await showPages(cmd, output, { resource: listResource }, onePage(views.map(listRow)));
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
  await withCopy(cmd, flags.database, async (copy) => {
    await requireView(copy, view);
    const states = await sourceStates(copy, view, asked, today);
    requireComplete(cmd, states, flags);
    const rows = await read(copy, view, asked);
    await showPages(cmd, output, { ...shape, chart }, onePage(rows));
    for (const note of notesOf(view, rows)) cmd.messages.say(`note: ${note}`);
    tellAge(cmd, view, states, now);
  });
}

async function read(copy: SqlReader, view: CopyView, asked: MetricQuery) {
  const { text, values } = queryOf(view, asked);
  const found = await copy.query(text, values);
  return found.map((row) => rowFrom(view, row));
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
function requireNoFilter({
  period,
  startDate,
  endDate,
  account,
  database,
  allowIncomplete,
}: MetricFlags): void {
  const filters = [period, startDate, endDate, account, database, allowIncomplete];
  if (filters.every((one) => one === undefined)) return;
  throw usage('The name of a metric is missing.', { next: 'cb metrics' });
}
