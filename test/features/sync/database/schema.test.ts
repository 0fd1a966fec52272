/** Schemas of a copy: new, newer, other tables in their place, and of the version before, with what users made in them. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  prepareCopy,
  sqlDestination,
  updateCopy,
} from '../../../../src/features/sync/database/copy.ts';
import { createTables, dropFormerRaw } from '../../../../src/features/sync/database/migrate.ts';
import { openPostgres } from '../../../../src/features/sync/database/postgres.ts';
import {
  dataTables,
  metaOf,
  schemaVersion,
  setMeta,
  typeNames,
  versionOf,
} from '../../../../src/features/sync/database/schema.ts';
import { openSqlite } from '../../../../src/features/sync/database/sqlite.ts';
import type { Sql, SqlReader } from '../../../../src/features/sync/destination.ts';
import { type ColumnType, columnsOf } from '../../../../src/features/sync/tables/table.ts';
import { emptyHome } from '../../../support/binary.ts';
import { postgresServer } from '../../../support/postgres.ts';
import { facts, kinds, postgres, replaced, sale, shapeOf } from './databases.ts';

/** The columns of orders in version 4, with the type of those that are no texts. */
const formerColumns = `account transaction_id transaction_day:day transaction_type receipt vendor affiliate role currency
  tracking_id transaction_month:day transaction_time:timestamp payment_method total_order_amount:numeric
  total_shipping_amount:numeric total_tax_amount:numeric country state first_name last_name full_name email postal_code
  declined_consent:boolean customer_refundable_state customer account_amount:numeric raw:json synced_at:timestamp`;

const sales = [
  sale('AAAA1111', '2026-03-01', ['10.00', '5.00']),
  { ...sale('BBBB2222', '2026-03-02', ['20.00']), country: 'DE' },
];

/** Makes a copy with two orders, as version 4 had it. */
async function fillVersion4(sql: Sql): Promise<void> {
  await prepareCopy(sql, facts);
  await replaced(sqlDestination(sql), '2026-03-01', '2026-03-02', sales);
  const made = JSON.parse((await metaOf(sql, 'views')) ?? '');
  for (const view of Object.keys(made.views).reverse()) await sql.query(`DROP VIEW ${view}`);
  const lines = formerColumns.split(/\s+/).map((column) => {
    const [name, type = 'text'] = column.split(':');
    return `${name} ${typeNames[sql.dialect][type as ColumnType]}`;
  });
  await sql.query(`CREATE TABLE former (${lines}, PRIMARY KEY (account, transaction_id))`);
  await sql.query('INSERT INTO former SELECT * FROM orders');
  await sql.query('DROP VIEW orders');
  for (const name of ['sync_orders', 'sync_orders_raw']) await sql.query(`DROP TABLE ${name}`);
  await sql.query('ALTER TABLE former RENAME TO orders');
  const { indexes = {} } = dataTables.find(({ name }) => name === 'orders') ?? {};
  for (const [index, names] of Object.entries(indexes)) {
    await sql.query(`CREATE INDEX ${index} ON orders (${names.join(', ')})`);
  }
  const former = JSON.parse(JSON.stringify(made).replaceAll('sync_orders (', 'orders ('));
  for (const [index, create] of Object.entries<string>(former.indexes)) {
    await sql.query(`DROP INDEX IF EXISTS ${index}`);
    await sql.query(create);
  }
  for (const [view, select] of Object.entries(former.views)) {
    await sql.query(`CREATE VIEW ${view} AS ${select}`);
  }
  await setMeta(sql, 'views', JSON.stringify(former));
  await setMeta(sql, 'schema_version', '4');
}

async function contentOf(sql: SqlReader) {
  return {
    orders: await sql.query('SELECT * FROM orders ORDER BY transaction_id'),
    items: await sql.query('SELECT * FROM order_items ORDER BY transaction_id, position'),
    payments: await sql.query('SELECT * FROM payments ORDER BY receipt'),
  };
}

