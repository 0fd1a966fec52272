/** A period that is longer than the service accepts is read in windows, without losing or repeating a row. */
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

test('splits 60 days into 9 adjacent windows of at most 7 days, the latest first', () => {
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

test('splits two long periods and keeps the other filters', () => {
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

test('does not split a short period or one without a limit', () => {
  const week = { createDateFrom: '2026-03-01', createDateTo: '2026-03-07' };
  expect(windowsOf(tickets.list, week)).toMatchObject([{ args: week, isOpen: true }]);
  const year = { startDate: '2025-01-01', endDate: '2025-12-31' };
  expect(windowsOf(orders.list, year)).toMatchObject([{ args: year, isOpen: true }]);
});

const period = { startDate: '2026-03-01', endDate: '2026-03-18' };

test('makes today, when orders still arrive, a window of its own', () => {
  const windows = windowsOf(orders.list, period, { today: '2026-03-18', days: 10 });
  expect(windows).toMatchObject([
    { args: { startDate: '2026-03-18', endDate: '2026-03-18' }, isOpen: true },
    { args: { startDate: '2026-03-08', endDate: '2026-03-17' }, isOpen: false },
    { args: { startDate: '2026-03-01', endDate: '2026-03-07' }, isOpen: false },
  ]);
  const daily = windowsOf(orders.list, period, { today: '2026-03-18', dailyFrom: '2026-03-17' });
  expect(daily.map(({ args }) => Object.values(args))).toEqual([
    ['2026-03-18', '2026-03-18'],
    ['2026-03-17', '2026-03-17'],
    ['2026-03-01', '2026-03-16'],
  ]);
});

test('orders windows like the rows of a list that begins with the earliest day', () => {
  const windows = windowsOf(shipping3.list, period, { today: '2026-03-18', days: 10 });
  const starts = windows.map(({ args }) => Object.values(args)[0]);
  expect(starts).toEqual(['2026-03-01', '2026-03-08', '2026-03-18']);
});

test('does not split a period that the service ignores', () => {
  const args = { ...period, receipt: 'CART0003' };
  const windows = windowsOf(shipping3.list, args, { today: '2026-03-18' });
  expect(windows).toMatchObject([{ args, isOpen: true }]);
});

test('yields a ticket once when it moves to the next window while it is read', async () => {
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
