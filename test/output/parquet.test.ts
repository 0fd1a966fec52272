/** parquet: typed columns, read back by another program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { openWriter, renderOne } from '../../src/output/render.ts';
import type { RenderOptions } from '../../src/output/render-options.ts';
import type { Row, Shape, Value } from '../../src/output/rows/rows.ts';
import { emptyHome } from '../support/binary.ts';
import { parquetTypes, queryParquet } from '../support/parquet.ts';

const place = () => join(emptyHome(), 'rows.parquet');

async function written(pages: readonly (readonly Row[])[], options: RenderOptions = {}) {
  const writer = await openWriter('parquet', options);
  const chunks = pages.map((page) => writer.add(page, ''));
  const file = place();
  const all = [...chunks, ...(await writer.end(false))].map((chunk) =>
    Buffer.from(chunk as string),
  );
  writeFileSync(file, Buffer.concat(all));
  return file;
}

const all = (file: string) => queryParquet(file, 'SELECT * FROM ?');

const shape: Shape = {
  headline: [],
  fields: {
    receipt: { kind: 'text', names: 'receipt' },
    ticket: { kind: 'integer', names: 'ticket' },
    amount: { kind: 'decimal' },
    count: { kind: 'integer' },
    test: { kind: 'boolean' },
    at: { kind: 'time' },
    on: { kind: 'day' },
    items: { kind: 'list', resource: { headline: [], fields: { no: { kind: 'integer' } } } },
    commission: {
      kind: 'object',
      resource: { headline: [], fields: { rate: { kind: 'decimal' } } },
    },
  },
};

const number = (digits: string) => new LosslessNumber(digits);

test('types the columns of a known shape, and keeps nested values as JSON', async () => {
  const row = {
    ...{ receipt: 'A1', ticket: number('7'), amount: number('-11.90'), count: number('3') },
    ...{ test: true, at: '2026-02-18T15:11:38-08:00', on: '2026-02-18T00:00:00-08:00' },
    ...{ items: [{ no: number('1') }], commission: { rate: number('0.0005') } },
    unknown: number('1.234567'),
  };
  const file = await written([[row], [{}]], { shape });
  expect(await parquetTypes(file)).toEqual({
    ...{ receipt: 'VARCHAR', ticket: 'VARCHAR', amount: 'DECIMAL(18,4)', count: 'BIGINT' },
    ...{ test: 'BOOLEAN', at: 'TIMESTAMP WITH TIME ZONE', on: 'DATE', items: 'VARCHAR' },
    ...{ commission_rate: 'DECIMAL(18,4)', unknown: 'VARCHAR' },
  });
  const [first, second] = await all(file);
  expect(first).toEqual({
    ...{ receipt: 'A1', ticket: '7', amount: '-11.9000', count: '3', test: true },
    ...{ at: '2026-02-18 23:11:38+00', on: '2026-02-18', items: '[{"no":1}]' },
    ...{ commission_rate: '0.0005', unknown: '1.234567' },
  });
  expect(new Set(Object.values(second ?? {}))).toEqual(new Set([null]));
});

test.each<[string, Value, string]>([
  ['amount', number('1.00001'), 'DECIMAL(18,4)'],
  ['amount', number('123456789012345'), 'DECIMAL(18,4)'],
  ['amount', number('1e3'), 'DECIMAL(18,4)'],
  ['count', number('1.5'), 'INT64'],
  ['at', '2026-02-18T15:11:38', 'TIMESTAMP'],
  ['on', '2026-13-40', 'DATE'],
  ['test', 'yes', 'BOOLEAN'],
])('refuses a value of %s that its type can not hold exactly', async (name, value, type) => {
  const says = `${name} has the value ${value}, which ${type} can't hold exactly.`;
  await expect(written([[{ [name]: value }]], { shape })).rejects.toThrow(says);
});

test('keeps every amount exactly, over several groups of rows', async () => {
  const cents = fc.bigInt({ min: -999_999_999_999_999_999n, max: 999_999_999_999_999_999n });
  const amounts = fc.sample(cents, { numRuns: 25_000, seed: 7 });
  const rows = amounts.map((amount) => {
    const digits = String(amount < 0n ? -amount : amount).padStart(5, '0');
    const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`;
    return { amount: number(amount < 0n ? `-${text}` : text) };
  });
  const pages = [rows.slice(0, 9_999), rows.slice(9_999, 10_001), rows.slice(10_001)];
  const file = await written(pages, { shape, fields: ['amount'] });
  const [sum] = await queryParquet(file, 'SELECT sum(amount) AS sum, count(*) AS rows FROM ?');
  const expected = amounts.reduce((one, other) => one + other, 0n);
  expect(sum).toMatchObject({ rows: '25000' });
  expect(BigInt(String(sum?.sum).replace('.', ''))).toBe(expected);
  const last = `SELECT max(row_group_id) AS last FROM parquet_metadata('${file}')`;
  expect(await queryParquet(file, last)).toEqual([{ last: '2' }]);
});

test('writes a file with columns and no rows, a single value, and columns of the same name', async () => {
  expect(await all(await written([], { shape }))).toEqual([]);
  const twice = await written([[{ 'a.b': 'x', A_B: 'y' }]]);
  expect(await all(twice)).toEqual([{ a_b: 'x', A_B_2: 'y' }]);
  const one = async (value: Value) => {
    const file = place();
    writeFileSync(file, await renderOne('parquet', value, {}));
    return all(file);
  };
  expect(await one(number('42'))).toEqual([{ value: '42' }]);
  expect(await one([1, 'x'])).toEqual([{ value: '1' }, { value: 'x' }]);
  expect(await one({ receipt: 'A1' })).toEqual([{ receipt: 'A1' }]);
});
