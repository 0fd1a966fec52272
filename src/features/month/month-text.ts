/** A month as csv: its transactions, or a journal that accounting programs import. */
import { spreadsheetTime } from '../../dates/wall-time.ts';
import { negated } from '../../decimals/decimals.ts';
import { day, decimal, resource, text } from '../../operations/resource.ts';
import { openWriter } from '../../output/render.ts';
import type { TimeZone } from '../../output/render-options.ts';
import { cellText, type Row } from '../../output/rows/rows.ts';
import { sum } from '../earnings/figures.ts';
import {
  accountCurrency,
  kindOf,
  type Transaction,
  type TransactionKind,
  youEarn,
} from '../earnings/transaction.ts';
import { accountingLayout } from '../lists/order-layouts.ts';
import { monthOrder } from './month-book.ts';

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

/** Double entries in US dollars, one for each day and kind: programs limit the lines of an import. */
export async function openJournal(zone: TimeZone) {
  const writer = await openWriter('csv', { shape: journalResource });
  const entries = new Map<string, { readonly count: number; readonly amount: string }>();
  let foreign = 0;
  const book = (row: Transaction) => {
    const kind = kindOf(row.transactionType);
    if (!booked[kind]) return;
    if (kind === 'fee' && row.currency !== accountCurrency) {
      foreign += 1;
      return;
    }
    const earned = kind === 'fee' ? row.totalOrderAmount : youEarn(row);
    const date = spreadsheetTime(cellText(row.transactionTime), zone.name)?.slice(0, 10) ?? '';
    const key = `${date} ${kind}`;
    const { count, amount } = entries.get(key) ?? { count: 0, amount: '0.00' };
    entries.set(key, { count: count + 1, amount: sum(amount, earned ?? '0') });
  };
  return {
    add(page: readonly Row[]) {
      for (const row of page) book(row as unknown as Transaction);
      return [];
    },
    async finish() {
      const rows = [...entries]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([key, entry]) => linesOf(key, entry));
      return [writer.add(rows, ''), ...(await writer.end(false))];
    },
    /** The fees in other currencies, which are not booked. */
    unbooked: () => foreign,
  };
}

/** What you earn is debited to the balance, and what you pay back is credited to it. */
function linesOf(
  key: string,
  { count, amount }: { readonly count: number; readonly amount: string },
): Row[] {
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
