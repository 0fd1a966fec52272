/** Which days a sync reads. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  type Day,
  daysBetween,
  daysFrom,
  endOf,
  pacificDay,
} from '../../../src/dates/day.ts';
import type { AccountState, DayState } from '../../../src/features/sync/destination.ts';
import { fitting, planSync, type Task } from '../../../src/features/sync/plan.ts';
import { orderSource } from '../../../src/features/sync/tables/order-tables.ts';
import { shipmentSource } from '../../../src/features/sync/tables/shipping-tables.ts';
import { usualSources } from '../../../src/features/sync/tables/sources.ts';
import type { DatedSource } from '../../../src/features/sync/tables/table.ts';

const now = Date.parse('2026-03-18T18:30:00Z');
const today = pacificDay(now / 1000);
const hour = 3_600_000;

const since = addDays(today, -100);

function read(day: Day, at: number, rows = 10): readonly [Day, DayState] {
  return [day, { day, rows, syncedAt: new Date(at).toISOString(), nicknames: ['SHOP'] }];
}

/** All days of the copy, read at the same time. */
function wholeCopy(at: number, days = daysFrom(since, today), rows = 10): Map<Day, DayState> {
  return new Map(days.map((day) => read(day, at, rows)));
}

const usual = {
  ...{ since, lookBack: 60, readsAll: false, now: () => new Date(now) },
  reader: { today, nicknames: ['SHOP'] },
};

interface Asked {
  readonly sinceAgo?: number;
  readonly lookBack?: number;
  readonly readsAll?: boolean;
  readonly source?: DatedSource;
  readonly isLive?: boolean;
}

function planned(known: Map<Day, DayState>, asked: Asked = {}) {
  const { sinceAgo = 100, source = orderSource, ...others } = asked;
  const state: AccountState = { days: new Map([[source.name, known]]), lists: new Map() };
  const since = addDays(today, -sinceAgo);
  const facts = { ...usual, isLive: false, sources: [source], since, ...others };
  const tasks = planSync(state, facts);
  const fit = (task: Task, requests: number) => fitting(task, requests, state, facts);
  return { tasks, since: facts.since, fit };
}

const daysOf = ({ days }: Task) => (days ? daysFrom(days.first, days.last) : []);

/** The reason of each day that is planned, by its days before today. */
function reasonsOf(known: Map<Day, DayState>, asked: Asked = {}): Record<number, string> {
  const { tasks } = planned(known, asked);
  const each = tasks.flatMap((task) =>
    daysOf(task).map((day) => [daysBetween(day, today), task.reason]),
  );
  return Object.fromEntries(each);
}

test('reads today and yesterday in every run, and nothing else right after a complete run', () => {
  expect(reasonsOf(wholeCopy(now - hour))).toEqual({ 0: 'recent', 1: 'recent' });
});

test('reads the look-back again after a day, and older days only in turn', () => {
  const due = reasonsOf(wholeCopy(now - 24 * hour));
  expect(due).toMatchObject({ 1: 'recent', 2: 'look-back', 60: 'look-back' });
  expect(Object.values(due).filter((reason) => reason === 'older')).toHaveLength(1);
  const long = wholeCopy(now - 24 * hour, daysFrom(addDays(today, -1000), today));
  const older = Object.values(reasonsOf(long, { sinceAgo: 1000 }));
  expect(older.filter((reason) => reason === 'older')).toHaveLength(3);
});

test('reads the look-back of orders weekly beside a listener, and that of shipments daily', () => {
  const known = wholeCopy(now - 25 * hour);
  expect(reasonsOf(known, { isLive: true })).toEqual({ 0: 'recent', 1: 'recent' });
  expect(reasonsOf(wholeCopy(now - 165 * hour), { isLive: true })[30]).toBe('look-back');
  expect(reasonsOf(known, { isLive: true, source: shipmentSource })[30]).toBeDefined();
});

test('reads the whole look-back in each run if it was asked for', () => {
  const due = reasonsOf(wholeCopy(now - hour), { lookBack: 5, readsAll: true });
  const days = Object.keys(due).map(Number);
  expect(days.filter((day) => due[day] !== 'older')).toEqual([0, 1, 2, 3, 4, 5]);
});

test('reads the look-back again if the clock was set back, instead of waiting for the future', () => {
  expect(reasonsOf(wholeCopy(now + 48 * hour))[30]).toBe('look-back');
});

test('reads the longest unread of the older days first', () => {
  const known = wholeCopy(now - 24 * hour);
  const oldest = addDays(today, -77);
  known.set(...read(oldest, now - 900 * hour));
  expect(reasonsOf(known)).toMatchObject({ 77: 'older' });
});

test('asks for no days that the service no longer keeps', () => {
  const due = reasonsOf(new Map(), { source: { ...orderSource, keeps: 30 } });
  expect(Math.max(...Object.keys(due).map(Number))).toBe(30);
});

