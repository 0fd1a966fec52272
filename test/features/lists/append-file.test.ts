/** A file that rows are added to, as a run that was stopped at any byte leaves it. */
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AppendFile, openAppendFile } from '../../../src/features/lists/append-file.ts';
import type { AppendState } from '../../../src/features/lists/schedule.ts';
import { emptyHome } from '../../support/binary.ts';

const layout = { output: 'csv', columns: ['receipt'], skeleton: null };
const before = 'receipt\nOLD00001\n';
const rows = 'NEW00001\nNEW00002\n';

/** A file with rows, of which the last ones are still pending in the state. */
async function stopped() {
  const folder = emptyHome();
  const [path, spoolPath] = [join(folder, 'orders.csv'), join(folder, 'spool')];
  const states: AppendState[] = [];
  const opened: AppendFile[] = [];
  onTestFinished(async () => {
    for (const file of opened) await file.close();
  });
  const save = async (state?: AppendState) => {
    if (state) states.push(state);
  };
  const open = async () => {
    const schedule = { spoolPath, file: states.at(-1), commit: save, keep: save };
    const file = await openAppendFile(path, schedule);
    opened.push(file);
    return file;
  };
  const first = await open();
  for (const text of [before, rows]) {
    first.write(Buffer.from(text));
    await first.commit(layout);
  }
  expect(states.at(-1)?.pending).toBeDefined();
  return { path, spoolPath, states, open, text: () => readFileSync(path, 'utf8') };
}

test.each(Array.from({ length: rows.length + 1 }, (_, bytes) => bytes))(
  'adds the missing rows of a run that was stopped after %i bytes',
  async (bytes) => {
    const { path, states, open, text } = await stopped();
    truncateSync(path, before.length + bytes);
    const next = await open();
    expect(next.note).toBeUndefined();
    expect(text()).toBe(before + rows);
    expect(states.at(-1)).toMatchObject({ length: before.length + rows.length });
    expect(states.at(-1)?.pending).toBeUndefined();
    next.write(Buffer.from('LAST0001\n'));
    await next.commit(layout);
    expect(text()).toBe(`${before}${rows}LAST0001\n`);
  },
);

test('keeps what others have added behind the rows of a run that was stopped', async () => {
  const { path, open, text } = await stopped();
  appendFileSync(path, 'a note\n');
  await open();
  expect(text()).toBe(`${before}${rows}a note\n`);
});

test.each([
  ['was edited', `edited\n${rows}`],
  ['was cut', 'rec'],
  ['has other lines than those that were being added', `${before}NEW0another line\n`],
  ['has lines where none had been added yet', `${before}another line that is long enough\n`],
])('changes nothing in a file that %s, and names the rows', async (_, changed) => {
  const { path, spoolPath, open, text } = await stopped();
  writeFileSync(path, changed);
  await expect(open()).rejects.toMatchObject({
    kind: 'bad-input',
    hint: expect.stringContaining(spoolPath),
  });
  expect(text()).toBe(changed);
  expect(readFileSync(spoolPath, 'utf8')).toBe(rows);
  rmSync(spoolPath);
  const next = await open();
  next.write(Buffer.from('LAST0001\n'));
  await next.commit(layout);
  expect(text()).toContain('LAST0001\n');
  expect(text().startsWith(changed)).toBe(true);
});

test('refuses to begin a new file for rows that may be in one that was moved', async () => {
  const { path, open } = await stopped();
  rmSync(path);
  await expect(open()).rejects.toMatchObject({ kind: 'bad-input' });
});
