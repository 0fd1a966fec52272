/** `-o xlsx`, `--layout` and `--dates`: workbooks that open without repair, columns that are a contract, and times that are dates. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import {
  accountingLayout,
  itemsLayout,
  ordersLayout,
} from '../../../src/features/lists/order-layouts.ts';
import { order } from '../../../src/operations/orders.ts';
import type { Row } from '../../../src/output/rows/rows.ts';
import { emptyHome, cb as program } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';
import { openLedger } from '../../support/shop.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { readWorkbook } from '../../support/workbook.ts';

const february = 'orders list --period 2026-02';

test('obeys the options that select rows and columns', async () => {
  const at = await sandboxHome();
  const written = async (options: string) => {
    expect((await at.cb(`--sandbox ${february} ${options} --out list.xlsx`)).code).toBe(0);
    return readWorkbook(join(at.folder, 'list.xlsx'));
  };
  const fields = ['receipt', 'totalOrderAmount', 'titles'];
  const sheets = await written(`--fields ${fields} --sort totalOrderAmount:desc --limit 3`);
  expect([...sheets.keys()]).toEqual(['Orders', 'Totals']);
  const rows = sheets.get('Orders') ?? [];
  expect(rows.map((row) => Object.keys(row))).toEqual(Array(3).fill(fields));
  const amounts = rows.map(({ totalOrderAmount }) => Number(totalOrderAmount));
  expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));

  const [[, asked] = ['', []]] = await written('--query [].{receipt:receipt}');
  expect(asked.length).toBeGreaterThan(20);
  expect(Object.keys(asked[0] ?? {})).toEqual(['receipt']);

  // The amounts of an order stand in the row of each of its items, so they are not added up.
  const items = await written('--expand lineItemData');
  expect([...items.keys()]).toEqual(['Orders']);
});

test('adds up the amounts of a summary and of subscriptions, but no rates, averages and changes', async () => {
  const at = await sandboxHome();
  const summed = async (line: string) => {
    expect((await at.cb(`--sandbox ${line} --out z.xlsx`)).code).toBe(0);
    const totals = readWorkbook(join(at.folder, 'z.xlsx')).get('Totals') ?? [];
    return totals.map(({ amount }) => amount);
  };
  expect(await summed('summary --by product')).toEqual([
    ...['earned', 'refunded', 'chargedBack', 'net', 'comparedEarned', 'previousEarned'],
  ]);
  const of = '--role VENDOR --account GREENLEAF';
  expect(await summed(`analytics subscriptions canceled-30 ${of}`)).toContain('subValue');
});

test('adds up once what a customer paid, and counts a refund once, also if two of the accounts share it, in every layout', async () => {
  const { cb, folder } = await sandboxHome();
  const totalsOf = async (line: string, says: unknown) => {
    expect(await cb(`${line} --out z.xlsx`)).toMatchObject({ code: 0, err: says });
    return readWorkbook(join(folder, 'z.xlsx')).get('Totals') ?? [];
  };
  const totalOf = async (profiles: string, field: string, says = '') => {
    const totals = await totalsOf(`${february} --type SALE --profile ${profiles}`, says);
    const found = totals.find(({ amount, currency }) => amount === field && currency === 'USD');
    return Number(found?.total);
  };
  const one = 'sandbox:vendor';
  const both = 'sandbox:vendor,sandbox:affiliate --vendor GREENLEAF';
  expect(await totalOf(both, 'totalOrderAmount')).toBe(await totalOf(one, 'totalOrderAmount'));
  expect(await totalOf(both, 'youEarn')).toBeGreaterThan(await totalOf(one, 'youEarn'));
  // The second key lists the shares that the first one leaves out without --layout accounting.
  const note = 'note: The rows of TOPAFF1 are listed once for each profile that can read them.\n';
  const earned = await totalOf('sandbox --layout accounting', 'youEarn');
  for (const layout of ['orders', 'accounting', 'raw --fields receipt,youEarn']) {
    const line = `sandbox,sandbox:affiliate --layout ${layout}`;
    expect([layout, await totalOf(line, 'youEarn', note)]).toEqual([layout, earned]);
  }
  const returns = '--sandbox orders list --period last-12-months --type RFND,CGBK,FEE --layout';
  const notesOf = async (layout: string, says: unknown = '') =>
    (await totalsOf(`${returns} ${layout}`, says)).map(({ note }) => note).filter(Boolean);
  const notes = await notesOf('orders', expect.stringMatching(/^note: The list leaves out what/));
  expect(notes.join()).toMatch(/without \d+ fees.*less \d+ refunds and \d+ chargebacks/);
  expect(await notesOf('accounting')).toEqual(expect.arrayContaining(notes.slice(0, 2)));
});

test('tells how many texts a cell can not hold', async () => {
  const orderData = { receipt: 'A1', fullName: 'x'.repeat(40_000) };
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
  const says = 'note: 1 text is longer than the 32,767 characters that a cell holds, and cut';
  expectExit(await cb(`${february} --fields fullName --out x.xlsx`), 0, says);
});

/** Items that can't be compressed: more than 1 MiB of a workbook goes to a temporary file. */
function randomItems(length: number) {
  const random = (n: number) => createHash('sha512').update(String(n)).digest('base64');
  return Array.from({ length }, (_, at) => ({ itemNo: '1', status: random(at) }));
}

