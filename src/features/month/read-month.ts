/** Reads the transactions of a month, adds up their figures, and compares them with quickstats. */

import type { Client } from '../../client/client.ts';
import type { Days } from '../../client/zoned-period.ts';
import { addDays, addMonths, type Day, earlier } from '../../dates/day.ts';
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

/** Transactions of one kind that customers paid in one currency. */
export interface KindFigures extends Sums {
  readonly kind: TransactionKind;
  readonly currency: string;
}

interface Sums {
  readonly count: number;
  /** Rows for the share of an own affiliate account, whose transactions are counted by the row of the vendor. */
  readonly shares: number;
  /** Negative if it was paid back; for fees, what the account paid. */
  readonly customersPaid: string;
  /** In what customers paid. */
  readonly tax: string;
  readonly shipping: string;
  /** In the currency of the account. */
  readonly youEarn: string;
}

/** The exact sums, with two decimals at least. */
export function sumsOf(some: readonly Sums[]): Sums {
  return {
    count: some.reduce((count, one) => count + one.count, 0),
    shares: some.reduce((count, one) => count + one.shares, 0),
    customersPaid: sum('0.00', ...some.map(({ customersPaid }) => customersPaid)),
    tax: sum('0.00', ...some.map(({ tax }) => tax)),
    shipping: sum('0.00', ...some.map(({ shipping }) => shipping)),
    youEarn: sum('0.00', ...some.map(({ youEarn }) => youEarn)),
  };
}

const none = sumsOf([]);

const parts = ['sales', 'refunds', 'chargebacks', 'net'] as const;

/** What quickstats adds up. The amounts of refunds and chargebacks are negative. */
type Earned = Readonly<Record<(typeof parts)[number], string>>;

export type MonthReport = Awaited<ReturnType<Awaited<ReturnType<typeof readMonth>>['report']>>;

const order: readonly TransactionKind[] = [...netKinds, 'fee', 'test', 'other'];

/**
 * Yields the transactions, latest first; one in which two accounts have a share is two rows, the second of which says so. After the last page,
 * `report` compares their figures with quickstats.
 */
export async function readMonth(client: Client, days: Days, signal?: AbortSignal) {
  const accounts = await accountsOf(client);
  const found = new Map<string, KindFigures>();
  const add = (row: Transaction, isSecond: boolean) => {
    const kind = kindOf(row.transactionType);
    const currency = row.currency ?? '';
    const key = `${kind} ${currency}`;
    // The second share of a transaction is earned, but its customer paid once.
    const paid = (amount: string | null | undefined) => (isSecond ? '0' : (amount ?? '0'));
    const own = {
      ...(isSecond ? { count: 0, shares: 1 } : { count: 1, shares: 0 }),
      customersPaid: paid(row.totalOrderAmount),
      tax: paid(row.totalTaxAmount),
      shipping: paid(row.totalShippingAmount),
      youEarn: youEarn(row) ?? '0',
    };
    found.set(key, { kind, currency, ...sumsOf([found.get(key) ?? none, own]) });
  };
  async function* pages() {
    for await (const rows of readTransactions(client, { days, signal })) {
      yield rows.map((row) => {
        const isSecond = isSecondShare(row, accounts);
        add(row, isSecond);
        return isSecond ? { ...withoutOrder(row), ownAffiliateShare: 'yes' } : row;
      });
    }
  }
  return {
    pages: pages(),
    async report() {
      const kinds = [...found.values()].sort(byKindAndCount);
      const of = (...names: TransactionKind[]) =>
        sumsOf(kinds.filter(({ kind }) => names.includes(kind))).youEarn;
      const earned: Earned = {
        ...{ sales: of('sale', 'rebill'), refunds: of('refund'), chargebacks: of('chargeback') },
        net: of(...netKinds),
      };
      const stats = await quickstatsOf(client, days);
      const each = parts.map((name) => [name, sum('0.00', earned[name], negated(stats[name]))]);
      // How much more the transactions earn than quickstats reports.
      const difference = Object.fromEntries(each) as Earned;
      const isAgreed = Object.values(difference).every((amount) => Number(amount) === 0);
      return { accounts, kinds, quickstats: stats, difference, isAgreed };
    },
  };
}

async function quickstatsOf(client: Client, { first, last }: Days): Promise<Earned> {
  const rows = await client.call(quickstats.count, { startDate: first, endDate: last });
  const stats = rows.flatMap(({ quickStats }) => quickStats ?? []);
  const of = (name: 'sale' | 'refund' | 'chargeback') =>
    sum('0.00', ...stats.map((stat) => stat[name] ?? '0'));
  // Quickstats has no sign for amounts that were paid back.
  const lost = (amount: string) => (amount.startsWith('-') ? amount : negated(amount));
  const [sales, refunds, chargebacks] = [of('sale'), lost(of('refund')), lost(of('chargeback'))];
  return { sales, refunds, chargebacks, net: sum(sales, refunds, chargebacks) };
}

function byKindAndCount(one: KindFigures, other: KindFigures): number {
  const byKind = order.indexOf(one.kind) - order.indexOf(other.kind);
  const isHome = ({ currency }: KindFigures) => (currency === accountCurrency ? 0 : 1);
  return byKind || isHome(one) - isHome(other) || other.count - one.count;
}

export type Month = NonNullable<ReturnType<typeof monthNamed>>;

/** Returns undefined for text that is not a month, and for a month that has not begun. `today` is the day at ClickBank. */
export function monthNamed(text: string, today: Day) {
  const period = parsePeriod(text, today);
  if (!period?.first.endsWith('-01')) return undefined;
  const { first } = period;
  const end = addDays(addMonths(first, 1), -1);
  const isMonth = period.last === end || (period.last === today && today < end);
  if (!isMonth || first > today) return undefined;
  return {
    /** As in `2026-10`. */
    name: first.slice(0, 'yyyy-mm'.length),
    first,
    /** The last day that can be read: that of the month, or today. */
    last: earlier(end, today),
    isOver: end < today,
  };
}
