/**
 * A month as a file: a workbook with a summary that says what it agrees with, the transactions, and those that were paid
 * back; its transactions as csv; or a journal that accounting programs import.
 */
import { spreadsheetTime } from '../../dates/wall-time.ts';
import { countOf, grouped, negated } from '../../decimals/decimals.ts';
import { order } from '../../operations/orders.ts';
import { day, decimal, resource, text } from '../../operations/resource.ts';
import { openWriter } from '../../output/render.ts';
import type { Arrangement, TimeZone } from '../../output/render-options.ts';
import { sentence } from '../../output/rows/columns.ts';
import { cellText, type Row } from '../../output/rows/rows.ts';
import type { Cell } from '../../output/xlsx/sheet.ts';
import { openWorkbook } from '../../output/xlsx/workbook.ts';
import { typedColumns } from '../../output/xlsx/xlsx.ts';
import { currencies, disputedNote } from '../../shell/display/arranged.ts';
import { version } from '../../shell/version.ts';
import { addTo, type Tally } from '../earnings/figures.ts';
import {
  accountCurrency,
  bookedAmount,
  kindOf,
  netKinds,
  type Transaction,
  type TransactionKind,
} from '../earnings/transaction.ts';
import { accountingLayout, itemsLayout } from '../lists/order-layouts.ts';
import { type KindFigures, type Month, type MonthReport, sumsOf } from './read-month.ts';

/** Orders as `readMonth` returns them. */
const monthOrder = { ...order, fields: { ...order.fields, ownAffiliateShare: text } };

const summaryColumns = [
  { name: 'Item', width: 30 },
  { name: 'Count', width: 10 },
  { name: 'Currency', width: 12 },
  { name: 'Customers paid', width: 20 },
  { name: 'Tax in it', width: 16 },
  { name: 'Shipping in it', width: 16 },
  { name: 'You earn', width: 20 },
  { name: 'Note', width: 70 },
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
export function summaryRows(report: MonthReport, month: Month, zone: TimeZone, at: Date) {
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
    ...net.map((one) => line(titles[one.kind], { ...one, note: sharesText(one) })),
    ...currenciesOfNet.map((currency) =>
      line('Net', { currency, ...sumsOf(net.filter((one) => one.currency === currency)) }),
    ),
    ...kinds.filter((one) => !isNet(one)).map(otherLine),
  ];
}

/** The sheets have a row for each share; the customer paid, and is counted, once. */
function sharesText({ shares }: KindFigures): string | undefined {
  if (shares === 0) return undefined;
  return `The sheets also have ${countOf(shares, 'row')} for the share of your own affiliate account`;
}

interface Line extends Partial<Omit<KindFigures, 'kind'>> {
  readonly note?: string | undefined;
}

function line(item: string, { count, currency = '', youEarn, note, ...paid }: Line): Cell[] {
  const money = (digits: string | undefined, unit: string): Cell =>
    digits && { digits, format: unit === '' ? 'decimal' : { currency: unit } };
  const whole: Cell = count === undefined ? undefined : { digits: `${count}`, format: 'plain' };
  const amounts = [paid.customersPaid, paid.tax, paid.shipping].map((one) => money(one, currency));
  return [item, whole, currency || undefined, ...amounts, money(youEarn, accountCurrency), note];
}

function otherLine({ kind, customersPaid, tax, shipping, ...figures }: KindFigures): Cell[] {
  if (kind !== 'fee') {
    const paid = { customersPaid, tax, shipping };
    return line(titles[kind], { ...paid, ...figures, note: 'Not part of the net' });
  }
  const fees = `${grouped(negated(customersPaid))} ${figures.currency}`;
  return line(titles[kind], { ...figures, note: `You pay ${fees}. Not part of the net` });
}

/** The kinds of the net in all currencies, and the net. */
export function totalsOf({ kinds }: MonthReport) {
  const net = sumsOf(kinds.filter(({ kind }) => netKinds.includes(kind)));
  const each = netKinds.map((kind) => {
    return { title: titles[kind], ...sumsOf(kinds.filter((one) => one.kind === kind)) };
  });
  return [...each, { title: 'Net', ...net }];
}

