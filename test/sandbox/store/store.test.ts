import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { reseedSandbox } from '../../../src/sandbox/http/server.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { countOf, DAY, expectAnswers, getJson, lineOf, NOON, openSandbox, test } from '../raw.ts';
import { rowsIn, storeFile } from './store-file.ts';

const run = promisify(execFile);
const EXTEND = 'POST orders2/LIMITED1/extend?numPeriods=5 204';
const LIST = '/rest/1.3/orders2/list?startDate=2025-01-01&endDate=2026-12-31';

test('creates the store as a private file in a private folder', async () => {
  const file = join(dirname(storeFile()), 'deeper', 'sandbox.sqlite');
  await openSandbox({ file, now: () => NOON });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
});

test('seeds a store once and keeps its changes', async () => {
  const file = storeFile();
  const onSeed = vi.fn();
  const first = await openSandbox({ file, onSeed });
  await expectAnswers(first, EXTEND);
  await first.close();
  const second = await openSandbox({ file, onSeed, seed: { orders: 999 } });
  expect(onSeed).toHaveBeenCalledExactlyOnceWith(60, false);
  expect(second.status()).toMatchObject({ file, orders: 60 });
  expect((await lineOf(second, 'LIMITED1')).futurePayments).toBe('9');
});

test('seeds a file once for several concurrent sandboxes and processes', async () => {
  const file = storeFile();
  const onSeed = vi.fn();
  const options = { file, onSeed, seed: { orders: 500 } };
  const [one, two] = await Promise.all([openSandbox(options), openSandbox(options)]);
  expect(onSeed).toHaveBeenCalledTimes(1);
  await expectAnswers(one, EXTEND);
  expect((await lineOf(two, 'LIMITED1')).futurePayments).toBe('9');
  const script = join(import.meta.dirname, 'open-store.ts');
  const empty = storeFile();
  const open = () => run(process.execPath, ['--import', 'tsx', script, empty, '600']);
  const outputs = (await Promise.all([open(), open()])).map(({ stdout }) => stdout);
  expect(outputs.sort()).toEqual(['orders 600\n', 'seeding\norders 600\n']);
});

const WITHOUT_DRIVER = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`export async function resolve(name, context, next) {
  if (name === 'libsql') throw new Error('not installed');
  return next(name, context);
}\`));`;

test('says what to install if the driver is missing', async () => {
  const script = join(import.meta.dirname, 'open-store.ts');
  const hook = `data:text/javascript,${encodeURIComponent(WITHOUT_DRIVER)}`;
  const args = ['--import', 'tsx', '--import', hook, script, ':memory:', '50'];
  const failure = expect.objectContaining({
    stderr: expect.stringMatching(/MissingDriver.*npm install -g libsql/s),
  });
  await expect(run(process.execPath, args)).rejects.toEqual(failure);
});

test('returns consistent pages while another sandbox changes the store', async () => {
  const file = storeFile();
  const seed = { orders: 250 };
  const reader = await openSandbox({ file, seed });
  const writer = await openSandbox({ file, seed });
  await getJson(reader, LIST, { Page: '1' });
  const change = 'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';
  await expectAnswers(writer, `POST ${change} 204`);
  const [mine, fresh] = await Promise.all(
    [reader, writer].map((sandbox) => getJson(sandbox, LIST, { Page: '2' })),
  );
  expect(mine?.text).toBe(fresh?.text);
});

test('does not change a file of another program', async () => {
  const folder = dirname(storeFile());
  const other = join(folder, 'other.db');
  const db = await openDatabase(other);
  db.execute("CREATE TABLE diary (text); INSERT INTO diary VALUES ('dear diary')");
  db.close();
  await expect(openSandbox({ file: other })).rejects.toThrow('another program');
  const text = join(folder, 'text.db');
  writeFileSync(text, 'not a database at all, but a text of some length');
  await expect(openSandbox({ file: text })).rejects.toThrow();
  expect(await rowsIn(other, 'SELECT text FROM diary')).toEqual([{ text: 'dear diary' }]);
});

test('restores the first state, or another, when seeding again below a running server', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file, seed: { orders: 80, randomSeed: 3 } });
  const before = await getJson(sandbox, LIST);
  await expectAnswers(sandbox, 'POST orders2/CANCEL01/reinstate 204');
  expect((await getJson(sandbox, LIST)).text).not.toBe(before.text);
  await reseedSandbox({ file, now: () => NOON });
  expect((await getJson(sandbox, LIST)).text).toBe(before.text);
  await reseedSandbox({ file, now: () => NOON, seed: { orders: 120, randomSeed: 4 } });
  expect(sandbox.status()).toMatchObject({ orders: 120, randomSeed: 4 });
  expect(await countOf(sandbox, '')).toBe(120);
});

test('uses the real clock until another sandbox advances it', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file });
  expect(sandbox.now()).toEqual(NOON);
  expect(sandbox.status().clockOffsetSeconds).toBe(0);
  await (await openSandbox({ file })).advance(DAY);
  expect(sandbox.now().toISOString()).toBe('2026-03-19T19:00:00.000Z');
  await expectAnswers(sandbox, 'POST orders2/MONTHLY1/changeDate?changeDate=2026-03-19 400');
});

test('fails at once if the port is in use', async ({ sandbox }) => {
  const port = Number(new URL(sandbox.url).port);
  await expect(openSandbox({ port })).rejects.toThrow('EADDRINUSE');
});