/** A copy of version 4 becomes one of this version with the same content. */
async function checkMigration(sql: Sql, content: Awaited<ReturnType<typeof contentOf>>) {
  expect(await versionOf(sql)).toBe(4);
  expect(await contentOf(sql)).toEqual(content);
  await prepareCopy(sql, facts);
  expect(await versionOf(sql)).toBe(schemaVersion);
  expect(await contentOf(sql)).toEqual(content);
}

/** What stops the migration in each database, and how a user creates it. */
const stops: Readonly<Record<string, readonly (readonly [what: string, statement: string])[]>> = {
  SQLite: [
    ['index of_raw', `CREATE INDEX of_raw ON orders (json_extract(raw, '$.x'))`],
    ['trigger of_raw', 'CREATE TRIGGER of_raw AFTER INSERT ON orders BEGIN SELECT NEW.raw; END'],
  ],
  PostgreSQL: [
    ['view of_raw depends on column raw', 'CREATE VIEW of_raw AS SELECT * FROM orders'],
    ['has row-level security', 'ALTER TABLE orders ENABLE ROW LEVEL SECURITY'],
  ],
};

describe.each(kinds)('$name', (kind) => {
  const check = test.skipIf(kind.missing !== undefined);
  const opened = async () => (await kind.create()).open();

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
    const database = await kind.create();
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

  async function former() {
    const sql = await opened();
    await fillVersion4(sql);
    return sql;
  }

  check('has the schema of a new copy afterwards, with all rows', async () => {
    const sql = await former();
    const content = await contentOf(sql);
    expect(content.orders).toHaveLength(2);
    await updateCopy(sql);
    const now = await contentOf(sql);
    expect(now).toEqual(content);
    expect(Object.keys(now.orders[0] ?? {})).toEqual(Object.keys(content.orders[0] ?? {}));
    const fresh = await opened();
    await prepareCopy(fresh, facts);
    expect(await shapeOf(sql)).toEqual(await shapeOf(fresh));
    // The next sync finds all rows as they are, and replaces those that changed.
    await replaced(sqlDestination(sql), '2026-03-01', '2026-03-02', sales.slice(1));
    expect((await contentOf(sql)).orders).toEqual(content.orders.slice(1));
  });

  check('adds what a copy of version 3 lacks, too', async () => {
    const sql = await former();
    const { views } = JSON.parse((await metaOf(sql, 'views')) ?? '');
    for (const view of Object.keys(views).reverse()) await sql.query(`DROP VIEW ${view}`);
    await setMeta(sql, 'views', '{}');
    await sql.query('ALTER TABLE subscriptions DROP COLUMN payment_months');
    await setMeta(sql, 'schema_version', '3');
    await updateCopy(sql);
    expect(await sql.query('SELECT * FROM mrr_by_month')).toEqual([]);
    expect(await versionOf(sql)).toBe(schemaVersion);
  });

  check("keeps a user's view, a view on that view and on a metric, and an index", async () => {
    const sql = await former();
    const from = 'orders LEFT JOIN order_items USING (account, transaction_id)';
    for (const statement of [
      `CREATE VIEW "My items" AS SELECT orders.receipt, item_no, country FROM ${from}`,
      'CREATE VIEW mine AS SELECT count(*) AS count, country FROM "My items" GROUP BY country',
      'CREATE VIEW paid AS SELECT sum(count) AS count, count(net) AS nets FROM mine, payments',
      `CREATE UNIQUE INDEX "on it" ON orders (account, country) WHERE country <> ' ON orders '`,
    ]) {
      await sql.query(statement);
    }
    const read = async () => [
      await sql.query('SELECT * FROM "My items" ORDER BY item_no, country'),
      await sql.query('SELECT * FROM mine ORDER BY count'),
      await sql.query('SELECT * FROM paid'),
    ];
    const before = await read();
    expect(before.map((rows) => rows.length)).toEqual([3, 2, 1]);
    await updateCopy(sql);
    expect(await read()).toEqual(before);
    const shape = (await shapeOf(sql)).join('\n');
    expect(shape).toMatch(/sync_orders on it|UNIQUE INDEX "on it" ON \S*sync_orders /);
  });

  check('keeps triggers, foreign keys, columns and stored views', async () => {
    const sql = await former();
    const isSqlite = sql.dialect === 'sqlite';
    for (const statement of [
      'ALTER TABLE orders ADD COLUMN note text',
      "UPDATE orders SET note = 'mine'",
      'CREATE TABLE notes (account text, id text, FOREIGN KEY (account, id) REFERENCES orders (account, transaction_id))',
      ...(isSqlite
        ? [
            'CREATE TABLE seen (receipt text)',
            'CREATE TRIGGER own AFTER INSERT ON orders BEGIN INSERT INTO seen VALUES (NEW.receipt); END',
          ]
        : [
            'CREATE TRIGGER own BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
            'CREATE MATERIALIZED VIEW seen AS SELECT receipt FROM orders',
          ]),
    ]) {
      await sql.query(statement);
    }
    await updateCopy(sql);
    expect(await sql.query('SELECT DISTINCT note FROM sync_orders')).toEqual([{ note: 'mine' }]);
    const note = sql.query("INSERT INTO notes VALUES ('nobody', 'none')");
    await expect(note).rejects.toThrow(/foreign key/i);
    const third = '2026-03-03';
    await replaced(sqlDestination(sql), third, third, [sale('CCCC3333', third, ['1.00'])]);
    if (!isSqlite) await sql.query('REFRESH MATERIALIZED VIEW seen');
    expect(await sql.query("SELECT * FROM seen WHERE receipt = 'CCCC3333'")).toHaveLength(1);
  });

  check('changes nothing if it fails, and names the reason', async () => {
    for (const [what, statement] of stops[kind.name] ?? []) {
      const sql = await former();
      await sql.query(statement);
      const before = [await contentOf(sql), await shapeOf(sql)];
      await expect(updateCopy(sql)).rejects.toMatchObject({
        kind: 'unsuitable',
        message: expect.stringContaining(what),
        hint: expect.stringContaining('Nothing was changed.'),
      });
      expect(await versionOf(sql)).toBe(4);
      expect([await contentOf(sql), await shapeOf(sql)]).toEqual(before);
    }
  });
});