export function monthText({ name, first, last, isOver }: Month): string {
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

export function openMonthBook(zone: TimeZone) {
  const book = openWorkbook();
  const accounting = accountingLayout(monthOrder, zone.name);
  const plans: readonly (readonly [string, Arrangement, TransactionKind?])[] = [
    ['Transactions', accounting],
    ['Line items', itemsLayout(monthOrder, true)],
    ['Refunds', accounting, 'refund'],
    ['Chargebacks', accounting, 'chargeback'],
  ];
  let before = 0;
  // The summary is known last and shown first; the first page decides on the columns.
  const opened = (first: readonly Row[]) =>
    plans.map(([name, layout, kind], at) => {
      const typed = typedColumns(layout.rows(first), { zone, currencies }, layout.shape);
      // Times also name their zone.
      const columns = typed.map((one) => ({ ...one, name: one.name.replace(/^\S+/, sentence) }));
      const sheet = book.sheet(name, columns, { position: at + 1, direct: at === 0 });
      return (page: readonly Row[]) => {
        const own = page.filter((row) => !kind || kindOf(row.transactionType) === kind);
        const rows = layout.rows(own, before);
        sheet.add(rows.map((row) => columns.map((column) => column.cell(row))));
      };
    });
  let sheets: ReturnType<typeof opened> | undefined;
  return {
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

export async function openTransactions(zone: TimeZone) {
  const arrangement = accountingLayout(monthOrder, zone.name);
  const writer = await openWriter('csv', { shape: monthOrder, arrangement });
  return {
    add: (page: readonly Row[]) => [writer.add(page, '')],
    finish: () => writer.end(false),
  };
}

/** The other side of each entry: what ClickBank owes you. */
const balance = 'ClickBank balance';

/** The kinds that are booked, in the order of a day, with their accounts. */
const booked: Partial<Record<TransactionKind, string>> = {
  sale: 'ClickBank sales',
  rebill: 'ClickBank rebills',
  refund: 'ClickBank refunds',
  chargeback: 'ClickBank chargebacks',
  fee: 'ClickBank fees',
};

const journalResource = resource('line', [], {
  ...{ entry: text, date: day, account: text, debit: decimal, credit: decimal, memo: text },
});

type MonthRow = Transaction & { readonly ownAffiliateShare?: string };

/** Double entries in US dollars, one for each day and kind: programs limit the lines of an import. */
export async function openJournal(zone: TimeZone) {
  const writer = await openWriter('csv', { shape: journalResource });
  const entries: Tally<string> = new Map();
  let foreign = 0;
  const book = (row: MonthRow) => {
    const kind = kindOf(row.transactionType);
    if (!booked[kind]) return;
    // The share of the other own account is no second transaction.
    const count = row.ownAffiliateShare === 'yes' ? 0 : 1;
    if (kind === 'fee' && row.currency !== accountCurrency) {
      foreign += count;
      return;
    }
    const date = spreadsheetTime(cellText(row.transactionTime), zone.name)?.slice(0, 10) ?? '';
    addTo(entries, `${date} ${kind}`, bookedAmount(row) ?? '0', count);
  };
  return {
    add(page: readonly Row[]) {
      for (const row of page) book(row as unknown as MonthRow);
      return [];
    },
    async finish() {
      const rows = [...entries]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([key, { count, amount }]) => linesOf(key, count, amount));
      return [writer.add(rows, ''), ...(await writer.end(false))];
    },
    /** The fees in other currencies, which are not booked. */
    unbooked: () => foreign,
  };
}

/** What you earn is debited to the balance, and what you pay back is credited to it. */
function linesOf(key: string, count: number, amount: string): Row[] {
  const [date = '', kind = ''] = key.split(' ');
  const isPaidBack = amount.startsWith('-');
  const digits = isPaidBack ? negated(amount) : amount;
  if (Number(digits) === 0) return [];
  const memo = `${count} ${kind}${count === 1 ? '' : 's'} on ${date}`;
  const sides = [balance, booked[kind as TransactionKind] ?? ''];
  const [debit, credit] = isPaidBack ? sides.reverse() : sides;
  const line = { entry: `${date} ${kind}`, date, memo };
  return [
    { ...line, account: debit, debit: digits },
    { ...line, account: credit, credit: digits },
  ];
}
