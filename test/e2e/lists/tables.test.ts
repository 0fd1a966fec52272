/** What people see of the lists on terminals of several widths, and that machine formats are as ClickBank sent them. */
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import type { Arguments, Operation } from '../../../src/operations/operation.ts';
import { orders } from '../../../src/operations/orders.ts';
import { products } from '../../../src/operations/products.ts';
import { quickstats } from '../../../src/operations/quickstats.ts';
import { shipping3 } from '../../../src/operations/shipping.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { toJson, type Value } from '../../../src/output/rows/rows.ts';
import { type Home, home, sandboxHome } from '../../support/cb.ts';
import { clientOf } from '../../support/client.ts';
import { jsonLines } from '../../support/lines.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { isLong } from '../../support/tier.ts';

const env = { NO_COLOR: '1', LANG: 'C.UTF-8' };
const zone = 'Europe/Berlin';

/** The table of a command on a terminal of this width. */
async function screen({ cb }: Home, line: string, columns: number, more = {}): Promise<string> {
  const ran = await cb(line, { columns, zone, env: { ...env, ...more } });
  expect({ line, code: ran.code }).toEqual({ line, code: 0 });
  return ran.out;
}

const linesOf = (text: string) => text.split('\n');

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

describe('On a terminal', () => {
  test.each(screens)('shows the golden screens of %s', async (name, line) => {
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

  test.runIf(isLong)('keeps each line within every width from 40 to 200', async () => {
    const { env: served } = await serveSandbox({ orders: 300 });
    for (const [, line] of screens) {
      for (let width = 40; width <= 200; width += 7) {
        expectWithin(width, await screen(home(), line, width, served));
      }
    }
  });
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
  const wide = linesOf(text).filter((line) => stringWidth(line) > width);
  expect({ width, wide }).toEqual({ width, wide: [] });
}

describe('The key of an affiliate', () => {
  test('shows what the affiliate earns before what the customer paid', async () => {
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
    for (const header of linesOf(text).filter((line) => line.includes('Customer paid'))) {
      if (header.includes('Receipt ') && header.includes('Type')) {
        expect(header.indexOf('You earn')).toBeLessThan(header.indexOf('Customer paid'));
      }
    }
    expect(text).not.toMatch(/ Amount/);
    await expect(text).toMatchFileSnapshot('../../golden/tables/affiliate.txt');
  });
});

describe('Machine formats', () => {
  const lists: readonly (readonly [line: string, operation: Operation, args: Arguments])[] = [
    [
      'orders list --period last-30-days',
      orders.list,
      { startDate: '2026-02-17', endDate: '2026-03-18' },
    ],
    ['tickets list', tickets.list, {}],
    ['ship list', shipping3.list, {}],
    ['products list --site GREENLEAF', products.list, { site: 'GREENLEAF' }],
    ['orders get MONTHLY1', orders.get, { receipt: 'MONTHLY1' }],
  ];

  test.each(lists)('prints the rows of cb %s as sent', async (line, operation, args) => {
    const { env: served, sandbox, key } = await serveSandbox({ orders: 300 });
    const rows = await rowsOf(sandbox.url, key, operation, args);
    expect(rows.length).toBeGreaterThan(1);
    const json = await home().cb(`${line} -o json`, { env: served });
    expect(json.out).toBe(`${toJson(rows, 2)}\n`);
    const overXml = await home().cb(`${line} -o json --wire xml`, { env: served });
    expect(overXml.out).toBe(json.out);
    const lines = await home().cb(`${line} -o ndjson`, { env: served });
    expect(lines.out).toBe(rows.map((row) => `${toJson(row)}\n`).join(''));
    const raw = line.startsWith('orders list') ? ' --layout raw' : '';
    for (const format of [`csv${raw}`, 'tsv']) {
      const { out } = await home().cb(`${line} -o ${format}`, { env: served });
      const names = linesOf(out)[0]?.split(/[,\t]/) ?? [];
      const computed = ['youEarn', 'customerPaid', 'product', 'age', 'customer', 'price', 'item'];
      expect(names.filter((name) => computed.includes(name))).toEqual([]);
    }
  });

  test('prints a quickstats row for each day and account, with a plain date', async () => {
    const { env: served, sandbox, key } = await serveSandbox({ orders: 300 });
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
    const { out } = await home().cb(`${line} -o json`, { env: served });
    expect(out).toBe(`${toJson(sent, 2)}\n`);
    const tsv = await home().cb(line, { env: served });
    expect(linesOf(tsv.out)[1]).toMatch(/^2026-03-1\d\t/);
    const csv = await home().cb(`${line} -o csv`, { env: served });
    expect(linesOf(csv.out)[1]).toMatch(/^2026-03-1\d,/);
    const raw = await home().cb(`${line} --raw`, { env: served });
    expect(raw.out).toContain('T00:00:00-07:00');
  });
});

async function rowsOf(url: string, key: string, operation: Operation, args: Arguments) {
  const client = clientOf(url, { apiKey: key });
  const rows: Value[] = [];
  const options = { numbers: 'exact' } as const;
  if (operation.returns.kind !== 'pages') {
    return (await client.call(operation, args, options)) as Value[];
  }
  for await (const page of client.pages(operation, args, options)) {
    rows.push(...(page.rows as Value[]));
  }
  return rows;
}

describe('Computed fields', () => {
  test('can be chosen in every format', async () => {
    const at = await sandboxHome(300);
    const line = '--sandbox orders get CART0003 --fields receipt,customerPaid,youEarn,product';
    const row = ['CART0003', '55.90 USD', '24.34', 'Starter Kit: Soil +2'];
    expect((await at.cb(`${line} -o json`)).out).toContain('"youEarn": 24.34');
    expect((await at.cb(`${line} -o csv`)).out).toBe(
      `receipt,customerPaid,youEarn,product\n${row.join(',')}\n`,
    );
    expect((await at.cb(`${line} -o tsv`)).out).toContain(row.join('\t'));
    expect((await at.cb(`${line} -o ndjson`)).out).toBe(
      '{"receipt":"CART0003","customerPaid":"55.90 USD","youEarn":24.34,"product":"Starter Kit: Soil +2"}\n',
    );
    expect(linesOf((await at.cb(`${line} -o table`)).out).slice(0, 4)).toEqual([
      'Receipt        CART0003',
      'Customer paid  55.90 USD',
      'You earn       24.34',
      'Product        Starter Kit: Soil +2',
    ]);
    const named = await at.cb("--sandbox orders get CART0003 --fields 'You earn' -o tsv");
    expect(named.out).toBe('youEarn\n24.34\n');
  });

  test('are those of the item if the items are expanded', async () => {
    const at = await sandboxHome(300);
    const fields = 'lineItemData.itemNo,customerPaid,youEarn,product,lineItemData.accountAmount';
    const { out } = await at.cb(
      `--sandbox orders get CART0003 --expand lineItemData --fields ${fields} -o ndjson`,
    );
    const rows = jsonLines(out);
    expect(rows).toHaveLength(3);
    for (const { youEarn, lineItemData } of rows) expect(youEarn).toBe(lineItemData.accountAmount);
    expect(addDecimals(rows.map(({ youEarn }) => String(youEarn)))).toBe('24.34');
  });

  test.each([
    ['orders list --period last-30-days', 'youEarn', (row: never) => Number(row)],
    ['orders list --period last-30-days', 'customerPaid', (row: string) => Number.parseFloat(row)],
    ['products list --site GREENLEAF', 'price', (row: string) => Number.parseFloat(row)],
  ])('sort cb %s by %s as numbers', async (line, field, read) => {
    const at = await sandboxHome(300);
    const { out } = await at.cb(`--sandbox ${line} --sort ${field}:desc --fields ${field} -o json`);
    const values = (JSON.parse(out) as Record<string, never>[])
      .map((row) => row[field])
      .filter((value) => value !== undefined)
      .map(read);
    expect(values.length).toBeGreaterThan(5);
    expect(values).toEqual([...values].sort((one, other) => other - one));
  });

  test('sort tickets by when they expire, the ones that never do last', async () => {
    const at = await sandboxHome(300);
    const { out } = await at.cb(
      '--sandbox tickets list --sort expiresIn --fields expiresIn,expirationDate,status -o json',
    );
    const rows: { expiresIn?: string; expirationDate: string | null; status: string }[] =
      JSON.parse(out);
    const due = rows.filter(({ expiresIn }) => expiresIn !== undefined);
    expect(due.length).toBeGreaterThan(0);
    expect(rows.slice(0, due.length)).toEqual(due);
    const times = due.map(({ expirationDate }) => Date.parse(expirationDate ?? ''));
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(due.every(({ status }) => status !== 'CLOSED')).toBe(true);
  });
});

test('measures the age of a ticket by the clock of the service, without another request', async () => {
  const line = 'tickets list --fields ticketid,age,expiresIn -o ndjson';
  const { env: served, sandbox } = await serveSandbox();
  const before = await home().cb(line, { env: served });
  await sandbox.advance(3 * 86_400);
  const sent = sandbox.requests.length;
  const after = await home().cb(line, { env: served });
  expect(sandbox.requests).toHaveLength(sent + 1);
  const ageOf = (out: string) => jsonLines(out).find(({ ticketid }) => ticketid === 1001).age;
  expect(ageOf(before.out)).toBe('5 h');
  expect(ageOf(after.out)).toBe('3 d');
});
