/**
 * Long lists, whose rows are copied from the second page on: what comes out is what always came out. The same
 * pages with a blank in each, which no row is copied of, say what that is.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { home } from '../support/cb.ts';
import { type Asked, serve } from '../support/server.ts';

const key = 'API-Q7RX2MPL9CANARY4TZ8WK3VB6NH1JD5GF0SY';
const list = 'orders list --period 2026-02 --max-wait 0';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** What cells and texts may trip over, one after the other. */
const names = [
  ...['Ann', 'Zoë, "the" boss', '=1+1', ' @x', '-5', '007', '', 'a\tb', 'a;b|c', 'a\nb', 'a\\b'],
  ...['\u009b31m', '漢字', '👍', '＝1', 'x\u202ey', "'", '1e5', '\ufeffz'],
];
const amounts = ['11.90', '12345678901234567890.10', '-0.50', '1E3', 'much', '', '007'];
const nil = { '@nil': 'true' };

/** Fields in the order in which the service writes them; receipts tell page and row. */
function rowsOf(page: number): Rows {
  return names.map((name, i) => ({
    transactionTime: '2026-02-18T15:11:38-08:00',
    receipt: `P${page}R${i}`,
    trackingId: i % 3 === 0 ? nil : name,
    totalOrderAmount: amounts[i % amounts.length],
    declinedConsent: ['true', 'false', nil, 'maybe'][i % 4],
    customerContactInfo: [nil, null, { field: name, value: 'v' }][i % 3],
    fullName: name,
    vendorVariables: i % 2 === 0 ? nil : { item: [{ name, value: '1' }, { name: 'b' }] },
    lineItemData: [{ itemNo: '1', quantity: '2' }, { itemNo: name }].slice(i % 2),
  }));
}

const tidy = (rows: unknown) => JSON.stringify({ orderData: rows });
const withBlank = (body: string) => body.replace(':', ': ');
const three = [1, 2, 3].map((page) => tidy(rowsOf(page)));

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const packed = (body: string): Reply => ({
  body: gzipSync(body),
  headers: { 'content-encoding': 'gzip' },
});

/** A list of these pages, in every window; `first` may answer instead. */
async function service(
  pages: readonly (string | Reply)[],
  first: (reply: ServerResponse, number: number, asked: Asked) => boolean = () => false,
) {
  const server = await serve((reply, number, asked) => {
    if (first(reply, number, asked)) return;
    const page = Number(asked.headers.page);
    const answer = pages[page - 1] ?? 'null';
    const { body, headers = {}, status } = typeof answer === 'string' ? { body: answer } : answer;
    reply.writeHead(status ?? (page < pages.length ? 206 : 200), headers).end(body);
  });
  return { ...server, env: { CB_BASE_URL: server.url, CB_API_KEY: key } };
}

async function ran(line: string, pages: readonly (string | Reply)[], columns?: number) {
  const { env } = await service(pages);
  return home().cb(line, { env, ...(columns !== undefined && { columns }) });
}

const receiptsIn = (text: string) => text.match(/P\d+R\d+/g) ?? [];
const allReceipts = (pages: number[]) => pages.flatMap((page) => receiptsIn(tidy(rowsOf(page))));

const formats = ['csv', 'tsv', 'json', 'ndjson'] as const;

const inCsv = ['--no-header --bom --crlf', '--text-ids', '--debug', '--page 2', '--fields receipt'];

test.each([
  ...[
    '',
    ' --limit 25',
    ' --limit 38',
    ' --fields receipt,fullName,vendorVariables,lineItemData',
  ].flatMap((flags) => formats.map((format) => `-o ${format}${flags}`)),
  ...[...inCsv, '--spread lineItemData:2', '--fields lineItemData.itemNo,receipt'].map(
    (flags) => `-o csv ${flags}`,
  ),
  ...[';', '|', '1'].map((character) => `-o csv --delimiter '${character}'`),
  ...['--expand lineItemData', '--query [].receipt', '--wire xml'].map(
    (flags) => `-o json ${flags}`,
  ),
])('A long list comes out the same however its pages were written: %s', async (flags) => {
  const written = await ran(`${list} ${flags}`, three);
  const other = await ran(`${list} ${flags}`, three.map(withBlank));
  expect(written.out).toBe(other.out);
  expect(written.code).toBe(0);
  expect(receiptsIn(written.out).length).toBeGreaterThan(18);
});

