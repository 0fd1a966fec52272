/** Requests stay within the service's limits, in all processes and after a refusal. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client, ClientOptions } from '../../../src/client/client.ts';
import { type Clock, realClock } from '../../../src/client/clock.ts';
import { openPace, type Pace } from '../../../src/client/http/pace.ts';
import { orders } from '../../../src/operations/orders.ts';
import { products } from '../../../src/operations/products.ts';
import { quickstats } from '../../../src/operations/quickstats.ts';
import { emptyHome } from '../../support/binary.ts';
import { clientOf, listed } from '../../support/client.ts';
import { serve } from '../../support/server.ts';
import { patientClock } from '../../support/virtual-clock.ts';

const start = Date.parse('2026-03-18T18:30:00.060Z');

/** Time that advances only when all tasks sleep; shared by all clocks of a test. */
function timeline() {
  let time = start;
  const sleepers: { readonly at: number; wake(): void }[] = [];
  const clock: Clock = {
    now: () => time,
    wall: () => time,
    random: () => 1,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleepers.push({ at: time + milliseconds, wake });
      }),
  };
  return {
    clock,
    /** The same clock on a machine whose wall clock was changed. */
    setBack: (milliseconds: number): Clock => ({ ...clock, wall: () => time - milliseconds }),
    async until<T>(done: Promise<T>): Promise<T> {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      done.then(end, end);
      for (;;) {
        await new Promise(setImmediate);
        if (isDone) return done;
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers.shift();
        time = next?.at ?? time;
        next?.wake();
      }
    },
  };
}

const folder = () => join(emptyHome(), 'slots');

function requireShared(why: string): never {
  throw new Error(`The slots are not shared: ${why}`);
}

/** A timeline, a folder with these slots, counted from the current one, and processes that share it. */
function shared(...taken: readonly number[]) {
  const { clock, until, setBack } = timeline();
  const where = folder();
  const current = Math.floor(start / 125);
  if (taken.length > 0) mkdirSync(where);
  for (const slot of taken) writeFileSync(join(where, `${current + slot}`), '');
  const open = (own = clock) =>
    openPace({ folder: where, perSecond: 8, clock: own, onUnshared: requireShared });
  return { clock, until, setBack, where, current, open };
}

/** Sends a number of requests, and returns when each was sent. */
async function requests(pace: Pace, clock: Clock, count: number): Promise<number[]> {
  const turns = Array.from({ length: count }, async () => {
    await pace.turn();
    return clock.now() - start;
  });
  return Promise.all(turns);
}

function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((t) => t >= from && t < from + 1000).length));
}

test('sends the first request at once and the others evenly, in order', async () => {
  const { clock, until, open } = shared();
  // It is 60 ms into a slot of 125 ms.
  expect(await until(requests(open(), clock, 4))).toEqual([0, 65, 190, 315]);
});

test('shares the full rate fairly between the processes of a folder', async () => {
  const { clock, until, open } = shared();
  const process = () => requests(open(), clock, 16);
  const each = await until(Promise.all([process(), process(), process()]));
  const all = each.flat();
  expect(mostInASecond(all)).toBeLessThanOrEqual(9);
  expect(new Set(all).size).toBe(48);
  expect(Math.max(...all)).toBeLessThanOrEqual(48 * 125);
  // No process finishes long before the others.
  for (const times of each) expect(Math.max(...times)).toBeGreaterThan(44 * 125);
});

test('wastes only one slot of a killed process', async () => {
  const { clock, until, open } = shared(0, 1, 3);
  expect(await until(requests(open(), clock, 3))).toEqual([190, 440, 565]);
});

test('removes past slots', async () => {
  const past = Array.from({ length: 50 }, (_, i) => i - 50);
  const { clock, until, where, current, open } = shared(...past);
  const own = open();
  await until(requests(own, clock, 1));
  expect(readdirSync(where)).toEqual([`${current}`]);
  await until(requests(own, clock, 100));
  expect(readdirSync(where).length).toBeLessThan(40);
});

test('does not wait after the clock is set back', async () => {
  const { clock, until, setBack, open } = shared();
  await until(requests(open(), clock, 8));
  const before = clock.now() - start;
  const behind = setBack(3_600_000);
  const [first = 0] = await until(requests(open(behind), behind, 1));
  expect(first - before).toBeLessThanOrEqual(125);
});

