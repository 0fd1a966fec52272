/** JSON and NDJSON output. */
import fc from 'fast-check';
import { parse } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/output/rows/rows.ts';
import { orderShape, orders } from '../orders.ts';
import {
  anyNumeral,
  lines,
  pages,
  renderPages,
  rows,
  shown,
  shownOne,
  steering,
} from '../support.ts';

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u009b31m', '\u2028', '\u202e', '"', '\\', '\u0000', '__proto__'),
);

const value = fc.oneof(hostileText, fc.boolean(), fc.constant(null), anyNumeral);

const manyPages = fc.array(
  fc.array(fc.dictionary(hostileText, value, { maxKeys: 5 }), { maxLength: 4 }),
  { maxLength: 4 },
);

describe('json', () => {
  test('prints all pages as one valid document with every value and digit as sent', async () => {
    await fc.assert(
      fc.asyncProperty(manyPages, async (each) => {
        const text = await shown('json', each as Row[][]);
        expect(parse(text)).toEqual(each.flat());
        expect(text).not.toMatch(steering);
      }),
    );
  });

  test('streams each page as soon as it arrives', async () => {
    const chunks = renderPages('json', pages(rows('[{"a":1}]'), rows('[{"a":2}]')), {});
    expect((await chunks.next()).value).toBe('[\n  {\n    "a": 1\n  }');
    expect((await chunks.next()).value).toBe(',\n  {\n    "a": 2\n  }');
    expect((await chunks.next()).value).toBe('\n]\n');
  });

  test('closes the document when the pages end with an error, and throws the error', async () => {
    const breaking = async function* () {
      yield rows('[{"a":1}]');
      throw new Error('connection lost');
    };
    let text = '';
    const reading = async () => {
      for await (const chunk of renderPages('json', breaking(), {})) text += chunk;
    };
    await expect(reading()).rejects.toThrow('connection lost');
    expect(JSON.parse(text)).toEqual([{ a: 1 }]);
  });

  test('prints only the chosen fields, nested as in the row and in the chosen order', async () => {
    const fields = ['lineItemData.itemNo', 'receipt', 'commission.purchase'];
    const text = await shown('ndjson', [orders], { shape: orderShape, fields });
    expect(lines(text)).toEqual([
      '{"lineItemData":{"itemNo":["7","8"]},"receipt":"TSTABCD1","commission":{"purchase":75.0}}',
      '{"lineItemData":{"itemNo":[]},"receipt":"TSTABCD1-B002"}',
    ]);
  });

  test('prints an object once if one of its fields is chosen too', async () => {
    const fields = ['commission.purchase', 'commission'];
    const text = await shown('ndjson', [orders.slice(0, 1)], { shape: orderShape, fields });
    expect(text).toBe('{"commission":{"purchase":75.0,"rebill":null}}\n');
  });

  test('finds fields that only the response knows, also inside an object without known fields', async () => {
    const fields = ['coupon', 'trackingParameters.utmSource', 'trackingParameters.utmTerm'];
    const text = await shown('ndjson', [orders], { shape: orderShape, fields });
    const first = '{"coupon":"SPRING","trackingParameters":{"utmSource":"mail"}}';
    expect(lines(text)).toEqual([first, '{}']);
  });

  test('does not treat inherited JavaScript properties as fields', async () => {
    const fields = ['trackingParameters.constructor'];
    expect(await shown('ndjson', [orders], { shape: orderShape, fields })).toBe('{}\n{}\n');
  });

  test('prints one object as a JSON object, and a scalar as a JSON scalar', async () => {
    const [object] = rows('[{"a":1.50,"b":[]}]');
    expect(await shownOne('json', object)).toBe('{\n  "a": 1.50,\n  "b": []\n}\n');
    expect(await shownOne('ndjson', object)).toBe('{"a":1.50,"b":[]}\n');
    expect(await shownOne('json', 'a "b"')).toBe('"a \\"b\\""\n');
    expect(await shownOne('json', null)).toBe('null\n');
    expect(await shownOne('json', 42)).toBe('42\n');
    expect(await shownOne('json', ['a', null])).toBe('[\n  "a",\n  null\n]\n');
  });

  test('prints an object that imitates a lossless number as an object', async () => {
    const forged = rows('[{"a":{"isLosslessNumber":true,"value":"1,\\"x\\":2"}}]');
    const [object] = JSON.parse(await shown('json', [forged]));
    expect(object).toEqual({ a: { isLosslessNumber: true, value: '1,"x":2' } });
  });
});