test('A column that only the first page has holds in every row of the file', async () => {
  const [first = {}, ...others] = rowsOf(1);
  const pages = [tidy([{ ...first, giftCard: 'yes' }, ...others]), ...three.slice(1)];
  const { out } = await ran(`${list} -o tsv`, pages);
  const cells = out.split('\n').map((line) => line.split('\t').length);
  expect(cells.pop()).toBe(1);
  expect(new Set(cells).size).toBe(1);
  expect(cells).toHaveLength(1 + 3 * names.length);
});

test('A field that comes up on a later page is told of once, and costs no row', async () => {
  const late = rowsOf(2).map((row) => ({ ...row, giftCard: 'yes' }));
  const pages = [three[0] ?? '', tidy(late), three[2] ?? '', tidy(late)];
  const { err, out } = await ran(`${list} -o csv`, pages);
  expect(err).toBe('note: giftCard came up after the header was written; name them in --fields\n');
  expect(receiptsIn(out)).toEqual(allReceipts([1, 2, 3, 2]));
});

test.each(formats)('Pages that are copied or not keep their order in %s', async (format) => {
  const pages = [1, 2, 3, 4, 5].map((page) => tidy(rowsOf(page)));
  const mixed = pages.map((body, i) => (i % 2 === 0 ? withBlank(body) : body));
  const { out } = await ran(`${list} -o ${format}`, ['null', ...mixed, 'null', ...mixed.slice(1)]);
  expect(receiptsIn(out)).toEqual(allReceipts([1, 2, 3, 4, 5, 2, 3, 4, 5]));
  expect(out).toBe((await ran(`${list} -o ${format}`, [...pages, ...pages.slice(1)])).out);
});

test.each(formats)('A broken page is asked for again, and %s is whole', async (format) => {
  let isBroken = true;
  const { env } = await service(three, (reply, _, { headers }) => {
    if (headers.page !== '2' || !isBroken) return false;
    isBroken = false;
    reply.writeHead(206).end(three[1]?.slice(0, -40));
    return true;
  });
  const got = await home().cb(`orders list --period 2026-02 -o ${format}`, { env });
  expect(got).toMatchObject({ code: 0, out: (await ran(`${list} -o ${format}`, three)).out });
});

test.each([
  ['ends in the middle', (body: string) => body.slice(0, -40)],
  ['goes on behind its end', (body: string) => `${body}}`],
  ['holds no JSON', (body: string) => body.replace('"P3R1"', 'P3R1')],
  ['holds a raw line break', (body: string) => body.replace('P3R1"', 'P3R1\n"')],
])('A list whose third page %s is not whole: 8', async (_, damaged) => {
  const { code, err, out } = await ran(`${list} -o json`, [
    ...three.slice(0, 2),
    damaged(three[2] ?? ''),
  ]);
  expect(code).toBe(8);
  expect(err).toContain(`it stopped after ${2 * names.length} rows (2 pages)`);
  expect(JSON.parse(out)).toHaveLength(2 * names.length);
});

test('A page that comes again and again ends the list: 8', async () => {
  const ended = await ran(`${list} -o csv`, Array(40).fill(three[0]));
  expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('the same page again') });
});

test.each(formats)('A key on a later page is not shown in %s', async (format) => {
  const quoted = tidy([...rowsOf(2), { receipt: 'P2R99', fullName: `go, ${key.toLowerCase()}` }]);
  for (const page of [quoted, packed(quoted)]) {
    const { out } = await ran(`${list} -o ${format}`, [three[0] ?? '', page, three[2] ?? '']);
    expect(out.toLowerCase()).not.toContain(key.slice(0, 12).toLowerCase());
    expect(out.match(/\(the key\)/g)).toHaveLength(1);
    expect(receiptsIn(out)).toHaveLength(3 * names.length + 1);
  }
});

