/** A period that is longer than the service takes is asked for in parts, and nothing is lost or doubled. */
import { expect, test } from 'vitest';
import { windowsOf } from '../../../src/client/paging/windows.ts';
import { addDays } from '../../../src/dates/day.ts';
import { orders } from '../../../src/operations/orders.ts';
import { shipping3 } from '../../../src/operations/shipping.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { clientOf } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

const first = '2026-01-17';
/** The period holds the day on which the clocks change. */
const last = addDays(first, 59);

test('60 days are 9 windows of at most 7 days that touch each other, the latest first', () => {
  const windows = windowsOf(tickets.list, { createDateFrom: first, createDateTo: last });
  expect(windows).toHaveLength(9);
  const spans = windows.map(({ args }) => Object.values(args));
  expect(spans[0]?.[1]).toBe(last);
  expect(spans.at(-1)?.[0]).toBe(first);
  for (const [i, [from = '', to = '']] of (spans as string[][]).entries()) {
    expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(6 * 86_400_000);
    if (i > 0) expect(addDays(to, 1)).toBe(spans[i - 1]?.[0]);
  }
});

test('Two long periods are cut both, and other filters go along', () => {
  const windows = windowsOf(tickets.list, {
    createDateFrom: '2026-03-01',
    createDateTo: '2026-03-10',
    closeDateFrom: '2026-03-01',
    closeDateTo: '2026-03-15',
    status: 'closed',
  });
  expect(windows).toHaveLength(2 * 3);
  expect(windows.every(({ args }) => (args as { status?: string }).status === 'closed')).toBe(true);
});

test('A period that is short enough, and one without a limit, stay whole', () => {
  const week = { createDateFrom: '2026-03-01', createDateTo: '2026-03-07' };
  expect(windowsOf(tickets.list, week)).toEqual([{ args: week, isOpen: true }]);
  const year = { startDate: '2025-01-01', endDate: '2025-12-31' };
  expect(windowsOf(orders.list, year)).toEqual([{ args: year, isOpen: true }]);
});

const period = { startDate: '2026-03-01', endDate: '2026-03-18' };

test('Today, on which orders still come in, is a window of its own', () => {
  const windows = windowsOf(orders.list, period, { today: '2026-03-18', days: 10 });
  expect(windows).toEqual([
    { args: { startDate: '2026-03-18', endDate: '2026-03-18' }, isOpen: true },
    { args: { startDate: '2026-03-08', endDate: '2026-03-17' }, isOpen: false },
    { args: { startDate: '2026-03-01', endDate: '2026-03-07' }, isOpen: false },
  ]);
});

test('From a given day on, each day is a window of its own', () => {
  const windows = windowsOf(orders.list, period, { today: '2026-03-18', dailyFrom: '2026-03-16' });
  expect(windows.map(({ args }) => Object.values(args))).toEqual([
    ['2026-03-18', '2026-03-18'],
    ['2026-03-17', '2026-03-17'],
    ['2026-03-16', '2026-03-16'],
    ['2026-03-01', '2026-03-15'],
  ]);
});

test('A list that begins with the earliest day has its windows in that order', () => {
  const windows = windowsOf(shipping3.list, period, { today: '2026-03-18', days: 10 });
  const starts = windows.map(({ args }) => Object.values(args)[0]);
  expect(starts).toEqual(['2026-03-01', '2026-03-08', '2026-03-18']);
});

test('A period that the service ignores is not cut', () => {
  const args = { ...period, receipt: 'CART0003' };
  const windows = windowsOf(shipping3.list, args, { today: '2026-03-18' });
  expect(windows).toEqual([{ args, isOpen: true }]);
});

test('Tickets on each day of 60, on every edge of a window too, come out exactly once each', async () => {
  const ticketOf = (_: unknown, i: number) => ({ ticketid: `${1000 + i}`, day: addDays(first, i) });
  const all = Array.from({ length: 60 }, ticketOf);
  const server = await serve((reply, _, { url }) => {
    const query = new URL(url, 'http://x').searchParams;
    const [from, to] = [query.get('createDateFrom') ?? '', query.get('createDateTo') ?? ''];
    const found = all.filter(({ day }) => day >= from && day <= to).reverse();
    reply.end(JSON.stringify({ ticketData: found.map(({ ticketid }) => ({ ticketid })) }));
  });
  const api = clientOf(server.url);
  const ids: string[] = [];
  const period = { createDateFrom: first, createDateTo: last };
  for await (const { ticketid } of api.list(tickets.list, period)) ids.push(String(ticketid));
  expect(ids).toEqual(all.map(({ ticketid }) => ticketid).reverse());
  expect(server.asked).toHaveLength(9);
});

test('A ticket that moves into the next window while it is read comes out once', async () => {
  const server = await serve((reply) =>
    reply.end(JSON.stringify({ ticketData: { ticketid: '1', status: 'OPEN' } })),
  );
  const api = clientOf(server.url);
  let rows = 0;
  const period = { updateDateFrom: '2026-03-01', updateDateTo: '2026-03-14' };
  for await (const _ of api.list(tickets.list, period)) rows += 1;
  expect(server.asked).toHaveLength(2);
  expect(rows).toBe(1);
});
