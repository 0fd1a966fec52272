/** `cb export month`: the workbook of a month for a bookkeeper. */

import { parsePeriod } from '../../dates/periods.ts';
import { orders } from '../../operations/orders.ts';
import type { CommandContext, CommonFlags } from '../../shell/command-context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { fileZone } from '../../shell/display/arranged.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { tellWritten } from '../../shell/display/show.ts';
import { fileOf, placeOf, type Sink, writeTo } from '../../shell/display/sink.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { outOption } from '../../shell/options/flags.ts';
import { nowFor, serviceDayOf } from '../../shell/session/service-clock.ts';
import { withApi } from '../../shell/session/session.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import { version } from '../../shell/version.ts';
import { monthTitle, openMonthBook, shortSummary } from './month-summary.ts';
import { type Month, type MonthReport, monthNamed, readMonth } from './read-month.ts';

const month = command({
  words: 'export month',
  summary: 'Write a month to a workbook, compared with quickstats',
  args: { '<month...>': 'Month, such as 2026-10, last-month or October 2026' },
  options: { out: outOption('File to write, such as 2026-10.xlsx; - is stdout') },
  help: {
    notes: [
      'The workbook has the sheets Summary, Transactions, Line items, Refunds and Chargebacks. What you earn is in US dollars, the currency of your accounts. Amounts of different currencies are never added.',
      'If what you earn differs from quickstats of the same days, cb says by how much and ends with exit code 8. A month that is not over is marked.',
    ],
    asks: true,
    examples: [
      'cb export month last-month --out month.xlsx',
      'cb export month January --out january.xlsx',
    ],
    roles: orders.list.roles,
    obeys: connectionOptions,
    ownFormat: true,
    topics: ['dates', 'credentials', 'exit-codes'],
  },
  run: (cmd, flags) => exportMonth(cmd, flags, flags.month.join(' ')),
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

interface MonthFlags extends CommonFlags {
  readonly out?: string;
}

async function exportMonth(cmd: CommandContext, flags: MonthFlags, typed: string): Promise<void> {
  const { context, messages } = cmd;
  requirePacific(cmd);
  const today = await serviceDayOf(cmd);
  const month = monthFrom(typed, today);
  requirePlace(cmd, flags, month);
  const zone = fileZone(cmd);
  const made = { at: await nowFor(cmd), version };
  let report: MonthReport | undefined;
  let rows = 0;
  await withApi(cmd, {}, async (client) => {
    const period = { startDate: month.first, endDate: month.last };
    const isSeen = messages.watched && !(context.stdout.isTTY && fileOf(flags.out) === undefined);
    const count = () => client.call(orders.count, period).then(Number, () => undefined);
    const progress = isSeen ? startProgress(cmd, count) : undefined;
    try {
      await writeTo(context, flags.out, async (sink: Sink) => {
        const reading = await readMonth(client, month, context.signal);
        const book = openMonthBook(zone);
        try {
          for await (const page of reading.pages) {
            progress?.add(page.length);
            rows += page.length;
            for (const bytes of book.add(page)) await sink.write(bytes);
          }
          report = await reading.report();
          for (const bytes of book.finish(report, month, made)) await sink.write(bytes);
        } finally {
          book.close();
        }
      });
    } finally {
      progress?.stop();
    }
  });
  if (report) tellReport(cmd, flags, month, report, rows);
}

function tellReport(
  cmd: CommandContext,
  flags: MonthFlags,
  month: Month,
  report: MonthReport,
  rows: number,
): void {
  const { messages } = cmd;
  if (messages.watched) {
    messages.say(monthTitle(report, month));
    messages.show(shortSummary(report));
  }
  tellWritten(cmd, flags, rows);
  if (report.isAgreed) return;
  const { sales, refunds, chargebacks, net } = report.difference;
  messages.say(
    `warning: What you earn differs from quickstats by ${net} USD (sales ${sales}, refunds ${refunds}, chargebacks ${chargebacks}).${month.isOver ? '' : ' The month is not over, so new orders may have come in between.'}`,
  );
  cmd.endWith(exitCodes.incomplete);
}

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

function requirePlace({ context }: CommandContext, flags: MonthFlags, { name }: Month): void {
  const { out, output } = flags;
  if (output !== undefined && output.toLowerCase() !== 'xlsx') {
    throw usage(`A month is a workbook, so --output ${output} can't be used.`, {
      hint: `For other formats, use cb orders list --period ${name} --layout accounting.`,
    });
  }
  if (context.stdout.isTTY && fileOf(out) === undefined) {
    throw usage('The month needs a file.', { hint: `Add --out ${name}.xlsx.` });
  }
  const place = placeOf(context, out);
  if (place.kind === 'file' && out !== undefined && !/\.xlsx$/i.test(out)) {
    throw usage(`A month is a workbook, so --out ${out} can't hold it.`, {
      hint: `Use a file name that ends in .xlsx. For csv, use cb orders list --period ${name} --layout accounting.`,
    });
  }
}
