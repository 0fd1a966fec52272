/** Compares a copy with the service: rows with its counts, and what was earned with quickstats. */
import { ApiError } from '../../../client/errors.ts';
import { addDays, type Day, daysBetween, daysFrom } from '../../../dates/day.ts';
import { ofNicknames } from '../database/copy.ts';
import { type AccountState, daysWith, isComplete, type SqlReader } from '../destination.ts';
import { quickstatSource } from '../tables/analytics-tables.ts';
import {
  type AccountReader,
  type DatedSource,
  type Days,
  halvesOf,
  ownerByRole,
  type Source,
} from '../tables/table.ts';

interface CheckOptions {
  readonly sql: SqlReader;
  readonly reader: AccountReader;
  readonly account: string;
  readonly sources: readonly Source[];
  readonly state: AccountState;
  /** Only days that were read after they ended are compared: the others still get rows. */
  readonly days: Days;
}

const figures = ['sales', 'refunds', 'chargebacks'] as const;
type Figure = (typeof figures)[number];

/** Days in which the copy and the service differ. Amounts are in US dollars. */
export interface Difference extends Days {
  readonly table: string;
  readonly figure: 'rows' | Figure;
  readonly copy: number;
  readonly service: number;
  /** The service lists as many rows as the copy has, although it counts others. */
  readonly isListed?: boolean;
}

export type CheckResult = Awaited<ReturnType<typeof checkCopy>>;

/** The service counts so many days in one request. */
const longest = 31;

export async function checkCopy(options: CheckOptions) {
  const { sources, state, days, reader } = options;
  const differences: Difference[] = [];
  const compared = new Set<Day>();
  for (const source of sources) {
    if (source.kind !== 'days' || !source.count) continue;
    const known = daysWith(state.days.get(source.name), reader.nicknames);
    const complete = daysFrom(days.first, days.last).filter((day) => isComplete(known.get(day)));
    if (complete.length === 0) continue;
    for (const day of complete) compared.add(day);
    differences.push(...(await compareRows(options, source, complete)));
    if (source.name === 'orders') differences.push(...(await compareMoney(options, complete)));
  }
  /** How many days were compared, in one table or several. */
  const comparedDays = compared.size;
  return { differences, comparedDays };
}

/** Consecutive days as periods. */
function periodsOf(days: readonly Day[], most = Number.POSITIVE_INFINITY): Days[] {
  const periods: { first: Day; last: Day }[] = [];
  for (const day of days) {
    const before = periods.at(-1);
    const isNext = before && addDays(before.last, 1) === day;
    if (isNext && daysBetween(before.first, day) < most) before.last = day;
    else periods.push({ first: day, last: day });
  }
  return periods;
}

function sumOver({ first, last }: Days, value: (day: Day) => number | undefined): number {
  return daysFrom(first, last).reduce((sum, day) => sum + (value(day) ?? 0), 0);
}

async function compareRows(
  options: CheckOptions,
  source: DatedSource,
  complete: readonly Day[],
): Promise<Difference[]> {
  const { reader } = options;
  const copied = await rowsByDay(options, source);
  const copiedIn = (days: Days) => sumOver(days, (day) => copied.get(day));
  const counted = new Map<Day, number>();
  // A period that differs is halved until its days are known.
  const search = async (days: Days): Promise<void> => {
    const count = (await source.count?.(reader, days)) ?? 0;
    if (count === copiedIn(days)) return;
    if (days.first === days.last) counted.set(days.first, count);
    else for (const half of halvesOf(days)) await search(half);
  };
  for (const days of periodsOf(complete, longest)) await search(days);
  const differences: Difference[] = [];
  for (const days of periodsOf([...counted.keys()].sort())) {
    const copy = copiedIn(days);
    let listed = 0;
    for await (const { rows, isExtra } of source.read(reader, { days, expected: 0 })) {
      if (!isExtra) listed += rows.length;
    }
    const service = sumOver(days, (day) => counted.get(day));
    const found = { table: source.name, figure: 'rows', copy, service } as const;
    differences.push({ ...days, ...found, isListed: listed === copy });
  }
  return differences;
}

