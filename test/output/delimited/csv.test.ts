import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { UnknownField } from '../../../src/output/errors.ts';
import { orderShape, orders } from '../orders.ts';
import { lines, rows, shown, shownOne } from '../support.ts';

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
  ])('opens in a spreadsheet without running the text %j', async (sent, expected) => {
    expect(parse(await shown('csv', [[{ a: sent, b: '' }]]))[1]).toEqual([expected, '']);
  });

  test('has the fields in the order of the shape, objects as columns, lists as JSON, unknown fields last', async () => {
    const text = await shown('csv', [orders], { shape: orderShape });
    expect(text).toBe(readFileSync('test/golden/output-orders.csv', 'utf8'));
  });

  test('has a header without rows if the shape is known', async () => {
    const empty = await shown('csv', [[]], { shape: orderShape });
    const full = await shown('csv', [orders.slice(1)], { shape: orderShape });
    expect(lines(empty)).toEqual([lines(full)[0]]);
    expect(await shown('csv', [])).toBe('');
  });

  test('has one header for any number of pages', async () => {
    const each = [[], [{ a: '1' }], [], [{ a: '2' }]];
    expect(await shown('csv', each)).toBe('a\n1\n2\n');
  });

  test('reports each field that appears after the header once', async () => {
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

  test('has one row per item of an expanded list, and keeps rows without items', async () => {
    const options = {
      shape: orderShape,
      expand: 'lineItemData',
      fields: ['receipt', 'lineItemData.itemNo', 'lineItemData.customerAmount'],
    };
    expect(lines(await shown('csv', [orders], options))).toEqual([
      'receipt,lineItemData.itemNo,lineItemData.customerAmount',
      'TSTABCD1,7,10.00',
      'TSTABCD1,8,1.90',
      'TSTABCD1-B002,,',
    ]);
  });

  test('shows the fields of expanded items in place of the list', async () => {
    const text = await shown('csv', [orders], { shape: orderShape, expand: 'lineItemData' });
    const [header] = parse(text);
    expect(header).toContain('lineItemData.productTitle');
    expect(header).not.toContain('lineItemData');
    expect(header?.indexOf('vendorVariables.item')).toBeLessThan(
      header?.indexOf('lineItemData.itemNo') ?? 0,
    );
  });

  test('expands a list inside an object, and lists of text', async () => {
    const inside = {
      shape: orderShape,
      expand: 'vendorVariables.item',
      fields: ['vendorVariables.item.value'],
    };
    expect(await shown('csv', [orders.slice(0, 1)], inside)).toBe(
      "vendorVariables.item.value\n'=blue\n",
    );
    expect(await shown('csv', [[{ a: ['x', 'y'], b: '1' }]], { expand: 'a' })).toBe(
      'a,b\nx,1\ny,1\n',
    );
  });

  test('names the lists if the field to expand is not a list', async () => {
    const reading = shown('csv', [orders], { shape: orderShape, expand: 'receipt' });
    await expect(reading).rejects.toMatchObject({
      flag: '--expand',
      known: expect.arrayContaining(['vendorVariables.item', 'lineItemData']),
    });
    await expect(reading).rejects.toThrow(UnknownField);
  });

  test('has a list that is not expanded as JSON in one cell', async () => {
    const options = { shape: orderShape, fields: ['lineItemData.customerAmount'] };
    expect(await shown('csv', [orders], options)).toBe(
      'lineItemData.customerAmount\n"[10.00,1.90]"\n[]\n',
    );
  });

  test('shows one object as a header and a line, a list of lists as lines, a scalar as a line', async () => {
    expect(await shownOne('csv', { a: 'x', b: null })).toBe('a,b\nx,\n');
    const list = [
      ['x', 1],
      ['=y', 2],
    ];
    expect(await shownOne('csv', list)).toBe("x,1\n'=y,2\n");
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

  test('has one line per row and one tab between cells, and reads back unchanged', async () => {
    const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { minLength: 1 }), async (cells) => {
        const [header, ...read] = lines(await shown('tsv', [cells.map(asRow)]));
        expect(header).toBe('c0\tc1');
        const values = read.map((line) =>
          line
            .split('\t')
            .map((text) => text.replace(/\\(.)/g, (_, letter) => escapes[letter] ?? '?')),
        );
        expect(values).toEqual(cells);
      }),
    );
  });

  test('does not guard formulas', async () => {
    expect(await shown('tsv', [[{ a: '=1', b: '-x' }]])).toBe('a\tb\n=1\t-x\n');
  });

  test('writes numbers with the digits as sent, true and false as words, and nothing for null', async () => {
    const sent = rows('[{"a":11.90,"b":true,"c":false,"d":null,"e":{"x":[1.0]}}]');
    expect(lines(await shown('tsv', [sent]))[1]).toBe('11.90\ttrue\tfalse\t\t{"x":[1.0]}');
  });
});
