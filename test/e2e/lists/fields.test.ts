/** --fields, --expand and --spread: names in any case, headings, correct spellings, and names only the response knows. */
import { describe, expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

async function serving(body: string) {
  const server = await serve((reply) => reply.end(body));
  const { env } = server;
  const { cb } = home();
  return { server, cb: (line: string) => cb(`orders list --period today ${line}`, { env }) };
}

const order =
  '{"orderData":{"receipt":"A1","loyalty":{"points":"5"},"gifts":[{"name":"mug"},{"name":"pen"}]}}';

describe('A field can be named', () => {
  const paid = '{"orderData":{"receipt":"A1","paytmentMethod":"VISA","totalOrderAmount":"9.50"}}';
  test.each([
    ['in any case', '-o tsv --fields RECEIPT,paymentmethod', 'receipt\tpaymentMethod\nA1\tVISA\n'],
    [
      'by its heading',
      "-o tsv --fields 'Payment method,Amount'",
      'paymentMethod\ttotalOrderAmount\nVISA\t9.50\n',
    ],
    ['in its correct spelling', '-o csv --fields paymentMethod', 'paymentMethod\nVISA\n'],
    ['as ClickBank misspells it', '-o csv --fields paytmentMethod', 'paymentMethod\nVISA\n'],
    ['with --columns', '-o csv --columns receipt', 'receipt\nA1\n'],
  ])('%s', async (_, line, out) => {
    const { cb } = await serving(paid);
    expect(await cb(line)).toMatchObject({ code: 0, out });
  });

  test('in its correct spelling, while JSON keeps the name that ClickBank sent', async () => {
    const { cb } = await serving(paid);
    const { out } = await cb('-o json --fields paymentMethod');
    expect(JSON.parse(out)).toEqual([{ paytmentMethod: 'VISA' }]);
  });

  test('in any case for --expand and --spread', async () => {
    const { cb } = await serving('{"orderData":{"receipt":"A1","lineItemData":{"itemNo":"7"}}}');
    const expanded = await cb('-o tsv --expand LineItemData --fields receipt,lineitemdata.itemno');
    expect(expanded.out).toBe('receipt\tlineItemData.itemNo\nA1\t7\n');
    const spread = await cb('-o tsv --spread lineitemdata:1 --fields receipt,lineItemData.itemNo');
    expect(spread.out).toBe('receipt\tlineItemData.count\tlineItemData.1.itemNo\nA1\t1\t7\n');
  });
});

test('spells paymentMethod correctly in the csv header if no fields are chosen', async () => {
  const { cb } = await serving('{"orderData":{"receipt":"A1"}}');
  const [header] = (await cb('-o csv')).out.split('\n');
  expect(header?.split(',')).toContain('paymentMethod');
  expect(header).not.toContain('paytmentMethod');
});

test('prints headings as words in sentence case', async () => {
  const { cb } = await serving(
    '{"orderData":{"receipt":"A1","trackingId":"t","paytmentMethod":"VISA","email":"a@b.c","SALE_COUNT":"1"}}',
  );
  const { out } = await cb('-o table --fields receipt,trackingId,paymentMethod,email,SALE_COUNT');
  expect(out.split('\n', 1)[0]).toMatch(
    /^Receipt +Tracking ID {2}Payment method {2}Email {2}Sale count$/,
  );
});

describe('A name that only the response knows', () => {
  test.each([
    ['-o csv --fields receipt,loyalty.points', 'receipt,loyalty.points\nA1,5\n'],
    ['-o ndjson --fields loyalty', '{"loyalty":{"points":"5"}}\n'],
    ['-o csv --expand gifts --fields receipt,gifts.name', 'receipt,gifts.name\nA1,mug\nA1,pen\n'],
    [
      '-o csv --spread gifts:2 --fields receipt,gifts',
      'receipt,gifts.count,gifts.1.name,gifts.2.name\nA1,2,mug,pen\n',
    ],
  ])('is shown: %s', async (line, expected) => {
    const { cb } = await serving(order);
    expect(await cb(line)).toMatchObject({ code: 0, out: expected });
  });
});

describe('A name that neither cb nor the response knows', () => {
  const formats = ['json', 'ndjson', 'csv', 'tsv', 'table'];
  test.each([
    ...formats.map((format) => [`-o ${format} --fields receipt,nothing`, '--fields', 'nothing']),
    ...formats.map((format) => [`-o ${format} --expand nothing`, '--expand', 'nothing']),
    ['-o csv --spread nothing', '--spread', 'nothing'],
    ['--out orders.csv --fields nothing', '--fields', 'nothing'],
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

  test.each([
    ['-o json --fields nothing', '[]\n'],
    ['-o csv --fields nothing', 'nothing\n'],
    ['-o csv --expand nothing --fields receipt', 'receipt\n'],
    [
      '-o csv --spread nothing --fields receipt,nothing',
      'receipt,nothing.count,nothing.1,nothing.2,nothing.3\n',
    ],
  ])('is accepted if there are no rows to check it against: %s', async (line, expected) => {
    const { cb } = await serving('null');
    expect(await cb(line)).toMatchObject({ code: 0, out: expected });
  });
});

test.each(['--expand receipt', '-o csv --spread totalOrderAmount'])(
  'rejects a known field that is not a list before sending anything: %s',
  async (line) => {
    const { cb, server } = await serving(order);
    const { code, err } = await cb(line);
    expect(code).toBe(2);
    expect(err).toMatch(/'\w+' is not a list\..*lineItemData/s);
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
  expect(await wider.cb('-o csv')).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringMatching(/more than 20000 different fields.*--fields/s),
  });
});
