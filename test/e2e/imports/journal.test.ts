/** Imports that are stopped, changed, or started twice. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop, serveSandbox } from '../../support/sandbox.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const line = '--sandbox ship notice import shipped.csv --carrier USPS --date today --yes -o json';

async function count({ cb }: Home): Promise<number> {
  return JSON.parse((await cb('--sandbox ship notice list PARCEL01 -o json')).out).length;
}

type Prepared = Home & { file: string };

async function prepared(...trackings: string[]): Promise<Prepared> {
  const at = await sandboxHome(60);
  const file = join(at.folder, 'shipped.csv');
  const rows = trackings.map((id) => `PARCEL01,${id}\n`);
  writeFileSync(file, `receipt,tracking\n${rows.join('')}`);
  return { ...at, file };
}

/** The same after an import; `before` is the number of notices after it. */
async function imported(...trackings: string[]): Promise<Prepared & { before: number }> {
  const at = await prepared(...trackings);
  await at.cb(line);
  return { ...at, before: await count(at) };
}

const sentAt = '2026-03-18T18:30:00.000Z';

/** A line of the journal. */
function rowLine(facts: object, row = 2): string {
  return `${JSON.stringify({ id: String(row), at: sentAt, ...facts })}\n`;
}

/** The journal of a process that was killed after its nth line, before it wrote its results. */
function cut(file: string, lines: number, torn = ''): void {
  rmSync(`${file}.results.csv`);
  const journal = `${file}.cb-journal`;
  const kept = readFileSync(journal, 'utf8').split('\n').slice(0, lines).join('\n');
  writeFileSync(journal, `${kept}\n${torn}`);
}

test('verifies a row that was sent when cb was killed, and does not repeat it', async () => {
  const at = await imported('T1', 'T2');
  cut(at.file, 2, '{"id":"2","at":"2026');
  const again = await at.cb(`${line} --allow-duplicate`);
  expect(again.code).toBe(0);
  // The journal marks the first row as sending and does not contain the second, which is sent.
  expect(JSON.parse(again.out)).toMatchObject({ done: 2 });
  expect(await count(at)).toBe(at.before + 1);
});

test('searches for a row of unknown outcome, and sends it again only with --retry-unknown', async () => {
  const at = await prepared('T1');
  await at.cb('--sandbox ship notice import shipped.csv --carrier DHL --date today --yes');
  const before = await count(at);
  await at.cb(`${line} --restart`);
  cut(at.file, 2);
  const journal = `${at.file}.cb-journal`;
  // The count has not changed, so the row was not sent.
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('"before":0', '"before":1'));
  const clock = virtualClock(Date.now());
  const again = await at.cb(`${line} --allow-duplicate`, { clock });
  expectExit(again, 8, /Line 2 \(PARCEL01\): unknown: cb ended before the response arrived/);
  expect(await count(at)).toBe(before + 1);
  const retried = await at.cb(`${line} --allow-duplicate --retry-unknown`, { clock });
  expectExit(retried, 0, 'Line 2 has an unknown outcome: receipt=PARCEL01');
  expect(clock.waited).toBeGreaterThanOrEqual(10_000);
  expect(await count(at)).toBe(before + 2);
});

test('omits finished rows from a dry run, and rows of unknown outcome without --retry-unknown', async () => {
  const at = await imported('T1', 'T2', 'T3');
  cut(at.file, 3, rowLine({ state: 'sending', before: 0 }, 3));
  const plan = await at.cb(`${line} --dry-run`);
  expect(JSON.parse(plan.out)).toEqual([expect.objectContaining({ line: 4 })]);
  expect(plan.err).toContain('Line 3 has an unknown outcome and would only be searched for');
  const retry = await at.cb(`${line} --dry-run --retry-unknown`);
  expect(JSON.parse(retry.out)).toMatchObject([{ line: 3 }, { line: 4 }]);
});

test('does not advise to repeat --restart for a row of unknown outcome', async () => {
  const at = await imported('T1');
  await at.cb('sandbox faults refuse=#1,only=POST');
  const ran = await at.cb(`${line} --restart --allow-duplicate`, { clock: virtualClock() });
  expectExit(ran, 8, 'before you send them again with --retry-unknown instead of --restart.');
});

