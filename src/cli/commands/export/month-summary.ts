/** The summary of a month, as a sheet and as lines on a terminal. */
import { spreadsheetTime } from '../../../dates/spreadsheet-time.ts';
import { grouped, negated } from '../../../decimals/decimals.ts';
import type { TimeZone } from '../../../output/render-options.ts';
import type { Cell } from '../../../output/xlsx/sheet.ts';
import {
  accountCurrency,
  netKinds,
  type TransactionKind,
} from '../../../workflows/earnings/transaction.ts';
import type { Month } from '../../../workflows/month-export/month.ts';
import { type KindFigures, total } from '../../../workflows/month-export/month-figures.ts';
import type { MonthReport } from '../../../workflows/month-export/read-month.ts';
import { disputedNote } from '../../layouts/arranged.ts';

/** When the workbook was made, and by which version. */
export interface Made {
  readonly at: Date;
  readonly version: string;
}

export const summaryColumns = [
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
export function summaryRows(
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