test('leaves neither a file nor a temporary file when it is interrupted', async () => {
  const items = randomItems(4000);
  const { env } = await serve((reply, _, { headers }) => {
    const page = Number(headers.page ?? 1);
    const body = JSON.stringify({ orderData: { receipt: `A${page}`, lineItemData: items } });
    if (page < 5) reply.writeHead(206).end(body);
  });
  const { folder } = home();
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const words = `orders list --period today --out x.xlsx --debug`.split(' ');
  const running = program(words, { env: { ...env, TMPDIR: scratch } });
  await running.until(/> GET .* page 5/);
  running.child.kill('SIGINT');
  const ran = await running.ended();
  expect(ran.code).toBe(130);
  expect(readdirSync(running.home).filter((name) => name.includes('x.xlsx'))).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});

test('ends with exit code 8 and leaves no file when the disk of temporary files is full', async (own) => {
  own.skip(noSmallDisk !== undefined, noSmallDisk);
  const home = emptyHome();
  const { folder: scratch } = smallDisk(home);
  const lineItemData = randomItems(15_000);
  const { env } = await serve((reply) =>
    reply.end(JSON.stringify({ orderData: { receipt: 'A1', lineItemData } })),
  );
  const words = 'orders list --period today --out x.xlsx'.split(' ');
  const ran = await program(words, { home, env: { ...env, TMPDIR: scratch } }).ended();
  const says = `cb: A temporary file in ${scratch} could not be written (ENOSPC: the disk is full). Free some space, or set TMPDIR to a folder on another disk. Then run it again.`;
  expectExit(ran, 8, says);
  expect(readdirSync(home).filter((name) => name.includes('x.xlsx'))).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});

const ofFebruary = 'orders list --sandbox --period 2026-02';

/** The first cells of the table below a heading of the document. */
function columnsIn(heading: string): string[] {
  const text = readFileSync('docs/export-layouts.md', 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? '');
}

test.each(['orders', 'items', 'accounting'])(
  'writes the documented columns: %s',
  async (layout) => {
    const { cb } = await sandboxHome();
    const { out } = await cb(`${ofFebruary} --limit 1 -o csv --layout ${layout}`);
    expect(out.split('\n')[0]?.split(',')).toEqual(columnsIn(layout));
    expect(columnsIn(layout).length).toBeGreaterThan(10);
  },
);

