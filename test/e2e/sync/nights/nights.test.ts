/** After each of 90 nights, the copy equals what the service lists. */
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
import { openSqlite } from '../../../../src/workflows/sync/database/sqlite.ts';
import { sqlDestination } from '../../../../src/workflows/sync/database/sql-destination.ts';
import { home } from '../../../support/cb.ts';
import { type Difference, differencesOf } from './compare.ts';
import { eventNames, happenings } from './events.ts';
import { listedNow } from './service.ts';
import { openShop, prepared } from './shop.ts';

const lag = new Map<string, number>();
test('explore', async () => {
  const shop = await openShop();
  const sql = await prepared(await openSqlite({ file: `${home().folder}/copy.db`, processes: { own: process.pid, isRunning: () => true } }));
  const destination = sqlDestination(sql);
  const seen = new Map<string, number>();
  const events = new Map<string, number>();
  let [a, b, c, e] = [0, 0, 0, 0];
  for (let night = 0; night < 90; night++) {
    const t0 = Date.now();
    const result = await shop.sync(sql, destination);
    const t1 = Date.now();
    const listed = await listedNow(shop.asked());
    const t2 = Date.now();
    const diffs = await differencesOf(sql, listed);
    const t3 = Date.now();
    await shop.sandbox.advance(86400);
    for (const n of await happenings({ client: shop.client, today: shop.today(), night })) events.set(n, (events.get(n) ?? 0) + 1);
    a += t1 - t0; b += t2 - t1; c += t3 - t2; e += Date.now() - t3;
    if (result.outcome !== 'complete') console.log(result);
    for (const d of diffs) {
      const age = d.day === undefined ? -1 : Math.round((Date.parse(shop.today()) - Date.parse(d.day)) / 86400000) - 1;
      const k = `${d.table} ${d.field} ${age > 60 ? 'old' : age}`;
      if (!seen.has(k)) console.log(night, JSON.stringify(d).slice(0, 300), age);
      seen.set(k, (seen.get(k) ?? 0) + 1);
    }
  }
  console.log(seen, events, a, b, c, e, eventNames.filter((n) => !events.has(n)));
  expect(1).toBe(1);
  await sql.close();
});
