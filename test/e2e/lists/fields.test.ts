/** --fields, --expand and --spread: names in any case, headings, correct spellings, and names only the response knows. */
import { describe, expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { asOneLine, expectExit } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';

async function serving(body: string) {
  const server = await serve((reply) => reply.end(body));
  const { env } = server;
  const { cb } = home();
  return { server, cb: (line: string) => cb(`orders list --period today ${line}`, { env }) };
}

const order =
  '{"orderData":{"receipt":"A1","loyalty":{"points":"5"},"gifts":[{"name":"mug"},{"name":"pen"}]}}';

const paid = '{"orderData":{"receipt":"A1","paytmentMethod":"VISA","totalOrderAmount":"9.50"}}';
const item = '{"orderData":{"receipt":"A1","lineItemData":{"itemNo":"7"}}}';

test.each([
  // In any case, by its heading, in its correct spelling, and as ClickBank misspells it.
  ['-o tsv --fields RECEIPT,paymentmethod', paid, 'receipt\tpaymentMethod\nA1\tVISA\n'],
  ["-o csv --fields 'Payment method,Amount'", paid, 'paymentMethod,totalOrderAmount\nVISA,9.50\n'],
  ['-o csv --fields paytmentMethod', paid, 'paymentMethod\nVISA\n'],
  ['-o ndjson --fields paymentMethod', paid, '{"paytmentMethod":"VISA"}\n'],
  ['-o csv --columns receipt', paid, 'receipt\nA1\n'],
  [
    '-o csv --expand LineItemData --fields receipt,lineitemdata.itemno',
    item,
    'receipt,lineItemData.itemNo\nA1,7\n',
  ],
  [
    '-o csv --spread lineitemdata:1 --fields receipt,lineItemData.itemNo',
    item,
    'receipt,lineItemData.count,lineItemData.1.itemNo\nA1,1,7\n',
  ],
  // Names that only the response knows.
  ['-o csv --fields receipt,loyalty.points', order, 'receipt,loyalty.points\nA1,5\n'],
  ['-o ndjson --fields loyalty', order, '{"loyalty":{"points":"5"}}\n'],
  [
    '-o csv --expand gifts --fields receipt,gifts.name',
    order,
    'receipt,gifts.name\nA1,mug\nA1,pen\n',
  ],
  [
    '-o csv --spread gifts:2 --fields receipt,gifts',
    order,
    'receipt,gifts.count,gifts.1.name,gifts.2.name\nA1,2,mug,pen\n',
  ],
  // Without rows, no name can be checked.
  ['-o json --fields nothing', 'null', '[]\n'],
  ['-o csv --fields nothing', 'null', 'nothing\n'],
  ['-o csv --expand nothing --fields receipt', 'null', 'receipt\n'],
  [
    '-o csv --spread nothing --fields receipt,nothing',
    'null',
    'receipt,nothing.count,nothing.1,nothing.2,nothing.3\n',
  ],
])('finds the fields that a person names: %s in %s', async (line, body, out) => {
  const { cb } = await serving(body);
  expect(await cb(line)).toMatchObject({ code: 0, out });
});

test.each([';', '|', '\t'])('separates the columns of csv with %j', async (mark) => {
  const { cb } = await serving(paid);
  const { out } = await cb(`-o csv --delimiter '${mark}' --fields receipt,paymentMethod`);
  expect(out).toBe(`receipt${mark}paymentMethod\nA1${mark}VISA\n`);
});

describe('A name that neither cb nor the response knows', () => {
  const formats = ['json', 'ndjson', 'csv', 'tsv', 'table'];
  test.each([
    ...formats.map((format) => [`-o ${format} --fields receipt,nothing`, '--fields', 'nothing']),
    ...formats.map((format) => [`-o ${format} --expand nothing`, '--expand', 'nothing']),
    ['-o csv --spread nothing', '--spread', 'nothing'],
    ['--out orders.csv --fields nothing', '--fields', 'nothing'],
    // Names that every object has.
    ...['constructor', '__proto__'].map((name) => [`--fields ${name}`, '--fields', name]),
  ])('ends with exit code 2 after the read, without output: %s', async (line, flag, name) => {
    const { cb, server } = await serving(order);
    const { code, out, err } = await cb(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const what = flag === '--fields' ? 'field' : 'list';
    expect(err).toContain(`Unknown ${what} '${name}' in ${flag}.`);
    expect(server.asked.filter(({ url }) => !url.includes('/count'))).toHaveLength(1);
  });

  test.each([
    ['--fields reciept', 'receipt'],
    ['--fields Recipt', 'receipt'],
    ['--fields lineItemData.itmNo', 'lineItemData.itemNo'],
    ['--sort date', 'transactionTime'],
    ['--columns paymntMethod', 'paymentMethod'],
    ['-o csv --spread lineItemDate', 'lineItemData'],
  ])('gets one suggestion: %s', async (line, suggestion) => {
    const { cb } = await serving(order);
    const { err } = await cb(line);
    expect(err).toContain(`Did you mean ${suggestion}?`);
    expect(err).not.toContain('-o json');
  });

  test('gets a hint to list all fields if it resembles none', async () => {
    const { cb } = await serving(order);
    expect((await cb('--fields nothing')).err).toContain('Use -o json to see all fields.');
  });
});

test.each(['--expand receipt', '-o csv --spread totalOrderAmount'])(
  'rejects a known field that is not a list before sending anything: %s',
  async (line) => {
    const { cb, server } = await serving(order);
    expectExit(await cb(line), 2, /'\w+' is not a list\..*lineItemData/s);
    expect(server.asked).toEqual([]);
  },
);

test('shows nested settings of a product with their types', async () => {
  const product =
    '{"@sku":"S","no_commission":"true","maxQuantity":"3","commission":{"no_rebill_commission":"false"},"contracts":{"contract":{"@id":"7","@status":"ACTIVE"}},"pricings":{"pricing":{"@currency":"USD","recurring":{"pre_rebill_leadtime":"5","frequencyValue":"10"}}}}';
  const { env } = await serve((reply) => reply.end(`{"products":{"product":${product}}}`));
  const { out } = await home().cb('products list --site A -o json', { env });
  expect(JSON.parse(out)).toMatchObject([
    {
      sku: 'S',
      no_commission: true,
      maxQuantity: 3,
      commission: { no_rebill_commission: false },
      contracts: { contract: [{ id: 7, status: 'ACTIVE' }] },
      pricings: { pricing: [{ recurring: { pre_rebill_leadtime: 5, frequencyValue: 10 } }] },
    },
  ]);
});

test('shows returns of a subscription as numbers and its trial period as text', async () => {
  const row = '{"receipt":"A1","returnAmount":"4.50","returnCount":"1","trialPeriod":"14 DAYS"}';
  const { env } = await serve((reply) => reply.end(`{"totalCount":"1","data":{"row":${row}}}`));
  const line = 'analytics subscriptions list --role VENDOR --account A';
  const { out } = await home().cb(`${line} -o ndjson`, { env });
  expect(out).toContain('"returnAmount":4.50,"returnCount":1');
  expect(out).toContain('"trialPeriod":"14 DAYS"');
});

test('writes up to 20,000 different fields as columns, and ends with exit code 5 for more', async () => {
  const rows = (count: number) =>
    `{"orderData":[${[0, 1, 2].map((row) => {
      const size = Math.floor(count / 3);
      const each = Array.from({ length: size }, (_, i) => `"f${row * size + i}":"x"`);
      return `{"receipt":"A${row}",${each}}`;
    })}]}`;
  const wide = await serving(rows(18_000));
  const { code, out } = await wide.cb('-o csv');
  expect(code).toBe(0);
  expect(out.split('\n', 1)[0]?.split(',').length).toBeGreaterThan(18_000);
  const wider = await serving(rows(24_000));
  expectExit(await wider.cb('-o csv'), 5, /more than 20000 different fields.*--fields/s, '');
});

test('writes items as columns without a header, and notes items that have no column', async () => {
  const at = await sandboxHome();
  const fields = '--fields receipt,lineItemData.itemNo --spread lineItemData:1 --no-header';
  const { code, out, err } = await at.cb(`--sandbox orders get CART0003 -o csv ${fields}`);
  expect(code).toBe(0);
  expect(out).toMatch(/^CART0003,3,[^,\n]+\n/);
  expect(err).toMatch(/more than 1 element\. Use --spread lineItemData:3 to keep all/);
});

test.each([
  ['orders list', 'paymentMethod\tPayment method\ttext'],
  ['orders list', 'youEarn\tYou earn\tnumber'],
  ['summary --by day', 'day\tDay\tday'],
  ['summary', 'metric\tMetric\ttext'],
  ['sync status', 'oldestRefresh\tOldest refresh\ttime'],
  ['doctor', 'check\tCheck\ttext'],
  ['ins verify', 'check\tCheck\ttext'],
  ['ins list', 'receipt\tReceipt\ttext'],
  ['ins secrets list', 'keptIn\tStored in\ttext'],
  ['ins reconcile', 'problem\tProblem\ttext'],
  ['sync', 'account\tAccount\ttext'],
  ['metrics mrr', 'mrr\tMRR\tnumber'],
])('cb %s --fields help lists the columns without a request or a key', async (line, row) => {
  const { code, out, err } = await home().cb(`${line} --fields help`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^field\theading\ttype\n/);
  expect(out).toContain(`\n${row}\n`);
});

test('says below a table or card that columns are left out, once in each session of a terminal', async () => {
  const { env } = await serve((reply) => reply.end(paid.replace('}}', ',"country":"US"}}')));
  const { cb } = home();
  const listed = async (session?: string) =>
    asOneLine((await cb('orders list --period today', { env, columns: 40, session })).err);
  const said = /columns are not shown\. List them with --fields help, or use -o json\. ?$/;
  expect(await listed('1')).toMatch(said);
  expect(await listed('1')).not.toMatch(said);
  expect(await listed('2')).toMatch(said);
  expect(await listed()).toMatch(said);
  expect(await listed()).toMatch(said);
  const card = await (await sandboxHome()).cb('--sandbox tickets get 1001', { columns: 80 });
  expect(card.err).toBe('1 column is not shown. Use -o json.\n');
});
