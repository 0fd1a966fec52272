/** The requests of a nightly sync, counted by a service with 1,000 orders a day. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays, type Day, daysFrom, pacificDay } from '../../../src/dates/day.ts';
import {
  type Destination,
  prepareCopy,
  sqlDestination,
  storeAccount,
} from '../../../src/features/sync/database/copy.ts';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import { usualSources } from '../../../src/features/sync/tables/sources.ts';
import type { Source } from '../../../src/features/sync/tables/table.ts';
import { type Home, home, now, world } from '../../support/cb.ts';
import { numberOf, rowsOf } from '../../support/copy.ts';
import { type Asked, serve } from '../../support/server.ts';
import { pageOf } from '../../support/shop.ts';
import { tier } from '../../support/tier.ts';

const today = pacificDay(now.getTime() / 1000);
const yesterday = new Date(now.getTime() - 86_400_000);
const first = addDays(today, -999);
const nicknames = ['GREENLEAF'];

interface Row {
  readonly day: string;
  /** Within its day. */
  readonly number: number;
}

/** The tables with many rows: the part of the path of their lists, their rows a day, and what is in a row. */
const tables = {
  orders: {
    ...{ path: '/orders2/', element: 'orderData', perDay: 1000 },
    row: ({ day, number }: Row) => ({
      receipt: `O${day.replaceAll('-', '')}${number}`,
      ...{ transactionType: 'SALE', role: 'VENDOR', vendor: 'GREENLEAF', currency: 'USD' },
      ...{ transactionTime: `${day}T12:00:00-08:00`, totalOrderAmount: '37.00' },
      lineItemData: { itemNo: 'BOOK', accountAmount: '30.10', quantity: '1' },
    }),
  },
  tickets: {
    ...{ path: '/tickets/', element: 'ticketData', perDay: 50 },
    row: ({ day, number }: Row) => ({
      ticketid: Number(`${day.slice(2).replaceAll('-', '')}${String(number).padStart(3, '0')}`),
      ...{ receipt: `T${number}`, status: 'OPEN', type: 'TECH_SUPPORT' },
      ...{ description: 'It does not open.', openedDate: `${day}T12:00:00-08:00` },
    }),
  },
  shipments: {
    ...{ path: '/shipping', element: 'orderShipData2', perDay: 100 },
    row: ({ day, number }: Row) => ({
      receipt: `P${day.replaceAll('-', '')}${number}`,
      transactionTime: `${day}T12:00:00-08:00`,
      lineItemShipData: { itemNo: 'BOOK', quantity: '1' },
    }),
  },
};

function answerTo(asked: Asked): { readonly status: number; readonly body: string } {
  const { pathname, searchParams } = new URL(asked.url, 'http://127.0.0.1');
  if (pathname.endsWith('/accounts')) {
    return { status: 200, body: '{"accountData":{"nickName":"GREENLEAF"}}' };
  }
  const table = Object.values(tables).find(({ path }) => pathname.includes(path));
  if (!table) return { status: 200, body: 'null' };
  const { element, perDay, row } = table;
  const day = (...names: string[]) =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null) ?? '';
  const from = day('startDate', 'createDateFrom', 'updateDateFrom');
  const days = daysFrom(from, day('endDate', 'createDateTo', 'updateDateTo'));
  if (pathname.endsWith('/count')) return { status: 200, body: `${days.length * perDay}` };
  const numbers = Array.from({ length: perDay }, (_, number) => number);
  const all = days.toReversed().flatMap((day) => numbers.map((number) => ({ day, number })));
  const { status, rows } = pageOf(all, asked);
  return { status, body: JSON.stringify({ [element]: rows.map((one): object => row(one)) }) };
}

/** A copy that was complete a day before, without its rows: only the state of the sync counts for its plan. */
async function syncedYesterday({ folder }: Home, service: string): Promise<void> {
  const { processes } = world(folder, {}).context;
  const sql = await openSqlite(join(folder, 'shop.db'), processes);
  await prepareCopy(sql, { service, withoutPersonalData: false, patience: 0 });
  await storeAccount(sql, { account: 'GREENLEAF', nicknames, ended: {}, firstDay: first });
  const destination = sqlDestination(sql);
  for (const source of usualSources) await pretendRead(destination, source);
  await sql.close();
}

async function pretendRead(destination: Destination, source: Source): Promise<void> {
  const syncedAt = yesterday.toISOString();
  const writer = await destination.begin('GREENLEAF', source);
  if (source.kind === 'whole') {
    await writer.commit({ extent: 'whole', syncedAt, rowsByDay: new Map(), nicknames });
    return;
  }
  const last = addDays(today, -1);
  const from = source.keeps === undefined ? first : addDays(last, -source.keeps);
  const rows = tables[source.name as keyof typeof tables]?.perDay ?? 0;
  const rowsByDay = new Map<Day, number>(daysFrom(from, last).map((day) => [day, rows]));
  await writer.commit({ extent: { first: from, last }, syncedAt, rowsByDay, nicknames });
  if (!source.readChanges) return;
  const changes = await destination.begin('GREENLEAF', source);
  await changes.commit({ extent: 'changes', syncedAt, rowsByDay: new Map(), nicknames });
}

test.each([['--look-back 2d', 40, 3], ...tier([], [['', 690, 60] as const])] as const)(
  'a nightly sync %s sends at most %i requests for 1,000 orders a day',
  async (options, most, days) => {
    const { env, asked } = await serve((reply, _, one) => {
      const { status, body } = answerTo(one);
      reply.sendDate = false;
      reply.writeHead(status, { date: now.toUTCString() }).end(body);
    });
    const at = home();
    await syncedYesterday(at, env.CB_BASE_URL);
    const { code, err } = await at.cb(`sync shop.db ${options}`, { env });
    expect({ code, err }).toMatchObject({ code: 0 });
    const file = join(at.folder, 'shop.db');
    const copied = await numberOf(file, 'SELECT count(*) FROM orders');
    expect(copied).toBeGreaterThanOrEqual(days * 1000);
    expect(asked.length).toBeLessThanOrEqual(most);
    // The copy knows what the service counted.
    const runs = await rowsOf(file, 'SELECT requests, outcome FROM sync_runs');
    expect(runs).toEqual([{ requests: asked.length, outcome: 'complete' }]);
  },
);
