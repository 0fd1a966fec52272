/** The journal on disk. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal, readJournal } from '../../../src/workflows/bulk-import/journal.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';

function place(): string {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'journal');
}

const facts = { command: 'x', input: 'a', settings: 'b', service: 'sandbox', day: '2026-03-18' };
const header = { version: 2, ...facts, account: 'hmac' } as const;

test('keeps the snapshot and the time of the last time that a row was sent', async () => {
  const path = place();
  const journal = await openJournal(path, header, undefined);
  await journal.add({ row: 2, at: 5, state: 'sending', snapshot: ['1'] });
  await journal.add({ row: 2, at: 9, state: 'unknown', why: 'lost' });
  await journal.close();
  const rows = (await readJournal(path))?.rows;
  expect(rows?.get(2)).toMatchObject({ last: { state: 'unknown' }, snapshot: ['1'], sentAt: 5 });
});

test('drops a line that was cut off, and writes on behind the last whole one', async () => {
  const path = place();
  await (await openJournal(path, header, undefined)).close();
  appendFileSync(path, '{"row":2,"at":5,"state":"sen');
  const content = await readJournal(path);
  expect(content?.rows.size).toBe(0);
  const journal = await openJournal(path, header, content);
  await journal.add({ row: 3, at: 6, state: 'done' });
  await journal.close();
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test('reads the entries of version 1', async () => {
  const path = place();
  const lines = [
    { version: 1, ...facts },
    { row: 2, state: 'sending', mark: 3 },
    { row: 3, state: 'already' },
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const rows = (await readJournal(path))?.rows;
  expect(rows?.get(2)).toEqual({
    last: { row: 2, state: 'sending', snapshot: 3 },
    snapshot: 3,
    sentAt: undefined,
  });
  expect(rows?.get(3)?.last.state).toBe('existing');
});

test.each(['{"version":3}\n', 'receipt,tracking\n'])('refuses %j as no journal', async (text) => {
  const path = place();
  writeFileSync(path, text);
  await expect(readJournal(path)).rejects.toMatchObject({ kind: 'bad-input' });
});

test.each(['{"row":2,"state":"sendin"}', '{"row":"2","state":"done"}', '{}', 'null'])(
  'refuses a journal with the line %s, whose row could be taken for one that was never sent',
  async (line) => {
    const path = place();
    writeFileSync(path, `${JSON.stringify(header)}\n${line}\n`);
    await expect(readJournal(path)).rejects.toThrow(/no state of a row/);
  },
);

test.skipIf(noSmallDisk !== undefined)(
  'confirms what is on disk even if what comes after it does not fit',
  async () => {
    const { folder } = smallDisk(dirname(place()));
    const journal = await openJournal(join(folder, 'journal'), header, undefined);
    const first = journal.add({ row: 2, at: 5, state: 'sending', snapshot: null });
    const second = journal.add({ row: 3, at: 5, state: 'sending', snapshot: null });
    // The first two are being written by now.
    await Promise.resolve();
    await Promise.resolve();
    const why = 'x'.repeat(100_000);
    const third = journal.add({ row: 4, at: 5, state: 'failed', why });
    const states = await Promise.allSettled([first, second, third]);
    await journal.close();
    expect(states.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const { rows } = (await readJournal(join(folder, 'journal'))) ?? {};
    expect([...(rows?.keys() ?? [])]).toEqual([2, 3]);
  },
);
