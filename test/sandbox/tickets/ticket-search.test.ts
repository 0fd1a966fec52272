import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ticket } from '../../../src/operations/tickets.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/http/server.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { faultsInJson } from '../codec/shape.ts';
import { daysAfter, getJson, keyed, listAll, NOON, openSandbox, TODAY, test } from '../raw.ts';
import {
  bodyOf,
  CANCEL,
  FULL,
  open,
  put,
  TECH,
  TICKETS,
  ticketOf,
  ticketsIn,
} from './ticket-raw.ts';

const LIST = `${TICKETS}/list`;

async function all(sandbox: Sandbox, query = '', headers = {}) {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const response = await getJson(sandbox, `${LIST}?${query}`, { Page: String(page), ...headers });
    rows.push(...ticketsIn(response));
    if (response.status !== 206) return rows;
  }
}

async function count(sandbox: Sandbox, query: string, headers = {}): Promise<number> {
  return Number((await getJson(sandbox, `${TICKETS}/count?${query}`, headers)).text);
}

const idsOf = (rows: readonly Record<string, unknown>[]) => rows.map((row) => Number(row.ticketid));

test('returns tickets newest first, 100 per page, with 206 until the last page', async ({
  large,
}) => {
  const first = await getJson(large, LIST);
  expect([first.status, ticketsIn(first).length]).toEqual([206, 100]);
  const rows = await all(large);
  expect(new Set(idsOf(rows)).size).toBe(rows.length);
  expect(await count(large, '')).toBe(rows.length);
  const opened = rows.map((row) => Date.parse(String(row.openedDate)));
  expect(opened).toEqual(opened.toSorted((a, b) => b - a));
  expect(rows.flatMap((row) => faultsInJson(ticket, row))).toEqual([]);
  const lately = rows.filter((row) => String(row.openedDate) > daysAfter(TODAY, -60));
  expect(lately.length).toBeGreaterThan(100);
  expect(rows.every((row) => Date.parse(String(row.updateTime)) <= large.now().getTime())).toBe(
    true,
  );
});

test('seeds a closed ticket for every refund', async ({ large }) => {
  const refunds = [
    ...(await listAll(large, 'type=RFND')),
    ...(await listAll(large, 'type=TEST_RFND')),
  ];
  const tickets = (await all(large, 'type=rfnd')).filter((row) => row.status === 'CLOSED');
  const shown = (rows: readonly unknown[][]) => rows.map(String).sort();
  expect(
    shown(tickets.map((row) => [row.receipt, row.closedDate, `-${row.refundAmount}`])),
  ).toEqual(shown(refunds.map((row) => [row.receipt, row.transactionTime, row.totalOrderAmount])));
  expect(tickets.length).toBeGreaterThan(20);
});

test('accepts the request values of type and status', async () => {
  const sandbox = await openSandbox({ seed: { orders: 2000 } });
  await put(sandbox, '1002?action=reopen&comment=x');
  const every = await all(sandbox);
  for (const [type, answered] of [
    ['rfnd', 'REFUND'],
    ['cncl', 'CANCEL'],
    ['tech', 'TECH_SUPPORT'],
  ]) {
    for (const [status, state] of [
      ['open', 'OPEN'],
      ['reopened', 'REOPENED'],
      ['closed', 'CLOSED'],
    ]) {
      const query = `type=${type}&status=${status}`;
      const found = await all(sandbox, query);
      expect(idsOf(found), query).toEqual(
        idsOf(every.filter((row) => row.type === answered && row.status === state)),
      );
      expect(await count(sandbox, query)).toBe(found.length);
    }
  }
  expect(idsOf(await all(sandbox, 'status=reopened'))).toEqual([1002, 1005]);
  for (const path of [`${LIST}?type=REFUND`, `${LIST}?status=OPEN`, `${TICKETS}/count?type=x`]) {
    expect((await getJson(sandbox, path)).status, path).toBe(400);
  }
});

test('finds the tickets of rebills by the receipt of the subscription', async ({ sandbox }) => {
  const rebill = bodyOf(await open(sandbox, `MONTHLY1-B003?${TECH}`));
  const id = Number(rebill.ticketid);
  expect(idsOf(await all(sandbox, 'receipt=MONTHLY1'))).toEqual([id, 1003]);
  expect(await count(sandbox, 'receipt=MONTHLY1')).toBe(2);
  expect(idsOf(await all(sandbox, 'receipt=MONTHLY1-B003'))).toEqual([id]);
  expect(idsOf(await all(sandbox, 'receipt=MON%25LY%25'))).toEqual([id, 1003]);
  expect(await all(sandbox, 'receipt=MONTHLY_')).toEqual([]);
});

