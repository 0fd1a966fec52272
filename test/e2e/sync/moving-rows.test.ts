/** Lists whose rows move, that end too early or are suddenly empty, and counts that never agree with their list. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now } from '../../support/cb.ts';
import { numberOf, rowsOf } from '../../support/copy.ts';
import { movedRows, type Passed, startGateway } from '../../support/gateway.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { fastClock, until } from '../../support/virtual-clock.ts';

async function world(change: Parameters<typeof startGateway>[2]) {
  const { sandbox, env } = await serveSandbox({ orders: 600 });
  const gateway = await startGateway(sandbox.url, now, change);
  const at = home();
  return {
    at,
    honest: env,
    broken: { ...env, CB_BASE_URL: gateway.url },
    file: (name: string) => join(at.folder, name),
  };
}

const isOrders = ({ path }: Passed) => path === '/orders2/list';

const sums =
  'SELECT count(*) AS count, count(DISTINCT raw) AS distinct_rows, round(sum(account_amount), 2) AS earned FROM orders';

const period = '--since 2026-01-15 --tables orders';
const late = '--since 2026-03-01 --tables orders';

// nights/changing-key.test.ts covers rows that appear on two pages.
test.each([
  ['rereads days whose list had an empty page in place of rows', () => 'null', true],
  ['reads fewer days at once if the rows of a list always move between pages', movedRows, false],
])('a sync %s', async (_, second, isOnce) => {
  const changed = new Set<string>();
  const { at, honest, broken, file } = await world((passed) => {
    const list = String(passed.query);
    if (!isOrders(passed) || passed.page !== 2 || (isOnce && changed.has(list))) return undefined;
    changed.add(list);
    return second(passed);
  });
  expect(await at.cb(`sync right.db ${period}`, { env: honest })).toMatchObject({ code: 0 });
  const { code, err } = await at.cb(`sync copy.db ${period}`, { env: broken });
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(changed.size).toBeGreaterThan(0);
  expect(await rowsOf(file('copy.db'), sums)).toEqual(await rowsOf(file('right.db'), sums));
});

test.each(['orders list --period last-month -o csv', 'summary --period last-month'])(
  '%s says that a row is missing, with exit code 8, if a row is on two pages',
  async (line) => {
    const { at, broken } = await world((passed) =>
      isOrders(passed) && passed.page === 2 ? movedRows(passed) : undefined,
    );
    const says = 'ClickBank listed a row on two pages, so another row is missing.';
    expectExit(await at.cb(line, { env: broken }), 8, says);
  },
);

type Change = (passed: Passed) => string | { status: number; body: string } | undefined;

const sends = (body: string) => ({ status: 200, body });
const firstPage: Change = ({ page, body }) => (page === 1 ? sends(body) : undefined);

test.each<[string, Change, RegExp, number]>([
  ['lists nothing', () => sends('null'), /counts \d+ rows but lists 0/, 8],
  // A new copy takes what is listed, with a warning: otherwise it might never have any row.
  ['stops after a page', firstPage, /counts \d+ rows but lists 100/, 0],
  ['sends no body', () => sends(''), /orders from \S+ to \S+/, 8],
])(
  'a service that %s leaves the copy as it is, and the run does not succeed',
  async (_, change, message, code) => {
    let isBroken = false;
    const changed = (passed: Passed) => (isBroken && isOrders(passed) ? change(passed) : undefined);
    const { at, broken: env, file } = await world(changed);
    const sync = async (name: string, badly: boolean) => {
      isBroken = badly;
      return at.cb(`sync ${name} ${period} --look-back 70d --max-wait 0`, { env });
    };
    expectExit(await sync('new.db', true), code, message);
    expect(await sync('copy.db', false)).toMatchObject({ code: 0 });
    const right = await rowsOf(file('copy.db'), sums);
    expectExit(await sync('copy.db', true), 8, message);
    expect(await rowsOf(file('copy.db'), sums)).toEqual(right);
    for (const name of ['new.db', 'copy.db']) {
      expect(await sync(name, false)).toMatchObject({ code: 0 });
      expect(await rowsOf(file(name), sums)).toEqual(right);
    }
  },
);

test('orders are copied, with a warning, if ClickBank always counts another number than it lists', async () => {
  const { at, honest, broken, file } = await world(({ path, body }) =>
    path === '/orders2/count' ? String(Number(body) + 1) : undefined,
  );
  await at.cb(`sync right.db ${late}`, { env: honest });
  expectExit(
    await at.cb(`sync copy.db ${late}`, { env: broken }),
    0,
    /warning: orders from [\d-]+ to [\d-]+: ClickBank counts \d+ rows but lists \d+\. The copy has the listed rows\. To see such days, use cb sync check\./,
  );
  expect(await rowsOf(file('copy.db'), sums)).toEqual(await rowsOf(file('right.db'), sums));
  expectExit(
    await at.cb('sync check --database copy.db', { env: broken }),
    8,
    /^(?!.*--look-back).*The copy has all \d+ orders that ClickBank lists from [\d-]+ to [\d-]+; ClickBank counts \d+\./,
  );
});

test('orders are not copied if the count differs from the list in another way each time', async () => {
  let asked = 0;
  const { at, broken, file } = await world(({ path, body }) => {
    asked += 1;
    return path === '/orders2/count' ? String(Number(body) + asked) : undefined;
  });
  const ran = await at.cb(`sync copy.db ${late}`, { env: broken });
  expectExit(ran, 8, 'The copy keeps what it had.');
  expect(await rowsOf(file('copy.db'), 'SELECT * FROM orders')).toEqual([]);
});

const lists = {
  subscriptions: {
    isOf: ({ path, query }: Passed) =>
      path === '/analytics/vendor/subscription/details' && query.get('account') === 'GREENLEAF',
    empty: '{"totalCount":"0"}',
    count: `SELECT count(*) FROM subscriptions WHERE vendor = 'GREENLEAF' AND role = 'VENDOR'`,
  },
  products: {
    isOf: ({ path, query }: Passed) =>
      path === '/products/list' && query.get('site') === 'GREENLEAF',
    empty: '{"total_record_count":"0"}',
    count: "SELECT count(*) FROM products WHERE site = 'GREENLEAF'",
  },
} as const;

const names = Object.keys(lists) as (keyof typeof lists)[];

async function shortLists(name: keyof typeof lists) {
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
  const there = { env: { ...env, CB_BASE_URL: gateway.url }, now: time };
  const file = join(at.folder, 'copy.db');
  const sync = (hours = 0, options = `--tables orders,${name}`) => {
    hoursLater = hours;
    return at.cb(`sync copy.db --since 2026-03-01 ${options}`, there);
  };
  const rows = () => numberOf(file, count);
  /** Syncs every minute until the service was asked about its accounts so often. */
  const repeat = async (runs: number) => {
    const stop = new AbortController();
    state.accounts = 0;
    const options = { ...there, clock: fastClock(10_000), signal: stop.signal };
    const ran = at.cb(`sync copy.db --tables ${name} --every 1m`, options);
    await until(() => state.accounts >= runs);
    stop.abort(143);
    await ran;
  };
  return { state, sync, rows, file, repeat };
}

