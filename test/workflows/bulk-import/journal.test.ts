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

test('keeps the snapshot and time of the last attempt for a row', async () => {
  const path = place();
  const journal = await openJournal(path, header, undefined);
  await journal.add({ row: 2, at: 5, state: 'sending', snapshot: ['1'] });
  await journal.add({ row: 2, at: 9, state: 'unknown', why: 'lost' });
  await journal.close();
  const rows = (await readJournal(path))?.rows;
  expect(rows?.get(2)).toMatchObject({ last: { state: 'unknown' }, snapshot: ['1'], sentAt: 5 });
});

async function journalEndingIn(torn: string) {
  const path = place();
  await (await openJournal(path, header, undefined)).close();
  appendFileSync(path, torn);
  const content = await readJournal(path);
  const journal = await openJournal(path, header, content);
  await journal.add({ row: 3, at: 6, state: 'done' });
  await journal.close();
  return { content, again: await readJournal(path), lines: readFileSync(path, 'utf8').split('\n') };
}

test.each([
  ['{"row":2,"at":5,"state":"sen', 'unknown'],
  ['{"row":2,"at":5,"state":"sending","snapshot":["1"]}', 'sending'],
  ['{"row":2,"at":5,"state":"done"}', 'done'],
])('never treats the row of the incomplete line %s as not sent', async (...given) => {
  const [torn, state] = given;
  const { content, again, lines } = await journalEndingIn(torn);
  expect(content?.rows.get(2)?.last.state).toBe(state);
  expect(again?.rows.get(2)?.last).toEqual(content?.rows.get(2)?.last);
  expect(lines).toHaveLength(4);
});

test.each(['{"ro', '{"row":2'])('drops the line %s, which has no row number', async (torn) => {
  const { content, again, lines } = await journalEndingIn(torn);
  expect(content?.rows.size).toBe(0);
  expect([...(again?.rows.keys() ?? [])]).toEqual([3]);
  expect(lines).toHaveLength(3);
});

test.each(['{"version":1}\n', '{"version":3}\n', 'receipt,tracking\n'])(
  'rejects %j as a journal',
  async (text) => {
    const path = place();
    writeFileSync(path, text);
    await expect(readJournal(path)).rejects.toMatchObject({ kind: 'bad-input' });
  },
);

test.each(['{"row":2,"state":"sendin"}', '{"row":"2","state":"done"}', '{}', 'null'])(
  'rejects a journal with the line %s, whose row could seem unsent',
  async (line) => {
    const path = place();
    writeFileSync(path, `${JSON.stringify(header)}\n${line}\n`);
    await expect(readJournal(path)).rejects.toThrow(/an invalid line/);
  },
);

test.skipIf(noSmallDisk !== undefined)(
  'confirms entries on disk even if later ones do not fit',
  async () => {
    const { folder } = smallDisk(dirname(place()));
    const journal = await openJournal(join(folder, 'journal'), header, undefined);
    const first = journal.add({ row: 2, at: 5, state: 'sending', snapshot: null });
    const second = journal.add({ row: 3, at: 5, state: 'sending', snapshot: null });
    const third = journal.add({ row: 4, at: 5, state: 'failed', why: 'x'.repeat(100_000) });
    const states = await Promise.allSettled([first, second, third]);
    await journal.close();
    expect(states.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const { rows } = (await readJournal(join(folder, 'journal'))) ?? {};
    expect([...(rows?.keys() ?? [])]).toEqual([2, 3]);
  },
);
