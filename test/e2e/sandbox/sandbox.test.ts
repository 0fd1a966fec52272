/** `cb sandbox`: its clock, its keys, its faults, and data that tells a believable story at any hour. */
import { join } from 'node:path';
import type Driver from 'libsql';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb as binary, emptyHome } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { jsonOf, sandboxJson } from '../../support/sandbox.ts';
import { copySeed } from '../../support/seeds.ts';

/** In homes whose other processes use the real clock. */
const realTime = { now: () => new Date() };

test('stops a long advance after a complete day on Ctrl-C, and prints the time', async () => {
  const folder = emptyHome();
  const user = home(folder);
  expect((await user.cb('sandbox seed --orders 300', realTime)).code).toBe(0);
  const offset = async (): Promise<number> =>
    (await jsonOf(user, 'sandbox status', realTime)).clockOffsetSeconds;
  expect(await offset()).toBe(0);
  const advancing = binary(['sandbox', 'clock', 'advance', '9999w'], { home: folder });
  // It has begun once other processes see the clock move.
  while ((await offset()) === 0) await new Promise((done) => setTimeout(done, 10));
  advancing.child.kill('SIGINT');
  const ran = await advancing.ended();
  const days = (await offset()) / 86_400;
  expect(Number.isInteger(days)).toBe(true);
  expect(days).toBeLessThan(69_993);
  const says = `Stopped after ${days} of 69993 days. The sandbox clock is at 2`;
  expectExit(ran, 130, says, '');
});

test('keeps the clock if an advance is stopped at once, and shows progress on a terminal, elsewhere only the new time', async () => {
  const at = await sandboxHome(60);
  const stopped = await at.cb('sandbox clock advance 52w', { signal: AbortSignal.abort(130) });
  expect(stopped).toMatchObject({ code: 130, out: '' });
  expect((await at.cb('sandbox clock')).out).toMatch(/^2026-03-18T/);
  const watched = await at.cb('sandbox clock advance 10d', { columns: 100 });
  expect(watched.err).toContain('Advancing the clock: 50%, 2026-03-23T');
  const piped = await at.cb('sandbox clock advance 10d');
  expect(piped).toEqual({ code: 0, out: expect.stringMatching(/^2026-04-07T\S+\n$/), err: '' });
});

test('lists every profile with its key and permissions in the status', async () => {
  const at = await sandboxHome(60);
  const { keys } = await jsonOf(at, 'sandbox status');
  expect(keys.length).toBe(7);
  for (const { profile, key, permissions } of keys) {
    expect(key).toMatch(/^API-[A-Z0-9]{36}$/);
    expect(permissions).toMatch(/every permission|orders|analytics/);
    expect((await at.cb(`--profile ${profile} whoami`)).code).toBe(0);
  }
});

test('sets the analytics status to YELLOW, RED, and GREEN', async () => {
  const at = await sandboxHome(60);
  const status = async () => (await jsonOf(at, '--sandbox analytics status')).status;
  expect(await status()).toBe('GREEN');
  for (const wanted of ['YELLOW', 'RED']) {
    await at.cb(`sandbox faults analytics-status=${wanted},latency=1ms`);
    expect(await status()).toBe(wanted);
  }
  expect((await at.cb('sandbox faults off')).code).toBe(0);
  expect(await status()).toBe('GREEN');
  const wrong = await at.cb('sandbox faults analytics-status=BLUE');
  expectExit(wrong, 2, 'GREEN, YELLOW, or RED');
});

test('replaces data of another version by the same number of orders, with a message', async () => {
  const at = await sandboxHome(60);
  const db = await openDatabase(`${at.folder}/.local/share/clickbank-cli/sandbox.sqlite`);
  db.execute('PRAGMA user_version = 2; DROP TABLE customer_event');
  db.close();
  const says =
    'sandbox: The stored data is from another version of cb. Replacing it with 60 new sample orders.';
  expectExit(await at.cb('--sandbox orders count'), 0, says);
  expect((await jsonOf(at, 'sandbox status')).orders).toBe(60);
});

