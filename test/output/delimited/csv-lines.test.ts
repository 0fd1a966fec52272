/** CSV cells that read back unchanged, and lists that are spread over columns. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { orderShape, orders } from '../orders.ts';
import { anyNumeral, rows, shown, shownOne } from '../support.ts';

/** Only cells without a guard against formulas, because the guard changes them. */
const harmless = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(',', ';', '\t', '"', '\r', '\n', '^', ']', '\\', 'a') }),
  )
  .map((text) => (text === '' ? '' : `a${text}`));

const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.record({
    cells: fc.array(fc.array(harmless, { minLength: width, maxLength: width }), { minLength: 1 }),
    delimiter: fc.constantFrom(',', ';', '\t', '|', '^', ']', '\\', '-', ' ', 'é'),
    crlf: fc.boolean(),
  }),
);

test('writes csv that reads back unchanged, whatever the cells and the delimiter', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ cells, delimiter, crlf }) => {
      const each = cells.map((values) => Object.fromEntries(values.map((v, i) => [`c${i}`, v])));
      const text = await shown('csv', [each], { csv: { delimiter, crlf }, header: false });
      const record_delimiter = crlf ? '\r\n' : '\n';
      expect(parse(text, { delimiter, record_delimiter })).toEqual(cells);
    }),
    { numRuns: 1000 },
  );
});

test.each(['\r', '\n'])(
  'quotes a cell with %j alone, where some readers end a line',
  async (end) => {
    for (const crlf of [true, false]) {
      const text = await shown('csv', [[{ a: `x${end}y` }]], { csv: { crlf }, header: false });
      expect(text).toBe(`"x${end}y"${crlf ? '\r\n' : '\n'}`);
    }
  },
);

const formula = fc
  .tuple(
    fc.constantFrom(...'=+-@＝＋－＠\t\r\n', ' =', '\u00a0@', '\u200b=', '\n='),
    fc.constantFrom('1+1', 'A1', 'cmd|"/C calc"!A0', 'HYPERLINK("http://x","y")', '"\r\n,'),
    fc.string({ unit: 'binary' }),
  )
  .map((parts) => parts.join(''));

test('guards every formula and changes no number, whatever they contain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(formula, anyNumeral), { minLength: 1 }), async (sent) => {
      const each = sent.map(([text, number]) => ({ text, number }));
      const text = await shown('csv', [each], { header: false });
      expect(parse(text)).toEqual(sent.map(([cell, number]) => [`'${cell}`, String(number)]));
    }),
    { numRuns: 1000 },
  );
});

describe('A list that is spread over columns', () => {
  const options = { shape: orderShape, spread: { list: 'lineItemData', size: 1 } };
  const chosen = { ...options, fields: ['receipt', 'lineItemData.itemNo', 'currency'] };

  test('has a count and the known fields of each element in place of the list', async () => {
    const [header = [], ...lines] = parse(await shown('csv', [orders], options));
    const at = header.indexOf('lineItemData.count');
    expect(header.slice(at - 1, at + 4)).toEqual([
      'vendorVariables.item',
      'lineItemData.count',
      'lineItemData.1.itemNo',
      'lineItemData.1.productTitle',
      'lineItemData.1.recurring',
    ]);
    expect(header.slice(at + 8)).toEqual(['trackingParameters', 'coupon']);
    expect(lines.map((line) => line.slice(at, at + 3))).toEqual([
      ['2', '7', '日本語の本'],
      ['0', '', ''],
    ]);
  });

  test('has the same header with rows and without', async () => {
    const [full] = (await shown('csv', [orders.slice(1)], options)).split('\n');
    expect(await shown('csv', [[]], options)).toBe(`${full}\n`);
  });

  test('has only the chosen fields of the elements when fields are chosen', async () => {
    const spread = { list: 'lineItemData', size: 2 };
    expect(await shown('tsv', [orders], { ...chosen, spread })).toBe(
      'receipt\tlineItemData.count\tlineItemData.1.itemNo\tlineItemData.2.itemNo\tcurrency\n' +
        'TSTABCD1\t2\t7\t8\tUSD\nTSTABCD1-B002\t0\t\t\tEUR\n',
    );
  });

  test('has the elements themselves when they are not objects', async () => {
    const spread = { list: 'a', size: 2 };
    expect(await shown('csv', [[{ a: ['x', 'y', 'z'], b: '1' }]], { spread })).toBe(
      'a.count,a.1,a.2,b\n3,x,y,1\n',
    );
  });

  test('reports at the end how many rows had more elements than columns, and the largest count', async () => {
    const onSpreadShort = vi.fn();
    await shown('csv', [orders, orders], { ...options, onSpreadShort });
    await shownOne('csv', orders[0], { ...options, onSpreadShort });
    const spread = { list: 'lineItemData', size: 2 };
    await shown('csv', [orders], { ...chosen, spread, onSpreadShort });
    expect(onSpreadShort.mock.calls.join(' ')).toBe('2,2 1,2');
  });

  test('reports fields of elements that first appear after the header', async () => {
    const onLateFields = vi.fn();
    const late = rows('[{"receipt":"B","lineItemData":[{"bonus":1},{"bonus":2}]}]');
    await shown('csv', [orders, late, late], { ...options, onLateFields });
    expect(onLateFields).toHaveBeenCalledExactlyOnceWith(['lineItemData.bonus']);
  });
});

test('writes rows without a header to append them to a file', async () => {
  const each = [[{ a: '1' }], [{ a: '2' }]];
  expect(await shown('csv', each, { header: false })).toBe('1\n2\n');
  expect(await shown('tsv', each, { header: false })).toBe('1\n2\n');
  expect(await shownOne('csv', { a: 'x' }, { header: false })).toBe('x\n');
});
