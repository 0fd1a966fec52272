/** Imports from a file: parsing, invalid rows, confirmation, rows that refund money, and files that are too large, cut off or ambiguous. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { type Home, home, sandboxHome, world } from '../../support/cb.ts';
import { rowsIn } from '../../support/lines.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

function put({ folder }: Home, name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

/** A home with a file to import. */
async function prepared(content: string, name = 'shipped.csv'): Promise<Home> {
  const at = await sandboxHome(60);
  put(at, name, content);
  return at;
}

async function trackings({ cb }: Home, receipt: string): Promise<string[]> {
  const { out } = await cb(`--sandbox ship notice list ${receipt} -o json`);
  return (JSON.parse(out) as { trackingId: string }[]).map(({ trackingId }) => trackingId);
}

const one = 'receipt,tracking\nPARCEL01,T1\n';
const line = '--sandbox ship notice import shipped.csv --carrier USPS --date today';

test('imports the rows of a ShipStation export with its preset', async () => {
  const at = await sandboxHome(60);
  const rows = Array.from(
    { length: 15 },
    (_, i) => `"Baker, ""Al"" ${i}",PARCEL01,"94001${i}",03/18/2026${i % 2 ? ' 09:15:00 AM' : ''}`,
  );
  const header = 'Ship To - Name,Order - Number,Shipment - Tracking Number,Date - Shipped Date';
  put(at, 'export.csv', `\ufeff${[header, ...rows, '', ',,,'].join('\r\n')}\r\n`);
  const ran = await at.cb(
    '--sandbox ship notice import export.csv --preset shipstation --carrier USPS --fill-order --yes -o json',
  );
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ rows: 15, done: 15 });
  expect(ran.err).toContain('not used: Ship To - Name. To use one, add it to --map.');
  const wanted = Array.from({ length: 15 }, (_, i) => `94001${i}`);
  const found = await trackings(at, 'PARCEL01');
  expect(found.filter((id) => id?.startsWith('94001')).sort()).toEqual(wanted.sort());
});

test('counts the rows on a terminal only, and asks nothing when all of them are done', async () => {
  const at = await prepared(`${one}PARCEL01,T2\n`);
  const { err } = await at.cb(`${line} --yes`, { columns: 80 });
  expect(err).toContain('\r\x1b[K2 of 2 rows checked\r\x1b[K');
  expect(err).toContain('\r\x1b[K2 of 2 rows sent\r\x1b[K');
  // A person that is asked nothing.
  const again = await at.cb(line, { columns: 80, person: person() });
  expectExit(again, 0, 'All rows were already done. Nothing was sent.');
  const piped = await at.cb(`${line} --yes --restart`);
  expect(piped.err).not.toMatch(/rows (?:checked|sent)\b/);
  put(at, 'shipped.csv', 'receipt,tracking\n..,T3\n');
  const none = await at.cb(`${line} --yes --skip-invalid --restart`);
  expect(none.err).not.toContain('already done');
  expect(none.err).toMatch(/See \S+\. Correct invalid rows in a separate file, and import that/);
  put(at, 'shipped.csv', 'receipt,tracking\nNOSUCH01,T3\n');
  const failing = await at.cb(`${line} --yes --restart`);
  expect(failing.err).toContain(
    'Run the same command again without --restart to send failed rows.',
  );
});

