/** Forms of responses that ClickBank may send, read through the commands, and the service that a command reads. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { sandboxHome } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';

const as = '--role VENDOR --account GREENLEAF';

test('sends --sort-ascending without --order-by, with a note', async () => {
  const { cb, asked } = await serving('{"rows":null}');
  const ran = await cb(`${dimension} --sort-ascending -o json`);
  expectExit(ran, 0, 'note: --sort-ascending has no effect without --order-by');
  expect(asked[0]?.url).toContain('sortAscending=true');
});

test.each([
  ['MONTHLY1', 'cncl', 'ticket.type.cancel.1'],
  ['DIGITAL1', 'tech', 'ticket.type.tech_support.1'],
])('ignores --refund-type on %s with --type %s, with a note', async (receipt, type, reason) => {
  const at = await sandboxHome(60);
  const line = `tickets create ${receipt} --type ${type} --reason ${reason} --refund-type PARTIAL_PERCENT`;
  const ran = await at.cb(`--sandbox ${line} --yes -o json`);
  expectExit(ran, 0, `note: ClickBank ignores --refund-type with --type ${type}`);
  expect(JSON.parse(ran.out)).toMatchObject({ refundType: null });
});

test('closes several tickets, also from stdin, names those that were refused, and ends with their exit code if all were', async () => {
  const { cb } = await sandboxHome(300);
  const on = (words: string, stdin = '') => cb(`--sandbox tickets ${words} --yes`, { stdin });
  const closed = await on('close 1001 1003 -o ndjson');
  expect(closed.code).toBe(0);
  expect(jsonLines(closed.out).map(({ status }) => status)).toEqual(['CLOSED', 'CLOSED']);
  const piped = await on('comment - --comment Thanks -o ndjson', '1001\n1003\n');
  expect(linesOf(piped.out)).toHaveLength(2);
  const some = await on('comment 1001 999999999 --comment Thanks -o ndjson');
  expectExit(some, 8, 'tickets comment 999999999');
  expect(linesOf(some.out)).toHaveLength(1);
  const { err } = await on('comment 1001 999999999 --comment Thanks -o json');
  expect(jsonLines(err).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^tickets comment 999999999 comment=Thanks: Not done: /),
    '1 of 2 done, 1 refused or failed.',
  ]);
  expectExit(await on('close 999999998 999999999'), 4, '0 of 2 done, 2 refused or failed', '');
});

test('does not retry with a key that the service rejects', async () => {
  const { cb, asked } = await servedHome((reply) => reply.writeHead(401).end('Invalid API key'));
  expect((await cb('tickets comment 1 2 3 --comment c --yes')).code).toBe(3);
  expect(asked).toHaveLength(1);
});

// That they match the orders is checked in sandbox/analytics/figures.test.ts.
test('shows the figures of each tracking ID as columns, with the totals of the service', async () => {
  const at = await sandboxHome();
  const period = '--start-date 2026-01-01 --end-date 2026-03-18';
  const names = ['GROSS_SALE_COUNT', 'GROSS_SALE_AMOUNT', 'REFUND_AMOUNT', 'NET_SALE_AMOUNT'];
  const line = `--sandbox analytics dimension TRACKING_ID ${as} ${period} --select ${names} --totals`;
  const figures: Record<string, string>[] = parse((await at.cb(`${line} -o csv`)).out, {
    columns: true,
  });
  expect(Object.keys(figures[0] ?? {})).toEqual([
    ...['dimensionValue', 'dimensionIdentifier', 'accountNickName', ...names],
  ]);
  expect(figures.map(({ dimensionValue }) => dimensionValue)).toContain('Not Set');
  const total = figures.pop();
  expect(total?.dimensionValue).toBe('TOTAL');
  for (const name of names) {
    const sum = addDecimals(figures.map((row) => row[name] ?? ''));
    expect([name, Number(total?.[name])]).toEqual([name, Number(sum)]);
    expect(Number(sum)).not.toBe(0);
  }
});

test('sends any request with cb api and prints the response as received', async () => {
  const { cb } = await sandboxHome(300);
  const period = '-f startDate=2025-03-20 -f endDate=2026-03-18';
  const counted = await cb(`--sandbox api GET /1.3/orders2/count ${period}`);
  expect(counted.out).toMatch(/^\d+\n$/);
  const all = await cb(`--sandbox api GET /rest/1.3/orders2/list ${period} --paginate`);
  const pages = all.out.trimEnd().split('\n');
  expect(pages.flatMap((line) => JSON.parse(line).orderData)).toHaveLength(Number(counted.out));
  expect(await cb('--sandbox api HEAD /1.3/orders2/REFUND01 -i')).toMatchObject({
    code: 4,
    out: expect.stringMatching(/^HTTP 403\n/),
  });
  expect((await cb('--sandbox api POST /1.3/orders2/CANCEL01/reinstate')).code).toBe(10);
  expect((await cb('--sandbox api POST /1.3/orders2/CANCEL01/reinstate --yes')).code).toBe(0);
  expect((await cb('--sandbox orders active CANCEL01')).code).toBe(0);
});

/** Answers every request with the same body. */
async function serving(body: string, status = 200, ofReads = status) {
  const { cb, env, asked } = await servedHome((reply, _, { method }) =>
    reply.writeHead(method === 'GET' ? ofReads : status).end(body),
  );
  const quiet = { env: { ...env, NO_COLOR: '1' } };
  const run = (line: string, screen = {}) => cb(`${line} --max-wait 0`, { ...quiet, ...screen });
  return { asked, cb: run };
}