test('Later pages that are packed, marked or in another charset are read like the first', async () => {
  const body = tidy([{ receipt: 'P2R1', fullName: 'Zoë' }]);
  const latin = { 'content-type': 'application/json; charset=ISO-8859-1' };
  const pages: readonly (string | Reply)[] = [
    three[0] ?? '',
    body,
    packed(body.replace('P2', 'P3')),
    { body: `\ufeff${body.replace('P2', 'P4')}` },
    { body: Buffer.from(body.replace('P2', 'P5'), 'latin1'), headers: latin },
    { body: '', status: 204 },
  ];
  const { code, out } = await ran(`${list} -o tsv --fields receipt,fullName`, pages);
  expect(code).toBe(0);
  const read = [2, 3, 4, 5].map((page) => `P${page}R1\tZoë\n`);
  expect(out.match(/P\dR1\tZoë\n/g)).toEqual(read);
});

test.each(formats)('No later page steers a terminal in %s', async (format) => {
  const { out } = await ran(`${list} -o ${format}`, three, 80);
  expect(out).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(out.match(/\\u009b31m/g)?.length).toBeGreaterThanOrEqual(3);
});

test('Today, where rows shift from page to page, none comes twice', async () => {
  const shifted = tidy([...rowsOf(1).slice(-2), ...rowsOf(2)]);
  const { out } = await ran('orders list --period today -o csv', [three[0] ?? '', shifted]);
  expect(receiptsIn(out)).toEqual(allReceipts([1, 2]));
});

test('A schedule leaves out what it has brought, on later pages too', async () => {
  const { cb } = home();
  const schedule = 'orders list --since-last sheet --fields receipt,fullName -o tsv --no-header';
  expect((await cb(schedule, { env: (await service(three)).env })).code).toBe(0);
  const { env } = await service([...three, tidy(rowsOf(4))]);
  const { out } = await cb(schedule, { env });
  expect([...new Set(receiptsIn(out))]).toEqual(allReceipts([4]));
});

test('Rows of several accounts are named on every page', async () => {
  const { cb } = home();
  const { url } = await service(three);
  for (const name of ['a', 'b']) {
    const login = `login --with-key --no-check --profile ${name} --base-url ${url}`;
    expect((await cb(login, { stdin: `${key}${name}` })).code).toBe(0);
  }
  const { out } = await cb(`${list} --profile a,b -o ndjson`);
  const named = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).profile);
  expect(named).toEqual(['a', 'b'].flatMap((name) => Array(3 * names.length).fill(name)));
});

test.each(formats)('A stopped export to %s goes on as if it never was', async (format) => {
  const { cb, folder } = home();
  const out = `orders list --period 2026-02 --max-wait 0 --concurrency 1 --out orders.${format}`;
  const strange = tidy([{ ...rowsOf(1)[0], giftCard: 'yes' }]);
  let begin: string | undefined;
  let isDown = true;
  const { env } = await service(three, (reply, number, { url, headers }) => {
    const isCount = url.includes('/count');
    if (!isCount) begin ??= url;
    if (isCount) reply.end('8000');
    else if (isDown && number > 12) reply.destroy();
    else if (url === begin && headers.page === '1') reply.writeHead(206).end(strange);
    else return false;
    return true;
  });
  const file = () => readFileSync(join(folder, `orders.${format}`), 'utf8');
  expect((await cb(out, { env })).err).toContain('--resume goes on');
  isDown = false;
  expect(await cb(`${out} --resume`, { env })).toMatchObject({ code: 0, err: '' });
  const gone = file();
  expect(await cb(out, { env })).toMatchObject({ code: 0 });
  expect(gone).toBe(file());
  expect(gone).toContain('giftCard');
});
