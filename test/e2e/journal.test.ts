/** An import that is stopped, changed or started twice. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, sandboxHome } from '../support/cb.ts';

const line = '--sandbox ship notice import shipped.csv --carrier USPS --date today --yes -o json';

async function count({ cb }: Home): Promise<number> {
  return JSON.parse((await cb('--sandbox ship notice list PARCEL01 -o json')).out).length;
}

async function prepared(...trackings: string[]): Promise<Home & { file: string }> {
  const at = await sandboxHome(60);
  const file = join(at.folder, 'shipped.csv');
  writeFileSync(file, ['receipt,tracking', ...trackings.map((id) => `PARCEL01,${id}`)].join('\n'));
  return { ...at, file };
}

/** The journal as it was when the process died behind its nth line. */
function cut(file: string, lines: number, torn = ''): void {
  const journal = `${file}.cb-journal`;
  const kept = readFileSync(journal, 'utf8').split('\n').slice(0, lines).join('\n');
  writeFileSync(journal, `${kept}\n${torn}`);
}

test('A second run says that all is done and sends nothing', async () => {
  const at = await prepared('T1', 'T2');
  await at.cb(line);
  const before = await count(at);
  const again = await at.cb(line);
  expect(again.code).toBe(0);
  expect(again.err).toContain('all rows are done already; nothing was sent');
  expect(await count(at)).toBe(before);
});

test('A row that was sent when cb died is read back and not sent again', async () => {
  const at = await prepared('T1', 'T2');
  await at.cb(line);
  const before = await count(at);
  cut(at.file, 2, '{"row":2,"sta');
  const again = await at.cb(`${line} --allow-duplicate`);
  expect(again.code).toBe(0);
  // The first is told by its mark; of the second the journal knows nothing, so it is sent.
  expect(JSON.parse(again.out)).toMatchObject({ done: 2 });
  expect(await count(at)).toBe(before + 1);
});

test('A row that had not arrived when cb died is sent', async () => {
  const at = await prepared('T1');
  await at.cb('--sandbox ship notice import shipped.csv --carrier DHL --date today --yes');
  const before = await count(at);
  await at.cb(`${line} --restart`);
  cut(at.file, 2);
  const journal = `${at.file}.cb-journal`;
  // As many as there are now were there before: what was to be sent is not among them.
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('"mark":0', '"mark":1'));
  expect((await at.cb(`${line} --allow-duplicate`)).code).toBe(0);
  expect(await count(at)).toBe(before + 2);
});

test('A row of which nobody can tell stays unknown, is named, and ends with 8', async () => {
  const at = await prepared('T1', 'T2');
  await at.cb(line);
  const before = await count(at);
  cut(at.file, 1, '{"row":2,"state":"sending","mark":null}\n');
  const again = await at.cb(line);
  expect(again.code).toBe(8);
  expect(again.err).toMatch(/line 2: unknown/);
  expect(again.err).toMatch(/line 3: failed: not sent, since what became of line 2 is unknown/);
  expect(await count(at)).toBe(before);
});

test('A changed file is noticed; --restart begins anew and keeps the old journal', async () => {
  const at = await prepared('T1');
  await at.cb(line);
  const before = await count(at);
  appendFileSync(at.file, '\nPARCEL01,T2\n');
  const refused = await at.cb(line);
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(/the input has changed; nothing was sent.*--restart/);
  const restarted = await at.cb(`${line} --restart`);
  expect(JSON.parse(restarted.out)).toMatchObject({ done: 1, alreadyThere: 1 });
  expect(existsSync(`${at.file}.cb-journal.old`)).toBe(true);
  expect(await count(at)).toBe(before + 1);
});

test('Other flags or another service are noticed', async () => {
  const at = await prepared('T1');
  await at.cb(line);
  const carrier = await at.cb(line.replace('USPS', 'DHL'));
  expect(carrier).toMatchObject({ code: 2 });
  expect(carrier.err).toContain('have changed');
  const service = await at.cb(line.replace('--sandbox', '--profile sandbox:vendor'));
  expect(service.err).toContain('it was begun on sandbox, and this is sandbox:vendor');
});

test('of two imports of one file at once, the second is refused and told who runs the first', async () => {
  const at = await prepared(...Array.from({ length: 20 }, (_, i) => `T${i}`));
  const before = await count(at);
  const codes = await Promise.all([at.cb(line), at.cb(line)]);
  expect(codes.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(codes.find(({ code }) => code === 2)?.err).toMatch(
    /Another cb process \(PID \d+ on host .*, `cb ship notice import …`, since .* UTC\) is using .*shipped\.csv\.cb-journal\. Wait until it ends\./,
  );
  expect(await count(at)).toBe(before + 20);
});
