/** `cb metrics`: the views of the copy. */

import { existsSync } from 'node:fs';
import { addDays, addMonths, pacificDay } from '../../../dates/day.ts';
import { text as textParameter } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import * as field from '../../../operations/resource.ts';
import { isFreeTable } from '../../../output/options.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { onePage } from '../../../output/stream.ts';
import { type CommandContext, hasUnicode } from '../../../shell/context.ts';
import { command } from '../../../shell/define.ts';
import {
  type ChartFacts,
  chartingFor,
  chartOption,
  requireFigure,
} from '../../../shell/display/chart.ts';
import { showPages } from '../../../shell/display/show.ts';
import type { View } from '../../../shell/display/view.ts';
import { exitCodes, Failure, usage } from '../../../shell/failure.ts';
import { suggest } from '../../../shell/options/nearest.ts';
import { type OutputOptions, requireShowable } from '../../../shell/options/show-flags.ts';
import { nowFor } from '../../../shell/session/session.ts';
import { requirePacific } from '../../../shell/terminal/zone.ts';
import { argumentsFrom } from '../../mirror/arguments.ts';
import { accountsIn } from '../database/copy.ts';
import { type CopyPlace, placeOfCopy, withCopyAt } from '../open-copy.ts';
import { dashboardOf, dashboardView, sources } from './dashboard.ts';
import { oldestRead, queryOf, requireView, sourceStates } from './missing-days.ts';
import {
  beginningOf,
  type CopyView,
  cellValue,
  notesOf,
  type ViewColumn,
  type ViewColumnKind,
} from './view.ts';
import { metricName, views } from './views.ts';

const { startDate, endDate } = orders.list.params;

/** An operation with the period of the list of orders, so that periods are read as in every list. */
const metricFilters = {
  ...orders.list,
  params: {
    startDate,
    endDate,
    account: textParameter('Include only this account', { names: 'account' }),
  },
};

const { day, decimal, headed, integer, month, naming, ratio, text } = field;

const fields: Readonly<Record<ViewColumnKind, field.Field>> = {
  ...{ text, day, month, count: integer, amount: decimal, percent: ratio, decimal: ratio },
};

function fieldOf({ name, kind }: ViewColumn): field.Field {
  if (name === 'account' || name === 'nickname') return naming('account', text);
  if (name === 'product') return naming('sku', text);
  if (kind === 'percent') return headed(heading(name.replace(/_percent$/, ' %')), fields[kind]);
  // A balance at the start or end of a month is not summed over months.
  const own = /^(?:mrr|installments)/.test(name) ? ratio : fields[kind];
  return /mrr|ltv/.test(name) ? headed(heading(name), own) : own;
}

