/** Adds transactions up: in total, by day, and by groups, for a period and for what it is compared with. */
import type { Client } from '../../client/client.ts';
import type { Days } from '../../client/zoned-period.ts';
import { comparedWith, listsOf, type Plan, pacificMoment } from './comparison.ts';
import { addTally, addTo, type Figures, figuresOf, type Tally } from './figures.ts';
import {
  bookedAmount,
  type Dimension,
  type EarningRole,
  earningAccount,
  isSecondShare,
  kindOf,
  netKinds,
  type Part,
  partsOf,
  readTransactions,
  type Transaction,
  type TransactionKind,
  withoutOrder,
} from './transaction.ts';

/** `period`: all days; `compared`: the days that are compared; `before`: what they are compared with. */
type Side = 'period' | 'compared' | 'before';

const sides: readonly Side[] = ['period', 'compared', 'before'];

export interface SummaryQuery {
  readonly plan: Plan;
  readonly by: readonly Dimension[];
  /** Only transactions in which this account earns. */
  readonly account?: string | undefined;
  /**
   * The accounts that are read. If one of them sold a transaction and another referred it, there is a row for each
   * share; the transaction is counted once.
   */
  readonly accounts?: readonly string[];
}

export interface Group extends Omit<Part, 'amount'> {
  readonly figures: Readonly<Record<Side, Figures>>;
}

type Tallies = Record<Side, Tally>;

interface GroupTallies {
  part: Part;
  readonly tallies: Tallies;
}

export class Summary {
  readonly #query: SummaryQuery;
  readonly #total = emptyTallies();
  readonly #groups = new Map<Dimension, Map<string, GroupTallies>>();
  /** The accounts that earn by the transactions. */
  readonly accounts = new Set<string>();
  /** Whether an account earns by transactions that it sold, or by some that it referred. */
  readonly roles = new Set<string>();
  #undated = 0;

  constructor(query: SummaryQuery) {
    this.#query = query;
  }

