/** `--since-last`: each run returns the rows since the last successful run, once, also after kills and faults. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { cb, emptyHome, type Running } from '../../support/binary.ts';
import { home, type Options } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import type { Asked } from '../../support/server.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { seedOf, tier } from '../../support/tier.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** A shop, and a home whose cb uses it. */
async function shop() {
  const at = await openShop();
  const { cb, folder } = home();
  const { env } = at;
  const own = (words: string, options?: Options) => cb(words, { env, ...options });
  return Object.assign(at, { folder, cb: own });
}

const startOf = ({ url }: Asked) => new URL(url, 'http://x').searchParams.get('startDate');

const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

const line = 'orders list --since-last sheet --fields receipt -o csv --no-header';

test('returns each order once, also late ones, without messages', async () => {
  const { sell, cb, asked, folder } = await shop();
  sell('FIRST001', '2026-03-17');
  sell('FIRST002', '2026-03-18');
  expect(await cb(line)).toEqual({ code: 0, out: 'FIRST002\nFIRST001\n', err: '' });
  sell('LATE0001', '2026-03-17');
  sell('NEXT0001', '2026-03-18');
  expect(await cb(line)).toEqual({ code: 0, out: 'NEXT0001\nLATE0001\n', err: '' });
  expect(await cb(line)).toEqual({ code: 0, out: '', err: '' });
  expect(new Set(asked.map(startOf))).toEqual(new Set(['2026-03-18', '2026-03-17']));
  const state = join(folder, '.local/share/clickbank-cli/since/sheet.json');
  expect(readFileSync(state, 'utf8')).not.toContain('FIRST001');
});

test('starts the first run at the given day and the others where the last one ended', async () => {
  const { sell, cb, asked } = await shop();
  for (let day = 1; day <= 18; day++) sell(`DAY${day}`, march(day));
  const from = `${line} --start-date 2026-03-01`;
  expect((await cb(from)).out.trim().split('\n')).toHaveLength(18);
  const before = asked.length;
  expect((await cb(from)).out).toBe('');
  expect(asked.slice(before).map(startOf).sort()).toEqual(['2026-03-17', '2026-03-18']);
});

test.each([
  ['--since today', '2026-03-17', '2026-03-18'],
  ['--period last-month', '2026-01-31', '2026-02-01'],
])('returns no rows of days before the first run with %s', async (from, before, first) => {
  const { sell, cb } = await shop();
  sell('BEFORE01', before);
  sell('FIRST001', first);
  expect((await cb(`${line} ${from}`)).out).toBe('FIRST001\n');
  sell('NEXT0001', '2026-03-18');
  expect((await cb(`${line} ${from}`)).out).toBe('NEXT0001\n');
});

test('returns rows again that could not be written to their file', async () => {
  const { sell, cb, folder } = await shop();
  sell('FIRST001', '2026-03-18');
  expect((await cb(`${line} --out none/there.csv`)).code).toBe(2);
  expect((await cb(`${line} --out there.csv`)).code).toBe(0);
  expect(readFileSync(join(folder, 'there.csv'), 'utf8')).toBe('FIRST001\n');
});

test('does not let two runs of one schedule overlap', async () => {
  const at = await shop();
  const { sell, cb } = at;
  at.disturb = (reply, body) => !!setTimeout(() => reply.end(body), 500);
  sell('FIRST001', '2026-03-18');
  const runs = await Promise.all([cb(line), cb(line)]);
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(runs.map(({ out }) => out).join('')).toBe('FIRST001\n');
  expect(runs.map(({ err }) => err).join('')).toMatch(
    /Another cb process \(PID \d+ on host .*, `cb orders list …`, since .*\) is using .*sheet\.json/,
  );
});

test('refuses other filters for a name', async () => {
  const { cb } = await shop();
  await cb(line);
  expectExit(await cb(`${line} --type RFND`), 2, 'belongs to other filters');
  expectExit(await cb('tickets list --since-last sheet'), 2, 'belongs to cb orders list');
});

const killedRuns = tier(2, 40);
const seed = seedOf(11);
const day = 86_400_000;
const noon = Date.parse('2026-03-02T19:00:00Z');

/** Random whole numbers from 0 to `below` - 1. */
function dice(start: number) {
  const random = xoroshiro128plus(start);
  return (below: number) => (random.next() >>> 0) % below;
}

function dayOf(time: number): string {
  // Pacific standard time, which is an hour behind Pacific time in summer.
  return new Date(time - 8 * 3_600_000).toISOString().slice(0, 10);
}

