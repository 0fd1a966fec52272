/** Imports ship notices from a file: parsing, invalid rows, and confirmation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';

function put({ folder }: Home, name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

/** A home with a file to import. */
async function prepared(content: string): Promise<Home> {
  const at = await sandboxHome(60);
  put(at, 'shipped.csv', content);
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
  expect(ran.err).toContain('not used: Ship To - Name');
  const wanted = Array.from({ length: 15 }, (_, i) => `94001${i}`);
  const found = await trackings(at, 'PARCEL01');
  expect(found.filter((id) => id?.startsWith('94001')).sort()).toEqual(wanted.sort());
});

test('names invalid rows with their lines, at most 20, and sends nothing', async () => {
  const at = await sandboxHome(60);
  const kinds: readonly (readonly [row: string, why: RegExp])[] = [
    [',USPS,A,2026-03-18,true', /<receipt> is missing/],
    ['../x,USPS,A,2026-03-18,true', /Invalid <receipt> '..\/X'\. Use letters/],
    ['PARCEL01,,A,2026-03-18,true', /--carrier is missing/],
    ['PARCEL01,USPS,A,,true', /--date is missing/],
    ['PARCEL01,USPS,A,03/04/2026,true', /Ambiguous --date '03\/04\/2026'/],
    ['PARCEL01,USPS,A,2026-02-30,true', /Invalid --date '2026-02-30'/],
    ['PARCEL01,USPS,A,2026-03-19,true', /--date must not be in the future/],
    ['PARCEL01,USPS,A,2026-03-18,maybe', /Invalid --fill-order 'maybe'\. Use true or false/],
    ['PARCEL01,USPS,A', /the row has 3 cells, but the header has 5/],
    ['PARCEL01,USPS,"A\nB",2026-03-18,true', /--tracking must not contain a line break/],
  ];
  const text = ['receipt,carrier,tracking,date,fill-order'];
  const expected: (readonly [number, RegExp])[] = [];
  let last = 2;
  for (let i = 0; i < 40; i++) {
    const [row, why] = kinds[i % 10] ?? kinds[0] ?? ['', /./];
    text.push(`PARCEL01,USPS,good${i},2026-03-18,true`, row);
    expected.push([last + 1, why]);
    last += 1 + row.split('\n').length;
  }
  put(at, 'shipped.csv', text.join('\n'));
  const before = await trackings(at, 'PARCEL01');
  const ran = await at.cb('--sandbox ship notice import shipped.csv --yes');
  expect(ran.code).toBe(2);
  const said = ran.err.split('\n').filter((words) => words.startsWith('Line '));
  expect(said).toHaveLength(20);
  for (const [i, [number, why]] of expected.slice(0, 20).entries()) {
    expect(said[i]).toMatch(new RegExp(`^Line ${number}: `));
    expect(said[i]).toMatch(why);
  }
  expect(ran.err).toContain('20 more rows are invalid.');
  expect(ran.err).toContain('40 of 80 rows are invalid. Nothing was sent.');
  expect(await trackings(at, 'PARCEL01')).toEqual(before);
});

test('sends valid rows with --skip-invalid and ends with exit code 8', async () => {
  const at = await prepared(`${one}..,T2\n`);
  expect((await at.cb(`${line} --skip-invalid --yes`)).code).toBe(8);
  expect(await trackings(at, 'PARCEL01')).toContain('T1');
  const results = readFileSync(join(at.folder, 'shipped.csv.results.csv'), 'utf8');
  expect(results).toMatch(
    /^line,receipt,status,warning\n2,PARCEL01,done,\n3,\.\.,"failed: Invalid <receipt>/,
  );
});

test('sends the first of equal rows, in any case, marks the others, and ends with exit code 0', async () => {
  const at = await prepared(`${one}PARCEL01,T2\nPARCEL01,T1\nparcel01,T1\n`);
  const ran = await at.cb(`${line} --yes -o json`);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ rows: 4, done: 2, duplicates: 2, failed: 0 });
  expect(ran.err).toMatch(/Line 4 is a duplicate of line 2.*Line 5 is a duplicate of line 2/s);
  const results = readFileSync(join(at.folder, 'shipped.csv.results.csv'), 'utf8');
  expect(results).toContain('\n4,PARCEL01,duplicate of line 2,');
  expect((await trackings(at, 'PARCEL01')).filter((id) => id === 'T1')).toHaveLength(1);
});

test('does not treat an open ticket for another item as done', async () => {
  const at = await sandboxHome(60);
  put(at, 'refunds.csv', 'receipt,sku\nCART0003,KIT-01\nCART0003,KIT-02\nCART0003,KIT-01\n');
  const ran = await at.cb(
    '--sandbox tickets create --from refunds.csv --type rfnd --reason ticket.type.refund.8 --refund-type FULL --yes -o json',
  );
  expect(ran.code).toBe(8);
  expect(JSON.parse(ran.out)).toMatchObject({ rows: 3, done: 1, duplicates: 1, failed: 1 });
  expect(ran.err).toMatch(
    /Line 3 .*not sent: CART0003 already has an open REFUND ticket for KIT-01/,
  );
});

test('sends equal rows as often as they occur with --allow-duplicate', async () => {
  const at = await prepared(`${one}PARCEL01,T1\n`);
  expect((await at.cb(`${line} --yes --allow-duplicate`)).code).toBe(0);
  expect((await trackings(at, 'PARCEL01')).filter((id) => id === 'T1')).toHaveLength(2);
});

test('does not send an existing notice again', async () => {
  const at = await sandboxHome(60);
  await at.cb('--sandbox ship notice add PARCEL01 --date today --carrier USPS --tracking T1 --yes');
  put(at, 'shipped.csv', one);
  const ran = await at.cb(`${line} --yes -o json`);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ done: 0, alreadyThere: 1 });
  expect((await trackings(at, 'PARCEL01')).filter((id) => id === 'T1')).toHaveLength(1);
});

test.each([
  [';', 'Parcel;Code\nPARCEL01;"A;1"\n', 'A;1'],
  ['tabs', 'Parcel\tCode\nPARCEL01\tA,1\n', 'A,1'],
])('maps the columns of a file with %s', async (_, content, tracking) => {
  const at = await prepared(content);
  expect((await at.cb(`${line} --map Parcel=receipt,Code=tracking --yes`)).code).toBe(0);
  expect(await trackings(at, 'PARCEL01')).toContain(tracking);
});

test('lists requests with --dry-run and leaves no file', async () => {
  const at = await prepared(one);
  const before = await trackings(at, 'PARCEL01');
  expect((await at.cb(`${line} --dry-run`)).out).toBe(
    'line 2: POST /rest/1.3/shipping3/shipnotice/PARCEL01\n  date=2026-03-18\n  carrier=USPS\n  tracking=T1\n',
  );
  expect(await trackings(at, 'PARCEL01')).toEqual(before);
  expect(() => readFileSync(join(at.folder, 'shipped.csv.cb-journal'))).toThrow('ENOENT');
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

test('names a refused row, sends the others, and ends with exit code 8', async () => {
  const at = await prepared(`${one}NOSUCH01,T2\n`);
  const ran = await at.cb(`${line} --yes`);
  expect(ran.code).toBe(8);
  expect(ran.err).toMatch(/Line 3 \(NOSUCH01\): failed: .*403/);
  expect(await trackings(at, 'PARCEL01')).toContain('T1');
});
