/** The contract of destinations, for each database that can hold a copy: windows of rows, and every value as it was sent. */
import { describe, expect, test } from 'vitest';
import { prepareCopy, sqlDestination } from '../../../../src/features/sync/database/copy.ts';
import { typeNames } from '../../../../src/features/sync/database/schema.ts';
import type { Sql, SqlReader } from '../../../../src/features/sync/destination.ts';
import { orderSource } from '../../../../src/features/sync/tables/order-tables.ts';
import type { Cell, ColumnType, Source } from '../../../../src/features/sync/tables/table.ts';
import {
  findCustomer,
  forgetCustomer,
  forgottenIn,
} from '../../../../src/features/sync/upkeep/forget.ts';
import { begun, facts, kinds, replaced, rowsOf, sale, syncedAt } from './databases.ts';

const nicknames = ['maker'];
const day = '2026-03-01';
const oneDay = { first: day, last: day };
/** How a window was read. */
const done = { syncedAt, nicknames };

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
  const contract = test.skipIf(missing !== undefined);
  const opened = async () => (await create()).open();

  async function prepared() {
    const database = await create();
    const sql = await database.open();
    await prepareCopy(sql, facts);
    return { database, sql, destination: sqlDestination(sql), reader: await database.openReader() };
  }

  async function orders(reader: SqlReader, account = 'maker') {
    const rows = await reader.query<{ receipt: string; day: string }>(
      'SELECT receipt, transaction_day AS day FROM orders WHERE account = ? ORDER BY day, receipt',
      [account],
    );
    return rows.map(({ receipt, day }) => `${day} ${receipt}`);
  }

  async function items(reader: SqlReader) {
    const rows = await reader.query<{ receipt: string; item: string; amount: unknown }>(
      'SELECT receipt, item_no AS item, customer_amount AS amount FROM order_items ORDER BY receipt, position',
    );
    return rows.map(({ receipt, item, amount }) => `${receipt} ${item} ${Number(amount)}`);
  }

  contract('shows a window to readers when it is committed, not before', async () => {
    const { destination, reader } = await prepared();
    const writer = await begun(destination, [sale('A1', day, ['9.90'])]);
    expect(await orders(reader)).toEqual([]);
    const next = '2026-03-02';
    const rowsByDay = new Map([[day, 1]]).set(next, 0);
    await writer.commit({ ...done, extent: { first: day, last: next }, rowsByDay });
    expect(await orders(reader)).toEqual(['2026-03-01 A1']);
    const state = await destination.state('maker');
    expect([...(state.days.get('orders')?.values() ?? [])]).toEqual([
      { ...done, day, rows: 1 },
      { ...done, day: next, rows: 0 },
    ]);
  });

  contract('starts a window without the rows of one that was never ended', async () => {
    const { destination, reader } = await prepared();
    await begun(destination, [sale('A1', day, ['1'])]);
    await replaced(destination, day, day, [sale('B2', day, ['2'])]);
    expect(await orders(reader)).toEqual(['2026-03-01 B2']);
  });

  contract('replaces the rows of the days of one account, and their line items', async () => {
    const { destination, reader } = await prepared();
    const first = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day, i) =>
      sale(`A${i}`, day, ['1', '2']),
    );
    await replaced(destination, '2026-03-01', '2026-03-03', first);
    await replaced(destination, '2026-03-01', '2026-03-03', first, 'other');
    await replaced(destination, '2026-03-02', '2026-03-03', [sale('B', '2026-03-03', ['7'])]);
    expect(await orders(reader)).toEqual(['2026-03-01 A0', '2026-03-03 B']);
    expect(await orders(reader, 'other')).toHaveLength(3);
    const ofMaker = (await items(reader)).filter((line) => /^(?:A0|B)/.test(line));
    expect(new Set(ofMaker)).toEqual(new Set(['A0 sku-1 1', 'A0 sku-2 2', 'B sku-1 7']));
  });

  contract('keeps the rows of nicknames that a reading did not read', async () => {
    const { destination, reader } = await prepared();
    const next = '2026-03-02';
    const both = [
      sale('A', day, ['1']),
      { ...sale('B', day, ['2']), vendor: 'CLUB' },
      { ...sale('C', day, ['3']), vendor: 'CLUB', affiliate: 'maker', role: 'AFFILIATE' },
      { ...sale('D', day, ['4']), affiliate: 'CLUB', role: 'AFFILIATE' },
      { ...sale('E', day, ['5']), vendor: null },
    ];
    await replaced(destination, day, next, both);
    const writer = await begun(destination, [sale('F', next, ['6'])]);
    await writer.commit({ ...done, extent: { first: day, last: next }, isPartial: true });
    expect(await orders(reader)).toEqual([`${day} B`, `${day} D`, `${day} E`, `${next} F`]);
    expect(await items(reader)).toEqual(['B sku-1 2', 'D sku-1 4', 'E sku-1 5', 'F sku-1 6']);
  });

  contract('deletes no row of a source without an owner if a reading was partial', async () => {
    const { destination, reader } = await prepared();
    await replaced(destination, day, day, [sale('A', day, ['1']), sale('B', day, ['2'])]);
    const { owner: _, ...anonymous } = orderSource;
    const writer = await destination.begin('maker', anonymous as Source);
    await writer.write(rowsOf([sale('A', day, ['9'])]));
    await writer.commit({ ...done, extent: oneDay, isPartial: true });
    expect(await orders(reader)).toEqual([`${day} A`, `${day} B`]);
    expect(await items(reader)).toEqual(['A sku-1 9', 'B sku-1 2']);
  });

  contract('keeps the rows of parts of a whole list that are suddenly empty', async () => {
    const { destination, reader } = await prepared();
    const part = { nickname: 'CLUB', role: 'VENDOR' } as const;
    const club = { ...sale('B', day, ['2']), vendor: 'CLUB' };
    await replaced(destination, day, day, [sale('A', day, ['1']), club]);
    expect(await destination.rowsOf('maker', orderSource, part)).toBe(1);
    expect(await destination.rowsOf('maker', orderSource, { ...part, role: 'AFFILIATE' })).toBe(0);
    const writer = await begun(destination, []);
    const emptied = new Map([[part, syncedAt]]);
    await writer.commit({ ...done, extent: 'whole', emptied });
    expect(await orders(reader)).toEqual([`${day} B`]);
    const { lists } = await destination.state('maker');
    expect(lists.get('orders')?.emptied).toEqual({ 'CLUB VENDOR': syncedAt });
  });

  contract('keeps one row of a transaction that moved to another day', async () => {
    const { destination, reader } = await prepared();
    const write = async (day: string) => {
      const writer = await destination.begin('maker', orderSource);
      await writer.write(rowsOf([sale('A1', '2026-03-05', ['1', '2'])], { day }));
      const extent = { first: day, last: day };
      await writer.commit({ extent, syncedAt, rowsByDay: new Map([[day, 1]]), nicknames });
    };
    await write('2026-03-04');
    await write('2026-03-05');
    expect(await orders(reader)).toEqual(['2026-03-05 A1']);
    expect(await items(reader)).toEqual(['A1 sku-1 1', 'A1 sku-2 2']);
  });

  contract('replaces changed rows on any day, and leaves the others', async () => {
    const { destination, reader } = await prepared();
    const both = [sale('A1', day, ['1', '2']), sale('A2', '2026-03-02', ['3'])];
    await replaced(destination, '2026-03-01', '2026-03-02', both);
    const writer = await begun(destination, [sale('A1', day, ['9'])]);
    await writer.commit({ ...done, extent: 'changes' });
    expect(await orders(reader)).toEqual(['2026-03-01 A1', '2026-03-02 A2']);
    expect(await items(reader)).toEqual(['A1 sku-1 9', 'A2 sku-1 3']);
    const { days, lists } = await destination.state('maker');
    expect(lists.get('orders')).toMatchObject(done);
    expect(days.get('orders')?.size).toBe(2);
  });

  contract('replaces all rows of a source that is read as a whole', async () => {
    const { destination, reader } = await prepared();
    const whole = { ...orderSource, kind: 'whole' } as unknown as Source;
    for (const receipts of [['A1', 'A2'], ['B1']]) {
      const writer = await destination.begin('maker', whole);
      await writer.write(rowsOf(receipts.map((name) => sale(name, day, ['1']))));
      await writer.commit({ ...done, extent: 'whole' });
    }
    expect(await orders(reader)).toEqual(['2026-03-01 B1']);
    expect((await destination.state('maker')).lists.get('orders')).toMatchObject(done);
  });

  contract.each([
    ['a row that is there twice', 2],
    ['a state that can’t be stored', 1],
  ])('changes nothing if a commit fails, because of %s', async (_, again) => {
    const { sql, destination, reader } = await prepared();
    await replaced(destination, day, day, [sale('A1', day, ['1'])]);
    if (again === 1) await sql.query('ALTER TABLE sync_days RENAME TO sync_days_elsewhere');
    const writer = await destination.begin('maker', orderSource);
    for (let i = 0; i < again; i++) await writer.write(rowsOf([sale('B2', day, ['2'])]));
    const completed = { ...done, extent: oneDay, rowsByDay: new Map([[day, again]]) };
    await expect(writer.commit(completed)).rejects.toThrow();
    expect(await orders(reader)).toEqual(['2026-03-01 A1']);
    expect(await items(reader)).toEqual(['A1 sku-1 1']);
    if (again === 2) {
      const { days } = await destination.state('maker');
      expect(days.get('orders')?.get(day)?.rows).toBe(1);
    }
  });

  contract('holds a window of more rows than one statement can bind', async () => {
    const { destination, reader } = await prepared();
    const many = Array.from({ length: 2345 }, (_, i) => sale(`R${i}`, day, ['1', '2']));
    const writer = await destination.begin('maker', orderSource);
    for (let at = 0; at < many.length; at += 100) {
      await writer.write(rowsOf(many.slice(at, at + 100)));
    }
    await writer.commit({ ...done, extent: oneDay });
    expect(new Set(await orders(reader)).size).toBe(2345);
    expect(await items(reader)).toHaveLength(4690);
  });

  contract('does not let a second sync in, unless it waits until the first has ended', async () => {
    const { database, sql, destination } = await prepared();
    const second = await database.open();
    const busy = { name: 'DestinationError', kind: 'busy' };
    await expect(prepareCopy(second, facts)).rejects.toMatchObject(busy);
    const waiting = prepareCopy(second, { ...facts, patience: 60_000 });
    await replaced(destination, day, day, [sale('A1', day, ['1'])]);
    await sql.close();
    await waiting;
    expect(await orders(second)).toEqual(['2026-03-01 A1']);
  });

  contract('does not write older rows over newer ones after it lost its lock', async () => {
    const { database, destination } = await prepared();
    const writer = await begun(destination, [sale('A1', day, ['1'])]);
    await database.breakLock();
    const second = await database.open();
    await prepareCopy(second, { ...facts, patience: 60_000 });
    const newer = [sale('A1', day, ['2']), sale('A2', day, ['3'])];
    await replaced(sqlDestination(second), day, day, newer);
    await expect(writer.commit({ ...done, extent: oneDay })).rejects.toThrow();
    expect(await items(second)).toEqual(['A1 sku-1 2', 'A2 sku-1 3']);
  });

  contract('knows a forgotten customer by email address, and by receipt', async () => {
    const { sql, destination } = await prepared();
    const order = { ...sale('A1', day, ['1']), email: 'Ada@Example.com' };
    await replaced(destination, day, day, [order]);
    const email = 'ada@example.com';
    await forgetCustomer(sql, email, await findCustomer(sql, email), syncedAt);
    const { has } = await forgottenIn(sql);
    for (const receipt of ['A1', 'A1-B002']) expect(has({ receipt })).toBe(true);
    expect(has({ receipt: 'C1' })).toBe(false);
    // A later order tells about its other rows.
    expect(has({ receipt: 'C1', customerEmail: 'ADA@example.com' })).toBe(true);
    expect(has({ receipt: 'C1' })).toBe(true);
  });

  contract('lets readers read, but not write', async () => {
    const { reader } = await prepared();
    expect(await reader.query('SELECT count(*) AS count FROM orders')).toEqual([{ count: 0 }]);
    await expect(reader.query('DELETE FROM sync_meta')).rejects.toThrow(/read.?only|written to/i);
    expect(await reader.query('SELECT 1 AS one FROM sync_meta')).not.toEqual([]);
  });

  const isSqlite = name === 'SQLite';

  contract('stores each type, and null', async () => {
    const sql = await opened();
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
    const sql = await opened();
    const amounts = ['0.10', '0.20', '12345678901234567890.123456789', '5'];
    const rows = amounts.map((one, i): Cell[] => [null, one, i, null, null, null, null]);
    expect((await stored(sql, rows)).map((row) => row.a_numeric)).toEqual(amounts);
    const query = 'SELECT sum(a_numeric) AS sum FROM stored WHERE a_integer < 2';
    expect(await sql.query(query)).toEqual([{ sum: '0.30' }]);
  });

  contract.each([
    ['tabs and line ends', 'a\tb\nc\rd\r\ne\u2028f'],
    ['backslashes', '\\ \\\\ \\t \\x41 C:\\new'],
    ['what COPY reads as null', '\\N'],
    ['what COPY reads as the end', '\\.'],
    ['quotes and question marks', `'; DROP TABLE stored; -- "?" $1 ''`],
    ['other scripts and emoji', 'Ωmega 日本語 👩‍👩‍👧 e\u0301'],
    ['control characters', '\u0001\u0007\b\v\f\u001b[31m\u007f\u0085'],
    ['a text of 1 MB', `${'0123456789\t'.repeat(95_326)}é`],
  ])('stores %s in texts and in JSON', async (_name, value) => {
    const sql = await opened();
    const row = text(value).with(6, JSON.stringify({ value }));
    const [found] = await stored(sql, [row]);
    expect(found?.a_text === value).toBe(true);
    expect(JSON.parse(String(found?.a_json)).value === value).toBe(true);
    const same = await sql.query('SELECT a_text FROM stored WHERE a_text = ?', [value]);
    expect(same).toHaveLength(1);
  });

  contract.each([
    ['a lone high surrogate', 'a\ud83db'],
    ['a lone low surrogate', 'a\ude00b'],
    ['surrogates in the wrong order', '\ude00\ud83d'],
  ])('stores a replacement character for %s', async (_name, value) => {
    const sql = await opened();
    const [found] = await stored(sql, [text(value).with(6, JSON.stringify([value]))]);
    const expected = value.replaceAll(/[\ud800-\udfff]/g, '\ufffd');
    expect(found?.a_text).toBe(expected);
    const [json] = JSON.parse(String(found?.a_json));
    expect(json.toWellFormed()).toBe(expected);
  });

  contract(
    'stores JSON with NUL, and with a backslash before what looks like an escape',
    async () => {
      const sql = await opened();
      const value = ['a\u0000b', '\\u0000', '\\ud800', '\\\\u0000', '\u0001\\'];
      const [found] = await stored(sql, [text('x').with(6, JSON.stringify(value))]);
      const read = JSON.parse(String(found?.a_json)) as string[];
      expect(read.map((one) => one.replaceAll('\0', ''))).toEqual(['ab', ...value.slice(1)]);
    },
  );

  contract('accepts a NUL in the values of a query', async () => {
    const sql = await opened();
    const same = await sql.query('SELECT 1 AS one WHERE ? = ?', ['x\0', 'x']);
    expect(same).toHaveLength(isSqlite ? 0 : 1);
  });
});
