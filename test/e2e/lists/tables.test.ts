/** What people see of the lists on terminals of several widths, and that machine formats are as ClickBank sent them. */
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import type { Arguments, Operation } from '../../../src/operations/operation.ts';
import { orders } from '../../../src/operations/orders.ts';
import { products } from '../../../src/operations/products.ts';
import { quickstats } from '../../../src/operations/quickstats.ts';
import { shipping3 } from '../../../src/operations/shipping.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { toJson, type Value } from '../../../src/output/rows/rows.ts';
import { type Home, home, sandboxHome } from '../../support/cb.ts';
import { clientOf, listed } from '../../support/client.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { sandboxJson, servedShop, serveSandbox } from '../../support/sandbox.ts';
import { isLong } from '../../support/tier.ts';

const env = { NO_COLOR: '1', LANG: 'C.UTF-8' };
const zone = 'Europe/Berlin';

/** The table of a command on a terminal of this width. */
async function screen({ cb }: Home, line: string, columns: number, more = {}): Promise<string> {
  const ran = await cb(line, { columns, zone, env: { ...env, ...more } });
  expect({ line, code: ran.code }).toEqual({ line, code: 0 });
  return ran.out;
}

/** With a chargeback, and a day on which an account lost money. */
const days = '--start-date 2026-03-14 --end-date 2026-03-16';

const screens = [
  ['orders', 'orders list --period last-7-days --limit 6'],
  ['tickets', 'tickets list --limit 5'],
  ['ship', 'ship list --limit 3'],
  ['products', 'products list --site COOKWELL'],
  ['quickstats', `quickstats list ${days}`],
  ['quickstats-account', `quickstats list ${days} --account GREENLEAF`],
  ['order', 'orders get CART0003 CHARGE01'],
  [
    'subscriptions',
    'analytics subscriptions by-status --status ACTIVE --role VENDOR --account GREENLEAF --limit 3',
  ],
  [
    'dimension',
    'analytics dimension PRODUCT_SKU --role VENDOR --account GREENLEAF --period 2026-02 --limit 2',
  ],
  ['order-items', 'orders list --period last-3-days --expand lineItemData --limit 4'],
] as const;

test.each(screens)('shows the golden screens of %s on terminals', async (name, line) => {
  const at = await sandboxHome(5000);
  let text = '';
  let before = '';
  for (const width of [40, 60, 80, 120, 160]) {
    const shown = await screen(at, `--sandbox ${line}`, width);
    expectWithin(width, shown);
    const news = shown === before ? 'The same.\n' : shown;
    text += `== ${width} columns: cb ${line}\n${news}\n`;
    before = shown;
  }
  await expect(text).toMatchFileSnapshot(`../../golden/tables/${name}.txt`);
});

test.runIf(isLong)('keeps each line within every width of a terminal from 40 to 200', async () => {
  const { env: served } = await serveSandbox({ orders: 300 });
  for (const [, line] of screens) {
    for (let width = 40; width <= 200; width += 7) {
      expectWithin(width, await screen(home(), line, width, served));
    }
  }
});

test('shows statuses, comments and what is counted in words on 60 columns', async () => {
  const at = await sandboxHome(900);
  const list = await screen(at, '--sandbox tickets list --period last-30-days', 60);
  expect(list).toMatch(/^1005 .* REOPENED +UPSELL01$/m);
  const ticket = await screen(at, '--sandbox tickets get 1005', 60);
  expect(ticket.replaceAll(/\s+/g, ' ')).toContain('CUSTOMER The link in the mail does not work.');
  expectWithin(60, list + ticket);
  const refunds = await screen(at, '--sandbox orders list --type refund --period last-90-days', 60);
  const fees = await screen(at, '--sandbox orders list --type fee --period last-90-days', 60);
  expect(fees).toMatch(/^.* CHARGE01 +FEE +Fee -22\.00 USD/m);
  expect(fees).toMatch(/^\d+ fees$/m);
  expect(refunds).toMatch(/^\d+ refunds; you earn -[\d.,]+ USD; paid back /m);
  const refunded = await screen(at, '--sandbox orders get REFUND01', 80);
  expect(refunded).toMatch(/^.* Sale +REFUND01 +37\.00 USD .* refunded$/m);
});

