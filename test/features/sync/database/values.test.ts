/** Every value of the service arrives in a database as it was sent. */
import { describe, expect, test } from 'vitest';
import { typeNames } from '../../../../src/features/sync/database/schema.ts';
import type { Sql } from '../../../../src/features/sync/destination.ts';
import type { Cell, ColumnType } from '../../../../src/features/sync/tables/table.ts';
import { kinds } from './databases.ts';

const types: readonly ColumnType[] = [
  ...(['text', 'numeric', 'integer', 'boolean', 'timestamp', 'day', 'json'] as const),
];
const columns = types.map((type) => ({
  ...{ name: `a_${type}`, type, comment: 'A value', personal: false },
  from: () => null,
}));

async function stored(sql: Sql, rows: readonly (readonly Cell[])[]) {
  const lines = columns.map((one) => `${one.name} ${typeNames[sql.dialect][one.type]}`);
  await sql.query(`CREATE TEMPORARY TABLE stored (${lines.join(', ')})`);
  await sql.load('stored', columns, rows);
  return sql.query('SELECT * FROM stored ORDER BY a_integer');
}

const text = (value: string): Cell[] => [value, null, null, null, null, null, null];

describe.each(kinds)('$name', ({ name, missing, create }) => {
  const check = test.skipIf(missing !== undefined);
  const isSqlite = name === 'SQLite';

  check('stores each type, and null', async () => {
    const sql = await (await create()).open();
    const rows = await stored(sql, [
      ['a', '11.90', '7', true, '2026-02-18T23:11:38Z', '2026-02-18', '{"b":[1.50]}'],
      ['', '-0.01', '8', false, '2026-02-18T23:11:38.120Z', '2024-02-29', '[]'],
      Array.from(types, (): Cell => null).with(2, 9),
    ]);
    const expected = isSqlite
      ? [
          ['a', 11.9, 7, 1, '2026-02-18T23:11:38Z', '2026-02-18', '{"b":[1.50]}'],
          ['', -0.01, 8, 0, '2026-02-18T23:11:38.120Z', '2024-02-29', '[]'],
        ]
      : [
          ['a', '11.90', 7, true, '2026-02-18T23:11:38Z', '2026-02-18', '{"b": [1.50]}'],
          ['', '-0.01', 8, false, '2026-02-18T23:11:38.12Z', '2024-02-29', '[]'],
        ];
    expect(rows.map((row) => columns.map(({ name }) => row[name]))).toEqual([
      ...[...expected, [null, null, 9, null, null, null, null]],
    ]);
  });

  const ofPostgres = test.skipIf(missing !== undefined || isSqlite);

  ofPostgres('keeps all digits of decimals, and adds them up exactly', async () => {
    const sql = await (await create()).open();
    const amounts = ['0.10', '0.20', '12345678901234567890.123456789', '5'];
    const rows = amounts.map((one, i): Cell[] => [null, one, i, null, null, null, null]);
    expect((await stored(sql, rows)).map((row) => row.a_numeric)).toEqual(amounts);
    const query = 'SELECT sum(a_numeric) AS sum FROM stored WHERE a_integer < 2';
    expect(await sql.query(query)).toEqual([{ sum: '0.30' }]);
  });

  check.each([
    ['tabs and line ends', 'a\tb\nc\rd\r\ne\u2028f'],
    ['backslashes', '\\ \\\\ \\t \\x41 C:\\new'],
    ['what COPY reads as null', '\\N'],
    ['what COPY reads as the end', '\\.'],
    ['quotes and question marks', `'; DROP TABLE stored; -- "?" $1 ''`],
    ['other scripts and emoji', 'Ωmega 日本語 👩‍👩‍👧 e\u0301'],
    ['control characters', '\u0001\u0007\b\v\f\u001b[31m\u007f\u0085'],
    ['a text of 1 MB', `${'0123456789\t'.repeat(95_326)}é`],
  ])('stores %s in texts and in JSON', async (_name, value) => {
    const sql = await (await create()).open();
    const row = text(value).with(6, JSON.stringify({ value }));
    const [found] = await stored(sql, [row]);
    expect(found?.a_text === value).toBe(true);
    expect(JSON.parse(String(found?.a_json)).value === value).toBe(true);
    const same = await sql.query('SELECT a_text FROM stored WHERE a_text = ?', [value]);
    expect(same).toHaveLength(1);
  });

  check.each([
    ['a lone high surrogate', 'a\ud83db'],
    ['a lone low surrogate', 'a\ude00b'],
    ['surrogates in the wrong order', '\ude00\ud83d'],
  ])('stores a replacement character for %s', async (_name, value) => {
    const sql = await (await create()).open();
    const [found] = await stored(sql, [text(value).with(6, JSON.stringify([value]))]);
    const expected = value.replaceAll(/[\ud800-\udfff]/g, '\ufffd');
    expect(found?.a_text).toBe(expected);
    const [json] = JSON.parse(String(found?.a_json));
    expect(json.toWellFormed()).toBe(expected);
  });

  check('stores JSON with NUL, and with a backslash before what looks like an escape', async () => {
    const sql = await (await create()).open();
    const value = ['a\u0000b', '\\u0000', '\\ud800', '\\\\u0000', '\u0001\\'];
    const [found] = await stored(sql, [text('x').with(6, JSON.stringify(value))]);
    const read = JSON.parse(String(found?.a_json)) as string[];
    expect(read.map((one) => one.replaceAll('\0', ''))).toEqual(['ab', ...value.slice(1)]);
  });

  check('accepts a NUL in the values of a query', async () => {
    const sql = await (await create()).open();
    const same = await sql.query('SELECT 1 AS one WHERE ? = ?', ['x\0', 'x']);
    expect(same).toHaveLength(isSqlite ? 0 : 1);
  });
});
