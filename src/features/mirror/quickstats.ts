/** `cb quickstats …`, and `cb quickstats report`: an HTML report of a period. */
import { ApiError } from '../../client/errors.ts';
import { groupedCount } from '../../decimals/decimals.ts';
import type { Arguments } from '../../operations/operation.ts';
import { quickstats } from '../../operations/quickstats.ts';
import { day, decimal, headed, naming, resource, text } from '../../operations/resource.ts';
import { type Stat, statOf } from '../../output/report/figures.ts';
import type { Activity, Earner } from '../../output/report/report.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { CommandContext, CommonFlags } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import type { ChartFacts } from '../../shell/display/chart.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { tellWritten } from '../../shell/display/show.ts';
import { placeOf, writeTo } from '../../shell/display/sink.ts';
import { columnSums } from '../../shell/display/summary.ts';
import type { View, ViewFacts } from '../../shell/display/view.ts';
import { usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { outOption } from '../../shell/options/flags.ts';
import { serviceDayOf } from '../../shell/session/session.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import { version } from '../../shell/version.ts';
import { fittingPlan, type Plan, planByDay, usualRows } from '../earnings/comparison.ts';
import { type Group, Summary, type SummaryQuery, summarize } from '../earnings/summary.ts';
import {
  type Account,
  accountContexts,
  askEach,
  serviceOf,
  withAccounts,
} from '../lists/accounts.ts';
import { argumentsFrom } from './arguments.ts';
import { endpointCommands } from './endpoint-command.ts';
import { figuresTitle } from './figures-title.ts';

const amounts = ['sale', 'refund', 'chargeback'] as const;

/** A row for each day and account; in a count the day is null. */
const dailyStats = resource('dailyStats', ['quickStatDate', 'nickName', ...amounts], {
  quickStatDate: headed('Day', day),
  nickName: naming('account', text),
  sale: decimal,
  refund: decimal,
  chargeback: decimal,
});

function daysOf(accounts: readonly Row[]): Row[] {
  // ClickBank sends the day as the time at which it begins.
  const dayIn = (time: Value) =>
    typeof time === 'string' ? time.replace(/^(\d{4}-\d\d-\d\d)T00:00.*$/, '$1') : time;
  return accounts.flatMap(({ nickName, quickStats }) =>
    ((quickStats ?? []) as readonly Row[]).map(
      ({ quickStatDate, ...stats }): Row => ({
        quickStatDate: dayIn(quickStatDate),
        nickName,
        ...stats,
      }),
    ),
  );
}

/** A day that is missing in the response had no sales, refunds or chargebacks. */
const days = { day: 'quickStatDate', names: ['nickName'], figures: amounts, missing: '0' };

const chart: ChartFacts = { ...days, standard: amounts };

const screen: View['screen'] = async (rows, options) =>
  (await import('./day-table.ts')).dayTable(rows, options);

const view = (args: Arguments, facts: Partial<ViewFacts> = {}): View => ({
  resource: dailyStats,
  title: figuresTitle(args, facts, 45),
  reshape: daysOf,
  // What --limit leaves out is unknown, not zero.
  ...(facts.typed?.limit === undefined && { trend: days, screen }),
  summing: () => columnSums(amounts, { nickName: 'TOTAL' satisfies Value }),
});

const { list } = quickstats;

const report = command({
  words: 'quickstats report',
  summary: 'Create an HTML report with totals, charts and tables',
  parameters: [list],
  options: {
    orders: ['--orders', 'Read the transactions even if there are more than 10,000'],
    'no-orders': ['--no-orders', 'Leave out counts, rates, products and affiliates'],
    out: outOption('File to write; - is stdout'),
  },
  help: {
    notes: [
      'A month, quarter or year is compared with the one before, and other periods with the same weekdays before. Counts, rates, products and affiliates require the transactions of both periods: one request for each 100. They are left out above 10,000 transactions unless you add --orders.',
      'The report is one file without scripts or external resources. Periods of up to 100 days are shown by day, longer ones by month. An account that several profiles may read is counted once.',
    ],
    asks: true,
    examples: [
      'cb quickstats report --out report.html',
      'cb quickstats report --period last-month --account GREENLEAF --out month.html',
    ],
    roles: list.roles,
    obeys: [...connectionOptions, '--all-profiles'],
    ownFormat: true,
    topics: ['dates', 'credentials', 'exit-codes'],
  },
  async run(cmd, flags) {
    requirePlace(cmd, flags);
    requirePacific(cmd);
    const [first, ...others] = await accountContexts(cmd);
    // The default period of the service, so that the page can name its days.
    const usual = flags.period === undefined && { startDate: '-45d', endDate: 'today' };
    const { args } = await argumentsFrom(first, list, { ...usual, ...flags });
    const { startDate, endDate } = args as { readonly startDate: string; readonly endDate: string };
    const period = flags.period as string | undefined;
    const days = { first: startDate, last: endDate };
    const plan = planByDay(days, await serviceDayOf(first), period);
    await withAccounts([first, ...others], {}, async (accounts) => {
      const answers = await askEach(cmd, accounts, (account) => readFigures(account, args, plan));
      const read = answers.map(({ account, answer }) => ({ account, ...answer }));
      const names = namesOf(read);
      const { activity, gap } = await readActivity(cmd, plan, read, names, flags.orders);
      const missing = accounts.filter((account) => !read.some((one) => one.account === account));
      const lost = `Not included because they could not be read: ${missing.map(({ profile = '' }) => profile).join(', ')}`;
      const moment = cmd.context.now().toISOString().slice(0, 16).replace('T', ' ');
      if (gap !== undefined) cmd.messages.say(`note: ${gap}`);
      const { reportPage } = await import('../../output/report/page.ts');
      const page = reportPage({
        ...{ period: plan.period, unfinished: plan.unfinished, accounts: names.all, activity },
        compared: plan.before && { now: plan.compared, before: plan.before },
        stats: statsOf(read, names, 'rows'),
        previous: statsOf(read, names, 'previous'),
        made: `Created ${moment} UTC by cb ${version}.`,
        gaps: [...(missing.length > 0 ? [lost] : []), ...(gap === undefined ? [] : [gap])],
      });
      await writeTo(cmd.context, flags.out, (sink) => sink.write(page));
      tellWritten(cmd, flags);
    });
  },
});

export const quickstatsGroup: GroupSpec = {
  words: 'quickstats',
  help: {
    asks: true,
    examples: [
      'cb quickstats list --period this-month',
      'cb quickstats count --period last-month',
      'cb quickstats report --out report.html',
    ],
    topics: ['dates', 'output'],
  },
  commands: endpointCommands(Object.values(quickstats), {
    special: {
      'quickstats list': {
        view,
        chart,
        examples: [
          'cb quickstats list --period last-30-days --chart',
          'cb quickstats list --chart sale',
        ],
      },
      'quickstats count': { view, chart, next: report },
    },
  }),
};

function requirePlace(
  { context }: CommandContext,
  { out, output }: CommonFlags & { readonly out?: string },
): void {
  if (output !== undefined) {
    throw usage(`A report is HTML, so --output ${output} can't be used.`, {
      hint: 'For the figures in other formats, use cb quickstats list.',
    });
  }
  if (out === undefined && context.stdout.isTTY) {
    throw usage('Missing --out.', {
      hint: 'Add --out report.html, or --out - to print the HTML.',
    });
  }
  if (out !== undefined && out !== '-' && !/\.html?$/i.test(out)) {
    throw usage('cb quickstats report writes .html files only.', {
      hint: 'Use a file name that ends in .html.',
    });
  }
  placeOf(context, out);
}

async function readFigures({ api }: Account, args: Arguments, { before }: Plan) {
  const call = async (days: object) =>
    (await api.call(list, { ...args, ...days }, { numbers: 'exact' })) as readonly Row[];
  const earlier = before && { startDate: before.first, endDate: before.last };
  const [rows, previous] = await Promise.all([call({}), earlier ? call(earlier) : []]);
  return { rows, previous };
}

/** The quickstats of one key; `previous` are those of the days before. */
type Figures = Awaited<ReturnType<typeof readFigures>> & { readonly account: Account };

/** Which key shows the figures of an account: one that several keys may read counts once. */
type Names = ReturnType<typeof namesOf>;

function namesOf(read: readonly Figures[]) {
  const all = new Set<string>();
  const readers = new Map<string, Account>();
  const idOf = (account: Account, name: unknown) => `${serviceOf(account)} ${name ?? ''}`;
  for (const { account, rows, previous } of read) {
    for (const { nickName } of [...rows, ...previous]) {
      all.add(String(nickName ?? ''));
      const id = idOf(account, nickName);
      if (!readers.has(id)) readers.set(id, account);
    }
  }
  return {
    all: [...all],
    isShownBy: (account: Account, name: unknown) => readers.get(idOf(account, name)) === account,
  };
}

function statsOf(read: readonly Figures[], names: Names, which: 'rows' | 'previous'): Stat[] {
  return read.flatMap((figures) =>
    daysOf(figures[which])
      .map(statOf)
      .filter((stat) => names.isShownBy(figures.account, stat.account)),
  );
}

/**
 * Reads the figures that need transactions: none if `wanted` is false, of any number of them if it is true, otherwise up to
 * `usualRows`. `gap` is a sentence that says why figures are missing or incomplete.
 */
async function readActivity(
  cmd: CommandContext,
  asked: Plan,
  read: readonly Figures[],
  names: Names,
  wanted: boolean | undefined,
): Promise<{ readonly activity?: Activity; readonly gap?: string }> {
  if (wanted === false) return {};
  const accounts = read.map(({ account }) => account);
  const progress = startProgress(cmd, async () => undefined);
  try {
    const limit = wanted ? Number.POSITIVE_INFINITY : usualRows;
    const clients = accounts.map(({ api }) => api);
    const { plan, rows } = await fittingPlan(clients, asked, limit);
    if (!plan) {
      const count = groupedCount(rows, 'transaction');
      return { gap: `${without}, because the period has ${count}. Use --orders to read them.` };
    }
    const query: SummaryQuery = { plan, by: ['product', 'affiliate'] };
    const all = new Summary(query);
    const summaries = accounts.map((account) =>
      summarize(
        account.api,
        { ...query, accounts: names.all },
        {
          isOwn: (name) => names.isShownBy(account, name),
          onPage: (count) => progress.add(count),
        },
      ),
    );
    for (const summary of await Promise.all(summaries)) all.merge(summary);
    const gap =
      'The days before have too many transactions to compare rates. Use --orders to read them.';
    const isPartial = asked.before && !plan.before;
    return { activity: activityOf(all, plan), ...(isPartial && { gap }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'refused') throw error;
    return { gap: `${without}: this key may not read orders.` };
  } finally {
    progress.stop();
  }
}

const without = 'Counts, rates, products and affiliates are missing';

function activityOf(summary: Summary, { before }: Plan): Activity {
  const { all } = summary;
  return {
    ...{ counts: all.period, net: all.period.net },
    ...(before && { compared: { now: all.compared, before: all.before } }),
    products: earnersOf(summary.groups('product')),
    affiliates: summary.roles.has('VENDOR') ? earnersOf(summary.groups('affiliate')) : [],
  };
}

/** Leaves out groups that have transactions on the days before only. */
function earnersOf(groups: readonly Group[]): Earner[] {
  return groups
    .map(({ name, title, vendor, figures: { period } }) => ({
      name: title ?? name ?? '',
      detail: vendor === undefined ? '' : [name, vendor].filter(Boolean).join(', '),
      payments: period.sales + period.rebills,
      returns: period.refunds + period.chargebacks,
      net: period.net,
    }))
    .filter(({ payments, returns }) => payments + returns > 0)
    .sort((one, other) => Number(other.net) - Number(one.net));
}