test.each(names)(
  '%s that stay empty stay in the copy, with exit code 8, until the runs of two more nights agree, and count as never empty if they come back',
  async (name) => {
    const { state, sync, rows } = await shortLists(name);
    await sync();
    const before = await rows();
    const says =
      /warning: \w+: ClickBank lists none of GREENLEAF(?: VENDOR)?, but the copy has some\. The copy keeps what it had\./;
    for (const [hours, isEmpty] of [
      [24, true],
      // They are back.
      [48, false],
      [72, true],
      [73, true],
      [96, true],
    ] as const) {
      state.empty = isEmpty ? Number.POSITIVE_INFINITY : 0;
      expectExit(await sync(hours), isEmpty ? 8 : 0, isEmpty ? says : '');
      expect(await rows()).toBe(before);
    }
    expect(await sync(120)).toMatchObject({ code: 0 });
    expect(await rows()).toBe(0);
  },
);

test.each(names)('--tables %s reads the list now; without it, once a day', async (name) => {
  const { state, sync } = await shortLists(name);
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

test('--tables with --every reads the list now in the first run only, and quickstats of today and yesterday', async () => {
  const { state, sync, file, repeat } = await shortLists('products');
  await sync(0, '--tables products');
  state.asked = 0;
  await repeat(4);
  expect(state.asked).toBe(1);
  await sync(0, '--tables quickstats');
  await sync(1, '--tables quickstats');
  const days = "SELECT max(synced_at) AS at FROM sync_days WHERE source = 'quickstats'";
  expect(await rowsOf(file, days)).toEqual([{ at: '2026-03-18T19:30:00Z' }]);
});