/** Copies in any state: days that were read at any time, before or after they ended, also in the future. */
const anyCopy = fc
  .array(
    fc.record({
      ago: fc.integer({ min: 0, max: 120 }),
      hours: fc.integer({ min: -72, max: 3000 }),
      rows: fc.integer({ min: 0, max: 30_000 }),
    }),
    { maxLength: 130 },
  )
  .map((days) => {
    const states = days.map(({ ago, hours, rows }) =>
      read(addDays(today, -ago), now - hours * hour, rows),
    );
    return new Map(states);
  });

const anyFacts = fc.record({
  sinceAgo: fc.integer({ min: 0, max: 110 }),
  lookBack: fc.integer({ min: 0, max: 90 }),
  readsAll: fc.boolean(),
});

test('each day is planned once, or was read after it ended, and within the look-back a day ago at most; none lies outside', () => {
  fc.assert(
    fc.property(anyCopy, anyFacts, (known, facts) => {
      const { tasks, since } = planned(known, facts);
      const days = tasks.flatMap(daysOf);
      expect(new Set(days).size).toBe(days.length);
      for (const day of days) expect(day >= since && day <= today).toBe(true);
      const left = daysFrom(since, today).filter((day) => !days.includes(day));
      for (const day of left) {
        const at = Date.parse(known.get(day)?.syncedAt ?? '');
        expect(at).toBeGreaterThanOrEqual(endOf(day) * 1000);
        const ago = daysBetween(day, today);
        expect(ago).toBeGreaterThan(1);
        if (ago <= facts.lookBack) expect(at).toBeGreaterThan(now - 24 * hour);
      }
    }),
  );
});

test('a task is cut into parts that fit any number of requests, without losing a day', () => {
  fc.assert(
    fc.property(anyCopy, anyFacts, fc.integer({ min: 0, max: 150 }), (known, facts, requests) => {
      const { tasks, fit } = planned(known, facts);
      for (const whole of tasks) {
        const { task, rest } = fit(whole, requests);
        if (task) expect(task.requests).toBeLessThanOrEqual(requests);
        if (!task) expect(whole.requests).toBeGreaterThan(requests);
        if (task)
          expect([...daysOf(task), ...(rest ? daysOf(rest) : [])].sort()).toEqual(daysOf(whole));
      }
    }),
  );
});

test('reads days that were never read before the look-back, so that few requests suffice in the end', () => {
  const known = wholeCopy(now - 48 * hour, daysFrom(addDays(today, -70), today));
  const { tasks } = planned(known);
  const reasons = new Set(tasks.map(({ reason }) => reason));
  expect([...reasons]).toEqual(['recent', 'missing', 'look-back', 'older']);
  expect(tasks.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(4);
});

test('reads what is read once a day after a day, and after a week with a short look-back', () => {
  const daily = ['products', 'quickstats', 'subscriptions', 'shipments', 'analytics_days'];
  const namesRead = (hours: number, lookBack: number) => {
    const at = now - hours * hour;
    const list = { syncedAt: new Date(at).toISOString(), nicknames: ['SHOP'], emptied: {} };
    const state = {
      days: new Map(usualSources.map(({ name }) => [name, wholeCopy(at)])),
      lists: new Map(usualSources.map(({ name }) => [name, list])),
    };
    const tasks = planSync(state, { ...usual, sources: usualSources, lookBack });
    return daily.filter((name) => tasks.some(({ source }) => source.name === name));
  };
  expect(namesRead(1, 60)).toEqual([]);
  expect(namesRead(19, 60)).toEqual([]);
  expect(namesRead(24, 60)).toEqual(daily);
  expect(namesRead(24, 2)).toEqual([]);
  expect(namesRead(7 * 24, 2)).toEqual(daily);
  // The clock was ahead.
  expect(namesRead(-5, 60)).toEqual(daily);
});

/** The shipments of the look-back that are planned, as days before today. */
function shipmentsAgain(known: Map<Day, DayState>): number[] {
  const days = Object.keys(reasonsOf(known, { source: shipmentSource })).map(Number);
  return days.filter((ago) => ago > 1 && ago <= 60);
}

test.each([
  ['the whole look-back of a vendor with a few parcels', 5, 59],
  ['a part of it for one with many', 100, 5],
  ['a day that has more rows than a run reads again', 5000, 1],
])('reads %s again', (_, rows, days) => {
  expect(shipmentsAgain(wholeCopy(now - 24 * hour, undefined, rows))).toHaveLength(days);
});

test('reads the days of the look-back in turn that a run has left out', () => {
  const known = wholeCopy(now - 24 * hour, undefined, 100);
  for (const ago of [36, 37, 38, 39, 40])
    known.set(...read(addDays(today, -ago), now - 48 * hour, 100));
  expect(shipmentsAgain(known)).toEqual([36, 37, 38, 39, 40]);
});