function expectWithin(width: number, text: string): void {
  const wide = text.split('\n').filter((line) => stringWidth(line) > width);
  expect({ width, wide }).toEqual({ width, wide: [] });
}

test('shows to an affiliate what the affiliate earns before what the customer paid', async () => {
  const { env: served } = await serveSandbox({ orders: 900, keyName: 'affiliate' });
  let text = '';
  for (const [line, widths] of [
    ['orders list --period last-30-days --limit 7', [40, 80, 120]],
    ['orders get MONTHLY1', [40, 80]],
  ] as const) {
    for (const width of widths) {
      text += `== ${width} columns: cb ${line}\n${await screen(home(), line, width, served)}\n`;
    }
  }
  for (const [, before] of text.matchAll(/^(?=.*Receipt )(?=.*Type)(.*)Customer paid/gm)) {
    expect(before).toContain('You earn');
  }
  expect(text).not.toMatch(/ Amount/);
  await expect(text).toMatchFileSnapshot('../../golden/tables/affiliate.txt');
});

const lastDays = { startDate: '2026-02-17', endDate: '2026-03-18' };

const lists: readonly (readonly [line: string, operation: Operation, args: Arguments])[] = [
  ['orders list --period last-30-days', orders.list, lastDays],
  ['tickets list', tickets.list, {}],
  ['ship list', shipping3.list, {}],
  ['products list --site GREENLEAF', products.list, { site: 'GREENLEAF' }],
  ['orders get MONTHLY1', orders.get, { receipt: 'MONTHLY1' }],
];

test.each(lists)('prints the rows of cb %s as sent', async (line, operation, args) => {
  const { cb, sandbox, key } = await servedShop({ orders: 300 });
  const rows = await rowsOf(sandbox.url, key, operation, args);
  expect(rows.length).toBeGreaterThan(1);
  const json = await cb(`${line} -o json`);
  expect(json.out).toBe(`${toJson(rows, 2)}\n`);
  expect((await cb(`${line} -o json --wire xml`)).out).toBe(json.out);
  const lines = await cb(`${line} -o ndjson`);
  expect(lines.out).toBe(rows.map((row) => `${toJson(row)}\n`).join(''));
  const raw = line.startsWith('orders list') ? ' --layout raw' : '';
  for (const format of [`csv${raw}`, 'tsv']) {
    const { out } = await cb(`${line} -o ${format}`);
    const names = linesOf(out)[0]?.split(/[,\t]/) ?? [];
    const computed = ['youEarn', 'customerPaid', 'product', 'age', 'customer', 'price', 'item'];
    expect(names.filter((name) => computed.includes(name))).toEqual([]);
  }
});

test('prints a quickstats row for each day and account, with a plain date', async () => {
  const { cb, sandbox, key } = await servedShop({ orders: 300 });
  const args = { startDate: '2026-03-12', endDate: '2026-03-18' };
  const accounts = await rowsOf(sandbox.url, key, quickstats.list, args);
  const sent = (accounts as { nickName: string; quickStats: Record<string, Value>[] }[]).flatMap(
    ({ nickName, quickStats }) =>
      quickStats.map(({ quickStatDate, ...figures }) => {
        expect(quickStatDate).toMatch(/^2026-03-1\dT00:00:00-07:00$/);
        return { quickStatDate: String(quickStatDate).slice(0, 10), nickName, ...figures };
      }),
  );
  const line = 'quickstats list --period last-7-days';
  expect((await cb(`${line} -o json`)).out).toBe(`${toJson(sent, 2)}\n`);
  expect(linesOf((await cb(line)).out)[1]).toMatch(/^2026-03-1\d\t/);
  expect(linesOf((await cb(`${line} -o csv`)).out)[1]).toMatch(/^2026-03-1\d,/);
  expect((await cb(`${line} --raw`)).out).toContain('T00:00:00-07:00');
});