test('names invalid rows with their lines, at most 20, and sends nothing', async () => {
  const at = await sandboxHome(60);
  const kinds = rowsIn(`
,USPS,A,2026-03-18,true → <receipt> is missing
../x,USPS,A,2026-03-18,true → Invalid <receipt> '../X'. Use letters
PARCEL01,,A,2026-03-18,true → --carrier is missing
PARCEL01,USPS,A,,true → --date is missing
PARCEL01,USPS,A,03/04/2026,true → Ambiguous --date '03/04/2026'
PARCEL01,USPS,A,2026-02-30,true → Invalid --date '2026-02-30'
PARCEL01,USPS,A,2026-03-19,true → --date must not be in the future
PARCEL01,USPS,A,2026-03-18,maybe → Invalid --fill-order 'maybe'. Use true or false
PARCEL01,USPS,A → the row has 3 cells, but the header has 5
PARCEL01,USPS,"A\\nB",2026-03-18,true → --tracking must not contain a line break
PARCEL01,USPS,9.40011E+21,2026-03-18,true → A spreadsheet has shortened the number 9.40011E+21. Format its column as text
PARCEL01,USPS,${'A'.repeat(2000)},2026-03-18,true → ClickBank accepts 2000 at most
`);
  const text = ['receipt,carrier,tracking,date,fill-order'];
  const expected: (readonly [start: string, why: string])[] = [];
  for (const [typed, why] of [...kinds, ...kinds, ...kinds, ...kinds].slice(0, 40)) {
    const line = text.join('\n').split('\n').length + 2;
    text.push('PARCEL01,USPS,good,2026-03-18,true', typed.replace('\\n', '\n'));
    expected.push([`Line ${line}: `, why]);
  }
  put(at, 'shipped.csv', text.join('\n'));
  const before = await trackings(at, 'PARCEL01');
  const ran = await at.cb('--sandbox ship notice import shipped.csv --yes');
  expect(ran.code).toBe(2);
  const said = ran.err.split('\n').filter((words) => words.startsWith('Line '));
  expect(said).toHaveLength(20);
  for (const [i, [start, why]] of expected.slice(0, 20).entries()) {
    expect(said[i]).toContain(start);
    expect(said[i]).toContain(why);
  }
  expect(ran.err).toContain('20 more rows are invalid.');
  expect(ran.err).toContain('40 of 80 rows are invalid. Nothing was sent.');
  expect(await trackings(at, 'PARCEL01')).toEqual(before);
});

test('sends the first of equal rows, in any case, marks the others, and ends with exit code 0', async () => {
  const at = await prepared(`${one}PARCEL01,T2\nPARCEL01,T1\nparcel01,T1\n`);
  // An empty variable counts as not set.
  const ran = await at.cb(`${line} --yes -o json`, { env: { CB_BASE_URL: '' } });
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ rows: 4, done: 2, duplicates: 2, failed: 0 });
  expect(ran.err).toMatch(/Line 4 is a duplicate of line 2.*Line 5 is a duplicate of line 2/s);
  const results = readFileSync(join(at.folder, 'shipped.csv.results.csv'), 'utf8');
  expect(results).toContain('\n4,PARCEL01,duplicate of line 2,');
  expect((await trackings(at, 'PARCEL01')).filter((id) => id === 'T1')).toHaveLength(1);
});

test('sends a row that was skipped for an equal notice when it runs again with --allow-duplicate', async () => {
  const at = await prepared(`${one}PARCEL01,T2\n`);
  await at.cb('--sandbox ship notice add PARCEL01 --carrier USPS --date today --tracking T1 --yes');
  const counts = async (flags: string) => JSON.parse((await at.cb(`${line} ${flags}`)).out);
  expect(await counts('--yes -o json')).toMatchObject({ done: 1, alreadyThere: 1 });
  expect((await at.cb(`${line} --yes`)).err).toBe(
    'All rows were already done. Nothing was sent.\n',
  );
  const dry = await at.cb(`${line} --dry-run --allow-duplicate`);
  expect(dry.out).toMatch(/\n {2}warning: PARCEL01 already has a ship notice with USPS T1\n$/);
  expect(await counts('--yes -o json --allow-duplicate')).toMatchObject({ done: 2 });
  expect((await trackings(at, 'PARCEL01')).join()).toMatch(/T1,T2,T1$/);
});

const mapped = '--map Parcel=receipt,Code=tracking';

const done = /^2,PARCEL01,done,$/m;
const bothDone = /^2,PARCEL01,done,\n3,PARCEL01,done,$/m;
const failed = /^line,receipt,status,warning\n2,PARCEL01,done,\n3,\.\.,"failed: Invalid <receipt>/;
const bars = 'sep=|\r\nreceipt|tracking\r\nPARCEL01|A,1\r\n..|T2\r\n';