test('creates as many orders as requested, in the requested currency, and restores them with cb sandbox reset', async () => {
  const at = home();
  await at.cb('sandbox seed --orders 60');
  expect(await jsonOf(at, 'sandbox status')).toMatchObject({ orders: 60, orderAmounts: 'dollars' });
  await at.cb('sandbox seed --orders 90 --random-seed 7 --order-amounts customer');
  const seeded = { orders: 90, randomSeed: 7, orderAmounts: 'customer' };
  expect(await jsonOf(at, 'sandbox status')).toMatchObject(seeded);
  const active = async () => (await at.cb('--sandbox orders active CANCEL01')).code;
  await at.cb('--sandbox orders reinstate CANCEL01 --yes');
  expect(await active()).toBe(0);
  await at.cb('sandbox reset');
  expect(await active()).toBe(9);
  expect(await jsonOf(at, 'sandbox status')).toMatchObject(seeded);
});

test('says that a copy still has the former orders', async () => {
  const at = home();
  expect((await at.cb('sandbox seed --orders 60')).err).not.toContain('note:');
  await at.cb('--sandbox sync --tables products');
  for (const line of ['sandbox reset', 'sandbox seed --orders 90']) {
    expect((await at.cb(line)).err).toMatch(
      /note: \S+sandbox\.db still has the former orders\. To delete it, run cb --sandbox sync reset\.\n$/,
    );
  }
});

const connections = vi.hoisted(() => ({ opened: 0, open: 0 }));

/** The real driver with a counter. */
vi.mock('libsql', async (importOriginal) => {
  const original = await importOriginal<{ default: typeof Driver }>();
  class CountedDriver extends original.default {
    constructor(file: string) {
      super(file);
      connections.opened += 1;
      connections.open += 1;
    }
    override close(): this {
      connections.open -= 1;
      return super.close();
    }
  }
  return { default: CountedDriver };
});

test.each([
  ['orders list --period today -o csv', 0],
  ['tickets comment 1003 --comment hello --yes', 0],
  ['orders list --start-date yesterday --end-date nonsense', 2],
])('closes the database as often as it opens it: cb --sandbox %s', async (line, code) => {
  const { cb } = await sandboxHome(60);
  connections.opened = 0;
  expect(await cb(`--sandbox ${line}`)).toMatchObject({ code });
  expect(connections.opened).toBeGreaterThan(0);
  expect(connections.open).toBe(0);
});

/** The figures of a period, those of the period before it, and the change in percent. */
type Figures = Readonly<Record<'totals' | 'previous' | 'changePercent', Record<string, number>>>;

/** Runs a command against a sandbox seeded at the given time. */
async function figuresAt(at: string, command: string): Promise<Figures> {
  const made = home();
  const now = new Date(at);
  const file = join(made.folder, '.local/share/clickbank-cli/sandbox.sqlite');
  await copySeed(file, { orders: 5000 }, now);
  return jsonOf(made, `--sandbox ${command}`, { now: () => now });
}

// Most sales are made in the evening.
test.each([
  ['2026-11-25T15:30:00Z', 7.5],
  ['2026-11-26T07:30:00Z', 23.5],
] as const)(
  'at %s, today has the sales of the hours that have passed, as last week had them',
  async (at, hour) => {
    const { totals, previous, changePercent } = await figuresAt(at, 'today');
    const day = 34 * (hour / 24) ** 2;
    const spread = 2 + 3 * Math.sqrt(day);
    for (const { sales = Number.NaN } of [totals, previous]) {
      expect(Math.abs(sales - day)).toBeLessThan(spread);
    }
    expect(Math.abs(changePercent.earned ?? Number.NaN)).toBeLessThan(60);
  },
);

test('a month shows a growing business with usual rates, and so does the month before', async () => {
  const { totals, previous, changePercent } = await figuresAt('2026-11-25T15:30:00Z', 'summary');
  expect(changePercent.earned).toBeGreaterThan(10);
  expect(changePercent.earned).toBeLessThan(70);
  for (const { refundRatePercent, chargebackRatePercent } of [totals, previous]) {
    expect(refundRatePercent).toBeGreaterThan(2);
    expect(refundRatePercent).toBeLessThan(6);
    expect(chargebackRatePercent).toBeGreaterThan(0.1);
    expect(chargebackRatePercent).toBeLessThan(1.5);
  }
});

interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly totalOrderAmount: number;
  readonly lineItemData: readonly { readonly status: string | null }[];
}

test('some refunds are partial, with a ticket, and leave a subscription running', async () => {
  const shop = await sandboxHome(5000);
  const days = '--start-date 2025-12-01 --end-date 2026-03-18';
  const rows: readonly Order[] = await sandboxJson(shop, `orders list ${days} --role VENDOR`);
  const refunds = rows.filter(({ transactionType }) => transactionType === 'RFND');
  const payments = rows.filter(({ transactionType }) => /^(?:SALE|BILL)$/.test(transactionType));
  const paid = new Map(payments.map((row) => [row.receipt, row.totalOrderAmount]));
  const paidFor = ({ receipt }: Order) => paid.get(receipt) ?? 0;
  const partial = refunds.filter((row) => -row.totalOrderAmount < paidFor(row));
  expect(partial.length / refunds.length).toBeGreaterThan(0.05);
  expect(partial.length / refunds.length).toBeLessThan(0.3);
  for (const refund of partial) {
    expect(-refund.totalOrderAmount / paidFor(refund)).toBeCloseTo(0.5, 1);
  }
  const receipt = partial[0]?.receipt;
  expect(await sandboxJson(shop, `tickets list --receipt ${receipt} --type rfnd`)).toMatchObject([
    { refundType: 'PARTIAL_PERCENT', refundAmount: -(partial[0]?.totalOrderAmount ?? 0) },
  ]);
  const running = partial.filter(({ lineItemData: [line] }) => line?.status === 'ACTIVE');
  expect(running.length).toBeGreaterThan(0);
});

test('shows, sets, counts, clears and rejects faults', async () => {
  const at = await sandboxHome(300);
  const { cb } = at;
  const list = '--sandbox orders list --period last-7-days -o json --max-wait 0';
  const show = () => jsonOf(at, 'sandbox faults');
  const status = () => jsonOf(at, 'sandbox status');
  expect(await show()).toEqual({ faults: null, requests: 0, took: [] });
  expect(await status()).toMatchObject({ faults: null });
  const faults = 'only=GET,503=#2';
  const simulates = `The sandbox simulates faults: ${faults}. Stop with cb sandbox faults off.`;
  const set = await cb("sandbox faults 'only=GET, 503=#2'");
  expect(set).toEqual({ code: 0, out: '', err: `${simulates}\n` });
  expectExit(await cb(list), 5, '503', '');
  const took = [{ fault: '503=#2', times: 1 }];
  expect(await show()).toEqual({ faults, requests: 1, took });
  expect(await status()).toMatchObject({ faults });
  expectExit(await cb('sandbox faults off'), 0, /^The sandbox simulates no faults\. $/, '');
  expect(await cb(list)).toMatchObject({ code: 0 });
  const unknown = await cb("sandbox faults '503=10%,cut=5%'");
  expectExit(unknown, 2, /<list>: 'cut=5%' is not a fault\. Use one of .*cut-before/, '');
  expect(await show()).toMatchObject({ faults: null });
});

test('serves other programs with cb sandbox start until it is ended, with faults of its own', async () => {
  const folder = emptyHome();
  const here = (line: string) => home(folder).cb(line, realTime);
  expect(await here('sandbox seed --orders 60')).toMatchObject({ code: 0 });
  const args = ['sandbox', 'start', '--faults', '503=#1', '--key', 'read-only'];
  const server = binary(args, { home: folder });
  const said = await server.until(/The sandbox is running/);
  const env = Object.fromEntries(
    [...said.matchAll(/^(CB_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const count = 'orders count --period this-year --max-wait 0';
  expect((await here(`--sandbox ${count}`)).code).toBe(0);
  expect((await home().cb(count, { env })).code).toBe(5);
  const counted = await home().cb(count, { env });
  expect(counted).toEqual({ code: 0, out: expect.stringMatching(/^[1-9]\d*\n$/), err: '' });
  server.child.kill('SIGTERM');
  expect((await server.ended()).code).toBe(143);
});
