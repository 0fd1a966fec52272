/** Forms of responses that ClickBank may send, read through the commands, and the service that a command reads. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson as json } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const as = '--role VENDOR --account GREENLEAF';

test('percent-encodes a SKU with a space and a slash in the path', async () => {
  const at = await sandboxHome(60);
  const save =
    "products save 'GUIDE 1/A' --site GREENLEAF --currency USD --price 19.00 --language EN --title T --digital --categories EBOOK --thank-you-page https://a.example --pitch-page https://a.example --yes";
  expect(await at.cb(`--sandbox ${save}`)).toMatchObject({ code: 0, out: 'GUIDE 1/A\n' });
  expect(await json(at, "products get 'GUIDE 1/A' --site GREENLEAF")).toMatchObject({
    sku: 'GUIDE 1/A',
  });
  const { env, asked } = await serve((reply) => reply.end('{"@sku":"x"}'));
  await at.cb("products get 'GUIDE 1/A' --site GREENLEAF", { env });
  expect(asked[0]?.url).toBe('/rest/1.3/products/GUIDE%201%2FA?site=GREENLEAF');
  expect((await at.cb("products get '..' --site GREENLEAF", { env })).code).toBe(2);
  expect(asked).toHaveLength(1);
});

test('sends --sort-ascending without --order-by, with a note', async () => {
  const { env, asked } = await serve((reply) => reply.end('{"rows":null}'));
  const line = 'analytics dimension AFFILIATE --role VENDOR --account A --sort-ascending -o json';
  const ran = await home().cb(line, { env });
  expectExit(ran, 0, 'note: --sort-ascending has no effect without --order-by');
  expect(asked[0]?.url).toContain('sortAscending=true');
});

test.each([
  ['MONTHLY1', 'cncl', 'ticket.type.cancel.1'],
  ['DIGITAL1', 'tech', 'ticket.type.tech_support.1'],
])(
  'ignores --refund-type on %s with a ticket of type %s, with a note',
  async (receipt, type, reason) => {
    const at = await sandboxHome(60);
    const line = `tickets create ${receipt} --type ${type} --reason ${reason} --refund-type PARTIAL_PERCENT`;
    const { code, out, err } = await at.cb(`--sandbox ${line} --yes -o json`);
    expectExit({ code, err }, 0, `note: ClickBank ignores --refund-type with --type ${type}`);
    expect(JSON.parse(out)).toMatchObject({ refundType: null });
  },
);

test('closes several tickets, also from stdin, names those that were refused, and ends with their exit code if all were', async () => {
  const at = await sandboxHome(300);
  const ran = await at.cb('--sandbox tickets close 1001 1003 --yes -o ndjson');
  expect(ran.code).toBe(0);
  expect(ran.out.match(/"status":"\w+"/g)).toEqual(['"status":"CLOSED"', '"status":"CLOSED"']);
  const piped = await at.cb('--sandbox tickets comment - --comment Thanks --yes -o ndjson', {
    stdin: '1001\n1003\n',
  });
  expect(piped.out.trimEnd().split('\n')).toHaveLength(2);
  const some = await at.cb(
    '--sandbox tickets comment 1001 999999999 --comment Thanks --yes -o ndjson',
  );
  expectExit(some, 8, 'tickets comment 999999999');
  expect(some.out.trimEnd().split('\n')).toHaveLength(1);
  const json = await at.cb(
    '--sandbox tickets comment 1001 999999999 --comment Thanks --yes -o json',
  );
  expect(
    json.err
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).message),
  ).toEqual([
    expect.stringMatching(/^tickets comment 999999999 comment=Thanks: Not done: /),
    '1 of 2 done, 1 refused or failed.',
  ]);
  const none = await at.cb('--sandbox tickets close 999999998 999999999 --yes');
  expectExit(none, 4, '0 of 2 done, 2 refused or failed', '');
});

test('does not retry with a key that the service rejects', async () => {
  const { env, asked } = await serve((reply) => reply.writeHead(401).end('Invalid API key'));
  const ran = await home().cb('tickets comment 1 2 3 --comment c --yes', { env });
  expect(ran.code).toBe(3);
  expect(asked).toHaveLength(1);
});

test('shows what saving a product changes before it asks for confirmation', async () => {
  const at = await sandboxHome(60);
  await at.cb('--sandbox products get CLUB-M --site GREENLEAF --out club.json');
  const ran = await at.cb("--sandbox products save CLUB-M --from club.json --title 'Other title'", {
    columns: 100,
    person: person(false),
  });
  expectExit(ran, 10, /CLUB-M changes: title: .* → Other title /);
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
  const server = await serve((reply, _, { method }) =>
    reply.writeHead(method === 'GET' ? ofReads : status).end(body),
  );
  const env = { ...server.env, NO_COLOR: '1' };
  const { cb } = home();
  return {
    server,
    cb: (line: string, screen: { columns?: number } = {}) =>
      cb(`${line} --max-wait 0`, { env, ...screen }),
  };
}

const dimension = 'analytics dimension TRACKING_ID --role VENDOR --account A';
const details = 'analytics subscriptions list --role VENDOR --account A';
const trends = 'analytics trends --role VENDOR --account A --period 2026-02';
const orders = 'orders list --period today';
const tickets = 'tickets list --status open';
const products = 'products list --site A';

test.each([
  [orders, '{"sales":[{"receipt":"A1"}],"refunds":[{"receipt":"A2"}]}'],
  [orders, '{"errors":[{"code":"17","reason":"no"}]}'],
  [orders, '[{"reason":"no"}]'],
  [orders, '{"orderData":null,"found":[{"x":"1"}]}'],
  [orders, '{"error":"no such thing"}'],
  [details, '{"totalCount":"1","data":null,"lines":[{"x":"1"}]}'],
  [details, '{"data":{"line":{"x":"1"}}}'],
  [dimension, '{"rows":"none could be read","totals":null}'],
])('ends with exit code 5 if the rows cannot be identified: %s from %s', async (line, body) => {
  const { cb } = await serving(body);
  expect(await cb(`${line} -o json`)).toMatchObject({ code: 5, out: '' });
});

describe('A row without its key field', () => {
  test('never counts as a duplicate, even if two rows are equal', async () => {
    const { env } = await serve((reply, _number, { headers }) => {
      const status = headers.page === '1' ? 206 : 200;
      reply.writeHead(status).end('{"ticketData":[{"type":"CANCEL"},{"type":"CANCEL"}]}');
    });
    const { code, out } = await home().cb(`${tickets} -o ndjson`, { env });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(4);
  });

  test('is compared as a whole where only a further key field is absent', async () => {
    const row = (type: string) => `{"receipt":"A1","transactionType":"${type}","country":"US"}`;
    const { env } = await serve((reply, _number, { headers }) => {
      const isFirst = headers.page === '1';
      const rows = isFirst ? [row('SALE'), row('RFND')] : [row('RFND'), row('BILL')];
      reply.writeHead(isFirst ? 206 : 200).end(`{"orderData":[${rows}]}`);
    });
    const { out } = await home().cb(`${orders} -o ndjson --fields transactionType`, { env });
    expect(out.match(/SALE|RFND|BILL/g)).toEqual(['SALE', 'RFND', 'BILL']);
  });
});

describe('A total that the service announces', () => {
  const rows = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, i) => ({ receipt: `R${i}` })));

  test.each<[line: string, body: string, sent?: number]>([
    [details, '{"totalCount":"300"}', 0],
    [details, `{"totalCount":"300","data":{"row":${rows(2)}}}`],
    [
      details,
      '<x><totalCount>300</totalCount><data><row><receipt>R0</receipt></row><row><receipt>R1</receipt></row></data></x>',
    ],
    [products, '{"products":{"product":[{"@sku":"A"},{"@sku":"B"}]},"total_record_count":"300"}'],
  ])(
    'ends with exit code 8 and both figures when rows are missing: %s',
    async (line, body, sent = 2) => {
      const { cb } = await serving(body);
      const { code, out, err } = await cb(`${line} -o json`);
      expect(code).toBe(8);
      expect(JSON.parse(out || '[]')).toHaveLength(sent);
      expect(err).toContain(`announced 300 rows but sent only ${sent}`);
      expect((await cb(`${line} --out rows.csv`)).code).toBe(8);
    },
  );

  test('is compared with the rows of all pages, and a list that grew is complete', async () => {
    const { env } = await serve((reply, number) => {
      const body = `{"totalCount":"${number + 2}","data":{"row":${rows(2)}}}`;
      reply.writeHead(number === 1 ? 206 : 200).end(body);
    });
    expect(await home().cb(`${trends} -o ndjson`, { env })).toMatchObject({ code: 0, err: '' });
  });

  test.each(['--limit 1', '--limit 2', '--page 1'])('is ignored with %s', async (flag) => {
    const line = flag.startsWith('--page') ? trends : details;
    const { cb } = await serving(`{"totalCount":"300","data":{"row":${rows(2)}}}`);
    expect((await cb(`${line} ${flag} -o json`)).code).toBe(0);
  });
});

test('reads a count from a JSON object, with a header that accepts text', async () => {
  const { cb, server } = await serving('{"result":{"count":{"@type":"xs:int","$":"7"}}}');
  expect(await cb('orders count --period today')).toMatchObject({ code: 0, out: '7\n' });
  expect(server.asked[0]?.headers.accept).toBe('application/json, text/plain');
});

test.each(['NEW-01', '"NEW-01"', '<sku>NEW-01</sku>'])('prints the SKU of %s', async (body) => {
  const save =
    'products save NEW-01 --site A --currency USD --price 1 --language EN --title T --thank-you-page https://a.example --pitch-page https://a.example --yes';
  const { cb } = await serving(body, 201, 403);
  expect(await cb(save)).toMatchObject({ code: 0, out: 'NEW-01\n' });
  expect((await cb(`${save} -o json`)).out).toBe('"NEW-01"\n');
});

test('shows the author and text of comments whose fields cb does not know', async () => {
  const { cb } = await serving('{"ticketid":"7","comments":[{"author":"Ada","text":"It broke"}]}');
  const { out } = await cb('tickets get 7 -o table', { columns: 80 });
  expect(out).toMatch(/Author\s+Text\n\s+Ada\s+It broke\n/);
});

test('shows the account and the product in the table of trends', async () => {
  const row = '{"nickname":"SHOP","itemNo":"CLUB","title":"Club"}';
  const { cb } = await serving(`{"rows":{"row":${row}}}`);
  const { out } = await cb(`${trends} -o table`, { columns: 80 });
  expect(out).toMatch(/Nickname.*SKU.*Title/);
  expect(out).toMatch(/SHOP.*CLUB.*Club/);
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
