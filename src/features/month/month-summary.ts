/** The summary of a month, as a sheet and as lines on a terminal. */
import { spreadsheetTime } from '../../dates/spreadsheet-time.ts';
import { grouped, negated } from '../../decimals/decimals.ts';
import { order } from '../../operations/orders.ts';
import type { Arrangement, TimeZone } from '../../output/render-options.ts';
import type { Row } from '../../output/rows/rows.ts';
import { type TypedColumn, typedColumns } from '../../output/xlsx/cells.ts';
import type { Cell, Sheet } from '../../output/xlsx/sheet.ts';
import { openWorkbook, type Workbook } from '../../output/xlsx/workbook.ts';
import { currencies, disputedNote } from '../../shell/display/arranged.ts';
import {
  accountCurrency,
  kindOf,
  netKinds,
  type Transaction,
  type TransactionKind,
} from '../earnings/transaction.ts';
import { accountingLayout, itemsLayout } from '../lists/order-layouts.ts';
import { type KindFigures, type Month, type MonthReport, total } from './read-month.ts';

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
  const isNet = ({ kind }: KindFigures) => netKinds.includes(kind);
  return [
    line('Month', { note: monthText(month) }),
    line('Accounts', { note: report.accounts.join(', ') }),
    line('Created', { note: madeText(made, zone) }),
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

interface Line {
  readonly count?: number;
  readonly amount?: string;
  readonly note?: string;
}

function line(item: string, { count, amount, note }: Line): readonly Cell[] {
  const earned = amount === undefined ? undefined : money(amount, accountCurrency);
  return [item, count === undefined ? undefined : whole(count), undefined, undefined, earned, note];
}

function whole(count: number): Cell {
  return { digits: String(count), format: 'plain' };
}

function madeText({ at, version }: Made, { name, label = name }: TimeZone): string {
  const time = spreadsheetTime(`${at.toISOString().slice(0, 19)}Z`, name);
  return `${time} (${label}) by cb ${version}`;
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

/** The days and the accounts, in a sentence. */
export function monthTitle({ accounts }: MonthReport, month: Month): string {
  return `${monthText(month)}. Accounts: ${accounts.join(', ')}.`;
}

/** Lines for a terminal: a line for each kind, the net, and what it agrees with. */
export function shortSummary(report: MonthReport): string {
  const lines = totalsOf(report).map(({ title, count, amount }) => {
    const name = title.replace(/,.*/, '').padEnd(13);
    const earned = `${grouped(amount)} ${accountCurrency}`;
    return `  ${name}${grouped(String(count)).padStart(8)}${earned.padStart(20)}`;
  });
  const agrees = report.isAgreed ? 'agrees with quickstats' : 'differs from quickstats';
  const last = `Difference ${report.difference.net} ${accountCurrency}: the net ${agrees} of the same days.`;
  return [...lines, last].join('\n');
}

interface MonthBook {
  /** Adds a page and returns the bytes that are complete. */
  add(page: readonly Transaction[]): Uint8Array[];
  finish(report: MonthReport, month: Month, made: Made): Generator<Uint8Array>;
  close(): void;
}

interface Plan {
  readonly name: string;
  readonly layout: Arrangement;
  /** Only transactions of this kind. */
  readonly kind?: TransactionKind;
}

export function openMonthBook(zone: TimeZone): MonthBook {
  const book = openWorkbook();
  const accounting = accountingLayout(order, zone.name);
  const plans: readonly Plan[] = [
    { name: 'Transactions', layout: accounting },
    { name: 'Line items', layout: itemsLayout(order, true) },
    { name: 'Refunds', layout: accounting, kind: 'refund' },
    { name: 'Chargebacks', layout: accounting, kind: 'chargeback' },
  ];
  let sheets: readonly OpenPlan[] | undefined;
  let before = 0;
  // The summary is known last and shown first.
  const opened = (page: readonly Row[]) =>
    plans.map((plan, at) => openPlan(book, plan, page, zone, at + 1));
  return {
    add(transactions) {
      const page = transactions as readonly Row[];
      sheets ??= opened(page);
      for (const sheet of sheets) sheet.add(page, before);
      before += page.length;
      return book.take();
    },
    *finish(report, month, made) {
      sheets ??= opened([]);
      const placing = { position: 0, filter: false };
      book.sheet('Summary', summaryColumns, placing).add(summaryRows(report, month, zone, made));
      yield* book.finish();
    },
    close: book.close,
  };
}

interface OpenPlan {
  add(page: readonly Row[], before: number): void;
}

function openPlan(
  book: Workbook,
  { name, layout, kind }: Plan,
  first: readonly Row[],
  zone: TimeZone,
  position: number,
): OpenPlan {
  const options = { zone, currencies };
  const columns: readonly TypedColumn[] = typedColumns(layout.rows(first), options, layout.shape);
  const sheet: Sheet = book.sheet(name, columns, { position, direct: position === 1 });
  const isOfKind = (row: Row) => kind === undefined || kindOf(row.transactionType) === kind;
  return {
    add(page, before) {
      const rows = layout.rows(page.filter(isOfKind), before);
      sheet.add(rows.map((row) => columns.map((column) => column.cell(row))));
    },
  };
}
