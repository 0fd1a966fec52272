/** `cb export month`: the workbook of a month for a bookkeeper. */

import { spreadsheetTime } from '../../dates/wall-time.ts';
import { parsePeriod } from '../../dates/words.ts';
import { grouped, negated } from '../../decimals/decimals.ts';
import { order, orders } from '../../operations/orders.ts';
import type { Arrangement, TimeZone } from '../../output/render-options.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { Cell } from '../../output/xlsx/sheet.ts';
import { openWorkbook } from '../../output/xlsx/workbook.ts';
import { typedColumns } from '../../output/xlsx/xlsx.ts';
import type { CommandContext, CommonFlags } from '../../shell/command-context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { currencies, disputedNote, fileZone } from '../../shell/display/arranged.ts';
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
import {
  accountCurrency,
  kindOf,
  netKinds,
  type TransactionKind,
} from '../earnings/transaction.ts';
import { accountingLayout, itemsLayout } from '../lists/order-layouts.ts';
import {
  type KindFigures,
  type Month,
  type MonthReport,
  monthNamed,
  readMonth,
  sumsOf,
} from './read-month.ts';

const summaryColumns = [
  { name: 'item', width: 30 },
  { name: 'count', width: 10 },
  { name: 'currency', width: 12 },
  { name: 'customersPaid', width: 20 },
  { name: 'youEarn', width: 20 },
  { name: 'note', width: 70 },
];

const titles: Readonly<Record<TransactionKind, string>> = {
  sale: 'Sales',
  rebill: 'Rebills',
  refund: 'Refunds',
  chargeback: 'Chargebacks',
  fee: 'Fees',
  test: 'Test transactions',
  other: 'Other transactions',
};

/** What the workbook is about, the figures in all currencies and what they agree with; then those of each currency. */
function summaryRows(report: MonthReport, month: Month, zone: TimeZone, at: Date) {
  const { kinds, quickstats } = report;
  const time = spreadsheetTime(`${at.toISOString().slice(0, 19)}Z`, zone.name);
  const isNet = ({ kind }: KindFigures) => netKinds.includes(kind);
  const net = kinds.filter(isNet);
  const currenciesOfNet = [...new Set(net.map(({ currency }) => currency))];
  return [
    line('Month', { note: monthText(month) }),
    line('Accounts', { note: report.accounts.join(', ') }),
    line('Created', { note: `${time} (${zone.label ?? zone.name}) by cb ${version}` }),
    ...(kinds.every(({ currency }) => ['', accountCurrency].includes(currency))
      ? []
      : [line('Currencies', { note: disputedNote })]),
    ...totalsOf(report).map(({ title, count, youEarn }) =>
      line(`${title}, all currencies`, { count, youEarn }),
    ),
    line('Quickstats: sales', { youEarn: quickstats.sales, note: 'Sales and rebills' }),
    line('Quickstats: refunds', { youEarn: quickstats.refunds }),
    line('Quickstats: chargebacks', { youEarn: quickstats.chargebacks }),
    line('Quickstats: net', { youEarn: quickstats.net }),
    line('Difference', { youEarn: report.difference.net, note: agreement(report, month) }),
    ...net.map((one) => line(titles[one.kind], one)),
    ...currenciesOfNet.map((currency) =>
      line('Net', { currency, ...sumsOf(net.filter((one) => one.currency === currency)) }),
    ),
    ...kinds.filter((one) => !isNet(one)).map(otherLine),
  ];
}

interface Line extends Partial<Omit<KindFigures, 'kind'>> {
  readonly note?: string;
}

function line(item: string, { count, currency = '', customersPaid, youEarn, note }: Line): Cell[] {
  const money = (digits: string | undefined, unit: string): Cell =>
    digits && { digits, format: unit === '' ? 'decimal' : { currency: unit } };
  const whole: Cell = count === undefined ? undefined : { digits: `${count}`, format: 'plain' };
  const amounts = [money(customersPaid, currency), money(youEarn, accountCurrency)];
  return [item, whole, currency || undefined, ...amounts, note];
}

function otherLine({ kind, customersPaid, ...figures }: KindFigures): Cell[] {
  if (kind !== 'fee') {
    return line(titles[kind], { customersPaid, ...figures, note: 'Not part of the net' });
  }
  const fees = `${grouped(negated(customersPaid))} ${figures.currency}`;
  return line(titles[kind], { ...figures, note: `You pay ${fees}. Not part of the net` });
}

/** The kinds of the net in all currencies, and the net. */
function totalsOf({ kinds }: MonthReport) {
  const net = sumsOf(kinds.filter(({ kind }) => netKinds.includes(kind)));
  const each = netKinds.map((kind) => {
    return { title: titles[kind], ...sumsOf(kinds.filter((one) => one.kind === kind)) };
  });
  return [...each, { title: 'Net', ...net }];
}

