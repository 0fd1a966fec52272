/** What a run reads, and how many requests it plans: the day has 25,000 of them. */
import { expect, test } from 'vitest';
import { addDays, type Day, daysFrom } from '../../../../src/dates/day.ts';
import { instantOf } from '../../../../src/dates/pacific.ts';
import type { AccountState, DayState } from '../../../../src/features/sync/destination.ts';
import { planSync, type Task } from '../../../../src/features/sync/plan.ts';
import { sources, usualSources } from '../../../../src/features/sync/tables/sources.ts';
import type { DatedSource } from '../../../../src/features/sync/tables/table.ts';

const today = '2026-03-18';
const since = addDays(today, -1000);
const hour = 3_600_000;

/** Half past midnight in California. */
const midnight = instantOf(today, 1800) * 1000;

/** Rows of a day of a vendor with 1,000 orders a day. */
const rowsOfADay: Readonly<Record<string, number>> = {
  orders: 1000,
  tickets: 50,
  shipments: 100,
  quickstats: 1,
  subscription_days: 40,
  analytics_days: 150,
};

interface Past {
  /** Hours since the last run. */
  readonly hours?: number;
  readonly rows?: (source: string) => number;
}

const nicknames = ['SHOP'];

/** Everything was read by daily runs, the last one some hours ago. */
function stateOf({
  hours = 24,
  rows = (source) => rowsOfADay[source] ?? 0,
}: Past = {}): AccountState {
  const syncedAt = new Date(midnight - hours * hour).toISOString();
  const daysOf = (source: DatedSource): [string, Map<Day, DayState>] => {
    const days = daysFrom(since, addDays(today, -Math.ceil(hours / 24)));
    return [
      source.name,
      new Map(days.map((day) => [day, { day, syncedAt, rows: rows(source.name), nicknames }])),
    ];
  };
  const dated = sources.filter((source) => source.kind === 'days');
  return {
    days: new Map(dated.map(daysOf)),
    lists: new Map(sources.map(({ name }) => [name, { syncedAt, nicknames, emptied: {} }])),
  };
}

function planned(state: AccountState, lookBack: number, readsAll = false): readonly Task[] {
  const now = () => new Date(midnight);
  const facts = {
    sources: usualSources,
    reader: { today, nicknames },
    since,
    lookBack,
    readsAll,
    now,
  };
  return planSync(state, facts);
}

const names = (tasks: readonly Task[]) => new Set(tasks.map(({ source }) => source.name));
const daysOf = (tasks: readonly Task[], name: string) =>
  tasks.flatMap((task) =>
    task.days && task.reason !== 'changes' && task.source.name === name
      ? daysFrom(task.days.first, task.days.last)
      : [],
  );

test('reads what is read once a day after a day, and after a week with a short look-back', () => {
  const daily = ['products', 'quickstats', 'subscriptions', 'shipments', 'analytics_days'];
  const read = (hours: number, lookBack: number) => {
    const found = names(planned(stateOf({ hours }), lookBack));
    return daily.filter((name) => found.has(name));
  };
  expect(read(1, 60)).toEqual([]);
  expect(read(19, 60)).toEqual([]);
  expect(read(24, 60)).toEqual(daily);
  expect(read(24, 2)).toEqual([]);
  expect(read(7 * 24, 2)).toEqual(daily);
  // The clock was ahead.
  expect(read(-5, 60)).toEqual(daily);
});

test('reads the whole look-back of a vendor with a few parcels, and a part of it for one with many', () => {
  const few = planned(stateOf({ rows: (name) => (name === 'shipments' ? 5 : 0) }), 60);
  expect(daysOf(few, 'shipments')).toEqual(
    expect.arrayContaining(daysFrom(addDays(today, -60), today)),
  );
  const many = daysOf(planned(stateOf(), 60), 'shipments');
  const again = many.filter((day) => day < addDays(today, -1) && day >= addDays(today, -60));
  expect(again).toHaveLength(5);
});

test('reads the days of the look-back in turn that a run has left out', () => {
  const state = stateOf();
  const shipments = new Map(state.days.get('shipments'));
  const recently = new Date(midnight - 24 * hour).toISOString();
  const earlier = new Date(midnight - 48 * hour).toISOString();
  const unread = daysFrom(addDays(today, -40), addDays(today, -36));
  for (const [day, one] of shipments) {
    shipments.set(day, { ...one, syncedAt: unread.includes(day) ? earlier : recently });
  }
  const days = daysOf(
    planned({ ...state, days: new Map([...state.days, ['shipments', shipments]]) }, 60),
    'shipments',
  );
  const edge = addDays(today, -60);
  expect(days.filter((day) => day < addDays(today, -1) && day >= edge).sort()).toEqual(unread);
});

test('reads a day again that has more rows than a run reads again', () => {
  const days = daysOf(planned(stateOf({ rows: () => 5000 }), 60), 'shipments');
  const edge = addDays(today, -60);
  expect(days.filter((day) => day < addDays(today, -1) && day >= edge)).toHaveLength(1);
});
