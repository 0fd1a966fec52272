/** Forms of responses that ClickBank may send, read through the commands: wrappers, empty lists and spellings. */
import { describe, expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

/** Answers every request with the same body. */
async function serving(body: string, status = 200) {
  const server = await serve((reply) => reply.writeHead(status).end(body));
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

describe('Rows in a wrapper that cb does not know', () => {
  test.each([
    [orders, '{"sales":[{"receipt":"A1"}],"refunds":[{"receipt":"A2"}]}'],
    [orders, '{"errors":[{"code":"17","reason":"no"}]}'],
    [orders, '[{"reason":"no"}]'],
    [orders, '{"orderData":null,"found":[{"x":"1"}]}'],
    [orders, '{"error":"no such thing"}'],
    [details, '{"totalCount":"1","data":null,"lines":[{"x":"1"}]}'],
    [details, '{"data":{"line":{"x":"1"}}}'],
    [dimension, '{"rows":"none could be read","totals":null}'],
  ])('end with exit code 5 if they cannot be identified: %s from %s', async (line, body) => {
    const { cb } = await serving(body);
    expect(await cb(`${line} -o json`)).toMatchObject({ code: 5, out: '' });
  });
});

test('lists rows of a dimension without totals', async () => {
  const { cb } = await serving('{"rows":{"row":{"dimensionValue":"US","data":null}}}');
  const { code, out } = await cb(`${dimension} -o json`);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([{ dimensionValue: 'US' }]);
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

describe('A count', () => {
  test('is read from a JSON object, with a header that accepts text', async () => {
    const { cb, server } = await serving('{"result":{"count":{"@type":"xs:int","$":"7"}}}');
    expect(await cb('orders count --period today')).toMatchObject({ code: 0, out: '7\n' });
    expect(server.asked[0]?.headers.accept).toBe('application/json, text/plain');
  });

  test('ends with exit code 5 if the response is not a count', async () => {
    const { cb } = await serving('many');
    expect(await cb('orders count --period today')).toMatchObject({ code: 5, out: '' });
  });
});

describe('products save', () => {
  const save =
    'products save NEW-01 --site A --currency USD --price 1 --language EN --title T --thank-you-page https://a.example --pitch-page https://a.example --yes';

  test.each(['NEW-01', '"NEW-01"', '<sku>NEW-01</sku>'])('prints the SKU of %s', async (body) => {
    const { cb } = await serving(body, 201);
    expect(await cb(save)).toMatchObject({ code: 0, out: 'NEW-01\n' });
    expect((await cb(`${save} -o json`)).out).toBe('"NEW-01"\n');
  });
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