function heading(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/mrr|ltv/, (known) => known.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Keys that most copies have only one value of. */
const usual = ['account', 'role', 'vendor', 'nickname'];

/** What tells rows apart comes first, then the figures that charts show, then the others as far as there is room. */
function viewOf({ name, columns, charts }: CopyView): View {
  const names = columns.map((column) => column.name);
  const hasDay = columns.some(({ kind }) => kind === 'day');
  const keys = columns
    .filter(({ kind }) => ['text', 'day', 'month'].includes(kind) && !(hasDay && kind === 'month'))
    .map((column) => column.name);
  const charted = columns.filter((column) => charts.includes(column.name));
  // Counts that charts show stand for a rate.
  const isAmount = charted.some(({ kind }) => kind === 'amount');
  const rates = isAmount ? [] : columns.filter(({ kind }) => kind === 'percent');
  const figures = [...rates, ...charted].map((column) => column.name);
  const own = keys.filter((key) => !usual.includes(key)).toReversed();
  // Payments have more keys than a table has room for.
  const [others, first] = [own.slice(0, -3), own.slice(-3)];
  const needed = [...first, ...keys.filter((key) => usual.includes(key)), ...figures, ...others];
  const shown = [...keys, ...figures, ...names];
  const fields = Object.fromEntries(columns.map((column) => [column.name, fieldOf(column)]));
  return {
    resource: field.resource(name, names, fields),
    columns: () => ({
      shown: [...new Set(shown)],
      needed,
      more: names.filter((one) => !needed.includes(one)),
    }),
  };
}

function chartOf({ name, columns, charts }: CopyView): ChartFacts {
  const namesOf = (...kinds: readonly ViewColumnKind[]) =>
    columns.filter(({ kind }) => kinds.includes(kind)).map((column) => column.name);
  // In cohorts, it is the second month.
  const dated = namesOf('day')[0] ?? namesOf('month').at(-1);
  return {
    names: [...namesOf('text'), ...(name === 'cohorts' ? ['cohort'] : [])],
    figures: namesOf('count', 'amount', 'percent', 'decimal'),
    standard: charts,
    ...(dated !== undefined && name !== 'repeat_customers' && { day: dated }),
  };
}

const listResource = field.resource('metric', ['name', 'shows'], { name: text, shows: text });

/** Returns the view with this name, in any case, with hyphens or underscores. Throws a usage failure. */
function viewNamed(typed: string): CopyView {
  const words = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const found = views.find((view) => metricName(view) === words || view.also?.includes(words));
  if (found) return found;
  const names = views.map(metricName);
  const hint = suggest(words, names, `Use one of ${names.join(', ')}.`);
  throw usage(`Unknown metric '${typed}'.`, { hint, next: 'cb metrics' });
}

/** Eight figures above the list of metrics, for people. */
async function showDashboard(
  cmd: CommandContext,
  output: OutputOptions,
  place: CopyPlace,
  account: string | undefined,
): Promise<void> {
  const today = pacificDay(Math.floor((await nowFor(cmd)).getTime() / 1000));
  const month = addMonths(`${today.slice(0, 7)}-01`, -1);
  const asked = { account, first: undefined, last: addDays(addMonths(month, 1), -1) };
  await withCopyAt(place, async (copy) => {
    for (const view of views) if (Object.hasOwn(sources, view.name)) await requireView(copy, view);
    if ((await accountsIn(copy)).length === 0) return;
    // Its sources include those of all other figures.
    const states = await sourceStates(copy, viewNamed('mrr'), asked, today);
    const { title, rows } = await dashboardOf(copy, account, month, hasUnicode(cmd.context));
    await showPages(cmd, output, { ...dashboardView, title: [title] }, onePage(rows));
    // The month before is compared.
    const begins = states.filter(({ firstDay }) => firstDay > addMonths(month, -1));
    const notes = [
      ...states.flatMap(({ missing }) => missing?.says ?? []),
      ...begins.map(({ firstDay }) => `The copy begins on ${firstDay}.`),
    ];
    for (const note of new Set(notes)) cmd.messages.say(`note: ${note}`);
  });
}

/** Milliseconds after which a copy is worth a note. */
const aDay = 24 * 3_600_000;

export const metrics = command({
  words: 'metrics',
  args: { '[name]': 'The name of a metric, such as sales-by-day-and-product' },
  parameters: [metricFilters],
  options: {
    database: ['--database <db>', 'File or URL of the copy (default: the file of cb sync)'],
    allowIncomplete: [
      '--allow-incomplete',
      'Show a period although the copy lacks some of its days',
    ],
    chart: chartOption({ names: [], figures: [], standard: ['by metric'] }),
  },
  shows: {
    rows: true,
    shape(typed) {
      // Tab does not say which metric it is.
      if (!typed) return { headline: [], fields: {} };
      return typed.name === undefined ? listResource : viewOf(viewNamed(`${typed.name}`)).resource;
    },
  },
  help: {
    notes: [
      'Reads from the copy made by cb sync. Without a name, lists the metrics, on a terminal below a dashboard of the last month. Monthly metrics show every month of the period. If the copy lacks days of the period, cb ends with exit code 8.',
    ],
    examples: [
      'cb metrics',
      'cb metrics sales-by-day-and-product --period last-7-days',
      'cb metrics rates-by-affiliate --period last-month --sort refunds:desc --limit 10',
      'cb metrics subscriptions-by-month --chart mrr',
      'cb metrics mrr --since 2026-01-01',
      'cb metrics cohorts -o csv',
    ],
    obeys: ['--profile', '--sandbox'],
    topics: ['dates', 'output', 'exit-codes'],
  },
  async run(cmd, flags, output) {
    requirePacific(cmd);
    const { messages } = cmd;
    const { name, account, period, startDate, endDate, database, allowIncomplete } = flags;
    if (name === undefined) {
      const place = await placeOfCopy(cmd, database);
      const hasCopy = place.kind === 'postgres' || existsSync(place.file);
      const isDashboard = isFreeTable(output) && !!cmd.context.stdout.isTTY && hasCopy;
      // The list of metrics is the same for every account and copy.
      const chart = output.format === 'chart' ? true : undefined;
      const filters = [period, startDate, endDate, allowIncomplete, chart];
      if (
        [...filters, ...(isDashboard ? [] : [account, database])].some((one) => one !== undefined)
      ) {
        throw usage('The name of a metric is missing.', { next: 'cb metrics' });
      }
      if (isDashboard)
        await showDashboard(cmd, output, place, typeof account === 'string' ? account : undefined);
      const rows = views.map((view) => ({ name: metricName(view), shows: `${view.summary}.` }));
      const title = isDashboard ? { title: ['', 'Metrics: cb metrics NAME'] } : {};
      return showPages(cmd, output, { resource: listResource, ...title }, onePage(rows));
    }
    const view = viewNamed(name);
    const shape = viewOf(view);
    const facts = chartOf(view);
    requireShowable(output, shape.resource);
    requireFigure(output, facts);
    const now = await nowFor(cmd);
    const today = pacificDay(Math.floor(now.getTime() / 1000));
    const typed = { account, period, startDate, endDate };
    const { args } = await argumentsFrom(cmd, metricFilters, typed, today);
    const filter = args as Readonly<Partial<Record<'account' | 'startDate' | 'endDate', string>>>;
    const asked = { account: filter.account, first: filter.startDate, last: filter.endDate };
    const chart = chartingFor(output, facts, shape, {});
    const place = await placeOfCopy(cmd, database);
    await withCopyAt(place, async (copy) => {
      await requireView(copy, view);
      const states = await sourceStates(copy, view, asked, today);
      const ended = new Set(states.flatMap((one) => one.ended ?? []));
      for (const says of ended) messages.say(`note: ${says}`);
      for (const { firstDay, missing } of states) {
        if (missing && allowIncomplete) messages.say(`note: ${missing.says}`);
        else if (missing) {
          const since = missing.first < firstDay ? ` --since ${missing.first}` : '';
          const remedy = missing.isGone
            ? `ClickBank no longer lists ${missing.first}. Use a later period`
            : `Run \`${place.next}${since}\``;
          throw new Failure(exitCodes.incomplete, missing.says, {
            hint: `${remedy}, or add --allow-incomplete to show what the copy has.`,
          });
        }
      }
      const { text, values } = queryOf(view, asked);
      const rows = (await copy.query(text, values)).map((found): Row => {
        const cells = view.columns.map(({ name, kind }) => [name, cellValue(found[name], kind)]);
        return Object.fromEntries(cells);
      });
      await showPages(cmd, output, { ...shape, chart }, onePage(rows));
      for (const note of notesOf(view, rows)) messages.say(`note: ${note}`);
      for (const note of beginningOf(view, rows, states)) messages.tell(`note: ${note}`);
      const { noun, readAt = '' } = oldestRead(states) ?? {};
      const oldest = Date.parse(readAt);
      if (now.getTime() - oldest > aDay) {
        const from = `The ${noun} in the copy are from ${pacificDay(oldest / 1000)}`;
        messages.say(`note: ${from}. To update them, run ${place.next}.`);
      }
    });
  },
});
