/** `--layout`: the columns are a contract, no cell holds JSON, and sums are the same in every layout. */

import { readFileSync } from 'node:fs';
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
import { sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const february = 'orders list --sandbox --period 2026-02';

/** The first cells of the table below a heading of the document. */
function columnsIn(heading: string): string[] {
  const text = readFileSync('docs/export-layouts.md', 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? '');
}

test.each(['orders', 'items', 'accounting'])(
  'writes the columns that the contract lists for the layout %s',
  async (layout) => {
    const { cb } = await sandboxHome();
    const { out } = await cb(`${february} --limit 1 -o csv --layout ${layout}`);
    expect(out.split('\n')[0]?.split(',')).toEqual(columnsIn(layout));
    expect(columnsIn(layout).length).toBeGreaterThan(10);
  },
);

test('writes csv without JSON by default, and tsv as before', async () => {
  const { cb } = await sandboxHome();
  const csv = (await cb(`${february} -o csv`)).out;
  expect((await cb(`${february} -o csv --layout orders`)).out).toBe(csv);
  const cells = (parse(csv) as string[][]).flat();
  expect(cells.filter((cell) => /^[[{]/.test(cell))).toEqual([]);
  const tsv = (await cb(`${february} --limit 3`)).out;
  expect(tsv.split('\n')[0]).toContain('\tlineItemData\t');
  expect((await cb(`${february} --limit 3 --layout raw`)).out).toBe(tsv);
});

test('keeps the JSON cell with --layout raw and --fields lineItemData', async () => {
  const { cb } = await sandboxHome();
  const raw = (await cb(`${february} --limit 1 -o csv --layout raw`)).out;
  expect(raw).toMatch(/,"\[\{""itemNo"":/);
  const chosen = (await cb(`${february} --limit 1 -o csv --fields titles,lineItemData`)).out;
  expect(chosen).toMatch(/^titles,lineItemData\n.+,"\[\{""itemNo"":/);
});

test.each(['tsv', 'ndjson', 'json'])('writes the layout accounting as %s', async (format) => {
  const { cb } = await sandboxHome();
  const { code, out } = await cb(`${february} --limit 2 --layout accounting -o ${format}`);
  expect(code).toBe(0);
  if (format === 'tsv') expect(out.split('\n')[0]?.split('\t')).toEqual(columnsIn('accounting'));
  const rows = format === 'json' ? JSON.parse(out) : out.trim().split('\n');
  expect(rows).toHaveLength(format === 'tsv' ? 3 : 2);
  if (format === 'ndjson') expect(Object.keys(JSON.parse(rows[0]))).toContain('youEarn');
});

test('dates and months of accounting are those of --tz', async () => {
  const { env } = await serve((reply, _, { url }) => {
    const sent = { receipt: 'A1B2C3D4', transactionTime: '2026-02-28T20:00:00-08:00' };
    const isList = url.includes('/orders2/');
    reply.end(JSON.stringify(isList ? { orderData: sent } : { accountData: { nickName: 'ME' } }));
  });
  const { cb } = await sandboxHome();
  const line = 'orders list --layout accounting -o csv --fields date,month';
  expect((await cb(`${line} --period 2026-02`, { env })).out).toBe(
    'date,month\n2026-02-28,2026-02\n',
  );
  expect((await cb(`${line} --period 2026-03-01 --tz Europe/Berlin`, { env })).out).toBe(
    'date,month\n2026-03-01,2026-03\n',
  );
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

test('continues a file of an earlier version with its columns', async () => {
  const at = await sandboxHome();
  const nightly = 'orders list --sandbox --since-last books --append books.csv';
  expect((await at.cb(`${nightly} --layout raw --period 2026-03`)).code).toBe(0);
  const before = readFileSync(join(at.folder, 'books.csv'), 'utf8');
  const later = () => new Date('2026-03-19T18:30:00Z');
  expect((await at.cb(nightly, { now: later })).code).toBe(0);
  const after = readFileSync(join(at.folder, 'books.csv'), 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(new Set((parse(after) as string[][]).map((line) => line.length)).size).toBe(1);
  const { code, err } = await at.cb(`${nightly} --layout orders`, { now: later });
  expect([code, err]).toEqual([2, expect.stringContaining('with other output options')]);
});
