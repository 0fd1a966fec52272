/** The log of the calls of agents. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCallLog, readCallLog } from '../../../src/features/agents/call-log.ts';
import { home, now } from '../../support/cb.ts';

const processes = { own: process.pid, isRunning: () => true };

function place() {
  const folder = join(home().folder, 'mcp');
  const redact = (text: string) => text.replaceAll('API-SECRET', '(the key)');
  return { folder, processes, now: () => now, redact };
}

test('keeps two private files of bounded size, with the newest entries', async () => {
  const where = place();
  const log = openCallLog(where, { session: 's' }, 2000);
  for (let number = 1; number <= 100; number++) await log.add({ number });
  const files = readdirSync(where.folder).sort();
  expect(files).toEqual(['calls.1.ndjson', 'calls.ndjson']);
  for (const file of files) {
    const { size, mode } = statSync(join(where.folder, file));
    expect(size).toBeLessThan(2200);
    expect(mode & 0o777).toBe(0o600);
  }
  const entries = await readCallLog(where.folder);
  const numbers = entries.map(({ number }) => number as number);
  expect(numbers.at(-1)).toBe(100);
  expect(numbers).toEqual(numbers.map((_, i) => 101 - numbers.length + i));
});

test('loses no entry when two sessions write at the same time', async () => {
  const where = place();
  const logs = ['one', 'two'].map((session) => openCallLog(where, { session }));
  await Promise.all(Array.from({ length: 200 }, (_, number) => logs[number % 2]?.add({ number })));
  const entries = await readCallLog(where.folder);
  expect(new Set(entries.map(({ number }) => number)).size).toBe(200);
});

test('redacts keys, cuts long texts, and leaves out arguments that are too long', async () => {
  const where = place();
  const names = Array.from({ length: 100_000 }, (_, i) => i);
  await openCallLog(where, {}).add({ tool: 'x', arguments: { names } });
  await openCallLog(where, {}).add({ arguments: { a: 'API-SECRET', b: 'x'.repeat(9000) } });
  const text = readFileSync(join(where.folder, 'calls.ndjson'), 'utf8');
  expect(text).toContain('(the key)');
  expect(text).not.toContain('API-SECRET');
  expect(text.length).toBeLessThan(2300);
  expect(await readCallLog(where.folder)).toMatchObject([
    { tool: 'x', arguments: '(too long for the log)' },
    {},
  ]);
});

test('reads the other entries of a file whose last line is cut short', async () => {
  const where = place();
  await openCallLog(where, {}).add({ number: 1 });
  const file = join(where.folder, 'calls.ndjson');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"number":2,"arg`);
  expect(await readCallLog(where.folder)).toMatchObject([{ number: 1 }]);
});