test('writes csv without JSON by default, tsv as before, and the JSON cell with --layout raw and --fields lineItemData', async () => {
  const { cb } = await sandboxHome();
  const csv = (await cb(`${ofFebruary} -o csv`)).out;
  expect((await cb(`${ofFebruary} -o csv --layout orders`)).out).toBe(csv);
  const cells = (parse(csv) as string[][]).flat();
  expect(cells.filter((cell) => /^[[{]/.test(cell))).toEqual([]);
  const tsv = (await cb(`${ofFebruary} --limit 3`)).out;
  expect(tsv.split('\n')[0]).toContain('\tlineItemData\t');
  expect((await cb(`${ofFebruary} --limit 3 --layout raw`)).out).toBe(tsv);
  const raw = (await cb(`${ofFebruary} --limit 1 -o csv --layout raw`)).out;
  expect(raw).toMatch(/,"\[\{""itemNo"":/);
  const chosen = (await cb(`${ofFebruary} --limit 1 -o csv --fields titles,lineItemData`)).out;
  expect(chosen).toMatch(/^titles,lineItemData\n.+,"\[\{""itemNo"":/);
});

test('dates and months of accounting are those of --tz', async () => {
  const { env } = await openLedger([{ time: '2026-02-28T20:00:00-08:00' }]);
  const { cb } = home();
  const line = 'orders list --layout accounting -o csv --no-header --fields date,month';
  expect((await cb(`${line} --period 2026-02`, { env })).out).toBe('2026-02-28,2026-02\n');
  const berlin = await cb(`${line} --period 2026-03-01 --tz Europe/Berlin`, { env });
  expect(berlin.out).toBe('2026-03-01,2026-03\n');
});

const digits = (text: string) => new LosslessNumber(text);
const amount = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.constantFrom(1, 2))
  .map(([cents, places]) => digits((cents / 100).toFixed(places)));
const item = fc.record({
  itemNo: fc.string({ maxLength: 5 }),
  customerAmount: amount,
  accountAmount: fc.option(amount),
  quantity: fc.integer({ min: 1, max: 9 }),
});
const anyOrder = fc.record({
  receipt: fc.string({ maxLength: 8 }),
  transactionType: fc.constantFrom('SALE', 'BILL', 'RFND', 'CGBK', 'FEE'),
  transactionTime: fc.constant('2026-02-03T10:00:00-08:00'),
  totalOrderAmount: fc.option(amount),
  totalTaxAmount: fc.option(amount),
  totalShippingAmount: fc.option(amount),
  currency: fc.constantFrom('USD', 'EUR'),
  role: fc.constantFrom('VENDOR', 'AFFILIATE'),
  lineItemData: fc.array(item, { maxLength: 4 }),
});

function sumOf(rows: readonly Row[], field: string): string | undefined {
  const values = rows.map((row) => row[field]).filter((value) => value !== null && value);
  return addDecimals(['0.00', ...values.map(String)]);
}

test('keeps nil and absent apart in the layout orders, also for lists', () => {
  const sent = [{ email: null, vendorVariables: null }, { vendorVariables: [] }];
  const rows = ordersLayout(order).rows(sent as unknown as readonly Row[]);
  expect(rows.map(({ email, vendorVariables }) => [email, vendorVariables])).toEqual([
    [null, null],
    [undefined, undefined],
  ]);
});

test('adds up to the same amounts in every layout', () => {
  fc.assert(
    fc.property(fc.array(anyOrder, { maxLength: 8 }), (sent) => {
      const page = sent as unknown as readonly Row[];
      const items = itemsLayout(order).rows(page);
      const flat = ordersLayout(order).rows(page);
      const booked = accountingLayout(order, 'America/Los_Angeles').rows(page);
      const earned = page.flatMap(({ lineItemData }) => lineItemData as readonly Row[]);
      expect(booked).toHaveLength(page.length);
      for (const [field, name] of [
        ['totalOrderAmount', 'customerPaid'],
        ['totalTaxAmount', 'tax'],
        ['totalShippingAmount', 'shipping'],
      ] as const) {
        expect(sumOf(items, field)).toBe(sumOf(page, field));
        expect(sumOf(flat, field)).toBe(sumOf(page, field));
        // A fee is not an amount that the customer paid.
        const paid = page.filter(
          ({ transactionType }) => name !== 'customerPaid' || transactionType !== 'FEE',
        );
        expect(sumOf(booked, name)).toBe(sumOf(paid, field));
      }
      expect(sumOf(items, 'accountAmount')).toBe(sumOf(earned, 'accountAmount'));
      expect(sumOf(flat, 'youEarn')).toBe(sumOf(earned, 'accountAmount'));
      expect(sumOf(booked, 'youEarn')).toBe(sumOf(earned, 'accountAmount'));
      for (const { fees, youEarn, customerPaid, currency, role, kind } of booked) {
        if (fees === undefined || kind === 'fee') continue;
        expect([currency, role]).toEqual(['USD', 'VENDOR']);
        expect(addDecimals([String(fees), String(youEarn), '0.00'])).toBe(
          addDecimals([String(customerPaid), '0.00']),
        );
      }
    }),
  );
});

test('writes ISO 8601 by default, and the clock of the asked zone with --dates', async () => {
  const orderData = { receipt: 'A1B2C3D4', transactionTime: '2026-11-21T17:44:05-08:00' };
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
  const line = 'orders list --period 2026-11 --fields transactionTime,receipt';
  const csv = async (flags: string) => (await cb(`${line} ${flags}`)).out;
  expect(await csv('-o csv')).toBe('transactionTime,receipt\n2026-11-21T17:44:05-08:00,A1B2C3D4\n');
  expect(await csv('-o csv --dates iso')).toBe(await csv('-o csv'));
  expect(await csv('-o csv --tz Europe/Berlin')).toBe(await csv('-o csv'));
  expect(await csv('-o json --tz Europe/Berlin')).toContain('2026-11-21T17:44:05-08:00');
  expect(await csv('-o csv --dates spreadsheet')).toContain('\n2026-11-21 17:44:05,A1B2C3D4\n');
  expect(await csv('-o tsv --dates both')).toBe(
    'transactionTime\tdate\treceipt\n2026-11-21 17:44:05\t2026-11-21\tA1B2C3D4\n',
  );
  expect(await csv('-o csv --dates both --tz Europe/Berlin')).toContain(
    '\n2026-11-22 02:44:05,2026-11-22,A1B2C3D4\n',
  );
});
