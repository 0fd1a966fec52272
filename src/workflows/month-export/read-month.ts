/** Reads the transactions of a month, adds up their figures, and compares them with quickstats. */
import type { Client } from '../../client/client.ts';
import { negated } from '../../decimals/decimals.ts';
import { quickstats } from '../../operations/quickstats.ts';
import { accountsOf, readTransactions } from '../earnings/read-transactions.ts';
import { isSecondShare, type Transaction, withoutOrder } from '../earnings/transaction.ts';
import type { Days } from '../period.ts';
import {
  differenceOf,
  type Earned,
  type MonthFigures,
  openFigures,
  total,
  withNet,
} from './month-figures.ts';

export interface MonthReport extends MonthFigures {
  readonly accounts: readonly string[];
  /** What quickstats says of the same days and accounts. */
  readonly quickstats: Earned;
  /** What the transactions earn more than quickstats says. */
  readonly difference: Earned;
  /** Every part of the difference is zero. */
  readonly isAgreed: boolean;
}

export interface MonthReading {
  readonly accounts: readonly string[];
  /** The transactions, latest first. A transaction in which two accounts have a share is two rows. */
  readonly pages: AsyncGenerator<readonly Transaction[]>;
  /** Compares with quickstats, after the last page. */
  report(): Promise<MonthReport>;
}

export async function readMonth(
  client: Client,
  days: Days,
  signal?: AbortSignal,
): Promise<MonthReading> {
  const accounts = await accountsOf(client);
  const figures = openFigures();
  async function* pages() {
    for await (const rows of readTransactions(client, { days, signal })) {
      figures.add(rows, accounts);
      yield rows.map((row) => (isSecondShare(row, accounts) ? withoutOrder(row) : row));
    }
  }
  return {
    accounts,
    pages: pages(),
    async report() {
      const found = figures.figures();
      const stats = await quickstatsOf(client, days);
      const difference = differenceOf(found.earned, stats);
      const isAgreed = Object.values(difference).every((amount) => Number(amount) === 0);
      return { ...found, accounts, quickstats: stats, difference, isAgreed };
    },
  };
}

async function quickstatsOf(client: Client, { first, last }: Days): Promise<Earned> {
  const rows = await client.call(quickstats.count, { startDate: first, endDate: last });
  const stats = rows.flatMap(({ quickStats }) => quickStats ?? []);
  const of = (name: 'sale' | 'refund' | 'chargeback') =>
    total(stats.map((stat) => stat[name] ?? '0'));
  return withNet({
    sales: of('sale'),
    refunds: lost(of('refund')),
    chargebacks: lost(of('chargeback')),
  });
}

/** Quickstats has no sign for amounts that were paid back. */
function lost(amount: string): string {
  return amount.startsWith('-') ? amount : negated(amount);
}
