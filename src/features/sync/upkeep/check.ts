/** Compares a copy with the service: rows with its counts, and what was earned with quickstats. */
import { ApiError } from '../../../client/errors.ts';
import { addDays, type Day, daysBetween, daysFrom } from '../../../dates/day.ts';
import { endOf } from '../../../dates/pacific.ts';
import { quickstats } from '../../../operations/quickstats.ts';
import { type AccountState, type DayState, daysWith, type SqlReader } from '../destination.ts';
import {
  type AccountReader,
  type DatedSource,
  type Days,
  ownerByRole,
  pacificDayOf,
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

type Figure = 'rows' | 'sales' | 'refunds' | 'chargebacks';

/** Days in which the copy and the service differ. Amounts are in US dollars. */
export interface Difference extends Days {
  readonly table: string;
  readonly figure: Figure;
  readonly copy: number;
  readonly service: number;
  /** The service lists as many rows as the copy has, although it counts others. */
  readonly isListed?: boolean;
}

interface CheckResult {
  readonly differences: readonly Difference[];
  /** How many days were compared, in one table or several. */
  readonly comparedDays: number;
}

/** The service counts so many days in one request. */
const longest = 31;

export async function checkCopy(options: CheckOptions): Promise<CheckResult> {
  const { sources, state, days, reader } = options;
  const differences: Difference[] = [];
  const compared = new Set<Day>();
  for (const source of sources) {
    if (source.kind !== 'days') continue;
    const complete = completeDays(daysWith(state.days.get(source.name), reader.nicknames), days);
    if (complete.length === 0 || !source.count) continue;
    for (const day of complete) compared.add(day);
    differences.push(...(await compareRows(options, source, complete)));
    if (source.name === 'orders') differences.push(...(await compareMoney(options, complete)));
  }
  return { differences, comparedDays: compared.size };
}

function completeDays(known: ReadonlyMap<Day, DayState>, { first, last }: Days): Day[] {
  return daysFrom(first, last).filter((day) => {
    const state = known.get(day);
    return state !== undefined && Date.parse(state.syncedAt) >= endOf(day) * 1000;
  });
}

/** Consecutive days as periods. */
function periodsOf(days: readonly Day[], most = Number.POSITIVE_INFINITY): Days[] {
  const periods: Days[] = [];
  for (const day of days) {
    const before = periods.at(-1);
    const joins =
      before && addDays(before.last, 1) === day && daysBetween(before.first, day) < most;
    if (joins) periods[periods.length - 1] = { ...before, last: day };
    else periods.push({ first: day, last: day });
  }
  return periods;
}

async function compareRows(
  options: CheckOptions,
  source: DatedSource,
  complete: readonly Day[],
): Promise<Difference[]> {
  const { reader } = options;
  const copied = await rowsByDay(options, source);
  const sumOf = ({ first, last }: Days) =>
    daysFrom(first, last).reduce((sum, day) => sum + (copied.get(day) ?? 0), 0);
  const counted = new Map<Day, number>();
  // A period that differs is halved until its days are known.
  const search = async (days: Days): Promise<void> => {
    const count = (await source.count?.(reader, days)) ?? 0;
    if (count === sumOf(days)) return;
    const length = daysBetween(days.first, days.last) + 1;
    if (length === 1) {
      counted.set(days.first, count);
      return;
    }
    const middle = addDays(days.first, Math.floor(length / 2));
    await search({ first: days.first, last: addDays(middle, -1) });
    await search({ first: middle, last: days.last });
  };
  for (const days of periodsOf(complete, longest)) await search(days);
  const differences: Difference[] = [];
  for (const days of periodsOf([...counted.keys()].sort())) {
    const each = daysFrom(days.first, days.last);
    differences.push({
      ...{ ...days, table: source.name, figure: 'rows', copy: sumOf(days) },
      service: each.reduce((sum, day) => sum + (counted.get(day) ?? 0), 0),
      isListed: (await listedRows(reader, source, days)) === sumOf(days),
    });
  }
  return differences;
}

async function listedRows(reader: AccountReader, source: DatedSource, days: Days): Promise<number> {
  let listed = 0;
  for await (const { rows, isExtra } of source.read(reader, { days, expected: 0 })) {
    if (!isExtra) listed += rows.length;
  }
  return listed;
}

/** The rows that the key can read, as a condition. */
function ownRows({ nicknames, isPartial }: AccountReader, owner: string | undefined) {
  if (!isPartial || !owner) return { text: '', values: [] };
  const text = ` AND upper(${owner}) IN (${nicknames.map(() => '?').join(', ')})`;
  return { text, values: nicknames.map((name) => name.toUpperCase()) };
}

/** Without the second shares of transactions between own accounts, which the service does not count. */
async function rowsByDay(
  { sql, account, reader, days }: CheckOptions,
  { owner, tables: [{ name, day, columns }] }: DatedSource,
): Promise<ReadonlyMap<Day, number>> {
  const hasShares = ['role', 'vendor'].every((one) =>
    columns.some((column) => column.name === one),
  );
  const { nicknames } = reader;
  const own = nicknames.map(() => '?').join(', ');
  const read = ownRows(reader, owner);
  const shares = hasShares
    ? ` AND NOT (coalesce(role, 'VENDOR') <> 'VENDOR' AND coalesce(vendor, '') IN (${own}))`
    : '';
  const rows = await sql.query<{ day: Day; rows: unknown }>(
    `SELECT CAST(${day} AS text) AS day, count(*) AS rows FROM ${name} WHERE account = ? AND ${day} BETWEEN ? AND ?${shares}${read.text} GROUP BY ${day}`,
    [account, days.first, days.last, ...(hasShares ? nicknames : []), ...read.values],
  );
  return new Map(rows.map((row) => [row.day, Number(row.rows)]));
}

type Money = Readonly<Record<Exclude<Figure, 'rows'>, number>>;

const figures = ['sales', 'refunds', 'chargebacks'] as const;
const none: Money = { sales: 0, refunds: 0, chargebacks: 0 };

/** By transaction type, the figure of quickstats that it belongs to. */
const figureOf: Readonly<Record<string, keyof Money>> = {
  ...{ SALE: 'sales', BILL: 'sales', RFND: 'refunds', CGBK: 'chargebacks' },
};

async function compareMoney(
  options: CheckOptions,
  complete: readonly Day[],
): Promise<Difference[]> {
  const service = await quickstatsByDay(options);
  if (!service) return [];
  const copy = await earnedByDay(options);
  return figures.flatMap((figure) => {
    const of = (by: ReadonlyMap<Day, Money>, day: Day) => by.get(day)?.[figure] ?? 0;
    const differing = complete.filter((day) => of(copy, day) !== of(service, day));
    return periodsOf(differing).map(({ first, last }) => {
      const sum = (by: ReadonlyMap<Day, Money>) =>
        daysFrom(first, last).reduce((total, day) => total + of(by, day), 0) / 100;
      return { first, last, table: 'order_items', figure, copy: sum(copy), service: sum(service) };
    });
  });
}

/** In cents. Undefined if the key may not read quickstats. */
async function quickstatsByDay({
  reader,
  days,
}: CheckOptions): Promise<Map<Day, Money> | undefined> {
  const found = new Map<Day, Money>();
  const args = { startDate: days.first, endDate: days.last };
  try {
    const { client, signal } = reader;
    for (const { quickStats } of await client.call(quickstats.list, args, { signal })) {
      for (const { quickStatDate, sale, refund, chargeback } of quickStats ?? []) {
        const day = pacificDayOf(quickStatDate);
        if (day === undefined) continue;
        add(found, day, 'sales', sale);
        add(found, day, 'refunds', refund);
        add(found, day, 'chargebacks', chargeback);
      }
    }
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused') return undefined;
    throw error;
  }
  return found;
}

/** In cents. */
async function earnedByDay({ sql, account, days, reader }: CheckOptions): Promise<Map<Day, Money>> {
  const own = ownRows(reader, ownerByRole);
  const rows = await sql.query<{ day: Day; type: string; amount: unknown }>(
    `SELECT CAST(transaction_day AS text) AS day, transaction_type AS type, sum(account_amount) AS amount FROM order_items WHERE account = ? AND transaction_day BETWEEN ? AND ?${own.text} GROUP BY transaction_day, transaction_type`,
    [account, days.first, days.last, ...own.values],
  );
  const found = new Map<Day, Money>();
  for (const { day, type, amount } of rows) {
    const figure = figureOf[type];
    if (figure) add(found, day, figure, amount);
  }
  return found;
}

/** Quickstats has no sign for amounts that were paid back. */
function add(by: Map<Day, Money>, day: Day, figure: keyof Money, amount: unknown): void {
  const before = by.get(day) ?? none;
  const cents = Math.abs(Math.round(Number(amount ?? 0) * 100));
  by.set(day, { ...before, [figure]: before[figure] + cents });
}