test('searches first with --retry-unknown, and does not send a row that it finds', async () => {
  const at = await imported('T1');
  cut(at.file, 2);
  const again = await at.cb(`${line} --retry-unknown`, { clock: virtualClock() });
  expect(again.code).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({ done: 1, unknown: 0 });
  expect(await count(at)).toBe(at.before);
  const logged = await at.cb('--sandbox log --origin import -o json');
  expect(JSON.parse(logged.out)).toEqual([expect.objectContaining({ outcome: 'done' })]);
});

test.each([
  ['was sent just now', 0, 10_000],
  ['was sent 8 s ago', -8000, 2000],
  ['was sent an hour ago', -3_600_000, 0],
  ['was sent in the future by the clock', 3_600_000, 10_000],
])('searches for a row that %s until 10 s after it was sent', async (_, offset, wait) => {
  const at = await imported('T1');
  const clock = virtualClock();
  const time = new Date(clock.wall() + offset).toISOString();
  cut(at.file, 1, rowLine({ at: time, state: 'sending', before: 1 }));
  expect(await at.cb(line, { clock })).toMatchObject({ code: 8 });
  expect(clock.waited).toBe(wait);
});

test('keeps an unverified row as unknown, names it, and blocks its receipt', async () => {
  const at = await imported('T1', 'T2');
  cut(at.file, 1, rowLine({ state: 'sending', before: null }));
  const again = await at.cb(line);
  expectExit(again, 8, /Line 2 \(PARCEL01\): unknown/);
  expect(again.err).toMatch(/Line 3 \(PARCEL01\): failed: not sent because the outcome of line 2/);
  expect(readFileSync(`${at.file}.results.csv`, 'utf8')).toContain('2,PARCEL01,unknown: ');
  expect(await count(at)).toBe(at.before);
});

const journalOf = (file: string) => readFileSync(`${file}.cb-journal`, 'utf8');

test('rejects a journal of another CB_API_KEY, and writes neither key to it', async () => {
  const at = await prepared('T1');
  const { sandbox } = await serveSandbox();
  const live = line.replace('--sandbox ', '');
  const [one, two] = sandbox.keys;
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: one?.key ?? '' };
  expect((await at.cb(live, { env })).code).toBe(0);
  const sent = sandbox.requests.length;
  const other = await at.cb(live, { env: { ...env, CB_API_KEY: two?.key ?? '' } });
  expectExit(other, 2, 'it was started with another API key');
  expect(sandbox.requests.length).toBe(sent);
  expect(journalOf(at.file)).not.toContain(one?.key);
});

test('rejects a changed file; --restart starts over if it is not declined, and keeps the old journal and its rows in cb log', async () => {
  const at = await imported('T1');
  const asking = line.replace('--yes -o json', '');
  const declined = await at.cb(`${asking} --restart`, { columns: 80, person: person(false) });
  expect(declined.code).toBe(10);
  expect((await at.cb(line)).err).toContain('All rows were already done');
  expect(await count(at)).toBe(at.before);
  appendFileSync(at.file, '\nPARCEL01,T2\n');
  const refused = await at.cb(line);
  expectExit(refused, 2, /the input has changed\. Nothing was sent\..*--restart/s);
  const restarted = await at.cb(`${line} --restart`);
  expect(JSON.parse(restarted.out)).toMatchObject({ done: 1, alreadyThere: 1 });
  expect(restarted.err).toContain('The old journal records 1 row as done or unknown');
  expect(existsSync(`${at.file}.cb-journal.old`)).toBe(true);
  const rows = JSON.parse((await at.cb('log --origin import -o json')).out);
  expect(rows.map(({ outcome }: { outcome: string }) => outcome).toSorted()).toEqual([
    ...['already there', 'done', 'done'],
  ]);
  expect(await count(at)).toBe(at.before + 1);
});

const older = '{"version":2}\n{"row":2,"state":"done"}\n';
const first = (journal: string) => `${journal.split('\n').slice(0, 2).join('\n')}\n`;
const repeats = 'The old journal is damaged. Rows that it records as done are sent again.';

