/** A resumed export is byte for byte the same as one that was never interrupted. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now } from '../../support/cb.ts';
import type { Asked } from '../../support/server.ts';
import { openShop } from '../../support/shop.ts';
import { tier } from '../../support/tier.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const quarter = '--start-date 2025-12-19 --end-date 2026-03-18';

/** A home, and a service with 6,000 orders of the quarter that drops every response after request `from`. */
async function brokenService(from = 30) {
  const shop = await openShop();
  for (let i = 0; i < 6000; i++) {
    const day = new Date(now.getTime() - Math.floor(i / 67) * 86_400_000);
    shop.sell(`R${i}`, day.toISOString().slice(0, 10));
  }
  const state = { from };
  shop.disturb = (reply) => {
    const isLost = shop.asked.length > state.from;
    if (isLost) reply.destroy();
    return isLost;
  };
  const { cb, folder } = home();
  const mend = () => {
    state.from = Number.POSITIVE_INFINITY;
  };
  return {
    asked: shop.asked,
    state,
    mend,
    folder,
    list: (flags: string, today = now) =>
      cb(`orders list ${flags}`, { env: shop.env, clock: virtualClock(), now: () => today }),
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
  };
}

const daysOf = ({ url }: Asked) => {
  const query = new URL(url, 'http://x').searchParams;
  return `${query.get('startDate')}/${query.get('endDate')}`;
};

// The other formats of lines are written as csv is.
test.each(tier(['csv', 'json'], ['csv', 'tsv', 'json', 'ndjson']))(
  'keeps the complete windows of an interrupted export to %s, and --resume requests only the rest',
  async (format) => {
    const { asked, state, mend, folder, list, text } = await brokenService(
      Number.POSITIVE_INFINITY,
    );
    const line = `${quarter} --max-wait 0 --concurrency 2`;
    expect((await list(`${line} --out whole.${format}`)).code).toBe(0);
    const all = asked.length;
    state.from = all + 40;

    const stopped = await list(`${line} --out orders.${format}`);
    expect(stopped.code).toBe(6);
    expect(stopped.err).toMatch(
      /\d+ rows are kept in .*orders\.\w+\.part\. Pass --resume to continue/,
    );
    expect(existsSync(join(folder, `orders.${format}`))).toBe(false);

    const before = asked.length;
    mend();
    const resumed = await list(`${line} --out orders.${format} --resume`);
    expect(resumed).toMatchObject({ code: 0, err: '' });
    expect(text(`orders.${format}`)).toBe(text(`whole.${format}`));
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    const first = new Set(asked.slice(all, before).map(daysOf));
    const again = asked
      .slice(before)
      .map(daysOf)
      .filter((window) => first.has(window));
    expect(new Set(again).size).toBeLessThanOrEqual(3);
    expect(asked.length - before).toBeLessThan(all);
  },
);

test('refuses with --resume the unfinished file of a command with other filters', async () => {
  const { list, mend } = await brokenService();
  await list(`${quarter} --max-wait 0 --out orders.csv`);
  mend();
  const other = await list(`${quarter} --type SALE --out orders.csv --resume`);
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringMatching(/started by another command/),
  });
  expect((await list(`${quarter} --out orders.csv --resume`)).code).toBe(0);
});

test('refuses with --resume the unfinished file of another time zone', async () => {
  const { list, mend } = await brokenService();
  await list(`${quarter} --tz Asia/Tokyo --max-wait 0 --out orders.csv`);
  mend();
  // The Pacific days are the same in both zones.
  const other = await list(`${quarter} --tz Asia/Kolkata --out orders.csv --resume`);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('another command') });
  const line = `${quarter} --tz Asia/Tokyo --out orders.csv --resume`;
  expect(await list(line)).toMatchObject({ code: 0, err: '' });
});

test('counts the rows of both runs for --limit', async () => {
  const { list, mend, text } = await brokenService();
  await list(`${quarter} --limit 5000 --max-wait 0 --out orders.ndjson`);
  mend();
  expect((await list(`${quarter} --limit 5000 --out orders.ndjson --resume`)).code).toBe(0);
  const lines = text('orders.ndjson').trim().split('\n');
  expect(lines).toHaveLength(5000);
  expect(new Set(lines).size).toBe(5000);
});

test('exports the same days of a period such as last-90-days when resumed on the next day', async () => {
  const { list, mend, text } = await brokenService();
  const line = '--period last-90-days';
  await list(`${line} --max-wait 0 --out orders.csv`);
  mend();
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect(await list(`${line} --out orders.csv --resume`, tomorrow)).toMatchObject({ code: 0 });
  expect((await list(`${line} --out whole.csv`)).code).toBe(0);
  expect(text('orders.csv')).toBe(text('whole.csv'));
});
