/** The sandbox as a library for tests, and the programs in the documentation, which run as they are printed. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { createClient } from '../../src/library/index.ts';
import { KEYS } from '../../src/sandbox/http/keys.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { project, runNode, typeErrors } from './package.ts';
import { openShop, refund, year } from './shop.ts';

test('starts with the same data for the same seed and time, on ports of their own', async () => {
  const read = async (randomSeed: number) => {
    const { client, sandbox } = await openShop({ randomSeed });
    return { rows: await client.orders.list(year).toArray(), url: sandbox.baseUrl };
  };
  const [one, same, other] = await Promise.all([read(7), read(7), read(8)]);
  expect(one.rows.length).toBeGreaterThanOrEqual(60);
  expect(same.rows).toEqual(one.rows);
  expect(other.rows).not.toEqual(one.rows);
  expect(new Set([one.url, same.url, other.url]).size).toBe(3);
});

test('has keys with fewer permissions', async () => {
  const { sandbox } = await openShop();
  expect(sandbox.apiKeys).toEqual(Object.fromEntries(KEYS.map(({ name, key }) => [name, key])));
  const client = createClient({ ...sandbox, apiKey: sandbox.apiKeys['read-only'] });
  const refused = { kind: 'refused', status: 403 };
  await expect(client.tickets.create(refund)).rejects.toMatchObject(refused);
  await client.close();
});

test('stands still until its clock is advanced, and then has new rows, and checks dates against that clock for a client that has it', async () => {
  const { client, sandbox } = await openShop();
  const start = sandbox.now();
  expect(sandbox.now()).toEqual(start);
  const period = { startDate: '2026-03-19', endDate: '2026-04-18' };
  expect(await client.orders.count(period)).toBe(0);
  expect(await sandbox.advance('30d')).toEqual(new Date(start.getTime() + 30 * 86_400_000));
  expect(await sandbox.advance(60)).toEqual(sandbox.now());
  expect(await client.orders.count(period)).toBeGreaterThan(0);
  const pause = { receipt: 'MONTHLY1', restartDate: '2026-03-19' };
  await expect(client.orders.pause(pause)).rejects.toThrow('restartDate must be in the future.');
  await expect(sandbox.advance('soon')).rejects.toThrow("Invalid time 'soon'. Use seconds");
  for (const seconds of [-1, 1.5]) {
    await expect(sandbox.advance(seconds)).rejects.toThrow(RangeError);
  }
});

test('sets and clears faults, also from the start, and logs each request', async () => {
  const { client, sandbox } = await openShop({ faults: '503=#1', client: { maxWait: 0 } });
  const count = () => client.orders.count(year).catch(({ status }) => status);
  expect(await count()).toBe(503);
  sandbox.setFaults('429=100%');
  expect(await count()).toBe(429);
  sandbox.setFaults(undefined);
  expect(await count()).toBeGreaterThanOrEqual(60);
  const logged = sandbox.requests.map(({ status, fault }) => `${status} ${fault}`);
  expect(logged).toEqual(['503 503', '429 429', '200 undefined']);
  expect(() => sandbox.setFaults('often')).toThrow("'often' is not a fault.");
  await expect(startSandbox({ faults: 'often' })).rejects.toThrow("'often' is not a fault.");
});

test('stops when it is closed, and when it goes out of scope', async () => {
  const sandbox = await startSandbox({ orders: 60 });
  const address = `${sandbox.baseUrl}/rest/1.3/orders2/schema`;
  expect((await fetch(address)).status).toBe(200);
  await sandbox[Symbol.asyncDispose]();
  await expect(fetch(address)).rejects.toThrow();
});

function programsIn(path: string): string[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^```ts$\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, program = '']) => program);
}

const programs = programsIn('docs/library.md');
const [example = '', ...others] = programsIn('docs/testing.md');

test('has a test for each program, and all of them compile', async () => {
  expect(programs).toHaveLength(4);
  expect(others).toEqual([]);
  const files = programs.map((text, i) => [`program${i}.ts`, text]);
  const folder = project({ ...Object.fromEntries(files), 'shop.test.ts': example });
  expect(await typeErrors(folder)).toBe('');
});

test.each([
  ['A first program', 0, /^\w+ \d+\.\d\d USD$/m],
  ['Lists', 1, /^1\d{3} \d+ \S/m],
  ['Writes', 2, /^Refund 37\.00 USD .*\? \[\]\n1\d{3}$/m],
  ['Errors', 3, /^refused 403 .* false$/m],
])('runs the program of %s', async (_, index, printed) => {
  const { code } = await transform(programs[index] ?? '', { loader: 'ts', target: 'node20' });
  const { sandbox } = await openShop();
  const file = join(project({ 'program.mjs': code }), 'program.mjs');
  const env = { CB_API_KEY: sandbox.apiKey, CB_BASE_URL: sandbox.baseUrl };
  const { stdout, stderr } = await runNode([file], { env });
  expect(stdout + stderr).toMatch(printed);
});

test('runs the example for Vitest', async () => {
  const folder = project({ 'shop.test.ts': example });
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  // On a busy machine any test may take many times as long.
  const args = [vitest, 'run', '--root', folder, '--testTimeout', '300000'];
  const env = { HOME: folder, CI: 'true', NO_COLOR: '1' };
  const ran = await runNode(args, { cwd: folder, env });
  expect(ran.stdout).toMatch(/Tests +3 passed \(3\)/);
});
