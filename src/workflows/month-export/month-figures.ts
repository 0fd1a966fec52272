/** The figures of a month, and how they agree with quickstats. Amounts are exact decimal texts. */
import { negated } from '../../decimals/decimals.ts';
import { sum } from '../earnings/figures.ts';
import {
  accountCurrency,
  isSecondShare,
  kindOf,
  netKinds,
  type Transaction,
  type TransactionKind,
  youEarn,
} from '../earnings/transaction.ts';

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
export interface Earned {
  readonly sales: string;
  readonly refunds: string;
  readonly chargebacks: string;
  readonly net: string;
}

export interface MonthFigures {
  readonly kinds: readonly KindFigures[];
  /** Sales, rebills, refunds and chargebacks together, by currency. */
  readonly netByCurrency: readonly Omit<KindFigures, 'kind'>[];
  readonly earned: Earned;
}

const order: readonly TransactionKind[] = [...netKinds, 'fee', 'test', 'other'];

export function openFigures(): {
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

export function withNet(parts: Omit<Earned, 'net'>): Earned {
  return { ...parts, net: total(Object.values(parts)) };
}

/** What `one` is more than `other`, part by part. */
export function differenceOf(one: Earned, other: Earned): Earned {
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