test('a kill leaves the file of the former version, and the next sync migrates it', async () => {
  const [folder, processes] = [emptyHome(), { own: process.pid, isRunning: () => true }];
  const file = join(folder, 'copy.db');
  const sql = await openSqlite(file, processes);
  onTestFinished(() => sql.close());
  await fillVersion4(sql);
  const content = await contentOf(sql);
  const killed = join(folder, 'killed.db');
  await sql.transaction(async () => {
    await createTables(sql);
    expect(await versionOf(sql)).toBe(schemaVersion);
    for (const end of ['', '-wal']) {
      if (existsSync(file + end)) copyFileSync(file + end, killed + end);
    }
  });
  const next = await openSqlite(killed, processes);
  onTestFinished(() => next.close());
  await checkMigration(next, content);
});

describe.skipIf(postgres.missing)('PostgreSQL', () => {
  test('a kill leaves the tables of the former version, and the next sync migrates them', async () => {
    const database = await postgres.create();
    const sql = await database.open();
    await fillVersion4(sql);
    const content = await contentOf(sql);
    const killed = sql.transaction(async () => {
      await createTables(sql);
      await database.breakLock();
      await dropFormerRaw(sql);
    });
    await expect(killed).rejects.toMatchObject({ kind: 'lost' });
    await checkMigration(await database.open(), content);
  });

  test('waits for the syncs of other machines, and then lets them continue', async () => {
    const database = await postgres.create();
    const first = await database.open();
    await fillVersion4(first);
    await first.lockAccount('maker', 0);
    const second = await database.open();
    await expect(prepareCopy(second, facts)).rejects.toMatchObject({ kind: 'busy' });
    expect(await versionOf(second)).toBe(4);
    await Promise.all([first.close(), second.close()]);
    const third = await database.open();
    await prepareCopy(third, facts);
    await third.lockAccount('maker', 0);
    const fourth = await database.open();
    await prepareCopy(fourth, facts);
    await fourth.lockAccount('other', 0);
  });

  test('keeps grants, owners, options and comments, and removes what defaults would add', async () => {
    const server = await postgresServer();
    const database = await server.create();
    const role = (name: string) => `${name}_of_${database}`;
    for (const name of ['shop', 'analyst', 'reader', 'outsider']) {
      await server.query(`CREATE ROLE ${role(name)} LOGIN`);
    }
    await server.query(`GRANT CREATE, TEMPORARY ON DATABASE ${database} TO ${role('shop')}`);
    const shop = await openPostgres({ url: server.url(database, role('shop')) });
    await fillVersion4(shop);
    await shop.close();
    const admin = await openPostgres({ url: server.url(database) });
    onTestFinished(() => admin.close());
    for (const statement of [
      `GRANT USAGE, CREATE ON SCHEMA clickbank TO ${role('analyst')}`,
      `GRANT USAGE ON SCHEMA clickbank TO ${role('reader')}, ${role('outsider')}`,
      `GRANT SELECT ON orders, payments TO ${role('analyst')}`,
      `GRANT SELECT ON order_items TO ${role('reader')} WITH GRANT OPTION`,
      `GRANT SELECT (country) ON orders TO ${role('reader')}`,
      'CREATE VIEW mine WITH (security_barrier) AS SELECT country, receipt FROM orders',
      `ALTER VIEW mine OWNER TO ${role('analyst')}`,
      `GRANT SELECT ON mine TO ${role('reader')}`,
      "COMMENT ON VIEW mine IS 'It''s mine'",
      "COMMENT ON COLUMN mine.country IS 'Where'",
      `ALTER DEFAULT PRIVILEGES IN SCHEMA clickbank GRANT SELECT ON TABLES TO ${role('outsider')}`,
    ]) {
      await admin.query(statement);
    }
    await prepareCopy(admin, facts);
    const [mine] = await admin.query(
      `SELECT reloptions::text AS options, obj_description(oid) AS comment, col_description(oid, 1) AS country,
        relowner::regrole::text AS owner FROM pg_class WHERE oid = 'mine'::regclass`,
    );
    expect(mine).toEqual({
      options: '{security_barrier=true}',
      ...{ comment: "It's mine", country: 'Where', owner: role('analyst') },
    });
    const asked = async (name: string, query: string) => {
      const client = new Client({ connectionString: server.url(database, role(name)) });
      await client.connect();
      const result = client.query(`SELECT ${query} LIMIT 1`);
      return result.then(() => 'allowed', String).finally(() => client.end());
    };
    const denied = expect.stringContaining('permission denied');
    for (const [name, query, expected] of [
      ['analyst', 'raw FROM clickbank.orders', 'allowed'],
      ['analyst', 'net FROM clickbank.payments', 'allowed'],
      ['reader', 'receipt FROM clickbank.mine', 'allowed'],
      ['reader', 'item_no FROM clickbank.order_items', 'allowed'],
      ['reader', 'country FROM clickbank.orders', 'allowed'],
      ['reader', 'email FROM clickbank.orders', denied],
      ['outsider', 'country FROM clickbank.orders', denied],
      ['outsider', 'email FROM clickbank.sync_orders', denied],
      ['outsider', 'raw FROM clickbank.sync_orders_raw', denied],
      ['outsider', 'receipt FROM clickbank.mine', denied],
    ] as const) {
      expect([name, query, await asked(name, query)]).toEqual([name, query, expected]);
    }
    // The owner of the former tables can write to the new ones.
    await admin.close();
    const again = await openPostgres({ url: server.url(database, role('shop')) });
    onTestFinished(() => again.close());
    await prepareCopy(again, facts);
    await replaced(sqlDestination(again), '2026-03-01', '2026-03-01', []);
    expect((await contentOf(again)).orders).toHaveLength(1);
    await again.query('CREATE INDEX later ON sync_orders (state)');
  });
});
