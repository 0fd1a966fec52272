/** `cb export month`: the workbook of a month for a bookkeeper. */

import { spreadsheetTime } from '../../dates/spreadsheet-time.ts';
import { parsePeriod } from '../../dates/words.ts';
import { grouped, negated } from '../../decimals/decimals.ts';
import { order, orders } from '../../operations/orders.ts';
import type { Arrangement, TimeZone } from '../../output/render-options.ts';
import type { Row } from '../../output/rows/rows.ts';
import { type TypedColumn, typedColumns } from '../../output/xlsx/cells.ts';
import type { Cell, Sheet } from '../../output/xlsx/sheet.ts';
import { openWorkbook, type Workbook } from '../../output/xlsx/workbook.ts';
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
  type Transaction,
  type TransactionKind,
} from '../earnings/transaction.ts';
import { accountingLayout, itemsLayout } from '../lists/order-layouts.ts';
import {
  type KindFigures,
  type Month,
  type MonthReport,
  monthNamed,
  readMonth,
  total,
} from './read-month.ts';

/** When the workbook was made, and by which version. */
interface Made {
  readonly at: Date;
  readonly version: string;
}

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
function summaryRows(
  report: MonthReport,
  month: Month,
  zone: TimeZone,
  made: Made,
): (readonly Cell[])[] {
  const { kinds, netByCurrency } = report;
  const time = spreadsheetTime(`${made.at.toISOString().slice(0, 19)}Z`, zone.name);
  const isNet = ({ kind }: KindFigures) => netKinds.includes(kind);
  return [
    line('Month', { note: monthText(month) }),
    line('Accounts', { note: report.accounts.join(', ') }),
    line('Created', { note: `${time} (${zone.label ?? zone.name}) by cb ${made.version}` }),
    ...(kinds.every(({ currency }) => ['', accountCurrency].includes(currency))
      ? []
      : [line('Currencies', { note: disputedNote })]),
    ...totalsOf(report).map(({ title, count, amount }) => line(title, { count, amount })),
    ...agreementRows(report, month),
    ...kinds.filter(isNet).map((one) => figuresRow(titles[one.kind], one)),
    ...netByCurrency.map((one) => figuresRow('Net', one)),
    ...kinds
      .filter((one) => !isNet(one))
      .map((one) => figuresRow(titles[one.kind], one, notPart(one))),
  ];
}

interface Total {
  readonly title: string;
  readonly count: number;
  /** What you earn, which is in one currency. */
  readonly amount: string;
}

/** The kinds of the net in all currencies, and the net. */
function totalsOf({ kinds, netByCurrency, earned }: MonthReport): Total[] {
  const countOf = (some: readonly { readonly count: number }[]) =>
    some.reduce((all, { count }) => all + count, 0);
  const each = netKinds.map((kind) => {
    const some = kinds.filter((one) => one.kind === kind);
    const amount = total(some.map(({ youEarn }) => youEarn));
    return { title: `${titles[kind]}, all currencies`, count: countOf(some), amount };
  });
  const net = { title: 'Net, all currencies', count: countOf(netByCurrency), amount: earned.net };
  return [...each, net];
}

function agreementRows(report: MonthReport, month: Month): (readonly Cell[])[] {
  const { sales, refunds, chargebacks, net } = report.quickstats;
  return [
    line('Quickstats: sales', { amount: sales, note: 'Sales and rebills' }),
    line('Quickstats: refunds', { amount: refunds }),
    line('Quickstats: chargebacks', { amount: chargebacks }),
    line('Quickstats: net', { amount: net }),
    line('Difference', { amount: report.difference.net, note: agreement(report, month) }),
  ];
}

function line(
  item: string,
  { count, amount, note }: { count?: number; amount?: string; note?: string },
): readonly Cell[] {
  const earned = amount === undefined ? undefined : money(amount, accountCurrency);
  return [item, count === undefined ? undefined : whole(count), undefined, undefined, earned, note];
}

