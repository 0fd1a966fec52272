/** On a terminal text makes room: what names or counts something is never cut. */
import { expect, test } from 'vitest';
import { order } from '../../../src/operations/orders.ts';
import type { Row } from '../../../src/output/rows/rows.ts';
import { lines, rows, shown } from '../support.ts';

const sale = (receipt: string, amount: string, name: string): Row =>
  rows(
    `[{"receipt":"${receipt}","totalOrderAmount":${amount},"currency":"USD","fullName":"${name}","vendor":"GREENLEAF"}]`,
  )[0] as Row;

const fields = ['receipt', 'totalOrderAmount', 'currency', 'fullName', 'vendor'];

test('shows long receipts of later pages in full, and columns still line up', async () => {
  const pages = [[sale('KW4UKY2A', '11.90', 'Ann')], [sale('KW4UKY2A-B012', '11.90', 'Bob')]];
  for (const width of [60, 80, 200]) {
    const text = lines(await shown('table', pages, { shape: order, fields, width }));
    expect(text[2]).toMatch(/^KW4UKY2A-B012 /);
    expect(new Set(text.map((line) => line.search(/USD|Currency/))).size).toBe(1);
  }
});

test('shows long amounts of later pages with all their digits', async () => {
  const long = 'Somebody with a rather long name indeed';
  const pages = [[sale('AAAA1111', '1.90', long)], [sale('BBBB2222', '1234567.89', long)]];
  const shaped = { shape: order, fields: ['receipt', 'totalTaxAmount', 'fullName'] };
  const taxed = pages.map((page) =>
    page.map((row): Row => ({ ...row, totalTaxAmount: row.totalOrderAmount })),
  );
  const text = lines(await shown('table', taxed, { ...shaped, width: 46 }));
  expect(text[2]).toMatch(/^BBBB2222 .* 1234567\.89 .*…$/);
  for (const line of text) expect(line.length).toBeLessThanOrEqual(46);
});

test('shows IDs in full even if the line becomes wider than the terminal', async () => {
  const receipt = 'A-RECEIPT-OF-THIRTY-CHARACTERS';
  const pages = [[sale('AAAA1111', '1.90', 'Ann')], [sale(receipt, '1.90', 'Ann')]];
  const text = await shown('table', pages, { shape: order, fields: ['receipt'], width: 20 });
  expect(lines(text)[2]).toBe(receipt);
});

test('cuts text in columns whose first page had numbers, times or booleans', async () => {
  const first = rows('[{"a":1,"b":true,"c":"2026-03-18T10:00:00-07:00"}]');
  const later = rows(
    `[${JSON.stringify({ a: 'x'.repeat(500), b: 'y'.repeat(500), c: 'z'.repeat(500) })}]`,
  );
  const text = lines(await shown('table', [first, later], { width: 40 }));
  for (const line of text) expect(line.length).toBeLessThanOrEqual(40);
});