async function rowsOf(url: string, key: string, operation: Operation, args: Arguments) {
  const client = clientOf(url, { apiKey: key });
  const options = { numbers: 'exact' } as const;
  const isPaged = operation.returns.kind === 'pages';
  const rows = isPaged
    ? await listed(client.pages(operation, args, options))
    : await client.call(operation, args, options);
  return rows as Value[];
}

test('writes computed fields that are chosen in every format, and those of each item if the items are expanded', async () => {
  const at = await sandboxHome(300);
  const fields = 'receipt,customerPaid,youEarn,product';
  const shown = async (format: string, chosen = fields) =>
    (await at.cb(`--sandbox orders get CART0003 --fields ${chosen} -o ${format}`)).out;
  const row = ['CART0003', '55.90 USD', '24.34', 'Starter Kit: Soil +2'];
  expect(await shown('json')).toContain('"youEarn": 24.34');
  expect(await shown('csv')).toBe(`${fields}\n${row.join(',')}\n`);
  expect(await shown('tsv')).toContain(row.join('\t'));
  expect(await shown('ndjson')).toBe(
    '{"receipt":"CART0003","customerPaid":"55.90 USD","youEarn":24.34,"product":"Starter Kit: Soil +2"}\n',
  );
  expect(linesOf(await shown('table')).slice(0, 4)).toEqual([
    'Receipt        CART0003',
    'Customer paid  55.90 USD',
    'You earn       24.34',
    'Product        Starter Kit: Soil +2',
  ]);
  expect(await shown('tsv', "'You earn'")).toBe('youEarn\n24.34\n');
  const ofItems = `lineItemData.itemNo,${fields},lineItemData.accountAmount`;
  const line = `orders get CART0003 --expand lineItemData --fields ${ofItems}`;
  const rows: Record<string, Record<string, unknown>>[] = await sandboxJson(at, line);
  expect(rows).toHaveLength(3);
  for (const { youEarn, lineItemData } of rows) expect(youEarn).toBe(lineItemData?.accountAmount);
  expect(addDecimals(rows.map(({ youEarn }) => String(youEarn)))).toBe('24.34');
});

test.each([
  ['orders list --period last-30-days', 'youEarn'],
  ['orders list --period last-30-days', 'customerPaid'],
  ['products list --site GREENLEAF', 'price'],
])('sorts cb %s by %s as numbers', async (list, field) => {
  const line = `${list} --sort ${field}:desc --fields ${field}`;
  const rows: Record<string, string>[] = await sandboxJson(await sandboxHome(300), line);
  const shown = rows.flatMap((row) => row[field] ?? []);
  const values = shown.map((value) => Number.parseFloat(value));
  expect(values.length).toBeGreaterThan(5);
  expect(values).toEqual([...values].sort((one, other) => other - one));
});

test('sorts tickets by when they expire, the ones that never do last', async () => {
  const at = await sandboxHome(300);
  const line = 'tickets list --sort expiresIn --fields expiresIn,expirationDate,status';
  const rows: { expiresIn?: string; expirationDate: string | null; status: string }[] =
    await sandboxJson(at, line);
  const due = rows.filter(({ expiresIn }) => expiresIn !== undefined);
  expect(due.length).toBeGreaterThan(0);
  expect(rows.slice(0, due.length)).toEqual(due);
  const times = due.map(({ expirationDate }) => Date.parse(expirationDate ?? ''));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(due.every(({ status }) => status !== 'CLOSED')).toBe(true);
});

test('measures the age of a ticket by the clock of the service, without another request', async () => {
  const line = 'tickets list --fields ticketid,age,expiresIn -o ndjson';
  const { cb, sandbox } = await servedShop();
  const before = await cb(line);
  await sandbox.advance(3 * 86_400);
  const sent = sandbox.requests.length;
  const after = await cb(line);
  expect(sandbox.requests).toHaveLength(sent + 1);
  const ageOf = (out: string) => jsonLines(out).find(({ ticketid }) => ticketid === 1001).age;
  expect(ageOf(before.out)).toBe('5 h');
  expect(ageOf(after.out)).toBe('3 d');
});
