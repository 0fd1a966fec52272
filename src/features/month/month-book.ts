/** The workbook of a month: a summary that says what it agrees with, the transactions, and those that were paid back. */
import { spreadsheetTime } from '../../dates/wall-time.ts';
import { countOf, grouped, negated } from '../../decimals/decimals.ts';
import { order } from '../../operations/orders.ts';
import { text } from '../../operations/resource.ts';
import type { Arrangement, TimeZone } from '../../output/render-options.ts';
import { sentence } from '../../output/rows/columns.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { Cell } from '../../output/xlsx/sheet.ts';
import { openWorkbook } from '../../output/xlsx/workbook.ts';
import { typedColumns } from '../../output/xlsx/xlsx.ts';
import { currencies, disputedNote } from '../../shell/display/arranged.ts';
import { version } from '../../shell/version.ts';
import {
  accountCurrency,
  kindOf,
  netKinds,
  type TransactionKind,
} from '../earnings/transaction.ts';
import { accountingLayout, itemsLayout } from '../lists/order-layouts.ts';
import { type KindFigures, type Month, type MonthReport, sumsOf } from './read-month.ts';

/** Orders as `readMonth` returns them. */
export const monthOrder = { ...order, fields: { ...order.fields, ownAffiliateShare: text } };

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
