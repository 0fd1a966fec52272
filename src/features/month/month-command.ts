/** `cb export month`: a month for a bookkeeper, as a workbook, as csv or as a journal. */
import { parsePeriod } from '../../dates/words.ts';
import { countOf, grouped } from '../../decimals/decimals.ts';
import { orders } from '../../operations/orders.ts';
import { endingOf } from '../../output/registry.ts';
import type { Chunk } from '../../output/render-options.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { Cell } from '../../output/xlsx/sheet.ts';
import type { CommandContext, CommonFlags } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { fileZone } from '../../shell/display/arranged.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { tellWritten } from '../../shell/display/show.ts';
import { fileOf, placeOf, type Sink, writeTo } from '../../shell/display/sink.ts';
import { exitCodes, usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { outOption } from '../../shell/options/flags.ts';
import { nowFor, serviceDayOf, withApi } from '../../shell/session/session.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import { accountCurrency } from '../earnings/transaction.ts';
import {
  monthText,
  openJournal,
  openMonthBook,
  openTransactions,
  summaryRows,
  totalsOf,
} from './month-file.ts';
import { type Month, type MonthReport, monthNamed, readMonth } from './read-month.ts';

/** Lines for a terminal: a line for each kind, and the net. */
function shortSummary(report: MonthReport): string {
  const lines = totalsOf(report).map(({ title, count, youEarn }) => {
    const earned = `${grouped(youEarn)} ${accountCurrency}`;
    return `  ${title.padEnd(13)}${grouped(count).padStart(8)}${earned.padStart(20)}`;
  });
  return lines.join('\n');
}

const month = command({
  words: 'export month',
  summary: 'Export a month as a workbook or csv and check it against quickstats',
  args: { '<month...>': 'Month, such as 2026-10, last-month or October 2026' },
  options: {
    out: outOption('File to write, such as 2026-10.xlsx or 2026-10.csv; - is stdout'),
    journal: ['--journal', 'csv: debits and credits by day, for accounting programs'],
  },
  help: {
    notes: [
      'The workbook has the sheets Summary, Transactions, Line items, Refunds and Chargebacks. What you earn is in US dollars, the currency of your accounts. Amounts of different currencies are never added.',
      'A csv file has the transactions. With --journal, it has a double entry for each day and kind: sales, rebills, refunds, chargebacks and fees, each against what ClickBank owes you.',
      'If what you earn differs from quickstats of the same days, cb shows the difference and ends with exit code 8. A month that has not ended is marked.',
    ],
    asks: true,
    examples: [
      'cb export month last-month --out month.xlsx',
      'cb export month January --out january.xlsx',
      'cb export month last-month --journal --out journal.csv',
    ],
    roles: orders.list.roles,
    obeys: connectionOptions,
    ownFormat: true,
    topics: ['dates', 'credentials', 'exit-codes'],
  },
  async run(cmd, flags) {
    const { context, messages } = cmd;
    requirePacific(cmd);
    const today = await serviceDayOf(cmd);
    const month = monthFrom(flags.month.join(' '), today);
    const format = formatFrom(cmd, flags, month);
    const zone = fileZone(cmd);
    const at = await nowFor(cmd);
    let report: MonthReport | undefined;
    let rows = 0;
    let foreignFees = 0;
    await withApi(cmd, {}, async (client) => {
      const period = { startDate: month.first, endDate: month.last };
      const count = () => client.call(orders.count, period).then(Number, () => undefined);
      const progress = messages.watched ? startProgress(cmd, count) : undefined;
      const fill = async (sink: Sink) => {
        const reading = await readMonth(client, month, context.signal);
        const file: MonthFile = await formats[format](zone);
        try {
          for await (const page of reading.pages) {
            progress?.add(page.length);
            rows += page.length;
            for (const chunk of file.add(page as readonly Row[])) await sink.write(chunk);
          }
          report = await reading.report();
          const summary = summaryRows(report, month, zone, at);
          for (const chunk of await file.finish(summary)) await sink.write(chunk);
          foreignFees = file.unbooked?.() ?? 0;
        } finally {
          file.close?.();
        }
      };
      await writeTo(context, flags.out, fill).finally(progress?.stop);
    });
    if (!report) return;
    if (messages.watched) {
      messages.say(`${monthText(month)}. Accounts: ${report.accounts.join(', ')}.`);
      messages.show(shortSummary(report));
      const agrees = report.isAgreed ? 'agrees with quickstats' : 'differs from quickstats';
      const difference = `${report.difference.net} ${accountCurrency}`;
      messages.say(`Difference ${difference}: the net ${agrees} of the same days.`);
    }
    tellWritten(cmd, flags, format === 'journal' ? undefined : rows);
    if (foreignFees > 0) {
      const fees = countOf(foreignFees, 'fee');
      const are = foreignFees === 1 ? 'is' : 'are';
      messages.say(`note: ${fees} in other currencies than USD ${are} not in the journal.`);
    }
    // The table on a terminal begins with it.
    if (!month.isOver && !messages.watched) messages.say(`note: ${month.name} is not over.`);
    if (report.isAgreed) return;
    const { sales, refunds, chargebacks, net } = report.difference;
    messages.say(
      `warning: What you earn differs from quickstats by ${net} USD (sales ${sales}, refunds ${refunds}, chargebacks ${chargebacks}).${month.isOver ? '' : ' The month is not over, so new orders may have come in between.'}`,
    );
    cmd.endWith(exitCodes.incomplete);
  },
});

export const exportGroup: GroupSpec = {
  words: 'export',
  help: {
    asks: true,
    examples: [
      'cb export month last-month --out month.xlsx',
      'cb orders list --period last-month --out orders.xlsx',
      'cb orders list --period last-month --layout accounting --out books.csv',
    ],
    topics: ['dates', 'output'],
  },
  commands: [month],
};

function monthFrom(text: string, today: string): Month {
  const month = monthNamed(text, today);
  if (month) return month;
  const { first } = parsePeriod(text, today) ?? {};
  if (first?.endsWith('-01') && first > today) {
    throw usage(`${text} has not begun.`, { hint: 'Use a month such as last-month.' });
  }
  const example = today.slice(0, 'yyyy-mm'.length);
  throw usage(`Invalid month '${text}'.`, {
    hint: `Use a month such as ${example}, last-month or 'October 2025'. For other periods, use cb orders list --period with --layout accounting.`,
  });
}

/** The format that the options and the name of the file say. Throws a usage failure if they disagree. */
function formatFrom(
  { context }: CommandContext,
  {
    out,
    output,
    journal = false,
  }: CommonFlags & { readonly out?: string; readonly journal?: boolean },
  { name }: Month,
): MonthFormat {
  const asked = output?.toLowerCase();
  if (asked !== undefined && asked !== 'xlsx' && asked !== 'csv') {
    throw usage(`cb export month writes .xlsx and .csv files, not ${output}.`, {
      hint: `For other formats, use cb orders list --period ${name} --layout accounting.`,
    });
  }
  const usual = journal ? 'csv' : 'xlsx';
  if (context.stdout.isTTY && fileOf(out) === undefined) {
    throw usage('Missing --out.', { hint: `Add --out ${name}.${asked ?? usual}.` });
  }
  const ending = placeOf(context, out).kind === 'file' ? endingOf(out) : undefined;
  const format = asked ?? ending ?? usual;
  if (format !== 'xlsx' && format !== 'csv') {
    throw usage('cb export month writes .xlsx and .csv files only.', {
      hint: `Use a file name that ends in .${usual}.`,
    });
  }
  if (ending && format !== ending) {
    throw usage(`The file name ends in .${ending}, but --output is ${output}.`, {
      hint: 'Use one or the other.',
    });
  }
  if (!journal) return format;
  if (format === 'csv') return 'journal';
  throw usage('A journal is a csv file.', { hint: `Add --out ${name}.csv.` });
}

const formats = { xlsx: openMonthBook, csv: openTransactions, journal: openJournal };

type MonthFormat = keyof typeof formats;

/** What writes a month. `close` comes last, also after an error. */
interface MonthFile {
  add(page: readonly Row[]): Chunk[];
  finish(summary: readonly Cell[][]): Iterable<Chunk> | Promise<Iterable<Chunk>>;
  unbooked?(): number;
  close?(): void;
}
