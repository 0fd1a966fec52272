/** Column widths on a terminal: text is shortened, but IDs and amounts are not. */
import { expect, test } from 'vitest';
import { order } from '../../../src/operations/orders.ts';
import type { Row } from '../../../src/output/rows/rows.ts';
import { lines, renderPages, rows, shown } from '../support.ts';

const sale = (receipt: string, amount: string, name: string): Row =>
  rows(
    `[{"receipt":"${receipt}","totalOrderAmount":${amount},"currency":"USD","fullName":"${name}","vendor":"GREENLEAF"}]`,
  )[0] as Row;

const fields = ['receipt', 'totalOrderAmount', 'currency', 'fullName', 'vendor'];

test('aligns the rows of short first pages', async () => {
  const pages = [[sale('KW4UKY2A', '-47.00', 'Ann')], [sale('BBBB2222', '-227.02', 'Bob')]];
  const text = lines(await shown('table', pages, { shape: order, fields, width: 80 }));
  expect(text).toHaveLength(3);
  expect(new Set(text.map((line) => line.search(/USD|Currency/))).size).toBe(1);
  expect(text[1]?.indexOf('47.00')).toBe((text[2]?.indexOf('227.02') ?? 0) + 1);
});

test('prints the first rows of a list that ends with an error', async () => {
  async function* broken() {
    yield [sale('KW4UKY2A', '-47.00', 'Ann')];
    throw new Error('broken');
  }
  let text = '';
  const reading = (async () => {
    for await (const part of renderPages('table', broken(), { shape: order, fields })) text += part;
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(text).toContain('KW4UKY2A');
});

test('prints the whole receipt of a rebill on a later page, with aligned columns', async () => {
  const pages = [[sale('KW4UKY2A', '11.90', 'Ann')], [sale('KW4UKY2A-B012', '11.90', 'Bob')]];
  for (const width of [60, 80, 200]) {
    const text = lines(await shown('table', pages, { shape: order, fields, width, live: true }));
    expect(text[2]).toMatch(/^KW4UKY2A-B012 /);
    expect(new Set(text.map((line) => line.search(/USD|Currency/))).size).toBe(1);
  }
});

test('exceeds the width instead of cutting an ID if no text can be shortened', async () => {
  const receipt = 'A-RECEIPT-OF-THIRTY-CHARACTERS';
  const pages = [[sale('AAAA1111', '1.90', 'Ann')], [sale(receipt, '1.90', 'Ann')]];
  const text = await shown('table', pages, { shape: order, fields: ['receipt'], width: 20 });
  expect(lines(text)[2]).toBe(receipt);
});

test('shortens text in a column that had numbers, times or booleans on the first page', async () => {
  const first = rows('[{"a":1,"b":true,"c":"2026-03-18T10:00:00-07:00"}]');
  const later = rows(
    `[${JSON.stringify({ a: 'x'.repeat(500), b: 'y'.repeat(500), c: 'z'.repeat(500) })}]`,
  );
  const text = lines(await shown('table', [first, later], { width: 40 }));
  for (const line of text) expect(line.length).toBeLessThanOrEqual(40);
});
