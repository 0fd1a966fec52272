/** Schemas of a copy: new, newer, and other tables in their place. */
import { describe, expect, test } from 'vitest';
import { prepareCopy } from '../../../../src/features/sync/database/copy.ts';
import {
  dataTables,
  schemaVersion,
  setMeta,
  versionOf,
} from '../../../../src/features/sync/database/schema.ts';
import { columnsOf } from '../../../../src/features/sync/tables/table.ts';
import { facts, kinds, shapeOf } from './databases.ts';

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
      for (const { name, comment } of columnsOf(table)) {
        expect(all).toContain(table.name + (sql.dialect === 'sqlite' ? ' (' : `.${name}: `));
        expect(all).toContain(comment);
      }
    }
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
    const search = `(SEARCH (sync_)?${table} USING INDEX|Scan (on|using)) ${index} `;
    expect(plan).toMatch(new RegExp(search));
  });

  check('refuses a schema of a newer cb', async () => {
    const database = await create();
    const sql = await database.open();
    await prepareCopy(sql, facts);
    await setMeta(sql, 'schema_version', String(schemaVersion + 1));
    await sql.close();
    const refused = { kind: 'unsuitable', hint: 'Update cb.' };
    await expect(prepareCopy(await database.open(), facts)).rejects.toMatchObject(refused);
  });

  check('refuses a database with a table of the same name, and creates nothing in it', async () => {
    const sql = await opened();
    if (sql.dialect === 'postgres') await sql.query('CREATE SCHEMA clickbank');
    await sql.query('CREATE TABLE tickets (seat text)');
    await expect(prepareCopy(sql, facts)).rejects.toMatchObject({ kind: 'unsuitable' });
    expect(await versionOf(sql)).toBe(undefined);
    expect((await shapeOf(sql)).map((line) => line.toLowerCase())).toEqual(['tickets.seat text']);
  });
});