test('requires four characters of a receipt that does not start with %', async ({ sandbox }) => {
  for (const receipt of ['MON%25', 'MON', '%25ONTHLY1', 'M%25O%25N', '%25%25%25%25%25']) {
    expect((await getJson(sandbox, `${LIST}?receipt=${receipt}`)).status, receipt).toBe(400);
  }
  expect((await getJson(sandbox, `${LIST}?receipt=MO%25NT`)).status).toBe(200);
});

test('uses inclusive Pacific days for create, update, and close dates', async ({ large }) => {
  const every = await all(large);
  const from = daysAfter(TODAY, -16);
  const to = daysAfter(TODAY, -10);
  for (const [name, field] of [
    ['create', 'openedDate'],
    ['update', 'updateTime'],
    ['close', 'closedDate'],
  ] as const) {
    const found = await all(large, `${name}DateFrom=${from}&${name}DateTo=${to}`);
    const inside = every.filter((row) => {
      const day = String(row[field]).slice(0, 10);
      return typeof row[field] === 'string' && day >= from && day <= to;
    });
    expect(idsOf(found), name).toEqual(idsOf(inside));
    expect(found.length, name).toBeGreaterThan(3);
  }
});

test('requires periods with both dates, in order, and at most seven days', async ({ sandbox }) => {
  for (const name of ['create', 'update', 'close']) {
    const period = (from: string, to: string) => `${name}DateFrom=${from}&${name}DateTo=${to}`;
    const status = async (query: string) => (await getJson(sandbox, `${LIST}?${query}`)).status;
    expect(await status(period('2026-03-12', '2026-03-18'))).toBe(200);
    expect(await status(period('2026-03-11', '2026-03-18'))).toBe(400);
    expect(await status(period('2026-03-05', '2026-03-11'))).toBe(200);
    expect(await status(period('2026-03-18', '2026-03-17'))).toBe(400);
    expect(await status(`${name}DateFrom=2026-03-12`)).toBe(400);
    expect(await status(`${name}DateTo=2026-03-12`)).toBe(400);
    expect(await status(period('2026-02-29', '2026-03-02'))).toBe(400);
    expect(await status(period('12.03.2026', '2026-03-18'))).toBe(400);
  }
});

test('shows tickets only to their vendors', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1000 } });
  const [sale] = await listAll(sandbox, 'type=SALE&vendor=FITLAB24');
  const made = bodyOf(await open(sandbox, `${sale?.receipt}?${TECH}`));
  const key = (name: string) => keyed(sandbox, name);
  const own = idsOf(await all(sandbox, '', key('vendor')));
  expect(own).toContain(1001);
  expect(own).not.toContain(Number(made.ticketid));
  expect(await count(sandbox, '', key('vendor'))).toBe(own.length);
  expect(await all(sandbox, '', key('affiliate'))).toEqual([]);
  expect(await count(sandbox, '', key('read-only'))).toBe(await count(sandbox, ''));
  expect((await getJson(sandbox, `${TICKETS}/${made.ticketid}`, key('vendor'))).status).toBe(403);
});

test('sorts tickets newest first, also within one second', async ({ sandbox }) => {
  const made = [];
  for (const path of [`DIGITAL1?${FULL}`, `MONTHLY1?${CANCEL}`, `PARCEL01?${TECH}`]) {
    made.push(Number(bodyOf(await open(sandbox, path)).ticketid));
  }
  expect(idsOf(await all(sandbox)).slice(0, 3)).toEqual(made.reverse());
});

test('sends the locale of a ticket as the language with the country', async ({ large }) => {
  const locales = new Set((await all(large)).map(({ locale }) => locale));
  expect([...locales]).toEqual(expect.arrayContaining(['en_US', 'de_DE']));
  for (const locale of locales) expect(locale).toMatch(/^[a-z]{2}_[A-Z]{2}$/);
});

test.each([
  ['language', { '@nil': 'true' }],
  ['country', 'en'],
])('sends what is known of the locale of a ticket without the %s', async (column, locale) => {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-locale-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'sandbox.sqlite');
  const seed = { orders: 20 };
  await (await startSandbox({ file, now: () => NOON, seed })).close();
  const database = await openDatabase(file);
  database.run(`UPDATE purchase SET ${column} = NULL WHERE receipt = 'TICKET01'`);
  database.close();
  const sandbox = await openSandbox({ file, seed });
  expect(await ticketOf(sandbox, 1001)).toMatchObject({
    receipt: 'TICKET01',
    locale,
  });
});