test.each<[what: string, change: (journal: string) => string, says: string, restarted?: string]>([
  ['an older version wrote its journal', () => older, 'older version of cb'],
  ['its journal is missing', () => '', 'is missing'],
  ['its journal lacks rows of the results', first, 'does not list them.'],
  ['its journal is damaged', (kept) => kept + rowLine({ state: 'sent' }), 'invalid line', repeats],
])('sends nothing if %s, until --restart', async (_, change, says, restarted = '') => {
  const at = await imported('T1', 'T2');
  writeFileSync(`${at.file}.cb-journal`, change(journalOf(at.file)));
  for (const flags of ['', '--dry-run', '--allow-duplicate']) {
    const refused = await at.cb(`${line} ${flags}`);
    expectExit(refused, 2, says, '');
    expectExit(refused, 2, /Nothing was sent\..*--restart/);
  }
  expectExit(await at.cb(`${line} --restart`), 0, restarted);
  expect(await count(at)).toBe(at.before);
});

test('sends no row after the lock of its journal was deleted, and says which outcome could not be recorded', async () => {
  const { cb, folder, sandbox, writes } = await servedShop();
  const file = join(folder, 'shipped.csv');
  writeFileSync(file, 'receipt,tracking\nPARCEL01,T1\nPARCEL01,T2\n');
  sandbox.setFaults('latency=500ms,only=POST');
  const running = cb(line.replace('--sandbox ', ''));
  const journal = `${file}.cb-journal`;
  const isSending = () => existsSync(journal) && readFileSync(journal, 'utf8').includes('sending');
  await expect.poll(isSending, { interval: 2, timeout: 10_000 }).toBe(true);
  rmSync(`${journal}.lock`);
  const replaced = /The lock file \S+ was deleted or replaced while this process was using/;
  expectExit(await running, 8, replaced, '');
  expect(writes()).toHaveLength(1);
  const [, first, second] = readFileSync(`${file}.results.csv`, 'utf8').split('\n');
  expect(first).toMatch(/^2,PARCEL01,unknown: /);
  expect(second).toMatch(/^3,PARCEL01,not sent yet,/);
});

test.each([
  ['', 'To continue, run the same command again. No row is sent twice.'],
  ['--restart', 'To continue, run the same command again without --restart.'],
])('finishes requests in progress on Ctrl-C %s, and says how to continue', async (flags, says) => {
  const { cb, folder, sandbox, writes } = await servedShop();
  const file = join(folder, 'shipped.csv');
  const rows = Array.from({ length: 40 }, (_, i) => `PARCEL01,T${i}`);
  writeFileSync(file, ['receipt,tracking', ...rows].join('\n'));
  sandbox.setFaults('latency=20ms');
  const live = line.replace('--sandbox ', '');
  const stop = new AbortController();
  const running = cb(`${live} ${flags}`, { signal: stop.signal });
  await expect.poll(() => writes().length, { interval: 2, timeout: 10_000 }).toBeGreaterThan(4);
  stop.abort(130);
  const { code, out, err } = await running;
  const { done, notSentYet, failed, unknown } = JSON.parse(out);
  expect({ code, failed, unknown }).toEqual({ code: 130, failed: 0, unknown: 0 });
  expect([done, notSentYet]).toEqual([writes().length, 40 - writes().length]);
  expect(err).toContain(`Stopped with ${notSentYet} rows left. ${says}`);
  expect(journalOf(file).trimEnd().split('\n').at(-1)).toContain('"state":"done"');
  sandbox.setFaults(undefined);
  const again = await cb(live);
  expect(JSON.parse(again.out)).toMatchObject({ done: 40 });
  expect(again.err).not.toContain('Stopped');
  expect(writes()).toHaveLength(40);
});

