/** Schemas of a copy: new, older, newer, and other tables in their place. */
import { describe, expect, test } from 'vitest';
import { prepareCopy } from '../../../../src/workflows/sync/database/copy.ts';
import { migrate, setMeta, versionOf } from '../../../../src/workflows/sync/database/migrate.ts';
import { dataTables, schemaVersion } from '../../../../src/workflows/sync/database/schema.ts';
import type { SqlReader } from '../../../../src/workflows/sync/database/sql.ts';
import { sqlDestination } from '../../../../src/workflows/sync/database/sql-destination.ts';
import { orderSource } from '../../../../src/workflows/sync/tables/order-tables.ts';
import { columnsOf } from '../../../../src/workflows/sync/tables/row-columns.ts';
import { kinds, rowsOf, sale } from './databases.ts';

const facts = { service: 'https://api.clickbank.com', withoutPersonalData: false, patience: 0 };

/** `table.column type`, and the names of indexes. */
async function shapeOf(sql: SqlReader): Promise<string[]> {
  const text =
    sql.dialect === 'sqlite'
      ? `SELECT m.name || '.' || c.name || ' ' || c.type AS line FROM sqlite_master m
         JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'
         UNION ALL SELECT name FROM sqlite_master WHERE type = 'index'`
      : `SELECT table_name || '.' || column_name || ' ' || data_type AS line
         FROM information_schema.columns WHERE table_schema = current_schema()
         UNION ALL SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()`;
  return (await sql.query<{ line: string }>(text)).map(({ line }) => line).sort();
}

describe.each(kinds)('$name', ({ missing, create }) => {
  const check = test.skipIf(missing !== undefined);
  const opened = async () => (await create()).open();

  check('creates all tables and columns in an empty database, with their meaning', async () => {
    const sql = await opened();
    await prepareCopy(sql, facts);
    expect(await versionOf(sql)).toBe(schemaVersion);
    const comments = await sql.query<{ text: string }>(
      sql.dialect === 'sqlite'
        ? "SELECT sql AS text FROM sqlite_master WHERE type = 'table'"
        : `SELECT c.relname || coalesce('.' || a.attname, '') || ': ' || d.description AS text
           FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
           LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND a.attnum > 0
           WHERE c.relnamespace = current_schema()::regnamespace`,
    );
    const all = comments.map(({ text }) => text).join('\n');
    for (const table of dataTables) {
      expect(all).toContain(table.comment);
      for (const column of columnsOf(table)) {
        expect(all).toContain(
          `${table.name}${sql.dialect === 'sqlite' ? ' (' : `.${column.name}: `}`,
        );
        expect(all).toContain(column.comment);
      }
    }
  });

  check('brings the first version of the schema up to date, and keeps its rows', async () => {
    const database = await create();
    const older = await database.open();
    await older.lock(0);
    await migrate(older, 1);
    await setMeta(older, 'service', facts.service);
    await setMeta(older, 'personal_data', 'included');
    // The columns of the first version, as an older cb wrote them.
    const cells = rowsOf([sale('A1', '2026-03-01', ['9.90'])]).get('orders')?.[0] ?? [];
    const columns = columnsOf(orderSource.tables[0])
      .map((column, i) => ({ column, cell: cells[i] ?? null }))
      .filter(({ column }) => column.since === 1);
    const names = columns.map(({ column }) => column.name).join(', ');
    const marks = columns.map(() => '?').join(', ');
    const values = columns.map(({ cell }) => cell);
    await older.query(`INSERT INTO orders (${names}) VALUES (${marks})`, values);
    await older.close();
    const [old, fresh] = [await database.open(), await opened()];
    await prepareCopy(old, facts);
    await prepareCopy(fresh, facts);
    expect(await versionOf(old)).toBe(schemaVersion);
    expect(await shapeOf(old)).toEqual(await shapeOf(fresh));
    expect(await old.query('SELECT receipt FROM orders')).toEqual([{ receipt: 'A1' }]);
    const writer = await sqlDestination(old).begin('maker', orderSource);
    await writer.write(rowsOf([sale('A1', '2026-03-01', ['9.90']), sale('A2', '2026-03-01', [])]));
    const extent = { first: '2026-03-01', last: '2026-03-01' };
    await writer.commit({
      extent,
      syncedAt: '2026-03-18T18:30:00Z',
      rowsByDay: new Map(),
      nicknames: [],
    });
    expect(await old.query('SELECT count(*) AS count FROM orders')).toEqual([{ count: 2 }]);
  });

  check('refuses a schema of a newer cb', async () => {
    const database = await create();
    const sql = await database.open();
    await prepareCopy(sql, facts);
    await setMeta(sql, 'schema_version', String(schemaVersion + 1));
    await sql.close();
    await expect(prepareCopy(await database.open(), facts)).rejects.toMatchObject({
      kind: 'unsuitable',
      hint: 'Update cb.',
    });
  });

  check('refuses a database with a table of the same name, and creates nothing in it', async () => {
    const sql = await opened();
    if (sql.dialect === 'postgres') await sql.query('CREATE SCHEMA clickbank');
    await sql.query('CREATE TABLE tickets (seat text)');
    await expect(prepareCopy(sql, facts)).rejects.toMatchObject({ kind: 'unsuitable' });
    expect(await versionOf(sql)).toBe(undefined);
    expect((await shapeOf(sql)).map((line) => line.toLowerCase())).toEqual(['tickets.seat text']);
  });

  check('refuses a copy of another service', async () => {
    const database = await create();
    const before = await database.open();
    await prepareCopy(before, facts);
    await before.close();
    const sql = await database.open();
    await expect(prepareCopy(sql, { ...facts, service: 'the sandbox' })).rejects.toMatchObject({
      kind: 'unsuitable',
      message: expect.stringContaining('the sandbox'),
    });
  });
});
