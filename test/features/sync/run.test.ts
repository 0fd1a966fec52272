/** Which days a sync reads, and how a run continues after sources fail. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import {
  addDays,
  type Day,
  daysBetween,
  daysFrom,
  endOf,
  pacificDay,
} from '../../../src/dates/day.ts';
import type { Destination } from '../../../src/features/sync/database/copy.ts';
import type { AccountState, Completed, DayState } from '../../../src/features/sync/destination.ts';
import { Budget, fitting, planSync, type Task } from '../../../src/features/sync/plan.ts';
import { syncAccount } from '../../../src/features/sync/run.ts';
import { orderSource } from '../../../src/features/sync/tables/order-tables.ts';
import { shipmentSource } from '../../../src/features/sync/tables/shipping-tables.ts';
import { usualSources } from '../../../src/features/sync/tables/sources.ts';
import {
  column,
  type DatedSource,
  type Days,
  type Table,
} from '../../../src/features/sync/tables/table.ts';
import { resource } from '../../../src/operations/resource.ts';
import { clientOf } from '../../support/client.ts';

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

test('reads the look-back of orders weekly if a listener runs, and that of shipments daily', () => {
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

test('splits a task to fit any number of requests, without losing a day', () => {
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

test('repeats a daily read after a day, or after a week with a short look-back', () => {
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

test('reads the days of the look-back that a run has skipped, in turn', () => {
  const known = wholeCopy(now - 24 * hour, undefined, 100);
  for (const ago of [36, 37, 38, 39, 40])
    known.set(...read(addDays(today, -ago), now - 48 * hour, 100));
  expect(shipmentsAgain(known)).toEqual([36, 37, 38, 39, 40]);
});

const { day, text } = column;

function tableOf(name: string): Table {
  const columns = [text('id', 'ID'), day('day', 'Day')];
  return { name, comment: name, key: ['id'], day: 'day', columns };
}

/** A source with one row a day, whose windows can fail. */
function sourceOf(name: string, fail: (days: Days) => Error | undefined): DatedSource {
  return {
    ...{ name, kind: 'days', tables: [tableOf(name)], identity: 'id', windowDays: 1 },
    resource: resource('row', [], {}),
    idOf: ({ id }) => String(id),
    dayOf: ({ day }) => String(day),
    async *read(_, { days }) {
      const error = fail(days);
      if (error) throw error;
      yield { rows: daysFrom(days.first, days.last).map((day) => ({ id: day, day })) };
    },
  };
}

/** Keeps what is committed, in memory. */
function memory(state: Partial<AccountState> = {}) {
  const committed: string[] = [];
  const destination: Destination = {
    state: async () => ({ days: new Map(), lists: new Map(), ...state }),
    begin: async (_, { name }) => ({
      write: async () => undefined,
      commit: async ({ extent }: Completed) => {
        const days = typeof extent === 'string' ? extent : `${extent.first} ${extent.last}`;
        committed.push(`${name} ${days}`);
      },
    }),
    rowsOf: async () => 0,
  };
  return { committed, destination };
}

function run(
  sources: readonly DatedSource[],
  { destination }: ReturnType<typeof memory>,
  more = {},
) {
  return syncAccount({
    ...{ account: 'SHOP', destination, sources, since: addDays(today, -5), lookBack: 60 },
    ...{ readsAll: false, budget: new Budget(1000) },
    reader: {
      ...{ client: clientOf('http://127.0.0.1:9'), nicknames: ['SHOP'], today },
      signal: new AbortController().signal,
    },
    now: usual.now,
    isAnonymous: () => false,
    ...more,
  });
}

const refusal = () => new ApiError('refused', 'ClickBank returned 403 Forbidden', { status: 403 });
const failure = () => new ApiError('failed', 'ClickBank failed', { status: 503 });

test('continues after a window that fails, and names it', async () => {
  const at = memory();
  const failing = '2026-03-15';
  const source = sourceOf('orders', ({ first }) => (first === failing ? failure() : undefined));
  const result = await run([source], at);
  expect(result).toMatchObject({ outcome: 'incomplete', windows: 5, rows: 5 });
  expect(result.problems).toMatchObject([{ source: 'orders', days: { first: '2026-03-15' } }]);
  expect(at.committed).not.toContain('orders 2026-03-15 2026-03-15');
});

test('counts no rows of a window that failed, and those of the next run once', async () => {
  const counts = [3, 2, 3, 1, 2, 1];
  const source = { ...sourceOf('orders', () => undefined), count: async () => counts.shift() ?? 0 };
  const at = memory();
  const failed = await run([source], at, { since: today });
  const next = await run([source], at, { since: today });
  expect(failed).toMatchObject({ outcome: 'incomplete', rows: 0 });
  expect(next).toMatchObject({ outcome: 'complete', rows: 1 });
  // The second attempt of a run succeeds.
  const retried = await run([source], memory(), { since: today });
  expect(retried).toMatchObject({ outcome: 'complete', rows: 1 });
});

test('gives up after three windows in a row that fail', async () => {
  let asked = 0;
  const source = sourceOf('orders', () => {
    asked += 1;
    return failure();
  });
  const result = await run([source], memory());
  expect(result.outcome).toBe('incomplete');
  expect(asked).toBe(3);
});

test('asks a source that is refused once, reads the others, and is complete', async () => {
  const at = memory();
  let asked = 0;
  const refused = sourceOf('analytics', () => {
    asked += 1;
    return refusal();
  });
  const result = await run([refused, sourceOf('orders', () => undefined)], at);
  expect(asked).toBe(1);
  expect(result).toMatchObject({ outcome: 'complete', windows: 6 });
  expect(result.refusals.map(({ source }) => source)).toEqual(['analytics']);
  expect(result.sources.map(({ source, outcome }) => [source, outcome])).toEqual([
    ['analytics', 'refused'],
    ['orders', 'complete'],
  ]);
});

test('throws the refusal if the key may read nothing', async () => {
  await expect(run([sourceOf('orders', refusal)], memory())).rejects.toThrow('403 Forbidden');
});

test('keeps the rows of days whose list is suddenly empty, also if it is read in parts, and names the days', async () => {
  const [third, second] = [addDays(today, -3), addDays(today, -2)];
  const known = wholeCopy(now - 60 * hour, [third, second], 3);
  const at = memory({ days: new Map([['tickets', known]]) });
  const moving: DatedSource = {
    ...sourceOf('tickets', () => undefined),
    windowDays: 31,
    async *read(_, { days: { first, last } }) {
      if (first !== last) throw new ApiError('failed', 'Rows moved', { code: 'shifted-rows' });
      if (first !== third) yield { rows: [{ id: first, day: first }] };
    },
  };
  const result = await run([moving], at, { since: third });
  expect(result.outcome).toBe('incomplete');
  expect(result.problems.map(({ days, error }) => [days?.first, error.message])).toEqual([
    [third, 'ClickBank lists nothing, but the copy has 3 rows of these days'],
  ]);
  expect(at.committed).not.toContain(`tickets ${third} ${third}`);
  expect(at.committed).toContain(`tickets ${today} ${today}`);
});