/** Without the second shares of transactions between own accounts, which the service does not count. */
async function rowsByDay(
  { sql, account, reader, days }: CheckOptions,
  { name, owner, tables: [{ day, columns }] }: DatedSource,
): Promise<ReadonlyMap<Day, number>> {
  const has = (column: string) => columns.some((one) => one.name === column);
  const shared = has('role') && has('vendor') ? reader.nicknames : [];
  const shares = `coalesce(role, 'VENDOR') <> 'VENDOR' AND coalesce(vendor, '') IN (${shared.map(() => '?').join(', ')})`;
  const own = ofNicknames(owner, reader);
  const rows = await sql.query<{ day: Day; rows: unknown }>(
    `SELECT CAST(${day} AS text) AS day, count(*) AS rows FROM ${name}
    WHERE account = ? AND ${day} BETWEEN ? AND ?${shared.length > 0 ? ` AND NOT (${shares})` : ''} AND ${own.text}
    GROUP BY ${day}`,
    [account, days.first, days.last, ...shared, ...own.values],
  );
  return new Map(rows.map((row) => [row.day, Number(row.rows)]));
}

/** Cents by figure and day, as in `sales 2026-03-01`. */
type Money = Map<string, number>;

/** Quickstats has no sign for amounts that were paid back. */
function addTo(money: Money, figure: Figure, day: Day, amount: unknown): void {
  const cents = Math.abs(Math.round(Number(amount ?? 0) * 100));
  money.set(`${figure} ${day}`, (money.get(`${figure} ${day}`) ?? 0) + cents);
}

async function compareMoney(
  options: CheckOptions,
  complete: readonly Day[],
): Promise<Difference[]> {
  const service = await quickstatsByDay(options);
  if (!service) return [];
  const copy = await earnedByDay(options);
  return figures.flatMap((figure) => {
    const of = (money: Money) => (day: Day) => money.get(`${figure} ${day}`) ?? 0;
    const differing = complete.filter((day) => of(copy)(day) !== of(service)(day));
    return periodsOf(differing).map((days) => {
      const sum = (money: Money) => sumOver(days, of(money)) / 100;
      return { ...days, table: 'order_items', figure, copy: sum(copy), service: sum(service) };
    });
  });
}

/** Undefined if the key may not read quickstats. */
async function quickstatsByDay({ reader, days }: CheckOptions): Promise<Money | undefined> {
  const found: Money = new Map();
  try {
    for await (const { rows } of quickstatSource.read(reader, { days, expected: 1 })) {
      for (const row of rows) {
        const day = quickstatSource.dayOf(row);
        if (day === undefined) continue;
        addTo(found, 'sales', day, row.sale);
        addTo(found, 'refunds', day, row.refund);
        addTo(found, 'chargebacks', day, row.chargeback);
      }
    }
    return found;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused') return undefined;
    throw error;
  }
}

/** By transaction type, the figure of quickstats that it belongs to. */
const figureOf: Readonly<Record<string, Figure>> = {
  ...{ SALE: 'sales', BILL: 'sales', RFND: 'refunds', CGBK: 'chargebacks' },
};

async function earnedByDay({ sql, account, days, reader }: CheckOptions): Promise<Money> {
  const own = ofNicknames(ownerByRole, reader);
  const rows = await sql.query<{ day: Day; type: string; amount: unknown }>(
    `SELECT CAST(transaction_day AS text) AS day, transaction_type AS type, sum(account_amount) AS amount
    FROM order_items WHERE account = ? AND transaction_day BETWEEN ? AND ? AND ${own.text}
    GROUP BY transaction_day, transaction_type`,
    [account, days.first, days.last, ...own.values],
  );
  const found: Money = new Map();
  for (const { day, type, amount } of rows) {
    const figure = figureOf[type];
    if (figure) addTo(found, figure, day, amount);
  }
  return found;
}