test.each([
  ['refuse', 'Connection closed by'],
  ['429', 'Rate limit exceeded'],
  ['401', 'ClickBank does not recognize this API key'],
])('stops if all requests end with %s, says what is left, and continues', async (fault, why) => {
  const at = await imported('T1', 'T2', 'T3', 'T4');
  cut(at.file, 5);
  await at.cb(`sandbox faults ${fault}=100%`);
  const clock = virtualClock();
  const ran = await at.cb(`${line} --max-wait 10`, { clock });
  expectExit(ran, 8, `Line 4 (PARCEL01): failed: ${why}`);
  expect(ran.err).toContain('Stopped with 1 row left. To continue, run the same command again.');
  expect(JSON.parse(ran.out)).toMatchObject({ done: 2, failed: 1, notSentYet: 1 });
  expect(clock.waited).toBeLessThanOrEqual(10_000);
  await at.cb('sandbox faults off');
  expect(JSON.parse((await at.cb(line)).out)).toMatchObject({ done: 2, alreadyThere: 2 });
});

test('imports another file although results of an earlier one have its name', async () => {
  const at = await imported('T1');
  writeFileSync(`${at.file}.results.csv`, 'line,receipt,status,warning\n2,OTHER001,done,\n');
  expect(await at.cb(`${line} --journal new`)).toMatchObject({ code: 0 });
});

test('requests nothing if nobody can answer and --yes is missing', async () => {
  const { cb, folder, sandbox } = await servedShop();
  writeFileSync(join(folder, 'refunds.csv'), 'receipt\nDIGITAL1\n');
  const refunds = 'tickets create --from refunds.csv --type rfnd --refund-type FULL';
  const ran = await cb(`${refunds} --reason ticket.type.refund.8`);
  expectExit(ran, 10, 'not running in a terminal', '');
  expect(sandbox.requests).toEqual([]);
});

test('imports a file with several names only with --journal', async () => {
  const at = await prepared('T1');
  const before = await count(at);
  linkSync(at.file, `${at.file}.hard`);
  for (const name of ['shipped.csv', 'shipped.csv.hard']) {
    const ran = await at.cb(line.replace('shipped.csv', name));
    expectExit(ran, 2, /has several hard links.*Name the journal with --journal/s, '');
  }
  expect(await count(at)).toBe(before);
  expect(readdirSync(at.folder).join()).not.toContain('.lock');
  expect(await at.cb(`${line} --journal own`)).toMatchObject({ code: 0 });
  linkSync(join(at.folder, 'own'), join(at.folder, 'same'));
  const own = await at.cb(`${line} --journal own`);
  expectExit(own, 2, /own has several hard links.*Replace the file with a copy/s, '');
});

test('shows the rows of imports with cb log, and says what it cannot show', async () => {
  const at = await prepared('T1', 'T2');
  await at.cb(line, { env: { USER: 'ada' } });
  const ran = await at.cb('log --origin import -o json');
  const journal = `${at.file}.cb-journal`;
  expect(JSON.parse(ran.out)).toMatchObject([
    { row: 3, file: journal, about: 'PARCEL01', service: 'sandbox', by: 'ada (--yes)' },
    { row: 2, operation: 'ship notice add --generation 3', outcome: 'done' },
  ]);
  expect(ran.err).toBe('');
  rmSync(journal);
  const gone = await at.cb('log -o json');
  expect(gone).toMatchObject({ code: 0, out: '[]\n' });
  expect(gone.err).toBe(`note: Import ${journal}: its journal is missing.\n`);
});

test('shows with cb log when a row was sent, also if it was found later', async () => {
  const at = await imported('T1');
  const later = '2026-03-20T18:30:00.000Z';
  cut(at.file, 1, rowLine({ state: 'sending', before: 0 }) + rowLine({ state: 'done', at: later }));
  const rows = JSON.parse((await at.cb('log -o json')).out);
  expect(rows).toMatchObject([{ time: sentAt, outcome: 'done' }]);
});

test('rejects a journal of other options or another service', async () => {
  const at = await imported('T1');
  expectExit(await at.cb(line.replace('USPS', 'DHL')), 2, 'have changed');
  const service = await at.cb(line.replace('--sandbox', '--profile sandbox:vendor'));
  expectExit(service, 2, 'it was started with sandbox, not sandbox:vendor');
});

test('ends with exit code 3 and sends nothing if the journal cannot be written', async () => {
  const at = await prepared('T1');
  const before = await count(at);
  const ran = await at.cb(`${line} --journal /proc/journal --results r.csv`);
  expect(ran).toMatchObject({ code: 3, out: '' });
  expect(await count(at)).toBe(before);
});
