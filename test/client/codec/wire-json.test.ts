/** Compares the JSON parser with one that never loses a digit. */
import fc from 'fast-check';
import { isLosslessNumber, parse } from 'lossless-json';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/client/codec/wire-json.ts';

const digits = (size: { minLength?: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, ...size });

/** Any JSON number. */
const numberText = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits({ maxLength: 18 }).map((text) => text.replace(/^0+(?=.)/, '')),
    fraction: fc.option(digits({ maxLength: 3 }), { nil: undefined }),
    exponent: fc.constantFrom('', '', 'e2', 'E+10', 'e-7'),
  })
  .map(({ sign, whole, fraction, exponent }) =>
    [sign, whole, fraction === undefined ? '' : `.${fraction}`, exponent].join(''),
  );

const space = fc.constantFrom('', '', ' ', '\n\t ', '\r\n');

/** Texts that look like the JSON around them. */
const text = fc
  .string({ unit: fc.constantFrom('a', '1', '.', ',', ':', '[', ']', '"', '\\', ' ', 'é') })
  .map((plain) => JSON.stringify(plain));

const values = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(...'a1.,:[]"\\ é') });

/** A document with numbers in any notation, and with spaces in all allowed positions. */
const document = fc
  .tuple(
    values,
    fc.array(numberText, { minLength: 1 }),
    fc.constantFrom('', '\t', '  '),
    fc.boolean(),
  )
  .map(([value, numbers, indent, isSpaced]) => {
    let at = 0;
    const next = () => numbers[at++ % numbers.length] ?? '0';
    const json = JSON.stringify(value, null, indent).replaceAll(
      /(?<=[:[,]\s*)(?:-?\d[\d.e+-]*|null|true)(?=\s*[,\]}])/g,
      next,
    );
    return isSpaced ? json.replaceAll(/[,:[\]{}]/g, ' $& ') : json;
  });

/** Replaces numbers by their original text. */
function asWritten(value: unknown): unknown {
  if (isLosslessNumber(value)) return { number: value.value };
  if (typeof value === 'number') return { number: Object.is(value, -0) ? '0' : String(value) };
  if (Array.isArray(value)) return value.map(asWritten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asWritten(inner)]));
}

test('keeps every digit of every number in any notation', () => {
  const numbers = ['11.90', '-0', '1e5', '9007199254740993', '12345678901234567890'];
  fc.assert(
    fc.property(document, (json) => {
      expect(asWritten(parseJson(json))).toEqual(asWritten(parse(json)));
    }),
    {
      numRuns: 1000,
      examples: [...numbers, ...numbers.map((one) => `{"a":[1, ${one}]}`)].map((json) => [json]),
    },
  );
});

test('throws a SyntaxError for invalid JSON, with and without inexact numbers', () => {
  for (const json of ['{"a": 1.5', '{"a": "1"', '[01.5]', '']) {
    expect(() => parseJson(json)).toThrow(SyntaxError);
  }
});

test('rejects two equal keys with different values at any depth, however they are written', () => {
  const key = fc.constantFrom('"k"', '"\\u006b"', '"\\\\k"', '"k\\""', '":"', '"{"');
  const value = fc.oneof(text, fc.constantFrom('null', '[]', '{}', '[":",{"k":"\\""}]'));
  const fields = fc.array(fc.tuple(key, space, value), { minLength: 1, maxLength: 4 });
  const object = fields.map((all) => all.map(([k, gap, v]) => `${k}${gap}:${gap}${v}`).join(','));
  const nested = fc.tuple(object, object).map(([one, two]) => `{"a":[{${one}}],"b":{${two}}}`);
  let rejected = 0;
  fc.assert(
    fc.property(nested, (json) => {
      let expected: unknown;
      try {
        expected = parse(json);
      } catch {
        rejected += 1;
        expect(() => parseJson(json)).toThrow(/Duplicate key/);
        return;
      }
      expect(parseJson(json)).toEqual(expected);
    }),
  );
  expect(rejected).toBeGreaterThan(10);
});
