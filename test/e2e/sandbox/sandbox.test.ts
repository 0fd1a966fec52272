/** `cb sandbox`: its clock, its keys, and its data. */
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb as binary, emptyHome } from '../../support/binary.ts';
import { type Home, home, sandboxHome } from '../../support/cb.ts';

async function json({ cb }: Home, line: string) {
  const { code, out, err } = await cb(`${line} -o json`);
  expect({ line, code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

test('stops a long advance after a complete day on Ctrl-C, and prints the time', async () => {
  const folder = emptyHome();
  const user = home(folder);
  const now = () => new Date();
  expect((await user.cb('sandbox seed --orders 300', { now })).code).toBe(0);
  const status = async () => JSON.parse((await user.cb('sandbox status -o json', { now })).out);
  expect((await status()).clockOffsetSeconds).toBe(0);
  const advancing = binary(['sandbox', 'clock', 'advance', '9999w'], { home: folder });
  // It has begun once other processes see the clock move.
  while ((await status()).clockOffsetSeconds === 0)
    await new Promise((done) => setTimeout(done, 10));
  advancing.child.kill('SIGINT');
  const { code, out, err } = await advancing.ended();
  expect({ code, out }).toEqual({ code: 130, out: '' });
  const { clockOffsetSeconds } = await status();
  const days = clockOffsetSeconds / 86_400;
  expect(Number.isInteger(days)).toBe(true);
  expect(days).toBeLessThan(69_993);
  expect(err).toContain(`Stopped after ${days} of 69993 days. The sandbox clock is at 2`);
});

test('keeps the clock if an advance is stopped at once', async () => {
  const { cb } = await sandboxHome(60);
  const ran = await cb('sandbox clock advance 52w', { signal: AbortSignal.abort(130) });
  expect([ran.code, ran.out]).toEqual([130, '']);
  expect((await cb('sandbox clock')).out).toMatch(/^2026-03-18T/);
});

test('shows progress of the clock on a terminal, and only the new time elsewhere', async () => {
  const at = await sandboxHome(60);
  const watched = await at.cb('sandbox clock advance 10d', { columns: 100 });
  expect(watched.err).toContain('Advancing the clock: 50%, 2026-03-23T');
  const piped = await at.cb('sandbox clock advance 10d');
  expect(piped).toEqual({ code: 0, out: expect.stringMatching(/^2026-04-07T\S+\n$/), err: '' });
});

test('lists every profile with its key and permissions in the status', async () => {
  const at = await sandboxHome(60);
  const { keys } = await json(at, 'sandbox status');
  expect(keys.length).toBe(7);
  for (const { profile, key, permissions } of keys) {
    expect(key).toMatch(/^API-[A-Z0-9]{36}$/);
    expect(permissions).toMatch(/every permission|orders|analytics/);
    expect((await at.cb(`--profile ${profile} whoami`)).code).toBe(0);
  }
  const table = await at.cb('sandbox status -o table', { columns: 200 });
  for (const { profile, key, permissions } of keys) {
    expect(table.out).toMatch(new RegExp(`${profile} .*${key} .*${permissions}`));
  }
});

test('sets the analytics status to YELLOW, RED, and GREEN', async () => {
  const at = await sandboxHome(60);
  const status = async () => (await json(at, '--sandbox analytics status')).status;
  expect(await status()).toBe('GREEN');
  for (const wanted of ['YELLOW', 'RED']) {
    await at.cb(`sandbox faults analytics-status=${wanted},latency=1ms`);
    expect(await status()).toBe(wanted);
  }
  expect((await at.cb('sandbox faults off')).code).toBe(0);
  expect(await status()).toBe('GREEN');
  const wrong = await at.cb('sandbox faults analytics-status=BLUE');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('GREEN, YELLOW, or RED')]);
});

test('replaces data of another version by the same number of orders, with a message', async () => {
  const at = await sandboxHome(60);
  const db = await openDatabase(`${at.folder}/.local/share/clickbank-cli/sandbox.sqlite`);
  db.execute('PRAGMA user_version = 2; DROP TABLE customer_event');
  db.close();
  const { code, err } = await at.cb('--sandbox orders count');
  expect([code, err]).toEqual([
    0,
    expect.stringContaining(
      'sandbox: The stored data is from another version of cb. Replacing it with 60 new sample orders.\n',
    ),
  ]);
  expect((await json(at, 'sandbox status')).orders).toBe(60);
});

test('creates as many orders as requested, in the requested currency, and restores them with cb sandbox reset', async () => {
  const at = home();
  await at.cb('sandbox seed --orders 60');
  expect(await json(at, 'sandbox status')).toMatchObject({ orders: 60, orderAmounts: 'dollars' });
  await at.cb('sandbox seed --orders 90 --random-seed 7 --order-amounts customer');
  const seeded = { orders: 90, randomSeed: 7, orderAmounts: 'customer' };
  expect(await json(at, 'sandbox status')).toMatchObject(seeded);
  const active = async () => (await at.cb('--sandbox orders active CANCEL01')).code;
  await at.cb('--sandbox orders reinstate CANCEL01 --yes');
  expect(await active()).toBe(0);
  await at.cb('sandbox reset');
  expect(await active()).toBe(9);
  expect(await json(at, 'sandbox status')).toMatchObject(seeded);
  expect(await at.cb('sandbox seed --order-amounts yen')).toMatchObject({
    code: 2,
    err: "cb: Invalid --order-amounts 'yen'.\n    Use dollars or customer.\n",
  });
});