  add(row: Transaction): void {
    const { account, accounts = [], by, plan } = this.#query;
    const own = earningAccount(row);
    if (account !== undefined && own !== account) return;
    if (own !== undefined) this.accounts.add(own);
    const moment = pacificMoment(row.transactionTime ?? '');
    if (!moment) {
      this.#undated += 1;
      return;
    }
    if (row.role) this.roles.add(row.role);
    const kind = kindOf(row.transactionType);
    const { day, clock } = moment;
    const isIn = (days?: Days) => days !== undefined && days.first <= day && day <= days.last;
    const isEarly = plan.until === undefined || clock <= plan.until;
    const within = sides.filter((side) => isIn(plan[side]) && (side !== 'before' || isEarly));
    const isSecond = account === undefined && isSecondShare(row, accounts);
    const count = isSecond ? 0 : 1;
    const amount = bookedAmount(isSecond ? withoutOrder(row) : row) ?? '0';
    for (const side of within) addTo(this.#total[side], kind, amount, count);
    // Test orders, fees and unknown types belong to no group.
    if (within.length === 0 || !netKinds.includes(kind)) return;
    for (const dimension of by) {
      const counted = dimension === 'account' ? 1 : count;
      for (const part of partsOf(row, dimension, day)) {
        const { tallies } = this.#groupOf(dimension, part);
        for (const side of within) addTo(tallies[side], kind, part.amount, counted);
      }
    }
  }

  merge(other: Summary): void {
    for (const side of sides) addTally(this.#total[side], other.#total[side]);
    for (const [dimension, groups] of other.#groups) {
      for (const { part, tallies } of groups.values()) {
        const own = this.#groupOf(dimension, part).tallies;
        for (const side of sides) addTally(own[side], tallies[side]);
      }
    }
    for (const account of other.accounts) this.accounts.add(account);
    for (const role of other.roles) this.roles.add(role);
    this.#undated += other.#undated;
  }

  get all(): Group['figures'] {
    return figuresOfAll(this.#total);
  }

  /** Rows of the period that can't be sales, rebills, refunds or chargebacks, and the exact sum of the fees. */
  get notCounted() {
    const of = (kind: TransactionKind) =>
      this.#total.period.get(kind) ?? { count: 0, amount: '0.00' };
    const { count: fees, amount: feeAmount } = of('fee');
    const [tests, otherTypes] = [of('test').count, of('other').count];
    return { fees, feeAmount, tests, otherTypes, undated: this.#undated };
  }

  /** The groups of a dimension, those that earn most first; days in their order. */
  groups(dimension: Dimension): Group[] {
    const groups = [...(this.#groups.get(dimension)?.values() ?? [])].map(
      ({ part: { amount: _, ...part }, tallies }) => ({ ...part, figures: figuresOfAll(tallies) }),
    );
    const earned = ({ figures }: Group) => Number(figures.period.earned);
    return groups.sort(
      (one, other) =>
        (dimension === 'day' ? 0 : earned(other) - earned(one)) || (one.key < other.key ? -1 : 1),
    );
  }

  /** The figures of one day: of the period, or of the day before that it is compared with. */
  day(side: 'period' | 'before', day: string): Figures {
    const { plan } = this.#query;
    const key = side === 'before' ? comparedWith(plan, day) : day;
    const found = this.#groups.get('day')?.get(key ?? '');
    return figuresOf(found?.tallies[side] ?? new Map());
  }

  #groupOf(dimension: Dimension, part: Part): GroupTallies {
    const groups = this.#groups.get(dimension) ?? new Map<string, GroupTallies>();
    this.#groups.set(dimension, groups);
    const known = groups.get(part.key) ?? { part, tallies: emptyTallies() };
    // Some line items lack the title, and the order in which pages arrive decides nothing.
    if (part.title && !(known.part.title && known.part.title <= part.title)) known.part = part;
    groups.set(part.key, known);
    return known;
  }
}

function emptyTallies(): Tallies {
  return { period: new Map(), compared: new Map(), before: new Map() };
}

function figuresOfAll({ period, compared, before }: Tallies): Group['figures'] {
  return { period: figuresOf(period), compared: figuresOf(compared), before: figuresOf(before) };
}

interface Reading {
  readonly role?: EarningRole | undefined;
  /** The accounts of the key, if they are known. */
  readonly own?: readonly string[] | undefined;
  /** Whether the shares of an account are counted with this key, and not with another one that reads them, too. */
  isOwn?(account: string | undefined): boolean;
  /** Called for each page, with its number of transactions. */
  onPage?(rows: number): void;
}

/** Reads days that follow each other in one list, and other days at the same time in a second one. */
export async function summarize(
  client: Client,
  query: SummaryQuery,
  { role, own, isOwn = () => true, onPage }: Reading,
): Promise<Summary> {
  // With one role, each transaction has one row.
  const accounts = role === undefined ? (query.accounts ?? []) : [];
  const summary = new Summary({ ...query, accounts });
  const stop = new AbortController();
  const isCounted = (row: Transaction) => isOwn(earningAccount(row));
  const reads = listsOf(query.plan).map(async (days) => {
    const pages = readTransactions(client, { days, role, accounts: own, signal: stop.signal });
    for await (const rows of pages) {
      for (const row of rows.filter(isCounted)) summary.add(row);
      onPage?.(rows.length);
    }
  });
  try {
    await Promise.all(reads);
  } finally {
    // If one list fails, the other one is useless.
    stop.abort();
    await Promise.allSettled(reads);
  }
  return summary;
}

/** Percentages as decimal strings with at most three decimals, such as `0.65`. */
export interface Limits {
  readonly refundRatePercent: string;
  readonly chargebackRatePercent: string;
  /** Groups with fewer sales and rebills are skipped. */
  readonly minSales: number;
}

/** Compares groups with the limits, dimension by dimension; `tooFew` names the dimension of each group that is too small. */
export function compareWithLimits(summary: Summary, scopes: readonly Dimension[], limits: Limits) {
  const all = scopes.flatMap((scope) =>
    summary.groups(scope).map(({ key: _, figures: { period: figures }, ...group }) => {
      const payments = figures.sales + figures.rebills;
      // Compared as whole numbers, because rounding could hide that a limit is reached.
      const reaches = (count: number, percent: string) =>
        count * 100_000 >= Math.round(Number(percent) * 1000) * payments;
      const exceeds = [
        ...(reaches(figures.refunds, limits.refundRatePercent) ? ['refund rate'] : []),
        ...(reaches(figures.chargebacks, limits.chargebackRatePercent) ? ['chargeback rate'] : []),
      ];
      return { ...group, scope, figures, payments, exceeds };
    }),
  );
  // Without a sale there is no rate.
  const isEnough = ({ payments }: (typeof all)[number]) => payments >= Math.max(1, limits.minSales);
  const tooFew = all.filter((one) => !isEnough(one)).map(({ scope }) => scope);
  return { groups: all.filter(isEnough), tooFew };
}
