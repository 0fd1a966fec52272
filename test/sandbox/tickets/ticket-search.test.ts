import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  countAt,
  dayOf,
  daysAfter,
  type Json,
  keyed,
  listAll,
  openSandbox,
  pagesOf,
  rowsAt,
  rowsIn,
  TODAY,
  test,
} from '../raw.ts';
import { rowsIn as storedRows, storeFile } from '../store/store-file.ts';
import { bodyOf, CANCEL, expectTickets, FULL, open, put, TECH, ticketOf } from './ticket-raw.ts';

const all = (sandbox: Sandbox, query = '', headers = {}) =>
  rowsAt(sandbox, `tickets/list?${query}`, headers);

const count = (sandbox: Sandbox, query: string, headers = {}) =>
  countAt(sandbox, `tickets/count?${query}`, headers);

const idsOf = (rows: readonly Json[]) => rows.map((row) => Number(row.ticketid));

test('returns tickets newest first, 100 a page, with 206 until the last', async ({ large }) => {
  const pages = await pagesOf(large, 'tickets/list');
  expect([pages[0]?.status, rowsIn(pages[0] as never).length]).toEqual([206, 100]);
  const rows = pages.flatMap(rowsIn);
  expect(new Set(idsOf(rows)).size).toBe(rows.length);
  expect(await count(large, '')).toBe(rows.length);
  const opened = rows.map((row) => Date.parse(String(row.openedDate)));
  expect(opened).toEqual(opened.toSorted((a, b) => b - a));
  const lately = rows.filter((row) => String(row.openedDate) > daysAfter(TODAY, -60));
  expect(lately.length).toBeGreaterThan(100);
  const updated = rows.map((row) => Date.parse(String(row.updateTime)));
  expect(Math.max(...updated)).toBeLessThanOrEqual(large.now().getTime());
  // The locale is the language with the country.
  const locales = new Set(rows.map(({ locale }) => locale));
  expect([...locales]).toEqual(expect.arrayContaining(['en_US', 'de_DE']));
  for (const locale of locales) expect(locale).toMatch(/^[a-z]{2}_[A-Z]{2}$/);
});

test('seeds a closed ticket for every refund', async ({ large }) => {
  const refunds = [
    ...(await listAll(large, 'type=RFND')),
    ...(await listAll(large, 'type=TEST_RFND')),
  ].map((row) => `${row.receipt} ${row.transactionTime} ${row.totalOrderAmount}`);
  const tickets = (await all(large, 'type=rfnd&status=closed')).map(
    (row) => `${row.receipt} ${row.closedDate} -${row.refundAmount}`,
  );
  expect(tickets.sort()).toEqual(refunds.sort());
  expect(tickets.length).toBeGreaterThan(20);
});

test('accepts the request values of type and status', async () => {
  const sandbox = await openSandbox({ seed: { orders: 2000 } });
  await put(sandbox, '1002?action=reopen&comment=x');
  const every = await all(sandbox);
  const types = { rfnd: 'REFUND', cncl: 'CANCEL', tech: 'TECH_SUPPORT' };
  for (const [type, answered] of Object.entries(types)) {
    for (const status of ['open', 'reopened', 'closed']) {
      const query = `type=${type}&status=${status}`;
      const found = await all(sandbox, query);
      const expected = every.filter(
        (row) => row.type === answered && row.status === status.toUpperCase(),
      );
      expect(idsOf(found), query).toEqual(idsOf(expected));
      expect(await count(sandbox, query)).toBe(found.length);
    }
  }
  expect(idsOf(await all(sandbox, 'status=reopened'))).toEqual([1002, 1005]);
  await expectTickets(sandbox)`GET list?type=REFUND 400\nGET list?status=OPEN 400`;
});

test('finds the tickets of rebills by the receipt of the subscription', async ({ sandbox }) => {
  const rebill = bodyOf(await open(sandbox, `MONTHLY1-B003?${TECH}`));
  const id = Number(rebill.ticketid);
  for (const [receipt, ids] of [
    ['MONTHLY1', [id, 1003]],
    ['MONTHLY1-B003', [id]],
    ['MON%25LY%25', [id, 1003]],
    ['MONTHLY_', []],
  ] as const) {
    expect(idsOf(await all(sandbox, `receipt=${receipt}`)), receipt).toEqual(ids);
    expect(await count(sandbox, `receipt=${receipt}`)).toBe(ids.length);
  }
});

test('requires four characters of a receipt that does not start with %', async ({ sandbox }) => {
  await expectTickets(sandbox)`
    GET list?receipt=MON%25 400
    GET list?receipt=MON 400
    GET list?receipt=%25ONTHLY1 400
    GET list?receipt=M%25O%25N 400
    GET list?receipt=%25%25%25%25%25 400
    GET list?receipt=MO%25NT 200`;
});

test('uses inclusive Pacific days for create, update, and close dates', async ({ large }) => {
  const every = await all(large);
  const [from, to] = [daysAfter(TODAY, -16), daysAfter(TODAY, -10)];
  const fields = { create: 'openedDate', update: 'updateTime', close: 'closedDate' };
  for (const [name, field] of Object.entries(fields)) {
    const found = await all(large, `${name}DateFrom=${from}&${name}DateTo=${to}`);
    const inside = every.filter((row) => dayOf(row[field]) >= from && dayOf(row[field]) <= to);
    expect(idsOf(found), name).toEqual(idsOf(inside));
    expect(found.length, name).toBeGreaterThan(3);
  }
});

test('requires periods with both dates, in order, and at most seven days', async ({ sandbox }) => {
  for (const name of ['create', 'update', 'close']) {
    const list = `GET list?${name}Date`;
    const period = (from: string, to: string) => `${list}From=${from}&${name}DateTo=${to}`;
    await expectTickets(sandbox)`
      ${period('2026-03-12', '2026-03-18')} 200
      ${period('2026-03-11', '2026-03-18')} 400
      ${period('2026-03-05', '2026-03-11')} 200
      ${period('2026-03-18', '2026-03-17')} 400
      ${list}From=2026-03-12 400
      ${list}To=2026-03-12 400
      ${period('2026-02-29', '2026-03-02')} 400
      ${period('12.03.2026', '2026-03-18')} 400`;
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
  await expectTickets(sandbox)`vendor: GET ${made.ticketid} 403`;
});

test('sorts tickets newest first, also within one second', async ({ sandbox }) => {
  const made = [];
  for (const path of [`DIGITAL1?${FULL}`, `MONTHLY1?${CANCEL}`, `PARCEL01?${TECH}`]) {
    made.push(Number(bodyOf(await open(sandbox, path)).ticketid));
  }
  expect(idsOf(await all(sandbox)).slice(0, 3)).toEqual(made.reverse());
});

test.each([
  ['language', { '@nil': 'true' }],
  ['country', 'en'],
])('sends what is known of the locale of a ticket without the %s', async (column, locale) => {
  const file = storeFile();
  const sandbox = await openSandbox({ file });
  const change = `UPDATE purchase SET ${column} = NULL WHERE receipt = 'TICKET01' RETURNING id`;
  expect(await storedRows(file, change)).toHaveLength(1);
  expect(await ticketOf(sandbox, 1001)).toMatchObject({ receipt: 'TICKET01', locale });
});