function monthText({ name, first, last, isOver }: Month): string {
  return isOver
    ? `${name}: ${first} to ${last}, Pacific days`
    : `${name} is not over: ${first} to ${last} so far, Pacific days`;
}

function agreement({ difference, isAgreed }: MonthReport, { first, last }: Month): string {
  const what = `quickstats from ${first} to ${last} for the same accounts`;
  const { sales, refunds, chargebacks } = difference;
  if (isAgreed) return `Agrees with ${what}`;
  return `Does not agree with ${what}: sales ${sales}, refunds ${refunds}, chargebacks ${chargebacks}`;
}

/** Lines for a terminal: a line for each kind, the net, and what it agrees with. */
function shortSummary(report: MonthReport): string {
  const lines = totalsOf(report).map(({ title, count, youEarn }) => {
    const earned = `${grouped(youEarn)} ${accountCurrency}`;
    return `  ${title.padEnd(13)}${grouped(count).padStart(8)}${earned.padStart(20)}`;
  });
  const agrees = report.isAgreed ? 'agrees with quickstats' : 'differs from quickstats';
  const last = `Difference ${report.difference.net} ${accountCurrency}: the net ${agrees} of the same days.`;
  return [...lines, last].join('\n');
}

function openMonthBook(zone: TimeZone) {
  const book = openWorkbook();
  const accounting = accountingLayout(order, zone.name);
  const plans: readonly (readonly [string, Arrangement, TransactionKind?])[] = [
    ['Transactions', accounting],
    ['Line items', itemsLayout(order, true)],
    ['Refunds', accounting, 'refund'],
    ['Chargebacks', accounting, 'chargeback'],
  ];
  let before = 0;
  // The summary is known last and shown first; the first page decides on the columns.
  const opened = (first: readonly Row[]) =>
    plans.map(([name, layout, kind], at) => {
      const columns = typedColumns(layout.rows(first), { zone, currencies }, layout.shape);
      const sheet = book.sheet(name, columns, { position: at + 1, direct: at === 0 });
      return (page: readonly Row[]) => {
        const own = page.filter((row) => !kind || kindOf(row.transactionType) === kind);
        const rows = layout.rows(own, before);
        sheet.add(rows.map((row) => columns.map((column) => column.cell(row))));
      };
    });
  let sheets: ReturnType<typeof opened> | undefined;
  return {
    /** Adds a page and returns the bytes that are complete. */
    add(page: readonly Row[]): Uint8Array[] {
      sheets ??= opened(page);
      for (const add of sheets) add(page);
      before += page.length;
      return book.take();
    },
    finish(summary: readonly Cell[][]) {
      sheets ??= opened([]);
      book.sheet('Summary', summaryColumns, { position: 0, filter: false }).add(summary);
      return book.finish();
    },
    close: book.close,
  };
}

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
  run: exportMonth,
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
  readonly month: readonly string[];
  readonly out?: string;
}

async function exportMonth(cmd: CommandContext, flags: MonthFlags): Promise<void> {
  const { context, messages } = cmd;
  requirePacific(cmd);
  const today = await serviceDayOf(cmd);
  const month = monthFrom(flags.month.join(' '), today);
  requirePlace(cmd, flags, month);
  const zone = fileZone(cmd);
  const at = await nowFor(cmd);
  let report: MonthReport | undefined;
  let rows = 0;
  await withApi(cmd, {}, async (client) => {
    const period = { startDate: month.first, endDate: month.last };
    const count = () => client.call(orders.count, period).then(Number, () => undefined);
    const progress = messages.watched ? startProgress(cmd, count) : undefined;
    const fill = async (sink: Sink) => {
      const reading = await readMonth(client, month, context.signal);
      const book = openMonthBook(zone);
      try {
        for await (const page of reading.pages) {
          progress?.add(page.length);
          rows += page.length;
          for (const bytes of book.add(page as readonly Row[])) await sink.write(bytes);
        }
        report = await reading.report();
        for (const bytes of book.finish(summaryRows(report, month, zone, at)))
          await sink.write(bytes);
      } finally {
        book.close();
      }
    };
    await writeTo(context, flags.out, fill).finally(progress?.stop);
  });
  if (!report) return;
  if (messages.watched) {
    messages.say(`${monthText(month)}. Accounts: ${report.accounts.join(', ')}.`);
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
    throw usage('Missing --out.', { hint: `Add --out ${name}.xlsx.` });
  }
  const place = placeOf(context, out);
  if (place.kind === 'file' && out !== undefined && !/\.xlsx$/i.test(out)) {
    throw usage('cb export month writes .xlsx files only.', {
      hint: `Use a file name that ends in .xlsx. For csv, use cb orders list --period ${name} --layout accounting.`,
    });
  }
}