/** Answers with two pages. */
const paged = (first: string, second = first) =>
  servedHome((reply, _, { headers }) =>
    headers.page === '1' ? reply.writeHead(206).end(first) : reply.end(second),
  );

const dimension = 'analytics dimension TRACKING_ID --role VENDOR --account A';
const details = 'analytics subscriptions list --role VENDOR --account A';
const trends = 'analytics trends --role VENDOR --account A --period 2026-02';
const orders = 'orders list --period today';
const products = 'products list --site A';

// client/codec/list-forms.test.ts has more forms, of each list.
test.each([
  [orders, '{"sales":[{"receipt":"A1"}],"refunds":[{"receipt":"A2"}]}'],
  [orders, '{"errors":[{"code":"17","reason":"no"}]}'],
  [details, '{"totalCount":"1","data":null,"lines":[{"x":"1"}]}'],
  [details, '{"data":{"line":{"x":"1"}}}'],
  [dimension, '{"rows":"none could be read","totals":null}'],
])('ends with exit code 5 if the rows cannot be identified: %s from %s', async (line, body) => {
  const { cb } = await serving(body);
  expect(await cb(`${line} -o json`)).toMatchObject({ code: 5, out: '' });
});

test('never treats a row without its key field as a duplicate, even if two are equal', async () => {
  const { cb } = await paged('{"ticketData":[{"type":"CANCEL"},{"type":"CANCEL"}]}');
  const { code, out } = await cb('tickets list --status open -o ndjson');
  expect({ code, lines: linesOf(out).length }).toEqual({ code: 0, lines: 4 });
});

test('compares whole rows if only a secondary key field is missing', async () => {
  const row = (type: string) => `{"receipt":"A1","transactionType":"${type}","country":"US"}`;
  const page = (...types: string[]) => `{"orderData":[${types.map(row)}]}`;
  const { cb } = await paged(page('SALE', 'RFND'), page('RFND', 'BILL'));
  const { out } = await cb(`${orders} -o ndjson --fields transactionType`);
  expect(out.match(/SALE|RFND|BILL/g)).toEqual(['SALE', 'RFND', 'BILL']);
});

/** Two rows, and the number of rows that the service announces. */
const twoOf = (total: number) =>
  `{"totalCount":"${total}","data":{"row":[{"receipt":"R0"},{"receipt":"R1"}]}}`;
