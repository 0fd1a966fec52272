/** After each of 90 nights in the long tier, or every second one of 13, the copy equals what the service lists, row by row and column by column. */
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
import { isLong, tier } from '../../../support/tier.ts';
import { differencesOf } from './compare.ts';
import { eventNames, happenings } from './events.ts';
import { listedNow } from './service.ts';
import { allPlaces, openPlace, openShop } from './shop.ts';

const day = 86_400;
const all = tier(13, 90);

/** About 25,000 requests: only a guard against a test that hangs, on a machine with much else to do. */
const timeout = 1_200_000;

test(`equals the service after ${all} nights, one by one`, { timeout }, async () => {
  const shop = await openShop(tier(120, 200));
  // The contract tests of each run hold both databases to the same answers.
  const copies = isLong ? await allPlaces() : [await openPlace()];
  const events = new Set<string>();
  for (let night = 0; night < all; night++) {
    await shop.sync(copies, '');
    const asked = shop.asked();
    // To list everything takes as long as the sync.
    const isCompared = isLong || night % 2 === 0;
    const listed = isCompared ? await listedNow(asked) : new Map();
    for (const { openReader } of copies) {
      const sql = await openReader();
      const found = await differencesOf(sql, listed, asked);
      await sql.close();
      const where = { night, dialect: sql.dialect };
      expect({ ...where, found: found.slice(0, 5) }).toEqual({ ...where, found: [] });
    }
    await shop.sandbox.advance(day);
    const scene = { client: shop.client, today: shop.today(), night };
    for (const name of await happenings(scene)) events.add(name);
  }
  // Each kind of event was accepted at least once, so that the comparison means something.
  expect(eventNames.filter((event) => !events.has(event))).toEqual([]);
});

test(`equals the service after a week at most with --live, and says how fresh each day is`, {
  timeout,
}, async () => {
  const shop = await openShop(tier(120, 200));
  const copy = await openPlace();
  // The others are refreshed as without --live.
  const only = isLong ? undefined : 'orders';
  /** For how many nights each value has differed. */
  let ages = new Map<string, number>();
  let missed = 0;
  for (let night = 0; night < tier(9, 60); night++) {
    const start = shop.sandbox.now();
    await shop.sync([copy], '--live', only);
    const asked = { ...shop.asked(), ...(only && { tables: [only] }) };
    const sql = await copy.openReader();
    const found = await differencesOf(sql, await listedNow(asked), asked);
    const days = await sql.query<{ day: string; at: string }>(
      "SELECT day, synced_at AS at FROM sync_days WHERE source = 'orders' AND day >= ?",
      [addDays(asked.last, -60)],
    );
    await sql.close();
    const readAt = new Map(days.map((one) => [one.day, Date.parse(one.at)]));
    for (const at of readAt.values()) expect(start.getTime() - at).toBeLessThan(7 * day * 1000);
    const before = ages;
    ages = new Map();
    for (const { table, id, field, day } of found) {
      expect(['orders', 'order_items']).toContain(table);
      // The copy says that this day was not read tonight.
      expect(readAt.get(String(day))).toBeLessThan(start.getTime());
      const key = [table, id, field].join(' ');
      ages.set(key, (before.get(key) ?? 0) + 1);
    }
    missed += found.length;
    expect(Math.max(0, ...ages.values())).toBeLessThan(7);
    await shop.sandbox.advance(day);
    await happenings({ client: shop.client, today: shop.today(), night });
  }
  // What no event announces was missed for some nights, so the comparison finds differences.
  expect(missed).toBeGreaterThan(0);
});