test('keeps the wait for a slot if the clock is set back meanwhile', async () => {
  const { clock, until, open } = shared();
  let behind = 0;
  const jumping: Clock = {
    ...clock,
    wall: () => clock.wall() - behind,
    sleep: async (milliseconds) => {
      await clock.sleep(milliseconds);
      behind = 3_600_000;
    },
  };
  const times = await until(requests(open(jumping), jumping, 4));
  expect(Math.max(...times)).toBeLessThanOrEqual(500);
});

test('takes another slot after the machine was suspended', async () => {
  const { clock, until, open } = shared();
  const late: Clock = { ...clock, sleep: (milliseconds) => clock.sleep(milliseconds + 300) };
  const both = [requests(open(), clock, 12), requests(open(late), late, 3)];
  const [inTime = [], tooLate = []] = await until(Promise.all(both));
  const slotsOf = [...inTime, ...tooLate].map((time) => Math.floor((start + time) / 125));
  expect(new Set(slotsOf).size).toBe(15);
});

test.each([
  ['a file is in the place of the folder', 0, /EEXIST|ENOTDIR/],
  ['more slots are taken than there can be processes', 300, /requests are already waiting/],
])('if %s, uses a pace per process and reports it once', async (_, taken, why) => {
  const { clock, until, where } = shared(...Array.from({ length: taken }, (_, slot) => slot));
  if (taken === 0) writeFileSync(where, 'not a folder');
  const said: string[] = [];
  const onUnshared = (text: string) => said.push(text);
  const pace = openPace({ folder: where, perSecond: 8, clock, onUnshared });
  expect(await until(requests(pace, clock, 4))).toEqual([0, 125, 250, 375]);
  expect(said).toEqual([expect.stringMatching(why)]);
});

test('holds back all unsent requests, also those with a slot', async () => {
  const { clock, until } = timeline();
  const pace = openPace({ perSecond: 8, clock });
  const times: number[] = [];
  const turns = [1, 2, 3].map(async () => {
    await pace.turn();
    times.push(clock.now() - start);
  });
  const held = clock.sleep(100).then(() => pace.hold(1000));
  await until(Promise.all([held, ...turns]));
  const [first, second = 0, third = 0] = times;
  expect(first).toBe(0);
  expect(second).toBeGreaterThanOrEqual(1100);
  expect(third - second).toBe(125);
});

test.each([
  ['as long as one of them must wait', 5000, 5000, 5500],
  ['for some time of a long hold, which leaves slots to waiting ones', 3_600_000, 10_000, 60_000],
])('holds back all processes of a folder %s', async (_, held, least, most) => {
  const { clock, until, open } = shared();
  const [first, other] = [open(), open()];
  await until(Promise.all([first.turn(), other.turn()]));
  const from = clock.now();
  first.hold(held);
  await until(other.turn());
  expect(clock.now() - from).toBeGreaterThanOrEqual(least);
  expect(clock.now() - from).toBeLessThan(most);
});

test('frees the turn of an aborted request', async () => {
  const pace = openPace({ perSecond: 1000, clock: realClock });
  const stop = new AbortController();
  await pace.turn();
  pace.hold(60_000);
  const turn = pace.turn(stop.signal);
  const behind = pace.turn(stop.signal);
  stop.abort();
  await expect(turn).rejects.toMatchObject({ kind: 'cancelled' });
  await expect(behind).rejects.toMatchObject({ kind: 'cancelled' });
});

/** A client of a server that returns a row with a variable status, on a virtual clock. */
async function refusing(body = row('A')) {
  const clock = patientClock();
  const answer = { status: 200 };
  const server = await serve((reply, _, { method }) =>
    reply.writeHead(answer.status).end(method === 'GET' ? body : ''),
  );
  const client = clientOf(server.url, { clock, maxWait: 0 });
  const kindOf = (asked: Promise<unknown>) => asked.catch(({ kind }) => kind);
  return { client, clock, kindOf, refuse: () => Object.assign(answer, { status: 403 }) };
}

const row = (receipt: string) => JSON.stringify({ orderData: { receipt } });
const get = (receipt: string) => ({ receipt });

test('continues a list after a 403 that meant a rate limit', async () => {
  const clock = patientClock();
  const server = await serve((reply, number, { headers }) => {
    const isRefused = number >= 3 && number <= 5;
    const more = Number(headers.page) < 4;
    if (isRefused) reply.writeHead(403).end('Forbidden');
    else reply.writeHead(more ? 206 : 200).end(row(`R${headers.page}`));
  });
  const client = clientOf(server.url, { clock, concurrency: 1 });
  const rows = await listed(client.pages(orders.list, {}));
  expect(rows.map(({ receipt }) => receipt)).toEqual(['R1', 'R2', 'R3', 'R4']);
  expect(clock.waits).toEqual([2000, 4000, 8000]);
});

