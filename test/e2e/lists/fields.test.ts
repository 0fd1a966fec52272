/** --fields, --expand and --spread: names in any case, headings, correct spellings, and names only the response knows. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { asOneLine, expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';

async function serving(body: string) {
  const { cb, asked } = await servedHome((reply) => reply.end(body));
  return { asked, cb: (line: string) => cb(`orders list --period today ${line}`) };
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
  ['-o csv --expand LineItemData --fields lineitemdata.itemno', item, 'lineItemData.itemNo\n7\n'],
  [
    '-o csv --spread lineitemdata:1 --fields lineItemData.itemNo',
    item,
    'lineItemData.count,lineItemData.1.itemNo\n1,7\n',
  ],
  // Names that only the response knows.
  ['-o csv --fields receipt,loyalty.points', order, 'receipt,loyalty.points\nA1,5\n'],
  ['-o ndjson --fields loyalty', order, '{"loyalty":{"points":"5"}}\n'],
  ['-o csv --expand gifts --fields gifts.name', order, 'gifts.name\nmug\npen\n'],
  [
    '-o csv --spread gifts:2 --fields gifts',
    order,
    'gifts.count,gifts.1.name,gifts.2.name\n2,mug,pen\n',
  ],
  // Without rows, no name can be checked.
  ['-o json --fields nothing', 'null', '[]\n'],
  ['-o csv --fields nothing', 'null', 'nothing\n'],
  ['-o csv --expand nothing --fields receipt', 'null', 'receipt\n'],
  [
    '-o csv --spread nothing --fields nothing',
    'null',
    'nothing.count,nothing.1,nothing.2,nothing.3\n',
  ],
  // Separated with these characters.
  ...[';', '|', '\t'].map((mark): [string, string, string] => [
    `-o csv --delimiter '${mark}' --fields receipt,paymentMethod`,
    paid,
    `receipt${mark}paymentMethod\nA1${mark}VISA\n`,
  ]),
])('finds the fields that a person names: %s in %s', async (line, body, out) => {
  const { cb } = await serving(body);
  expect(await cb(line)).toMatchObject({ code: 0, out });
});

const formats = ['json', 'ndjson', 'csv', 'tsv', 'table'];

test.each([
  ...formats.map((format) => [`-o ${format} --fields receipt,nothing`, "field 'nothing'"]),
  ...formats.map((format) => [`-o ${format} --expand nothing`, "list 'nothing'"]),
  ['-o csv --spread nothing', "list 'nothing'"],
  ['--out orders.csv --fields nothing', "field 'nothing'"],
  // Names that every object has.
  ...['constructor', '__proto__'].map((name) => [`--fields ${name}`, `field '${name}'`]),
])('refuses an unknown name after the read, without output: %s', async (line, what) => {
  const { cb, asked } = await serving(order);
  const [flag] = /--(?:fields|expand|spread)/.exec(line) ?? [];
  expectExit(await cb(line), 2, `Unknown ${what} in ${flag}.`, '');
  expect(asked.filter(({ url }) => !url.includes('/count'))).toHaveLength(1);
});

test.each([
  ['--fields reciept', 'Did you mean receipt?'],
  ['--fields Recipt', 'Did you mean receipt?'],
  ['--fields lineItemData.itmNo', 'Did you mean lineItemData.itemNo?'],
  ['--sort date', 'Did you mean transactionTime?'],
  ['--columns paymntMethod', 'Did you mean paymentMethod?'],
  ['-o csv --spread lineItemDate', 'Did you mean lineItemData?'],
  ['--fields nothing', 'Use -o json to see all fields.'],
])('suggests what resembles an unknown name, or how to see all: %s', async (line, hint) => {
  const { cb } = await serving(order);
  const { err } = await cb(line);
  expect(err).toContain(hint);
  expect(err.match(/Did you mean|-o json/g)).toHaveLength(1);
});

test.each(['--expand receipt', '-o csv --spread totalOrderAmount'])(
  'refuses a field that is not a list before it sends anything: %s',
  async (line) => {
    const { cb, asked } = await serving(order);
    expectExit(await cb(line), 2, /'\w+' is not a list\..*lineItemData/s);
    expect(asked).toEqual([]);
  },
);

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
  const ran = await at.cb(`--sandbox orders get CART0003 -o csv ${fields}`);
  expectExit(ran, 0, 'more than 1 element. Use --spread lineItemData:3 to keep all');
  expect(ran.out).toMatch(/^CART0003,3,[^,\n]+\n/);
});

test.each([
  ['orders list', 'paymentMethod\tPayment method\ttext'],
  ['orders list', 'youEarn\tYou earn\tnumber'],
  ['orders list --layout accounting', 'fees\tFees\tnumber'],
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
  const row = paid.replace('}}', ',"country":"US"}}');
  const { cb } = await servedHome((reply) => reply.end(row));
  const listed = async (session?: string) =>
    asOneLine((await cb('orders list --period today', { columns: 40, session })).err);
  const said = /columns are not shown\. List them with --fields help, or use -o json\. ?$/;
  expect(await listed('1')).toMatch(said);
  expect(await listed('1')).not.toMatch(said);
  expect(await listed('2')).toMatch(said);
  expect(await listed()).toMatch(said);
  expect(await listed()).toMatch(said);
  const card = await (await sandboxHome()).cb('--sandbox tickets get 1001', { columns: 80 });
  expect(card.err).toBe('1 column is not shown. Use -o json.\n');
});
