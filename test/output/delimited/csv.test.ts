/** CSV and TSV output, cells that read back unchanged, and lists that are spread over columns. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { orderShape, orders } from '../orders.ts';
import { anyNumeral, lines, rows, shown, shownOne } from '../support.ts';

describe('csv', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3+cmd', "'-2+3+cmd"],
    ['+1-555-0100', "'+1-555-0100"],
    ['＝1+1', "'＝1+1"],
    ['  =1+1', "'  =1+1"],
    ['-5', '-5'],
    ['+1.5', '+1.5'],
    ['+49 30 123456', '+49 30 123456'],
    ['-', "'-"],
    ['+ ', "'+ "],
    ['-5+A1', "'-5+A1"],
    ["'=1", "'=1"],
    ['a=1', 'a=1'],
    ['Zoë', 'Zoë'],
    ['01067', '01067'],
  ])('guards text that a spreadsheet would run, and nothing else: %j', async (sent, expected) => {
    expect(parse(await shown('csv', [[{ a: sent, b: '' }]]))[1]).toEqual([expected, '']);
  });

  test('has the fields in the order of the shape, one column per field of an object, lists as JSON, unknown fields last', async () => {
    const text = await shown('csv', [orders], { shape: orderShape });
    expect(text).toBe(readFileSync('test/golden/output-orders.csv', 'utf8'));
  });

  test('has one header for any number of pages, and without rows if the shape is known', async () => {
    const each = [[], [{ a: '1' }], [], [{ a: '2' }]];
    expect(await shown('csv', each)).toBe('a\n1\n2\n');
    for (const spread of [undefined, { list: 'lineItemData', size: 1 }]) {
      const empty = await shown('csv', [[]], { shape: orderShape, spread });
      const full = await shown('csv', [orders.slice(1)], { shape: orderShape, spread });
      expect(lines(empty)).toEqual([lines(full)[0]]);
    }
    expect(await shown('csv', [])).toBe('');
  });

  test('reports fields that first appear after the header, each once', async () => {
    const onLateFields = vi.fn();
    const late = rows('[{"receipt":"B","coupon":"X","commission":{"bonus":1}}]');
    const each = [rows('[{"receipt":"A"}]'), late, late];
    const text = await shown('csv', each, { shape: orderShape, onLateFields });
    expect(onLateFields).toHaveBeenCalledExactlyOnceWith(['coupon', 'commission.bonus']);
    expect(text).not.toContain('coupon');
  });

  test('starts with a byte order mark and ends lines with CR LF if requested', async () => {
    const csv = { bom: true, crlf: true, delimiter: ';' };
    expect(await shown('csv', [[{ a: '1', b: 'x;y' }]], { csv })).toBe('\ufeffa;b\r\n1;"x;y"\r\n');
  });

  test('writes one row per item when a list is expanded, and keeps a row without items', async () => {
    const fields = ['receipt', 'lineItemData.itemNo', 'lineItemData.customerAmount'];
    const options = { shape: orderShape, expand: 'lineItemData', fields };
    const [header, ...expanded] = lines(await shown('csv', [orders], options));
    expect(header).toBe('receipt,lineItemData.itemNo,lineItemData.customerAmount');
    expect(expanded).toEqual(['TSTABCD1,7,10.00', 'TSTABCD1,8,1.90', 'TSTABCD1-B002,,']);
  });

  test('puts the fields of expanded items in place of the list when no fields are chosen', async () => {
    const text = await shown('csv', [orders], { shape: orderShape, expand: 'lineItemData' });
    const [header] = parse(text);
    expect(header).toContain('lineItemData.productTitle');
    expect(header).not.toContain('lineItemData');
    const at = (name: string) => header?.indexOf(name) ?? -1;
    expect(at('vendorVariables.item')).toBeLessThan(at('lineItemData.itemNo'));
  });

  test('expands a list inside an object, and lists of text', async () => {
    const fields = ['vendorVariables.item.value'];
    const inside = { shape: orderShape, expand: 'vendorVariables.item', fields };
    const one = await shown('csv', [orders.slice(0, 1)], inside);
    expect(one).toBe("vendorVariables.item.value\n'=blue\n");
    const texts = await shown('csv', [[{ a: ['x', 'y'], b: '1' }]], { expand: 'a' });
    expect(texts).toBe('a,b\nx,1\ny,1\n');
  });

  test('writes the values of a list as JSON in one cell when it is not expanded', async () => {
    const options = { shape: orderShape, fields: ['lineItemData.customerAmount'] };
    const text = await shown('csv', [orders], options);
    expect(text).toBe('lineItemData.customerAmount\n"[10.00,1.90]"\n[]\n');
  });

  test('writes one object as a header and a line, a list of lists as lines, and a scalar as a line', async () => {
    expect(await shownOne('csv', { a: 'x', b: null })).toBe('a,b\nx,\n');
    const list = ['x', '=y'].map((text, at) => [text, at]);
    expect(await shownOne('csv', list)).toBe("x,0\n'=y,1\n");
    expect(await shownOne('csv', [{ a: 'x' }, { a: 'y' }])).toBe('a\nx\ny\n');
    expect(await shownOne('csv', 'a,b')).toBe('"a,b"\n');
  });
});

describe('tsv', () => {
  const asRow = (cells: readonly string[]) =>
    Object.fromEntries(cells.map((value, index) => [`c${index}`, value]));
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\t', '\n', '\\t', '\\', '\r\n'),
  );

  test('has one line per row and a tab between cells, and reads back unchanged for any text', async () => {
    const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { minLength: 1 }), async (cells) => {
        const [header, ...read] = lines(await shown('tsv', [cells.map(asRow)]));
        expect(header).toBe('c0\tc1');
        const plain = (cell: string) =>
          cell.replace(/\\(.)/g, (_, letter) => escapes[letter] ?? '?');
        expect(read.map((line) => line.split('\t').map(plain))).toEqual(cells);
      }),
    );
  });

  test('does not guard formulas, because scripts read it', async () => {
    expect(await shown('tsv', [[{ a: '=1', b: '-x' }]])).toBe('a\tb\n=1\t-x\n');
  });

  test('writes numbers with the digits as sent, booleans as words, and null as an empty cell', async () => {
    const sent = rows('[{"a":11.90,"b":true,"c":false,"d":null,"e":{"x":[1.0]}}]');
    expect(lines(await shown('tsv', [sent]))[1]).toBe('11.90\ttrue\tfalse\t\t{"x":[1.0]}');
  });
});

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

test.each(['\r', '\n'])('quotes a cell with %j alone, which may end a line', async (end) => {
  for (const crlf of [true, false]) {
    const text = await shown('csv', [[{ a: `x${end}y` }]], { csv: { crlf }, header: false });
    expect(text).toBe(`"x${end}y"${crlf ? '\r\n' : '\n'}`);
  }
});

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
      ...['vendorVariables.item', 'lineItemData.count', 'lineItemData.1.itemNo'],
      ...['lineItemData.1.productTitle', 'lineItemData.1.recurring'],
    ]);
    expect(header.slice(-2)).toEqual(['trackingParameters', 'coupon']);
    const cells = lines.map((line) => line.slice(at, at + 3).join(' '));
    expect(cells).toEqual(['2 7 日本語の本', '0  ']);
  });

  test('has the elements themselves when they are not objects', async () => {
    const spread = { list: 'a', size: 2 };
    const text = await shown('csv', [[{ a: ['x', 'y', 'z'], b: '1' }]], { spread });
    expect(text).toBe('a.count,a.1,a.2,b\n3,x,y,1\n');
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
