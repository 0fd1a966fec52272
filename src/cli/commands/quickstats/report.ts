/** `cb quickstats report`: an HTML report of a period. */
import { quickstats } from '../../../operations/quickstats.ts';
import { type Plan, planByDay } from '../../../workflows/earnings/comparison.ts';
import { startProgress } from '../../display/progress.ts';
import { tellWritten } from '../../display/show.ts';
import { placeOf, writeTo } from '../../display/sink.ts';
import { argumentsFrom } from '../../endpoint/arguments.ts';
import { outOption, type Typed } from '../../flags/flags.ts';
import { connectionOptions } from '../../help/help-text.ts';
import { type Account, accountContexts, askEach, withAccounts } from '../../lists/accounts.ts';
import type { CommandContext, CommonFlags } from '../../runtime/command-context.ts';
import { command } from '../../runtime/define.ts';
import { usage } from '../../runtime/failure.ts';
import { version } from '../../runtime/version.ts';
import { serviceDayOf } from '../../session/service-clock.ts';
import { requirePacific } from '../../terminal/zone.ts';
import { type ActivityAnswer, readActivity } from './report-activity.ts';
import { type Answer, type Names, namesOf, readFigures, statsOf } from './report-data.ts';

interface ReportFlags extends CommonFlags, Typed {
  readonly period?: string;
  readonly out?: string;
  readonly orders?: boolean;
}

const { list } = quickstats;

export const report = command({
  words: 'quickstats report',
  summary: 'Create an HTML report with totals, charts and tables',
  parameters: [list],
  options: {
    orders: ['--orders', 'Read the transactions of a period that has more than 10,000'],
    'no-orders': ['--no-orders', 'Leave out counts, rates, products and affiliates'],
    out: outOption('File to write; - is stdout'),
  },
  help: {
    notes: [
      'A month, quarter or year is compared with the one before, and other periods with the same weekdays before. Counts, rates, products and affiliates need the transactions of both, with one request for each 100; more than 10,000 are left out unless you add --orders.',
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
  run: writeReport,
});

async function writeReport(cmd: CommandContext, flags: ReportFlags): Promise<void> {
  requirePlace(cmd, flags);
  requirePacific(cmd);
  const [first, ...others] = await accountContexts(cmd);
  const { args } = await argumentsFrom(first, list, withPeriod(flags));
  const { startDate, endDate } = args as { readonly startDate: string; readonly endDate: string };
  const plan = planByDay(
    { first: startDate, last: endDate },
    await serviceDayOf(first),
    flags.period,
  );
  await withAccounts([first, ...others], {}, async (accounts) => {
    const ask = (account: Account) => readFigures(account, args, plan);
    const answers = await askEach(cmd, accounts, ask);
    if (answers.length === 0) return;
    const read = answers.map(({ account, answer }) => ({ account, ...answer }));
    const page = await pageOf(cmd, { plan, accounts, read, wanted: flags.orders });
    await writeTo(cmd.context, flags.out, (sink) => sink.write(page));
    tellWritten(cmd, flags);
  });
}

function requirePlace({ context }: CommandContext, { out, output }: ReportFlags): void {
  if (output !== undefined) {
    throw usage(`A report is HTML, so --output ${output} can't be used.`, {
      hint: 'For the figures in other formats, use cb quickstats list.',
    });
  }
  if (out === undefined && context.stdout.isTTY) {
    throw usage('The report needs a file.', {
      hint: 'Add --out report.html, or --out - to print the HTML.',
    });
  }
  if (out !== undefined && out !== '-' && !/\.html?$/i.test(out)) {
    throw usage(`A report is HTML, so --out ${out} can't hold it.`, {
      hint: 'Use a file name that ends in .html.',
    });
  }
  placeOf(context, out);
}

/** Uses the default period of the service, so that the page can name its days. */
function withPeriod(typed: ReportFlags): Typed {
  return typed.period === undefined ? { startDate: '-45d', endDate: 'today', ...typed } : typed;
}

interface PageParts {
  readonly plan: Plan;
  readonly accounts: readonly Account[];
  readonly read: readonly Answer[];
  readonly wanted: boolean | undefined;
}

async function pageOf(
  cmd: CommandContext,
  { plan, accounts, read, wanted }: PageParts,
): Promise<string> {
  const names = namesOf(read);
  const { activity, gap } = await activityOf(cmd, { plan, names, wanted, read });
  const missing = accounts
    .filter((account) => !read.some((answer) => answer.account === account))
    .map(({ profile = '' }) => profile);
  const lost = `Not included because they could not be read: ${missing.join(', ')}`;
  const moment = cmd.context.now().toISOString().slice(0, 16).replace('T', ' ');
  if (gap !== undefined) cmd.messages.say(`note: ${gap}`);
  const { reportPage } = await import('../../../output/report/page.ts');
  return reportPage({
    ...{ period: plan.period, unfinished: plan.unfinished },
    compared: plan.before && { now: plan.compared, before: plan.before },
    accounts: names.all,
    stats: statsOf(read, names, 'rows'),
    previous: statsOf(read, names, 'previous'),
    activity,
    made: `Created ${moment} UTC by cb ${version}.`,
    gaps: [...(missing.length > 0 ? [lost] : []), ...(gap === undefined ? [] : [gap])],
  });
}

/** Shows progress, because a long period takes many requests. */
async function activityOf(
  cmd: CommandContext,
  { plan, names, wanted, read }: Omit<PageParts, 'accounts'> & { readonly names: Names },
): Promise<ActivityAnswer> {
  const progress = startProgress(cmd, async () => undefined);
  const accounts = read.map(({ account }) => account);
  const onRows = (rows: number) => progress.add(rows);
  try {
    return await readActivity({ accounts, plan, names, wanted, onRows });
  } finally {
    progress.stop();
  }
}