/** Fails this percentage of responses with a 503, a cut connection, or a truncated body. */
function faulty(roll: (below: number) => number, percent: number): Shop['disturb'] {
  return (reply: ServerResponse, body: string) => {
    if (roll(100) >= percent) return false;
    const kind = roll(3);
    if (kind === 0) reply.writeHead(503).end();
    else if (kind === 1) reply.destroy();
    else reply.writeHead(200, { 'content-length': body.length }).write(body.slice(0, 20));
    if (kind === 2) reply.destroy();
    return true;
  };
}

function expectEachOnce({ sales }: Shop, rows: readonly string[]): void {
  expect([...rows].sort()).toEqual(sales.map(({ receipt }) => receipt).sort());
}

function rowsIn(file: string): string[] {
  const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(header).toBe('receipt');
  return rows;
}

const sheet = 'orders list --since-last sheet --start-date 2026-03-01 --fields receipt';
const recipe = `${sheet} --append orders.csv --max-wait`;

/** Lets a program end by itself, or ends it with a signal at a random moment. */
async function endSomehow(running: Running, roll: (below: number) => number, longest: number) {
  const signals = ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const;
  const timer = new AbortController();
  const ended = running.ended().then((end) => {
    timer.abort();
    return end;
  });
  await sleep(roll(longest), undefined, { signal: timer.signal }).catch(() => undefined);
  running.child.kill(signals[roll(signals.length)]);
  return ended;
}

test('appends each row once despite kills, faults and simultaneous runs', {
  timeout: 300_000 + killedRuns * 10_000,
}, async () => {
  const roll = dice(seed);
  const shop = await openShop();
  const folder = emptyHome();
  const start = () => cb(`${recipe} 1`.split(' '), { home: folder, env: shop.env });
  let time = noon;
  let sold = 0;
  const sell = (count: number) => {
    for (let i = 0; i < count; i++) shop.sell(`R${sold++}`, dayOf(time - roll(2) * day));
  };
  sell(800);
  for (let i = 0; i < killedRuns; i++) {
    shop.clock = new Date(time);
    shop.disturb = faulty(roll, 10);
    const runs = roll(4) === 0 ? [start(), start()] : [start()];
    await Promise.all(runs.map((running) => endSomehow(running, roll, 800)));
    time += roll(2) * day;
    sell(roll(150));
  }
  shop.clock = new Date(time);
  shop.disturb = () => false;
  expect(await start().ended()).toMatchObject({ code: 0 });
  expect(await start().ended()).toMatchObject({ code: 0, err: '' });
  expectEachOnce(shop, rowsIn(join(folder, 'orders.csv')));
});

/** Errors of the machine's clock for one run, in days. */
const clockErrors = [0, 0, 0, 1, -1, 5, -5];

test.each([
  ['that sends its time', true],
  ['that does not send its time', false],
])('returns each row once if the clock is wrong, with a service %s', async (_, sendsTime) => {
  const roll = dice(seed + 2);
  const at = await shop();
  let time = noon;
  let sold = 0;
  const list = (apart: number) => {
    at.clock = sendsTime ? new Date(time) : undefined;
    const now = () => new Date(time + apart * day);
    return at.cb(`${recipe} 0`, { clock: virtualClock(), now });
  };
  for (let i = 0; i < tier(8, 40); i++) {
    at.disturb = faulty(roll, 8);
    await list(clockErrors[roll(clockErrors.length)] ?? 0);
    time += roll(3) * 0.5 * day;
    const count = roll(40);
    // Some rows appear a day late.
    for (let j = 0; j < count; j++) at.sell(`R${sold++}`, dayOf(time - roll(2) * day));
  }
  at.disturb = () => false;
  expect(await list(0)).toMatchObject({ code: 0, err: '' });
  expectEachOnce(at, rowsIn(join(at.folder, 'orders.csv')));
});

test('prints the remaining rows in the next run after a run failed, and no row twice', async () => {
  const roll = dice(seed + 3);
  const at = await shop();
  const rows: string[] = [];
  for (let i = 0; i < 200; i++) at.sell(`R${i}`, march(1 + roll(18)));
  const runs = tier(8, 20);
  for (let i = 1; i <= runs; i++) {
    at.disturb = faulty(roll, i < runs ? 40 : 0);
    const line = `${sheet} --no-header -o csv --max-wait 0`;
    const { out } = await at.cb(line, { clock: virtualClock() });
    rows.push(...out.split('\n').filter(Boolean));
  }
  expectEachOnce(at, rows);
});
