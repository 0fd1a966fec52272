/** Reads the transactions of a month, adds up their figures, and compares them with quickstats. */

import type { Client } from '../../client/client.ts';
import type { Days } from '../../client/zoned-period.ts';
import { addDays, addMonths, type Day } from '../../dates/day.ts';
import { parsePeriod } from '../../dates/words.ts';
import { negated } from '../../decimals/decimals.ts';
import { quickstats } from '../../operations/quickstats.ts';
import { sum } from '../earnings/figures.ts';
import {
  accountCurrency,
  accountsOf,
  isSecondShare,
  kindOf,
  netKinds,
  readTransactions,
  type Transaction,
  type TransactionKind,
  withoutOrder,
  youEarn,
} from '../earnings/transaction.ts';

export interface MonthReport extends MonthFigures {
  readonly accounts: readonly string[];
  /** What quickstats says of the same days and accounts. */
  readonly quickstats: Earned;
  /** What the transactions earn more than quickstats says. */
  readonly difference: Earned;
  /** Every part of the difference is zero. */
  readonly isAgreed: boolean;
}

interface MonthReading {
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

/** Transactions of one kind that customers paid in one currency. */
export interface KindFigures {
  readonly kind: TransactionKind;
  readonly currency: string;
  readonly count: number;
  /** Negative if it was paid back; for fees, what the account paid. */
  readonly customersPaid: string;
  /** In the currency of the account. */
  readonly youEarn: string;
}

/** What quickstats adds up. The amounts of refunds and chargebacks are negative. */
interface Earned {
  readonly sales: string;
  readonly refunds: string;
  readonly chargebacks: string;
  readonly net: string;
}

interface MonthFigures {
  readonly kinds: readonly KindFigures[];
  /** Sales, rebills, refunds and chargebacks together, by currency. */
  readonly netByCurrency: readonly Omit<KindFigures, 'kind'>[];
  readonly earned: Earned;
}

const order: readonly TransactionKind[] = [...netKinds, 'fee', 'test', 'other'];

function openFigures(): {
  /** Adds transactions that these accounts have read. */
  add(rows: readonly Transaction[], accounts: readonly string[]): void;
  figures(): MonthFigures;
} {
  const found = new Map<string, KindFigures>();
  return {
    add(rows, accounts) {
      for (const row of rows) {
        const kind = kindOf(row.transactionType);
        const currency = row.currency ?? '';
        const key = `${kind} ${currency}`;
        const before = found.get(key) ?? { ...none, kind, currency };
        found.set(key, withRow(before, row, isSecondShare(row, accounts)));
      }
    },
    figures() {
      const kinds = [...found.values()].sort(byKindAndCount);
      return { kinds, netByCurrency: netByCurrency(kinds), earned: earnedBy(kinds) };
    },
  };
}

const none = { count: 0, customersPaid: '0.00', youEarn: '0.00' };

/** The second share of a transaction is earned, but its customer paid once. */
function withRow(before: KindFigures, row: Transaction, isSecond: boolean): KindFigures {
  const earned = added(before.youEarn, youEarn(row));
  if (isSecond) return { ...before, youEarn: earned };
  const customersPaid = added(before.customersPaid, row.totalOrderAmount ?? undefined);
  return { ...before, count: before.count + 1, customersPaid, youEarn: earned };
}

function byKindAndCount(one: KindFigures, other: KindFigures): number {
  const byKind = order.indexOf(one.kind) - order.indexOf(other.kind);
  const isHome = ({ currency }: KindFigures) => (currency === accountCurrency ? 0 : 1);
  return byKind || isHome(one) - isHome(other) || other.count - one.count;
}

function netByCurrency(kinds: readonly KindFigures[]): Omit<KindFigures, 'kind'>[] {
  const counted = kinds.filter(({ kind }) => netKinds.includes(kind));
  return [...new Set(counted.map(({ currency }) => currency))].map((currency) => {
    const some = counted.filter((one) => one.currency === currency);
    return {
      currency,
      count: some.reduce((count, one) => count + one.count, 0),
      customersPaid: total(some.map((one) => one.customersPaid)),
      youEarn: total(some.map((one) => one.youEarn)),
    };
  });
}

function earnedBy(kinds: readonly KindFigures[]): Earned {
  const of = (...names: TransactionKind[]) =>
    total(kinds.filter(({ kind }) => names.includes(kind)).map((one) => one.youEarn));
  return withNet({
    sales: of('sale', 'rebill'),
    refunds: of('refund'),
    chargebacks: of('chargeback'),
  });
}

function withNet(parts: Omit<Earned, 'net'>): Earned {
  return { ...parts, net: total(Object.values(parts)) };
}

/** What `one` is more than `other`, part by part. */
function differenceOf(one: Earned, other: Earned): Earned {
  const minus = (name: keyof Earned) => total([one[name], negated(other[name])]);
  return withNet({
    sales: minus('sales'),
    refunds: minus('refunds'),
    chargebacks: minus('chargebacks'),
  });
}

/** With two decimals at least. */
export function total(amounts: readonly string[]): string {
  return sum('0.00', ...amounts);
}

function added(amount: string, more: string | undefined): string {
  return more === undefined ? amount : sum(amount, more);
}

export interface Month {
  /** As in `2026-10`. */
  readonly name: string;
  readonly first: Day;
  /** The last day that can be read: that of the month, or today. */
  readonly last: Day;
  /** All days of the month are over. */
  readonly isOver: boolean;
}

/** Returns undefined for text that is not a month, and for a month that has not begun. `today` is the day at ClickBank. */
export function monthNamed(text: string, today: Day): Month | undefined {
  const period = parsePeriod(text, today);
  if (!period?.first.endsWith('-01')) return undefined;
  const { first } = period;
  const end = addDays(addMonths(first, 1), -1);
  const isMonth = period.last === end || (period.last === today && today < end);
  if (!isMonth || first > today) return undefined;
  return {
    name: first.slice(0, 'yyyy-mm'.length),
    first,
    last: end < today ? end : today,
    isOver: end < today,
  };
}
