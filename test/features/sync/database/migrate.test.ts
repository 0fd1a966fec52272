/** Schemas of a copy: new, older, newer, and other tables in their place. */
import { describe, expect, test } from 'vitest';
import { prepareCopy, sqlDestination } from '../../../../src/features/sync/database/copy.ts';
import {
  dataTables,
  migrate,
  schemaVersion,
  setMeta,
  versionOf,
} from '../../../../src/features/sync/database/schema.ts';
import type { Sql, SqlReader } from '../../../../src/features/sync/destination.ts';
import { orderSource } from '../../../../src/features/sync/tables/order-tables.ts';
import { columnsOf } from '../../../../src/features/sync/tables/table.ts';
import { type DatabaseKind, kinds, rowsOf, sale } from './databases.ts';

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

/** What PostgreSQL had as texts before version 3. */
const daysOfState = ['sync_accounts.first_day', 'sync_days.day', 'sync_runs.pacific_day'].map(
  (name) => name.split('.') as [table: string, column: string],
);

/** Gives a copy in PostgreSQL the types that it had before version 3. */
async function withTexts(sql: Sql): Promise<void> {
  if (sql.dialect === 'sqlite') return;
  for (const [table, column] of daysOfState) {
    await sql.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE text`);
  }
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
    await withTexts(older);
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

  check.each([
    ['orders', 'receipt', 'orders_by_receipt'],
    ['orders', 'transaction_day', 'orders_by_transaction_day'],
    ['orders', 'customer', 'orders_by_customer'],
    ['order_items', 'receipt', 'order_items_by_receipt'],
  ])('searches an index for %s by %s', async (table, column, index) => {
    const sql = await opened();
    await prepareCopy(sql, facts);
    const query = `SELECT * FROM ${table} WHERE ${column} = '2026-03-01'`;
    // An empty table is so small that PostgreSQL reads all of it.
    if (sql.dialect === 'postgres') await sql.query('SET enable_seqscan = off');
    const explain = sql.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const plan = JSON.stringify(await sql.query(`${explain} ${query}`));
    expect(plan).toMatch(new RegExp(`(SEARCH ${table} USING INDEX|Scan (on|using)) ${index} `));
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

const postgres = kinds.find(({ name }) => name === 'PostgreSQL') as DatabaseKind;

describe('a copy of version 2 in PostgreSQL', () => {
  const check = test.skipIf(postgres.missing);
  const typesOf = (sql: SqlReader) =>
    sql.query<{ name: string; type: string }>(
      `SELECT table_name || '.' || column_name AS name, data_type AS type
      FROM information_schema.columns WHERE table_schema = current_schema()
      AND column_name IN ('first_day', 'day', 'pacific_day') AND table_name LIKE 'sync%' ORDER BY 1`,
    );

  /** With the days as texts and with views that read them, as an older cb left it; its metrics are granted. */
  async function olderCopy(): Promise<Sql> {
    const sql = await (await postgres.create()).open();
    await sql.lock(0);
    await migrate(sql, 2);
    await withTexts(sql);
    await setMeta(sql, 'service', facts.service);
    await sql.query("INSERT INTO sync_accounts VALUES ('maker', '[]', '2026-02-01')");
    for (const [month, days] of [
      ['2026-02', 28],
      ['2026-03', 30],
    ] as const) {
      const all = Array.from(
        { length: days },
        (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`,
      );
      const rows = all.map((day) => `('maker', 'orders', '${day}', 1, '2026-04-05T12:00:00Z')`);
      await sql.query(`INSERT INTO sync_days VALUES ${rows.join(', ')}`);
    }
    await sql.query(
      `CREATE VIEW complete_months AS SELECT account, source, date_trunc('month', (day)::date)::date AS month
      FROM sync_days GROUP BY 1, 2, 3`,
    );
    await sql.query('GRANT SELECT ON complete_months TO PUBLIC');
    await setMeta(
      sql,
      'views',
      JSON.stringify({ indexes: {}, views: { complete_months: 'as above' } }),
    );
    await sql.query('CREATE VIEW mine AS SELECT month FROM complete_months');
    return sql;
  }

  check('gets days for the days of the sync, and keeps grants and the views of users', async () => {
    const sql = await olderCopy();
    expect((await typesOf(sql)).map(({ type }) => type)).toEqual(['text', 'text', 'text']);
    await prepareCopy(sql, facts);
    expect(await typesOf(sql)).toEqual(
      daysOfState.map((names) => ({ name: names.join('.'), type: 'date' })),
    );
    // The views are those of this cb: March has 31 days.
    expect(await sql.query('SELECT * FROM mine')).toEqual([{ month: '2026-02-01' }]);
    const granted = "SELECT has_table_privilege('public', 'complete_months', 'SELECT') AS granted";
    expect(await sql.query(granted)).toEqual([{ granted: true }]);
    const joined = `SELECT count(*) AS days FROM sync_days JOIN sync_accounts ON sync_days.day >= sync_accounts.first_day
      LEFT JOIN orders ON orders.transaction_day = sync_days.day LEFT JOIN sync_runs ON pacific_day = sync_days.day`;
    expect(await sql.query(joined)).toEqual([{ days: 58 }]);
  });

  check('is left as it was, and the view is named, if a user’s view reads such a day', async () => {
    const sql = await olderCopy();
    await sql.query('CREATE VIEW my_days AS SELECT day FROM sync_days');
    await expect(prepareCopy(sql, facts)).rejects.toMatchObject({
      kind: 'unsuitable',
      message: expect.stringMatching(
        /^Cannot change the columns of the table sync_days in \S+: view my_days depends on column "day"\.$/,
      ),
      hint: 'Drop what depends on it, run the command again, and create it again.',
    });
    expect(await versionOf(sql)).toBe(2);
    expect(await sql.query('SELECT count(*) AS months FROM mine')).toEqual([{ months: 2 }]);
    await sql.query('DROP VIEW my_days');
    await prepareCopy(sql, facts);
    expect(await versionOf(sql)).toBe(schemaVersion);
  });
});
