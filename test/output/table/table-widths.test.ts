/** Column widths on a terminal: which columns it shows, and what is cut. IDs and amounts are not. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { grouped } from '../../../src/decimals/decimals.ts';
import { order } from '../../../src/operations/orders.ts';
import type { Row, Shape } from '../../../src/output/rows/rows.ts';
import { lines, renderPages, rows, shown, steering } from '../support.ts';

const shape: Shape = {
  headline: [],
  fields: {
    id: { kind: 'text', names: 'receipt' },
    amount: { kind: 'decimal', heading: 'You earn' },
    name: { kind: 'text', least: 12 },
    note: { kind: 'text' },
    extra: { kind: 'text' },
  },
  derived: {
    paid: {
      kind: 'text',
      isAmount: true,
      heading: 'Customer paid',
      from: ({ amount }) => `${String(amount ?? '')} USD`,
    },
  },
  columns: () => ({
    shown: ['name', 'id', 'paid', 'amount', 'note', 'extra'],
    needed: ['id', 'paid', 'amount', 'name'],
    wanted: ['note'],
    more: ['extra'],
  }),
};

const row = (id: string, amount: string, name: string, note = '', extra = ''): Row =>
  rows(`[${JSON.stringify({ id, name, note, extra })}]`).map(
    (one): Row => ({ ...one, amount: rows(`[{"a":${amount}}]`)[0]?.a }),
  )[0] as Row;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('\u001b[2J', '日本語の本の長い題名です', '👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀', 'a\nb', '\u202e'),
);

const anyRow = fc
  .tuple(
    fc.stringMatching(/^[A-Z0-9]{8}(-B00[2-9])?$/),
    fc.stringMatching(/^-?[1-9]\d{0,3}\.\d\d$/),
    fc.tuple(text, text, text),
  )
  .map(([id, amount, [name, note, extra]]) => row(id, amount, name, note, extra));

test('keeps lines within the terminal and cuts neither IDs nor amounts, whatever the text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 42, max: 200 }),
      async (each, width) => {
        const out = await shown('table', [each], { shape, width });
        expect(out).not.toMatch(steering);
        for (const line of lines(out)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
        const body = lines(out).slice(-each.length);
        each.forEach(({ id, amount }, i) => {
          expect(body[i]).toContain(`${String(id)} `);
          expect(body[i]).toContain(` ${grouped(String(amount))} USD `);
        });
      },
    ),
  );
});

test('omits the columns of the lowest rank first, and never cuts a heading', async () => {
  const some = [row('AAAA1111', '16.61', 'A name of twenty-six chars', 'A note', 'Extra text')];
  const headings = async (width: number) =>
    lines(await shown('table', [some], { shape, width }))[0]?.split(/ {2,}/);
  expect(await headings(34)).toEqual(['ID', 'Customer paid', 'You earn']);
  expect(await headings(60)).toEqual(['Name', 'ID', 'Customer paid', 'You earn']);
  expect(await headings(90)).toEqual([
    ...['Name', 'ID', 'Customer paid', 'You earn', 'Note', 'Extra'],
  ]);
});

test('shows a wanted column if text before it has 18 columns, and another one only if it is whole', async () => {
  const name = 'A name of exactly thirty chars';
  const some = [row('AAAA1111', '16.61', name, 'A note', 'More')];
  for (let width = 50; width <= 100; width += 1) {
    const [header = '', line = ''] = lines(await shown('table', [some], { shape, width }));
    if (header.includes('Note')) expect(line.search(/ {2}|…/)).toBeGreaterThanOrEqual(17);
    if (header.includes('Extra')) expect(line).toContain(name);
    if (width === 100) expect(header).toContain('Extra');
  }
});

test('is narrower for later rows where an amount needs more room', async () => {
  const long = 'Somebody with a rather long name indeed';
  const pages = [[row('AAAA1111', '1.90', long)], [row('BBBB2222', '1234567.89', long)]];
  const out = lines(await shown('table', pages, { shape, width: 70, live: true }));
  expect(out[2]).toContain(' 1,234,567.89 USD ');
  for (const line of out) expect(line.length).toBeLessThanOrEqual(70);
});

test('gives free space to text of rows that arrive later', async () => {
  const long = 'A title of exactly thirty char';
  const pages = [[row('AAAA1111', '1.90', 'Short')], [row('BBBB2222', '1.90', long)]];
  for (const [width, expected] of [
    [80, long],
    [50, 'A title …'],
  ] as const) {
    const out = lines(await shown('table', pages, { shape, width, live: true }));
    expect(out[2]).toMatch(new RegExp(`^${expected} +BBBB2222`));
    for (const line of out) expect(line.length).toBeLessThanOrEqual(width);
  }
});

test('shortens times on a narrow terminal, and keeps chosen ones whole', async () => {
  const timed: Shape = {
    headline: [],
    fields: { time: { kind: 'time' }, name: { kind: 'text' } },
    columns: () => ({ shown: ['time', 'name'], needed: ['time', 'name'], more: [] }),
  };
  const sent = rows('[{"time":"2026-03-18T10:00:00-07:00","name":"Ann"}]');
  const now = () => new Date('2026-03-18T18:30:00Z');
  const zone = { name: 'America/Los_Angeles', label: 'Pacific' };
  const line = async (options: object) =>
    lines(await shown('table', [sent], { shape: timed, now, zone, ...options }))[1];
  expect(await line({ width: 80 })).toBe('Mar 18 10:00    Ann');
  expect(await line({ width: 120 })).toBe('2026-03-18 10:00  Ann');
  expect(await line({})).toBe('2026-03-18 10:00  Ann');
  expect(await line({ width: 80, fields: ['time', 'name'] })).toBe('2026-03-18 10:00  Ann');
});

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
