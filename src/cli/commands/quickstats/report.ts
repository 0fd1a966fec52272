/** `cb quickstats report`: an HTML report of a period. */
import { type Command, Option } from 'commander';
import type { Arguments } from '../../../operations/operation.ts';
import { quickstats } from '../../../operations/quickstats.ts';
import type { Stat } from '../../../output/report/figures.ts';
import type { Report } from '../../../output/report/page.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { isBuiltIn } from '../../../profiles/find-service.ts';
import { placeOf, writeTo } from '../../display/sink.ts';
import { tellWritten } from '../../display/written.ts';
import { argumentsFrom } from '../../endpoint/arguments.ts';
import { remember } from '../../endpoint/recent.ts';
import { addParameters, helpGroups, type Typed } from '../../flags/flags.ts';
import { addPeriodSynonyms } from '../../flags/period-synonyms.ts';
import { addHelp, type HelpText, readOptions } from '../../help/help-text.ts';
import { type Account, accountContexts, askEach, withAccounts } from '../../lists/accounts.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommandContext, CommonFlags } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { version } from '../../runtime/version.ts';
import { serviceDayOf } from '../../session/service-clock.ts';

interface ReportFlags extends CommonFlags, Typed {
  readonly out?: string;
}

const { list } = quickstats;

export function addReport(group: Command, call: Call): void {
  const command = newCommand(call.context, 'report').description(
    'Create an HTML report with totals, charts and tables',
  );
  addCommand(group, command, call, () => {
    addParameters(command, list);
    addPeriodSynonyms(command, list);
    const out = new Option('--out <file>', 'File to write; - is stdout');
    addHelp(command.addOption(out.helpGroup(helpGroups.output)), () => helpText);
    addAction(command, call, report);
  });
}

const helpText: HelpText = {
  notes: [
    'The report is one file without scripts or external resources. Periods of up to 100 days are shown by day, longer ones by month. An account that several profiles may read is counted once.',
  ],
  asks: true,
  examples: [
    'cb quickstats report --out report.html',
    'cb quickstats report --period last-month --account GREENLEAF --out month.html',
  ],
  roles: list.roles,
  obeys: readOptions,
  ownFormat: true,
  topics: ['dates', 'credentials', 'exit-codes'],
};

async function report(cmd: CommandContext, flags: ReportFlags): Promise<void> {
  requirePlace(cmd, flags);
  const [first, ...others] = await accountContexts(cmd);
  const { args } = await argumentsFrom(first, list, withPeriod(flags));
  await withAccounts([first, ...others], {}, async (accounts) => {
    const ask = ({ api }: Account) => api.call(list, args, { numbers: 'exact' });
    const answers = await askEach(cmd, accounts, ask);
    if (answers.length === 0) return;
    const read = answers.map(({ account, answer }) => ({ account, rows: answer as Row[] }));
    const page = await pageOf(first, args, accounts, read);
    await writeTo(cmd.context, flags.out, (sink) => sink.write(page));
    tellWritten(cmd, flags);
    await remember(
      first,
      list,
      args,
      read.flatMap(({ rows }) => rows),
    );
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

interface Answer {
  readonly account: Account;
  readonly rows: readonly Row[];
}

async function pageOf(
  cmd: CommandContext,
  args: Arguments,
  asked: readonly Account[],
  read: readonly Answer[],
): Promise<string> {
  const { startDate, endDate } = args as { readonly startDate: string; readonly endDate: string };
  const { names, stats } = figuresOf(read);
  const today = await serviceDayOf(cmd);
  const moment = cmd.context.now().toISOString().slice(0, 16).replace('T', ' ');
  const report: Report = {
    // Zeros for future days would look like a drop in sales.
    period: { first: startDate, last: startDate <= today && today < endDate ? today : endDate },
    accounts: names,
    stats,
    currency: 'US dollars',
    made: `Created ${moment} UTC by cb ${version}.`,
    missing: asked
      .filter((account) => !read.some((answer) => answer.account === account))
      .map(({ profile = '' }) => profile),
  };
  const { reportPage } = await import('../../../output/report/page.ts');
  return reportPage(report);
}

/** Counts an account once, even if several keys may read it. */
function figuresOf(read: readonly Answer[]): { names: string[]; stats: Stat[] } {
  const seen = new Map<string, { readonly from: Account; readonly name: string }>();
  const stats = read.flatMap(({ account, rows }) =>
    rows.flatMap(({ nickName, quickStats }) => {
      const key = `${serviceOf(account)} ${nickName}`;
      const isTaken = [...seen.values()].some(({ name }) => name === nickName);
      const name = isTaken ? `${nickName} (${account.profile})` : String(nickName ?? '');
      const known = seen.get(key) ?? { from: account, name };
      seen.set(key, known);
      if (known.from !== account) return [];
      return (quickStats as readonly Row[]).map((stat) => statOf(known.name, stat));
    }),
  );
  return { names: [...seen.values()].map(({ name }) => name), stats };
}

/** The built-in sandbox has a different port each time. */
function serviceOf({ profile, baseUrl }: Account): string {
  return profile !== undefined && isBuiltIn(profile) ? 'sandbox' : baseUrl;
}

function statOf(account: string, { quickStatDate, sale, refund, chargeback }: Row): Stat {
  const amount = (value: unknown) => String(value ?? '0');
  return {
    account,
    day: String(quickStatDate ?? '').slice(0, 'yyyy-mm-dd'.length),
    sale: amount(sale),
    refund: amount(refund),
    chargeback: amount(chargeback),
  };
}
