/** Lists that are read whole and are suddenly empty, and lists that are read because they are named. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now } from '../../support/cb.ts';
import { rowsOf } from '../../support/copy.ts';
import { type Passed, startGateway } from '../../support/gateway.ts';
import { asOneLine } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { fastClock } from '../../support/virtual-clock.ts';

const lists = {
  subscriptions: {
    isOf: ({ path, query }: Passed) =>
      path === '/analytics/vendor/subscription/details' && query.get('account') === 'GREENLEAF',
    empty: '{"totalCount":"0"}',
    count: `SELECT count(*) AS rows FROM subscriptions WHERE vendor = 'GREENLEAF' AND role = 'VENDOR'`,
  },
  products: {
    isOf: ({ path, query }: Passed) =>
      path === '/products/list' && query.get('site') === 'GREENLEAF',
    empty: '{"total_record_count":"0"}',
    count: "SELECT count(*) AS rows FROM products WHERE site = 'GREENLEAF'",
  },
} as const;

const names = Object.keys(lists) as (keyof typeof lists)[];

async function world(name: keyof typeof lists) {
  const { sandbox, env } = await serveSandbox({ orders: 60, keyName: 'vendor' });
  const { isOf, empty, count } = lists[name];
  /** Responses that are still empty. */
  const state = { empty: 0, asked: 0, accounts: 0 };
  const change = (passed: Passed) => {
    const path = passed.path.toLowerCase();
    if (path === '/quickstats/accounts') state.accounts += 1;
    if (!isOf({ ...passed, path })) return undefined;
    state.asked += 1;
    state.empty -= 1;
    return state.empty >= 0 ? empty : undefined;
  };
  let hoursLater = 0;
  const time = () => new Date(now.getTime() + hoursLater * 3_600_000);
  const gateway = await startGateway(sandbox.url, time, change);
  const at = home();
  const file = join(at.folder, 'copy.db');
  const sync = async (hours = 0, options = `--tables orders,${name}`) => {
    hoursLater = hours;
    const { code, err } = await at.cb(`sync copy.db --since 2026-03-01 ${options}`, {
      env: { ...env, CB_BASE_URL: gateway.url },
      now: time,
    });
    return { code, err: asOneLine(err) };
  };
  const rows = async () => Number((await rowsOf(file, count))[0]?.rows);
  /** Syncs every minute until the service was asked about its accounts so often. */
  const repeat = async (runs: number) => {
    const stop = new AbortController();
    state.accounts = 0;
    const environment = { ...env, CB_BASE_URL: gateway.url };
    const ran = at.cb(`sync copy.db --tables ${name} --every 1m`, {
      ...{ env: environment, now: time, clock: fastClock(10_000), signal: stop.signal },
    });
    while (state.accounts < runs) await new Promise((done) => setTimeout(done, 5));
    stop.abort(143);
    await ran;
  };
  return { state, sync, rows, file, repeat };
}

test.each(names)(
  '%s that stay empty stay in the copy, with exit code 8, until the runs of two more nights agree',
  async (name) => {
    const { state, sync, rows } = await world(name);
    await sync();
    const before = await rows();
    state.empty = Number.POSITIVE_INFINITY;
    for (const hours of [24, 25, 48]) {
      const { code, err } = await sync(hours);
      expect({ hours, code, err }).toEqual({
        hours,
        code: 8,
        err: expect.stringMatching(
          /warning: \w+: ClickBank lists none of GREENLEAF(?: VENDOR)?, but the copy has some\. The copy keeps what it had\./,
        ),
      });
      expect(await rows()).toBe(before);
    }
    expect(await sync(72)).toMatchObject({ code: 0 });
    expect(await rows()).toBe(0);
  },
);

test.each(names)('%s that come back between empty nights count as never empty', async (name) => {
  const { state, sync, rows } = await world(name);
  await sync();
  const before = await rows();
  for (const [hours, empty, code] of [
    [24, 100, 8],
    [48, 0, 0],
    [72, 100, 8],
  ] as const) {
    state.empty = empty;
    expect(await sync(hours)).toMatchObject({ code });
    expect(await rows()).toBe(before);
  }
});

test.each(names)('--tables %s reads the list now; without it, once a day', async (name) => {
  const { state, sync } = await world(name);
  await sync(0, '');
  const read = async (hours: number, options: string) => {
    state.asked = 0;
    expect(await sync(hours, options)).toMatchObject({ code: 0 });
    return state.asked;
  };
  expect(await read(1, '')).toBe(0);
  expect(await read(1, `--tables ${name}`)).toBe(1);
  expect(await read(2, `--tables ${name} --look-back 2d`)).toBe(1);
  expect(await read(3, '')).toBe(0);
});

test('--tables with --every reads the list now in the first run only', async () => {
  const { state, sync, repeat } = await world('products');
  await sync(0, '--tables products');
  state.asked = 0;
  await repeat(4);
  expect(state.asked).toBe(1);
});

test('--tables quickstats reads today and yesterday now', async () => {
  const { sync, file } = await world('products');
  await sync(0, '--tables quickstats');
  await sync(1, '--tables quickstats');
  const days = "SELECT max(synced_at) AS at FROM sync_days WHERE source = 'quickstats'";
  expect(await rowsOf(file, days)).toEqual([{ at: '2026-03-18T19:30:00Z' }]);
});
