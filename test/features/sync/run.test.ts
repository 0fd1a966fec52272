/** A run of a sync over sources that fail. */
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import { addDays, daysFrom } from '../../../src/dates/day.ts';
import type { Destination } from '../../../src/features/sync/database/copy.ts';
import type { AccountState, Completed } from '../../../src/features/sync/destination.ts';
import { Budget } from '../../../src/features/sync/plan.ts';
import { syncAccount } from '../../../src/features/sync/run.ts';
import {
  column,
  type DatedSource,
  type Days,
  type Table,
} from '../../../src/features/sync/tables/table.ts';
import { resource } from '../../../src/operations/resource.ts';
import { clientOf } from '../../support/client.ts';

const { day, text } = column;

const today = '2026-03-18';

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
    now: () => new Date('2026-03-18T18:30:00Z'),
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

const [third, second] = [addDays(today, -3), addDays(today, -2)];

test.each<[what: string, Pick<DatedSource, 'windowDays' | 'read'>]>([
  ['', { windowDays: 1, async *read() {} }],
  [
    ' when their rows moved and they are read in parts',
    {
      windowDays: 31,
      async *read(_, { days: { first, last } }) {
        if (first !== last) throw new ApiError('failed', 'Rows moved', { code: 'shifted-rows' });
        if (first !== third) yield { rows: [{ id: first, day: first }] };
      },
    },
  ],
])('keeps the rows of days whose list is suddenly empty%s, and names the days', async (_, list) => {
  const syncedAt = '2026-03-16T00:00:00Z';
  const had = (day: string) => [day, { day, rows: 3, syncedAt, nicknames: ['SHOP'] }] as const;
  const days = list.windowDays === 1 ? [third] : [third, second];
  const at = memory({ days: new Map([['tickets', new Map(days.map(had))]]) });
  const source = { ...sourceOf('tickets', () => undefined), ...list };
  const result = await run([source], at, { since: third });
  expect(result.outcome).toBe('incomplete');
  expect(result.problems.map(({ days, error }) => [days?.first, error.message])).toEqual([
    [third, 'ClickBank lists nothing, but the copy has 3 rows of these days'],
  ]);
  expect(at.committed).not.toContain(`tickets ${third} ${third}`);
  expect(at.committed).toContain(`tickets ${today} ${today}`);
});
