/** Ledgers on the disk: what is on it counts, whatever happens to the file or the process. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Line } from '../../src/ledger/entry.ts';
import { openLedger, readLedger, sharedLedger } from '../../src/ledger/ledger.ts';
import { emptyHome } from '../support/binary.ts';
import { noSmallDisk, smallDisk } from '../support/small-disk.ts';

const place = () => join(emptyHome(), 'ledger.ndjson');

const at = '2026-03-18T18:30:00.000Z';
const now = new Date(at);
const header = { ledger: 1 } as const;
const processes = { own: process.pid, isRunning: () => true };
const fileAt = (path: string) => ({ path, noun: 'ledger' }) as const;

function shared(path: string, time: () => Date = () => now) {
  return sharedLedger(path, { processes, command: 'test', now: time });
}

const sending = { id: 'a', at, state: 'sending', before: ['1'], args: { receipt: 'A' } } as const;

async function entryOf(path: string, id = 'a') {
  return (await readLedger(fileAt(path)))?.entries.get(id);
}

async function opened(path: string, ...lines: readonly Line[]) {
  const ledger = await openLedger(fileAt(path), header, await readLedger(fileAt(path)));
  for (const line of lines) await ledger.add(line);
  await ledger.close();
}

test('keeps facts of earlier states, and when a write was last sent', async () => {
  const path = place();
  await opened(path, sending, { id: 'a', at: '2026-03-18T18:31:00.000Z', state: 'unknown' });
  expect(await entryOf(path)).toMatchObject({ state: 'unknown', before: ['1'], sentAt: at });
});

test('is readable only by its owner', async () => {
  const path = place();
  await shared(path).record(sending);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  await shared(path).record({ ...sending, state: 'unknown' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  ['done', 'unknown'],
  ['done', 'sending'],
  ['declined', 'sending'],
  ['not done', 'unknown'],
] as const)('never changes %s into %s', async (state, next) => {
  const path = place();
  const ledger = shared(path);
  await ledger.record({ ...sending, state });
  expect(await ledger.record({ ...sending, state: next })).toBe(false);
  expect(await entryOf(path)).toMatchObject({ state });
});

test.each([
  ['{"id":"a","at":"2026-03-18T18:30:00.000Z","state":"sen', 'unknown'],
  ['{"id":"a","at":"2026-03-18T18:30:00.000Z","state":"sending","before":["1"]}', 'sending'],
  ['{"id":"a","at":"2026-03-18T18:30:00.000Z","state":"done"}', 'done'],
])('never treats the write of the incomplete line %s as not sent', async (torn, state) => {
  const path = place();
  await opened(path);
  appendFileSync(path, torn);
  expect(await entryOf(path)).toMatchObject({ state, at: '2026-03-18T18:30:00.000Z' });
  await opened(path, { id: 'b', at, state: 'done' });
  expect(await entryOf(path)).toMatchObject({ state });
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
});

test('counts a decision or an outcome that is cut short as unknown', async () => {
  for (const before of ['planned', 'sending'] as const) {
    const path = place();
    await opened(path, { ...sending, state: before });
    appendFileSync(path, `{"id":"a","at":"${at}","st`);
    expect(await entryOf(path)).toMatchObject({ state: 'unknown', before: ['1'] });
  }
});

test('drops a line that names no write', async () => {
  for (const torn of ['{"i', '{"id":"b', '{"id":"b","at":"2026']) {
    const path = place();
    await opened(path, sending);
    appendFileSync(path, torn);
    await opened(path, { id: 'c', at, state: 'done' });
    expect([...((await readLedger(fileAt(path)))?.entries.keys() ?? [])]).toEqual(['a', 'c']);
  }
});

test('opens a ledger that was cut off anywhere, and forgets nothing before the cut', async () => {
  const whole = place();
  await opened(whole, sending, { id: 'a', at, state: 'done' }, { ...sending, id: 'b' });
  const text = readFileSync(whole, 'utf8');
  const path = place();
  for (let length = 0; length <= text.length; length += 3) {
    writeFileSync(path, text.slice(0, length));
    const before = await readLedger(fileAt(path));
    await opened(path, { id: 'z', at, state: 'done' });
    const after = await readLedger(fileAt(path));
    after?.entries.delete('z');
    expect(after?.entries ?? new Map()).toEqual(before?.entries ?? new Map());
    // A write that is on the disk is never one that was not sent.
    const lines = text.slice(0, length).split('\n').length - 1;
    if (lines >= 2) expect(after?.entries.get('a')?.state).toMatch(/sending|unknown|done/);
  }
});

test.each([
  ['{"version":2,"command":"x"}\n', 'old'],
  ['{"ledger":2}\n', 'damaged'],
  ['receipt,tracking\n', 'damaged'],
  ['receipt,tracking', 'damaged'],
])('refuses %j, and leaves it unchanged', async (text, problem) => {
  const path = place();
  writeFileSync(path, text);
  await expect(readLedger(fileAt(path))).rejects.toMatchObject({ problem });
  await expect(shared(path).record(sending)).rejects.toMatchObject({ problem });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test.each([
  `{"id":"a","at":"${at}","state":"sendin"}`,
  `{"id":2,"at":"${at}","state":"done"}`,
  '{"id":"a","state":"done"}',
  '{}',
  'null',
])('refuses a ledger with the line %s, whose write could seem unsent', async (line) => {
  const path = place();
  writeFileSync(path, `${JSON.stringify(header)}\n${line}\n`);
  await expect(readLedger(fileAt(path))).rejects.toThrow(/an invalid line/);
});

test('lets one of 20 decisions at the same time win', async () => {
  const path = place();
  const ledger = shared(path);
  await ledger.record({ ...sending, state: 'planned' });
  const decide = (place: number) =>
    ledger.change(async ({ entries, add }) => {
      if (entries.get('a')?.state !== 'planned') return false;
      return add({ id: 'a', at, state: place % 2 === 0 ? 'sending' : 'declined' });
    });
  const won = await Promise.all(Array.from({ length: 20 }, (_, place) => decide(place)));
  expect(won.filter(Boolean)).toHaveLength(1);
});

const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

test('decides nothing after its lock file was deleted, as while its process is suspended', async () => {
  const path = place();
  await shared(path).record({ ...sending, state: 'planned' });
  const late = shared(path).change(async ({ add }) => {
    rmSync(`${path}.lock`);
    await shared(path).record({ id: 'a', at, state: 'declined' });
    await add({ id: 'a', at, state: 'sending' });
  });
  await expect(late).rejects.toThrow('is no longer locked');
  expect(await entryOf(path)).toMatchObject({ state: 'declined' });
});

test('removes what existed before a write when its outcome is certain, and a plan a day later, but no plan of unknown outcome', async () => {
  const path = place();
  const ledger = shared(path);
  await ledger.record(sending);
  await ledger.record({ ...sending, id: 'b', state: 'planned', plan: { text: 'x' }, seal: 's' });
  await ledger.record({ id: 'a', at, state: 'done' });
  await ledger.record({ id: 'b', at, state: 'done' });
  expect(readFileSync(path, 'utf8')).not.toContain('"state":"sending"');
  await ledger.record({ ...sending, id: 'u', state: 'planned', plan: { text: 'x' }, seal: 's' });
  await ledger.record({ id: 'u', at, state: 'sending' });
  expect(await entryOf(path)).not.toHaveProperty('before');
  expect(await entryOf(path, 'b')).toMatchObject({ before: ['1'], plan: { text: 'x' } });
  await shared(path, () => days(1)).record({ ...sending, id: 'c' });
  expect(await entryOf(path, 'b')).toEqual({ id: 'b', at, state: 'done', args: { receipt: 'A' } });
  expect(await entryOf(path, 'u')).toMatchObject({ state: 'sending', plan: { text: 'x' } });
});

test('removes the text of a plan that was never decided when it is read a day later, and no entry', async () => {
  const path = place();
  await shared(path).record({ ...sending, state: 'planned', plan: { text: 'x' }, seal: 's' });
  await shared(path).record({ ...sending, id: 'b' });
  const kept = readFileSync(path, 'utf8');
  await shared(path, () => days(1)).read();
  expect(readFileSync(path, 'utf8')).toBe(kept);
  // With a clock that is far ahead, too.
  for (const late of [1.1, 500]) {
    const { entries } = await shared(path, () => days(late)).read();
    expect(entries.get('a')).toEqual({ id: 'a', at, state: 'planned', args: { receipt: 'A' } });
    expect(await entryOf(path)).toEqual(entries.get('a'));
    expect(await entryOf(path, 'b')).toMatchObject({ state: 'sending', before: ['1'] });
  }
});

test('reads a ledger without the text of an old plan if the file can not be changed', async () => {
  const path = place();
  await shared(path).record({ ...sending, state: 'planned', plan: { text: 'x' }, seal: 's' });
  const lock = '{"nonce":"1","host":"nas","boot":"b","pid":7,"since":"2026-03-18"}';
  writeFileSync(`${path}.lock`, lock);
  const { entries } = await shared(path, () => days(2)).read();
  expect(entries.get('a')).not.toHaveProperty('plan');
  expect(await entryOf(path)).toHaveProperty('plan');
});

test('removes finished entries after 400 days, but none of unknown outcome', async () => {
  const path = place();
  const ledger = shared(path);
  for (const [id, state] of Object.entries({ a: 'done', b: 'unknown', c: 'not done' } as const)) {
    await ledger.record({ ...sending, id, state });
  }
  await shared(path, () => days(400)).record({ ...sending, id: 'd', at: days(400).toISOString() });
  expect((await ledger.read()).entries.size).toBe(4);
  await shared(path, () => days(401)).record({ ...sending, id: 'e', at: days(401).toISOString() });
  expect([...(await ledger.read()).entries.keys()]).toEqual(['b', 'd', 'e']);
});

test('has no entry to alter if there is no file yet, and creates none', async () => {
  const path = place();
  await shared(path).alter(() => expect.unreachable('there is no entry'));
  expect(existsSync(path)).toBe(false);
});

test('changes the file itself if its name is a symbolic link', async () => {
  const path = place();
  const link = join(dirname(path), 'link');
  symlinkSync(path, link);
  await shared(link).record(sending);
  await shared(link).record({ id: 'a', at, state: 'done' });
  expect(await entryOf(path)).toMatchObject({ state: 'done' });
});

test.skipIf(noSmallDisk !== undefined)(
  'confirms lines on the disk even if later ones do not fit, and leaves no part of them',
  async () => {
    const { folder } = smallDisk(dirname(place()));
    const path = join(folder, 'ledger');
    const ledger = await openLedger(fileAt(path), header, undefined);
    const states = await Promise.allSettled([
      ledger.add({ id: '2', at, state: 'sending' }),
      ledger.add({ id: '3', at, state: 'sending' }),
      ledger.add({ id: '4', at, state: 'not done', why: 'x'.repeat(100_000) }),
      ledger.add({ id: '5', at, state: 'sending' }),
    ]);
    await ledger.close();
    expect(states.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ]);
    expect([...((await readLedger(fileAt(path)))?.entries.keys() ?? [])]).toEqual(['2', '3']);
  },
);
