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
import { bigShop, rowsADay } from '../../support/big-shop.ts';
import { type Home, home, now, world } from '../../support/cb.ts';
import { numberOf, rowsOf } from '../../support/copy.ts';
import { tier } from '../../support/tier.ts';

const today = pacificDay(now.getTime() / 1000);
const yesterday = new Date(now.getTime() - 86_400_000);
const first = addDays(today, -999);
const nicknames = ['GREENLEAF'];

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
  const rows = rowsADay[source.name as keyof typeof rowsADay] ?? 3;
  const rowsByDay = new Map<Day, number>(daysFrom(from, last).map((day) => [day, rows]));
  await writer.commit({ extent: { first: from, last }, syncedAt, rowsByDay, nicknames });
  if (!source.readChanges) return;
  const changes = await destination.begin('GREENLEAF', source);
  await changes.commit({ extent: 'changes', syncedAt, rowsByDay: new Map(), nicknames });
}

test.each([['--look-back 2d', 40, 3], ...tier([], [['', 700, 60] as const])] as const)(
  'a nightly sync %s sends at most %i requests for 1,000 orders a day',
  async (options, most, days) => {
    const { env, asked } = await bigShop(() => now);
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
