/** Compares a copy with what the lists of the service print, day by day. */
import { expect, onTestFinished } from 'vitest';
import { openPostgresReader } from '../../../../src/features/sync/database/postgres.ts';
import { openSqliteReader } from '../../../../src/features/sync/database/sqlite.ts';
import type { SqlReader } from '../../../../src/features/sync/destination.ts';
import { home, type Options } from '../../../support/cb.ts';

/** One line for each row, sorted, by source and Pacific day. */
type Lines = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const shown = (value: unknown) => (value === null || value === undefined ? '-' : String(value));
const amount = (value: unknown) => (value === null || value === undefined ? '-' : Number(value));
const seconds = (time: unknown) => (time ? Math.floor(Date.parse(String(time)) / 1000) : '-');

/** The sandbox has a row without a time; it belongs to the window that lists it. */
const undated = 'undated';
const dayOf = (time: unknown, day = time) => (time ? String(day).slice(0, 10) : undated);

interface Order extends Record<string, unknown> {
  readonly lineItemData: readonly Record<string, unknown>[];
}

/** What the service lists. */
export async function serviceLines(env: Options['env'], until = '2026-03-18'): Promise<Lines> {
  const user = home();
  const always = `--since 2024-03-18 --until ${until}`;
  const list = async (line: string) => {
    const { code, out, err } = await user.cb(`${line} ${always} -o json`, env ? { env } : {});
    expect({ line, code, err }).toMatchObject({ code: 0 });
    return JSON.parse(out);
  };
  const orders = new Map<string, Order>();
  for (const role of ['', ' --role AFFILIATE']) {
    for (const row of (await list(`orders list${role}`)) as Order[]) {
      orders.set(`${row.receipt} ${row.transactionType} ${row.transactionTime} ${row.role}`, row);
    }
  }
  const tickets = (await list('tickets list')) as Record<string, unknown>[];
  return new Map([
    ['orders', byDay([...orders.values()].map(orderLine))],
    ['tickets', byDay(tickets.map(ticketLine))],
  ]);
}

type Line = readonly [day: string, text: string];

function orderLine(row: Order): Line {
  const { receipt, transactionType, transactionTime, role, totalOrderAmount, lineItemData } = row;
  const items = lineItemData.map(
    ({ itemNo, accountAmount }) => `${shown(itemNo)}=${amount(accountAmount)}`,
  );
  return [
    dayOf(transactionTime),
    [
      ...[receipt, transactionType, role, seconds(transactionTime), amount(totalOrderAmount)],
      ...items,
    ].join(' '),
  ];
}

function ticketLine({ ticketid, openedDate, status, comments }: Record<string, unknown>): Line {
  const texts = Array.isArray(comments) ? comments.length : 0;
  return [
    String(openedDate).slice(0, 10),
    [ticketid, status, seconds(openedDate), texts].join(' '),
  ];
}

function byDay(lines: readonly Line[]): ReadonlyMap<string, readonly string[]> {
  const days = new Map<string, string[]>();
  for (const [day, text] of lines) days.set(day, [...(days.get(day) ?? []), text]);
  for (const texts of days.values()) texts.sort();
  return days;
}

/** A file, or a URL of PostgreSQL. */
export async function openCopy(place: string): Promise<SqlReader> {
  const isUrl = place.startsWith('postgres:');
  const reader = await (isUrl ? openPostgresReader({ url: place }) : openSqliteReader(place));
  onTestFinished(() => reader.close().catch(() => undefined));
  return reader;
}

type Row = Record<string, unknown>;

async function copyLines(copy: SqlReader): Promise<Lines> {
  const items = new Map<string, string[]>();
  for (const row of await copy.query<Row>('SELECT * FROM order_items ORDER BY position')) {
    const id = String(row.transaction_id);
    const text = `${shown(row.item_no)}=${amount(row.account_amount)}`;
    items.set(id, [...(items.get(id) ?? []), text]);
  }
  const orders = await copy.query<Row>('SELECT * FROM orders');
  const comments = await copy.query<Row>(
    'SELECT ticket_id, count(*) AS count FROM ticket_comments GROUP BY ticket_id',
  );
  const counts = new Map(comments.map(({ ticket_id, count }) => [ticket_id, count]));
  const tickets = await copy.query<Row>('SELECT * FROM tickets');
  expect(
    [...items.keys()].filter((id) => !orders.some((row) => row.transaction_id === id)),
  ).toEqual([]);
  return new Map([
    [
      'orders',
      byDay(
        orders.map((row) => [
          dayOf(row.transaction_time, row.transaction_day),
          [
            ...[row.receipt, row.transaction_type, row.role, seconds(row.transaction_time)],
            ...[amount(row.total_order_amount), ...(items.get(String(row.transaction_id)) ?? [])],
          ].join(' '),
        ]),
      ),
    ],
    [
      'tickets',
      byDay(
        tickets.map((row) => [
          dayOf(row.opened_time, row.opened_day),
          [
            ...[row.ticket_id, row.status, seconds(row.opened_time)],
            counts.get(row.ticket_id) ?? 0,
          ].join(' '),
        ]),
      ),
    ],
  ]);
}

/** Each complete day equals the service, and no other day has orders. Returns the number of complete days. */
export async function expectNoHalfWindow(copy: SqlReader, service: Lines): Promise<number> {
  const copied = await copyLines(copy);
  const days = await copy.query<{ source: string; day: string; rows: number }>(
    'SELECT source, day, row_count AS rows FROM sync_days',
  );
  for (const [source, lines] of copied) {
    const complete = days.filter((one) => one.source === source).map(({ day }) => day);
    const whole = new Set(complete);
    for (const [day, texts] of lines) {
      if (whole.has(day)) continue;
      // A ticket that changed today may be of a day that is still to be read; no order is.
      if (day !== undated) expect([source, day]).toEqual(['tickets', day]);
      expect(new Set(texts).size).toBe(texts.length);
      expect(service.get(source)?.get(day)).toEqual(expect.arrayContaining([...texts]));
    }
    for (const day of complete) {
      expect([source, day, lines.get(day) ?? []]).toEqual([
        source,
        day,
        service.get(source)?.get(day) ?? [],
      ]);
    }
  }
  return days.length;
}

export async function expectEqual(copy: SqlReader, service: Lines): Promise<void> {
  await expectNoHalfWindow(copy, service);
  const copied = await copyLines(copy);
  for (const [source, days] of service) {
    expect(days.size).toBeGreaterThan(0);
    expect(copied.get(source)).toEqual(days);
  }
}