function whole(count: number): Cell {
  return { digits: String(count), format: 'plain' };
}

function notPart({ kind, currency, customersPaid }: KindFigures): string {
  const what = kind === 'fee' ? `You pay ${grouped(negated(customersPaid))} ${currency}. ` : '';
  return `${what}Not part of the net`;
}

function figuresRow(
  title: string,
  {
    kind,
    currency,
    count,
    customersPaid,
    youEarn,
  }: Omit<KindFigures, 'kind'> & Partial<KindFigures>,
  note?: string,
): readonly Cell[] {
  return [
    title,
    whole(count),
    currency || undefined,
    kind === 'fee' ? undefined : money(customersPaid, currency),
    money(youEarn, accountCurrency),
    note,
  ];
}

function money(digits: string, currency: string): Cell {
  return { digits, format: currency === '' ? 'decimal' : { currency } };
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
  const lines = totalsOf(report).map(({ title, count, amount }) => {
    const name = title.replace(/,.*/, '').padEnd(13);
    const earned = `${grouped(amount)} ${accountCurrency}`;
    return `  ${name}${grouped(count).padStart(8)}${earned.padStart(20)}`;
  });
  const agrees = report.isAgreed ? 'agrees with quickstats' : 'differs from quickstats';
  const last = `Difference ${report.difference.net} ${accountCurrency}: the net ${agrees} of the same days.`;
  return [...lines, last].join('\n');
}

interface Plan {
  readonly name: string;
  readonly layout: Arrangement;
  /** Only transactions of this kind. */
  readonly kind?: TransactionKind;
}

function openMonthBook(zone: TimeZone) {
  const book = openWorkbook();
  const accounting = accountingLayout(order, zone.name);
  const plans: readonly Plan[] = [
    { name: 'Transactions', layout: accounting },
    { name: 'Line items', layout: itemsLayout(order, true) },
    { name: 'Refunds', layout: accounting, kind: 'refund' },
    { name: 'Chargebacks', layout: accounting, kind: 'chargeback' },
  ];
  let sheets: readonly ReturnType<typeof openPlan>[] | undefined;
  let before = 0;
  // The summary is known last and shown first.
  const opened = (page: readonly Row[]) =>
    plans.map((plan, at) => openPlan(book, plan, page, zone, at + 1));
  return {
    /** Adds a page and returns the bytes that are complete. */
    add(transactions: readonly Transaction[]): Uint8Array[] {
      const page = transactions as readonly Row[];
      sheets ??= opened(page);
      for (const sheet of sheets) sheet.add(page, before);
      before += page.length;
      return book.take();
    },
    finish(report: MonthReport, month: Month, made: Made) {
      sheets ??= opened([]);
      const placing = { position: 0, filter: false };
      book.sheet('Summary', summaryColumns, placing).add(summaryRows(report, month, zone, made));
      return book.finish();
    },
  };
}

function openPlan(
  book: Workbook,
  { name, layout, kind }: Plan,
  first: readonly Row[],
  zone: TimeZone,
  position: number,
) {
  const options = { zone, currencies };
  const columns: readonly TypedColumn[] = typedColumns(layout.rows(first), options, layout.shape);
  const sheet: Sheet = book.sheet(name, columns, { position });
  const isOfKind = (row: Row) => kind === undefined || kindOf(row.transactionType) === kind;
  return {
    add(page: readonly Row[], before: number): void {
      const rows = layout.rows(page.filter(isOfKind), before);
      sheet.add(rows.map((row) => columns.map((column) => column.cell(row))));
    },
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
        for await (const page of reading.pages) {
          progress?.add(page.length);
          rows += page.length;
          for (const bytes of book.add(page)) await sink.write(bytes);
        }
        report = await reading.report();
        for (const bytes of book.finish(report, month, made)) await sink.write(bytes);
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