const twoInXml =
  '<x><totalCount>300</totalCount><data><row><receipt>R0</receipt></row><row><receipt>R1</receipt></row></data></x>';

test.each<[line: string, body: string, sent?: number]>([
  [details, '{"totalCount":"300"}', 0],
  [details, twoOf(300)],
  [details, twoInXml],
  [products, '{"products":{"product":[{"@sku":"A"},{"@sku":"B"}]},"total_record_count":"300"}'],
])('ends with exit code 8 if announced rows are missing: %s', async (line, body, sent = 2) => {
  const { cb } = await serving(body);
  const ran = await cb(`${line} -o json`);
  expectExit(ran, 8, `announced 300 rows but sent only ${sent}`);
  expect(JSON.parse(ran.out || '[]')).toHaveLength(sent);
  expect((await cb(`${line} --out rows.csv`)).code).toBe(8);
});

test('compares the announced number with the rows of all pages of a growing list', async () => {
  const { cb } = await paged(twoOf(3), twoOf(4));
  expect(await cb(`${trends} -o ndjson`)).toMatchObject({ code: 0, err: '' });
});

test.each([`${details} --limit 1`, `${details} --limit 2`, `${trends} --page 1`])(
  'ignores the announced number: %s',
  async (line) => {
    const { cb } = await serving(twoOf(300));
    expect((await cb(`${line} -o json`)).code).toBe(0);
  },
);

test('reads a count from a JSON object, with a header that accepts text', async () => {
  const { cb, asked } = await serving('{"result":{"count":{"@type":"xs:int","$":"7"}}}');
  expect(await cb('orders count --period today')).toMatchObject({ code: 0, out: '7\n' });
  expect(asked[0]?.headers.accept).toBe('application/json, text/plain');
});

test.each(['NEW-01', '"NEW-01"', '<sku>NEW-01</sku>'])('prints the SKU of %s', async (body) => {
  const save =
    'products save NEW-01 --site A --currency USD --price 1 --language EN --title T --thank-you-page https://a.example --pitch-page https://a.example --yes';
  const { cb } = await serving(body, 201, 403);
  expect(await cb(save)).toMatchObject({ code: 0, out: 'NEW-01\n' });
  expect((await cb(`${save} -o json`)).out).toBe('"NEW-01"\n');
});

test.each([
  [
    'the author and text of comments whose fields cb does not know',
    'tickets get 7',
    '{"ticketid":"7","comments":[{"author":"Ada","text":"It broke"}]}',
    /Author\s+Text\n\s+Ada\s+It broke\n/,
  ],
  [
    'the account and the product of trends',
    trends,
    '{"rows":{"row":{"nickname":"SHOP","itemNo":"CLUB","title":"Club"}}}',
    /Nickname.*SKU.*Title.*\n.*SHOP.*CLUB.*Club/,
  ],
])('shows in a table %s', async (_, line, body, shown) => {
  const { cb } = await serving(body);
  expect((await cb(`${line} -o table`, { columns: 80 })).out).toMatch(shown);
});

test('keeps dimensionIdentifier and unknown figures of a dimension', async () => {
  const { cb } = await serving(
    '{"rows":{"row":{"dimensionIdentifier":"D1","dimensionValue":"US","data":[{"attribute":"SALE_COUNT","value":{"@type":"xs:long","$":"3"}},{"attribute":"NEW_RATE","value":"0.5"}]}}}',
  );
  expect(JSON.parse((await cb(`${dimension} -o json`)).out)).toEqual([
    { dimensionIdentifier: 'D1', dimensionValue: 'US', SALE_COUNT: 3, NEW_RATE: 0.5 },
  ]);
  expect((await cb(`${dimension} -o csv --fields dimensionIdentifier,NEW_RATE`)).out).toBe(
    'dimensionIdentifier,NEW_RATE\nD1,0.5\n',
  );
});