/** A file, options, the notices that are there then, and what the results say. */
test.each<[text: string, flags: string, sent: readonly string[], results: RegExp]>([
  [`${one}PARCEL01,T1\n`, '--allow-duplicate', ['T1', 'T1'], bothDone],
  ['Parcel;Code\nPARCEL01;"A;1"\n', mapped, ['A;1'], done],
  ['P\tCode\nPARCEL01\tA,1\n', mapped.replace('Parcel', 'P'), ['A,1'], done],
  ['receipt,tracking\nPARCEL01,="00940011"\n', '', ['00940011'], done],
  ['receipt,tracking\nPARCEL01," =""00940011"" "\n', '', ['00940011'], done],
  ['receipt,tracking\n" parcel01 ","\u00a0T1 "\n', '', ['T1'], /^2,parcel01,done,$/m],
  ['receipt,tracking\nPARCEL01,=A1+B1\n', '', ['=A1+B1'], done],
  // Of several columns with a name, none is used.
  ['receipt,x,x,,,tracking\nPARCEL01,a,b,,,A1\n', '', ['A1'], done],
  [bars, '--skip-invalid', ['A,1'], /^3,PARCEL01,done,\n4,\.\.,"failed/m],
  [`${one}NOSUCH01,T2\n`, '', ['T1'], /^3,NOSUCH01,"?failed: .*403/m],
  [`${one}..,T2\n`, '--skip-invalid', ['T1'], failed],
])('imports %j with %s', async (text, flags, sent, results) => {
  const at = await prepared(text);
  const before = await trackings(at, 'PARCEL01');
  const { code } = await at.cb(`${line} --yes ${flags}`);
  expect(code).toBe(results.source.includes('failed') ? 8 : 0);
  const after = await trackings(at, 'PARCEL01');
  expect(after.filter((id) => !before.includes(id))).toEqual(sent);
  expect(readFileSync(join(at.folder, 'shipped.csv.results.csv'), 'utf8')).toMatch(results);
});

test.each([
  ['--results', ['shipped.csv', 'shipped.csv.cb-journal']],
  ['--out', ['shipped.csv', 'shipped.csv.cb-journal', 'shipped.csv.results.csv']],
])('%s never replaces a file that the import needs', async (option, names) => {
  const at = await prepared(one);
  await at.cb(`${line} --yes`);
  const before = await trackings(at, 'PARCEL01');
  for (const name of names) {
    const content = readFileSync(join(at.folder, name), 'utf8');
    const ran = await at.cb(`${line} --yes --allow-duplicate --restart ${option} ./${name} -o csv`);
    expectExit(ran, 2, `${option} would replace ${join(at.folder, name)}, which the import needs`);
    expect(readFileSync(join(at.folder, name), 'utf8')).toBe(content);
  }
  expect(await trackings(at, 'PARCEL01')).toEqual(before);
});

test.each(['', '--restart'])('--journal never replaces the input, %s', async (flags) => {
  const at = await prepared(one);
  const ran = await at.cb(`${line} --yes --journal ./shipped.csv ${flags}`);
  expectExit(ran, 2, /--journal would replace \S+shipped.csv, which the import needs to continue/);
  expect(readFileSync(join(at.folder, 'shipped.csv'), 'utf8')).toBe(one);
  expect(await trackings(at, 'PARCEL01')).not.toContain('T1');
});

test('says that a file with only a header has no rows, and leaves no other file', async () => {
  const at = await prepared('receipt,tracking\n');
  const ran = await at.cb(`${line} --yes -o json`);
  expect(ran).toMatchObject({ code: 0, err: 'shipped.csv has no rows. Nothing was sent.\n' });
  expect(JSON.parse(ran.out)).toMatchObject({ rows: 0, done: 0, results: null });
  expect(readdirSync(at.folder).filter((name) => name.startsWith('shipped'))).toEqual([
    'shipped.csv',
  ]);
});

test.each(['sku', 'item'])('takes the column %s for the item of a ship notice', async (column) => {
  const at = await prepared(`receipt,${column}\nPARCEL02,GLOVES\n`);
  expect((await at.cb(`${line} --dry-run`)).out).toContain('\n  item=GLOVES\n');
});

const refunds =
  '--sandbox tickets create --from refunds.csv --type rfnd --reason ticket.type.refund.8 --refund-type';

test.each([
  ['PARTIAL_AMOUNT', ['refundAmount', 'DIGITAL1,10', 'DIGITAL1,5'], 'of 10.00'],
  ['PARTIAL_PERCENT', ['refundAmount', 'DIGITAL1,50', 'DIGITAL1,5'], 'of 18.50'],
  ['FULL', ['sku', 'CART0003,KIT-01', 'CART0003,KIT-02', 'CART0003,KIT-01'], 'for KIT-01'],
])(
  'does not treat an open %s refund of another amount or item as done',
  async (type, rows, what) => {
    const { cb } = await prepared(`receipt,${rows.join('\n')}\n`, 'refunds.csv');
    const ran = await cb(`${refunds} ${type} --yes -o json`);
    expectExit(
      ran,
      8,
      new RegExp(`Line 3 .*: not sent: .* already has an open REFUND ticket ${what}`),
    );
    expect(JSON.parse(ran.out)).toMatchObject({ done: 1, duplicates: rows.length - 3, failed: 1 });
  },
);

test.each([
  ['FULL', 0],
  ['PARTIAL_AMOUNT --refund-amount 5', 8],
])('the dry run of a row with an open refund ends as the import does: %s', async (type, code) => {
  const { cb } = await prepared('receipt\nTICKET01\n', 'refunds.csv');
  const dry = await cb(`${refunds} ${type} --dry-run`);
  expect(dry.out).toContain('would not be sent: TICKET01 already has an open REFUND ticket');
  const ran = await cb(`${refunds} ${type} --yes`);
  expect([dry.code, ran.code]).toEqual([code, code]);
});

test('says in a dry run and in the question which ship notices ClickBank would refuse', async () => {
  const at = await prepared(`receipt,tracking\nPARCEL01,T1\nDIGITAL1,T2\n`);
  const dry = await at.cb(`${line} --dry-run`);
  const first =
    'line 2: POST /rest/1.3/shipping3/shipnotice/PARCEL01\n  date=2026-03-18\n  carrier=USPS\n';
  expect(dry.out.startsWith(`${first}  tracking=T1\nline 3: POST `)).toBe(true);
  expect(readdirSync(at.folder).filter((name) => /journal|results/.test(name))).toEqual([]);
  expect(dry.out).toMatch(
    /DIGITAL1\n.*\n.*\n +tracking=T2\n {2}warning: DIGITAL1 has nothing to ship/,
  );
  expectExit(dry, 8, '1 of 2 rows would be refused.', dry.out);
  const asking = person(false);
  await at.cb(line, { columns: 80, person: asking });
  expect(asking.asked.join()).toContain('1 of 2 rows would be refused: line 3 DIGITAL1.');
  expect(await trackings(at, 'PARCEL01')).not.toContain('T1');
});

test('shows count and rows for confirmation on a terminal, and requires --yes elsewhere', async () => {
  const at = await prepared(one);
  expect((await at.cb(line)).code).toBe(10);
  expect((await at.cb(line, { columns: 80, person: person(false) })).code).toBe(10);
  expect(await trackings(at, 'PARCEL01')).not.toContain('T1');
  const confirming = person(true);
  const ran = await at.cb(line, { columns: 80, person: confirming });
  expect(ran.code).toBe(0);
  expect(confirming.asked.join()).toContain('Create 1 ship notice with profile sandbox?');
  expect(ran.err).toContain('line 2: receipt=PARCEL01');
});

test('requires a journal for rows from stdin', async () => {
  const at = await sandboxHome(60);
  const stdin = '--sandbox ship notice import - --carrier USPS --date today --yes';
  expect((await at.cb(stdin, { stdin: one })).code).toBe(2);
  expect((await at.cb(`${stdin} --journal mine`, { stdin: one })).code).toBe(0);
  expect(await trackings(at, 'PARCEL01')).toContain('T1');
});

const cancel = 'tickets create --from cancel.csv --type cncl --reason ticket.type.cancel.7';
const cancelLine = `--sandbox ${cancel}`;

function cancellations(...receipts: string[]): Promise<Home> {
  return prepared(`${['receipt', ...receipts].join('\n')}\n`, 'cancel.csv');
}

async function tickets({ cb }: Home, receipt: string): Promise<number> {
  const { out } = await cb(`--sandbox tickets list --receipt ${receipt} --type cncl -o json`);
  return JSON.parse(out).length;
}

const sentence = /1 of 2 rows would refund a one-time sale: line 3 DIGITAL1 \(\d+\.\d\d USD\)\./;

test('sends rows that would refund a sale only after a yes or with --allow-refund, and names them', async () => {
  const at = await cancellations('MONTHLY1', 'DIGITAL1');
  const refused = await at.cb(`${cancelLine} --yes`);
  expectExit(refused, 10, sentence);
  expectExit(refused, 10, /Nothing was sent\..*--allow-refund/);
  const no = person(false);
  expect((await at.cb(cancelLine, { columns: 80, person: no })).code).toBe(10);
  expect(no.asked).toEqual([expect.stringMatching(sentence)]);
  expect(no.asked[0]).toContain('Create 2 cancellation tickets with profile sandbox?');
  expect(no.asked[0]).toContain("1 refund, total 37.00 USD. This can't be undone.");
  expect([await tickets(at, 'MONTHLY1'), await tickets(at, 'DIGITAL1')]).toEqual([0, 0]);
  const ran = await at.cb(`${cancelLine} --yes --allow-refund`);
  expectExit(ran, 0, /warning: Line 3 \(DIGITAL1\): Canceling DIGITAL1 refunds the sale/);
  const results = readFileSync(join(at.folder, 'cancel.csv.results.csv'), 'utf8');
  expect(results).toMatch(/^2,MONTHLY1,done,$/m);
  expect(results).toMatch(/^3,DIGITAL1,done,Canceling DIGITAL1 refunds the sale/m);
  expect(await tickets(at, 'DIGITAL1')).toBe(1);
  const other = await cancellations('MONTHLY1', 'DIGITAL1');
  expect((await other.cb(cancelLine, { columns: 80, person: person(true) })).code).toBe(0);
  expect([await tickets(other, 'MONTHLY1'), await tickets(other, 'DIGITAL1')]).toEqual([1, 1]);
});

test('names the number and the total of refunds in the question', async () => {
  const { cb } = await prepared('receipt\nDIGITAL1\nMONTHLY1-B004\nNOSUCH99\n', 'refunds.csv');
  const no = person(false);
  expect((await cb(`${refunds} FULL`, { columns: 80, person: no })).code).toBe(10);
  expect(no.asked[0]).toContain(
    "Create 3 refund tickets with profile sandbox? 3 refunds, total 66.00 USD, and 1 of unknown amount. This can't be undone.",
  );
});

test('warns about a payment that cannot be refunded, also in a dry run', async () => {
  const { cb } = await prepared('receipt\nREFUND01\n', 'refunds.csv');
  const says = /REFUND01 can't be refunded: it has already been refunded/;
  expect((await cb(`${refunds} FULL --yes --dry-run`)).out).toMatch(says);
  expect((await cb(`${refunds} FULL --yes`, { clock: virtualClock() })).err).toMatch(says);
});

test('warns in a dry run and ends with the exit code of the real command', async () => {
  const at = await cancellations('MONTHLY1', 'DIGITAL1');
  const ran = await at.cb(`${cancelLine} --yes --dry-run`);
  expect(ran.code).toBe(10);
  expect(ran.out).toMatch(
    /line 3: POST .*DIGITAL1\n( {2}.*\n)* {2}warning: Canceling DIGITAL1 refunds/,
  );
  const json = await at.cb(`${cancelLine} --allow-refund --dry-run -o json`);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.out)).toMatchObject([
    { line: 2, checked: true, warnings: [], existingMatch: null },
    { line: 3, checked: true, warnings: [{ kind: 'refunds-sale', requires: 'allow-refund' }] },
  ]);
  expect(await tickets(at, 'DIGITAL1')).toBe(0);
});