test('waits longer each time, up to a minute, within the maximum wait', async () => {
  const clock = patientClock();
  const server = await serve((reply, number) => reply.writeHead(number === 1 ? 200 : 403).end('1'));
  const client = clientOf(server.url, { clock, maxWait: 300_000 });
  await client.call(orders.count, {});
  await expect(client.call(orders.count, {})).rejects.toMatchObject({ kind: 'rate-limit' });
  expect(clock.waits.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000]);
  expect(clock.waits.reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(300_000);
});

test('treats a 403 without a success in the last minute as a refusal', async () => {
  const { client, clock, kindOf, refuse } = await refusing();
  await client.call(orders.get, get('A'));
  await client.call(orders.list, {});
  refuse();
  expect(await kindOf(client.call(orders.get, get('B')))).toBe('refused');
  expect(await kindOf(client.call(orders.count, {}))).toBe('refused');
  expect(await kindOf(client.call(orders.get, get('A')))).toBe('rate-limit');
  expect(await kindOf(client.call(orders.list, { email: 'a@b.c' }))).toBe('rate-limit');
  expect(await client.call(orders.active, get('A'))).toBe(false);
  await clock.sleep(200_000);
  expect(await kindOf(client.call(orders.get, get('A')))).toBe('refused');
  expect(await kindOf(client.call(orders.list, {}))).toBe('refused');
});

test.each<readonly [what: string, ask: (client: Client, account: string) => Promise<unknown>]>([
  ['site', (client, site) => client.call(products.list, { site })],
  ['account', (client, account) => client.call(quickstats.count, { account })],
])('treats a 403 for another %s as a refusal', async (_, ask) => {
  const { client, kindOf, refuse } = await refusing('null');
  await ask(client, 'A');
  refuse();
  expect(await kindOf(ask(client, 'B'))).toBe('refused');
  expect(await kindOf(ask(client, 'A'))).toBe('rate-limit');
});

test('forgets successes of single resources after a write', async () => {
  const { client, kindOf, refuse } = await refusing();
  await client.call(orders.get, get('A'));
  await client.call(orders.extend, { receipt: 'A', numPeriods: 1 });
  refuse();
  expect(await kindOf(client.call(orders.get, get('A')))).toBe('refused');
});

test('holds back all requests when one exceeds the limit, even a write', async () => {
  const clock = patientClock();
  const server = await serve((reply, number) => {
    if (number === 1) reply.writeHead(429, { 'retry-after': '7' }).end();
    else reply.end('12');
  });
  const client = clientOf(server.url, { clock });
  const write = client.call(orders.extend, { receipt: 'A', numPeriods: 1 });
  await expect(write).rejects.toMatchObject({ kind: 'rate-limit', status: 429 });
  expect(await client.call(orders.count, {})).toBe(12);
  expect(clock.waits).toEqual([7000]);
});

test('counts concurrent refusals as one', async () => {
  const clock = patientClock();
  const reported: number[] = [];
  let together = 0;
  const held: (() => void)[] = [];
  const server = await serve((reply) => {
    together += 1;
    if (together > 4) return void reply.end('5');
    held.push(() => void reply.writeHead(429).end());
    if (together === 4) for (const refuse of held) refuse();
  });
  const onEvent: ClientOptions['onEvent'] = (event) => {
    if (event.type === 'waiting') reported.push(event.milliseconds);
  };
  const client = clientOf(server.url, { clock, onEvent });
  const each = [1, 2, 3, 4].map(() => client.call(orders.count, {}));
  expect(await Promise.all(each)).toEqual([5, 5, 5, 5]);
  expect(Math.max(...clock.waits)).toBeLessThanOrEqual(2000);
  expect(reported.length).toBeGreaterThan(0);
});

test('creates a private folder of slots without a key in its name', async () => {
  const where = folder();
  const server = await serve((reply) => reply.end('5'));
  await clientOf(server.url, { pace: 1000, paceFolder: where }).call(orders.count, {});
  const [name = ''] = readdirSync(where);
  expect(decodeURIComponent(name)).toBe(`${server.url} 1000`);
  expect(statSync(join(where, name)).mode & 0o777).toBe(0o700);
  const other = clientOf(server.url, { pace: 1000, paceFolder: where, apiKey: 'API-OTHER' });
  await other.call(orders.count, {});
  expect(readdirSync(where)).toEqual([name]);
  expect(JSON.stringify(readdirSync(where, { recursive: true }))).not.toContain('API');
});
