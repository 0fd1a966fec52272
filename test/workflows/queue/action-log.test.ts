/** The log of the queue: CSV that is never changed, only continued. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type LogLine, openActionLog } from '../../../src/workflows/queue/action-log.ts';

function newPath(): string {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'log.csv');
}

const line: LogLine = {
  ...{ time: '2026-03-18T18:30:00.000Z', ticketId: '1001', receipt: 'TICKET01' },
  ...{ email: 'ada@example.com', action: 'refund', amount: '37.00', currency: 'USD' },
  ...{ outcome: 'sent, outcome unknown', detail: '', actionId: 'a' },
};

const request = { command: 'tickets create', args: { receipt: 'A' }, before: ['1'], account: 'x' };

async function write(path: string, ...lines: readonly LogLine[]): Promise<void> {
  const { log } = await openActionLog(path);
  for (const one of lines) await log.add(one);
  await log.close();
}

async function openIn(path: string): Promise<string[]> {
  const { log, open } = await openActionLog(path);
  await log.close();
  return open.map(({ actionId }) => actionId);
}

test('continues a log, readable only by its owner, with one header', async () => {
  const path = newPath();
  await write(path, { ...line, outcome: 'done' });
  await write(path, { ...line, outcome: 'done', actionId: 'b' });
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.filter((one) => one.startsWith('time,ticketId'))).toHaveLength(1);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('finds actions without an outcome, and of equal ones only the last', async () => {
  const path = newPath();
  const other = { ...line, action: 'close', actionId: 'c', request };
  await write(
    path,
    { ...line, request },
    { ...line, actionId: 'b', request },
    { ...other },
    { ...other, outcome: 'done' },
    { ...line, receipt: 'B', actionId: 'd', request },
    { ...line, receipt: 'B', actionId: 'd', outcome: 'not done' },
    { ...line, receipt: 'C', actionId: 'e', request },
    { ...line, receipt: 'C', actionId: 'f', outcome: 'done', request },
  );
  expect(await openIn(path)).toEqual(['b']);
});

test('drops a line that was cut off, which was not sent, and keeps the others', async () => {
  const path = newPath();
  await write(path, { ...line, request });
  const whole = readFileSync(path, 'utf8');
  appendFileSync(path, '2026-03-18T18:31:00.000Z,1002,"cut');
  expect(await openIn(path)).toEqual(['a']);
  expect(readFileSync(path, 'utf8')).toBe(whole);
});

test('keeps a last line without its line break', async () => {
  const path = newPath();
  await write(path, { ...line, request }, { ...line, outcome: 'done' });
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.trimEnd());
  expect(await openIn(path)).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(whole);
});

test.each(Array.from({ length: 20 }, (_, i) => i * 19))(
  'opens a log that was cut off %i bytes before its end, and stays whole',
  async (missing) => {
    const path = newPath();
    await write(path, { ...line, request }, { ...line, outcome: 'done' });
    const whole = readFileSync(path, 'utf8');
    const start = whole.indexOf('\n') + 1;
    writeFileSync(path, whole.slice(0, Math.max(start, whole.length - missing)));
    await write(path, { ...line, actionId: 'z', outcome: 'done' });
    const { length } = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect([2, 3, 4]).toContain(length);
    expect(await openIn(path)).toHaveLength(0);
  },
);

test('starts a log whose header was cut off', async () => {
  const path = newPath();
  writeFileSync(path, 'time,tick');
  await write(path, { ...line, outcome: 'done' });
  expect(readFileSync(path, 'utf8')).toMatch(/^time,ticketId[^\n]*\n2026/);
});

test('writes one line a record, and no formulas', async () => {
  const path = newPath();
  const email = '=HYPERLINK("http://evil.example")';
  await write(path, { ...line, outcome: 'done', email, detail: 'one\ntwo\u2028three "four"' });
  const [, record] = readFileSync(path, 'utf8').split('\n');
  expect(record).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  expect(record).toContain('"one two three ""four"""');
});

test.each(['\t=1+1', ' @SUM(A1)', '＝1+1', '+1-555-0100'])(
  'guards the formula in %j',
  async (email) => {
    const path = newPath();
    await write(path, { ...line, outcome: 'done', email });
    const [, record] = readFileSync(path, 'utf8').split('\n');
    expect(record).toContain(`,'${email.replace('\t', ' ')},`);
  },
);

test('refuses a log that is not UTF-8 and leaves it unchanged', async () => {
  const path = newPath();
  await write(path, { ...line, request, email: 'müller@example.com' });
  const content = Buffer.from(readFileSync(path, 'utf8'), 'latin1');
  writeFileSync(path, content);
  await expect(openActionLog(path)).rejects.toThrow('is not UTF-8');
  expect(readFileSync(path).equals(content)).toBe(true);
});

test('drops a line that was cut off within a character', async () => {
  const path = newPath();
  await write(path, { ...line, request });
  const whole = readFileSync(path);
  appendFileSync(path, Buffer.from('2026-03-18T18:31:00.000Z,1002,A,mü').subarray(0, -1));
  expect(await openIn(path)).toEqual(['a']);
  expect(readFileSync(path).equals(whole)).toBe(true);
});

test('refuses a log that is not a file, such as a pipe, instead of waiting for it', async () => {
  const path = newPath();
  execFileSync('mkfifo', [path]);
  await expect(openActionLog(path)).rejects.toThrow('is not a file');
});

test.each([
  ['another table', 'a,b\n1,2\n', 'is not a log of cb tickets work'],
  ['text', 'hello', 'is not a log of cb tickets work'],
])('refuses %s and leaves it unchanged', async (_, content, says) => {
  const path = newPath();
  writeFileSync(path, content);
  await expect(openActionLog(path)).rejects.toThrow(says);
  expect(readFileSync(path, 'utf8')).toBe(content);
});

test('refuses a log with a line that it can not read', async () => {
  const path = newPath();
  await write(path, { ...line, request });
  appendFileSync(path, '1,2\n');
  await expect(openActionLog(path)).rejects.toThrow('is damaged');
});