test('names the row whose order ClickBank cannot show, and says in a dry run that it is not checked', async () => {
  const { cb, folder } = await servedHome((reply) => reply.writeHead(500).end());
  writeFileSync(join(folder, 'cancel.csv'), 'receipt\nMONTHLY1\n');
  const refused = await cb(`${cancel} --yes --max-wait 0`);
  expectExit(refused, 5, 'Line 2 (MONTHLY1) could not be checked.');
  const env = { CB_BASE_URL: 'http://127.0.0.1:1', CB_API_KEY: 'API-NOBODY' };
  const dry = await cb(`${cancel} --dry-run --max-wait 0`, { env });
  expectExit(dry, 6, 'The rows were not checked: ', expect.stringContaining('  not checked'));
});

const refund = '--type rfnd --reason ticket.type.refund.2 --refund-type FULL';

function receipts(count: number): string {
  return Array.from({ length: count }, (_, i) => `R${String(i).padStart(7, '0')}\n`).join('');
}

test('a file of a million rows is refused within 64 MB of memory, as a day has 25,000 requests', async () => {
  const folder = emptyHome();
  writeFileSync(join(folder, 'million.csv'), `receipt\n${receipts(1_000_000)}`);
  const service = await serve((reply) => reply.end('{}'));
  const args = `tickets create --from million.csv ${refund} --dry-run`.split(' ');
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=64`;
  const ran = await cb(args, { home: folder, env: { ...service.env, NODE_OPTIONS } }).ended();
  expectExit(ran, 2, 'more than 25,000 rows, but ClickBank allows 25,000 requests a day', '');
  expect(service.asked).toEqual([]);
});

test.each([
  [12_500, ''],
  [
    12_501,
    'note: 12,501 rows need at least 25,002 requests, but ClickBank allows 25,000 requests a day: they take at least 2 days.',
  ],
])('of %d rows, says how many days they take if a day is too short', async (rows, note) => {
  // A rejected key ends the checks at once.
  const { cb, folder } = await servedHome((reply) => reply.writeHead(401).end());
  writeFileSync(join(folder, 'many.csv'), `receipt\n${receipts(rows)}`);
  const line = 'ship notice import many.csv --carrier USPS --date today --dry-run --max-wait 0';
  const ran = await cb(line);
  expectExit(ran, 3, note);
  expect(ran.err.includes('requests a day')).toBe(note !== '');
});

test('stops reading rows at a signal', async () => {
  const stop = new AbortController();
  let given = 0;
  async function* endless() {
    yield 'receipt\n';
    for (; given < 20_000; given += 100) {
      if (given === 1000) stop.abort();
      yield receipts(100);
      await new Promise(setImmediate);
    }
  }
  await expectStopped(endless(), stop);
  expect(given).toBeLessThan(2000);
});

/** Runs an import of rows from stdin until the signal, which must end it before it names a row. */
async function expectStopped(rows: AsyncIterable<string>, { signal }: AbortController) {
  const { context, stderr } = world(home().folder, { signal });
  const stdin = Readable.from(rows, { objectMode: false });
  const args = `tickets create --from - ${refund} --dry-run --allow-duplicate`.split(' ');
  expect(await run(args, { ...context, stdin })).toBe(130);
  expect(stderr.text).not.toContain('Line ');
}

test('stops checking rows at a signal', async () => {
  const stop = new AbortController();
  async function* invalid() {
    yield `receipt\n${'..\n'.repeat(20_000)}`;
    setImmediate(() => stop.abort());
  }
  await expectStopped(invalid(), stop);
});

test.each([
  ['receipt,tracking,receipt\nP1,P1,P1\n', "several columns named 'receipt': 1 and 3."],
  ['receipt,Receipt,tracking\nP1,P1,P1\n', "several columns named 'receipt': 1 and 2."],
  ['receipt,Tracking,date,tracking\nP1,1,2,3\n', "several columns named 'Tracking': 2 and 4."],
  ['{"receipt":"PARCEL01"}', 'shipped.csv is not a valid table: Invalid Opening Quote'],
  ['receipt,tracking\nP1,="T1\n', 'shipped.csv is not a valid table: Invalid Opening Quote'],
  ['receipt,tracking\nP1,"T1\n', 'shipped.csv is not a valid table: Quote Not Closed'],
])('refuses the file %j, and sends nothing', async (text, why) => {
  const { cb, folder, asked } = await servedHome((reply) => reply.end('{}'));
  writeFileSync(join(folder, 'shipped.csv'), text);
  for (const mode of ['--dry-run', '--yes']) {
    expectExit(await cb(`${line.replace('--sandbox ', '')} ${mode}`), 2, why, '');
  }
  expect(asked).toEqual([]);
});

test.each(['--dry-run', '--yes'])(
  'sends nothing with %s of a file that is cut off',
  async (mode) => {
    const at = await prepared(`${one}PARCE,T2`);
    const says =
      'cb: Line 3, the last one, has no line end, and ClickBank shows no order PARCE: the file may be cut off. Nothing was sent.';
    expectExit(await at.cb(`${line} ${mode}`), 2, says, '');
    expect(await trackings(at, 'PARCEL01')).not.toContain('T1');
    put(at, 'shipped.csv', `${one}PARCEL01,T2`);
    expect(await at.cb(`${line} ${mode}`)).toMatchObject({ code: 0 });
  },
);
