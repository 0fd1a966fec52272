/** A query only reads, and only the copy, whatever it is. The command line gives each query to the same functions. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteQueries } from '../../../src/features/sync/query/sqlite-queries.ts';
import { QueryError, readStatement } from '../../../src/features/sync/query/statement.ts';
import { openDatabase, sqliteCode } from '../../../src/storage/sqlite.ts';
import { home } from '../../support/cb.ts';

async function withDatabase() {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-attacks-'));
  const file = join(folder, 'shop.db');
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'SECRET-CONTENT');
  const database = await openDatabase(file);
  database.execute(
    "CREATE TABLE orders (receipt TEXT, amount NUMERIC); INSERT INTO orders VALUES ('A', 1)",
  );
  database.execute(`CREATE VIEW spy AS SELECT readfile('${secret}') AS x`);
  database.execute(`CREATE VIEW list AS SELECT name FROM fsdir('${folder}')`);
  database.close();
  const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');
  /** Returns the number of rows, or the error of the query. */
  const ask = async (sql: string): Promise<number | Error> => {
    const queries = await openSqliteQueries(file);
    try {
      const statement = readStatement(sql);
      const nulls = statement.parameters.map(() => null);
      let count = 0;
      for await (const page of (await queries.run(statement, nulls)).pages) count += page.length;
      return count;
    } catch (error) {
      if (error instanceof QueryError || sqliteCode(error) !== '') return error as Error;
      throw error;
    } finally {
      await queries.close();
    }
  };
  return { folder, file, digest, ask };
}

let shop: Awaited<ReturnType<typeof withDatabase>>;

beforeAll(async () => {
  shop = await withDatabase();
});
afterAll(() => rmSync(shop.folder, { recursive: true }));

test('the command line ends with exit code 2 for such a query, and prints no row', async () => {
  const { file, digest } = shop;
  const { cb } = home();
  const before = digest();
  for (const stdin of ['select 1; delete from orders', 'select * from spy']) {
    const ran = await cb(`sql - --database ${file} -o json`, { stdin });
    const err = expect.not.stringContaining('SECRET');
    expect({ stdin, ...ran }).toEqual({ stdin, code: 2, out: '', err });
  }
  expect(digest()).toBe(before);
});

test.for([
  // Other statements.
  "insert into orders values ('B', 2)",
  'delete from orders',
  'update orders set amount = 2 returning *',
  'drop table orders',
  'create table x (a)',
  'create temp table x as select 1',
  'begin immediate',
  'reindex',
  'analyze',
  'vacuum',
  "vacuum into 'FOLDER/evil.db'",
  "attach 'FOLDER/evil.db' as evil",
  "attach database ':memory:' as evil",
  'pragma query_only = off',
  'pragma journal_mode = delete',
  'explain pragma query_only = off',
  'explain query plan pragma query_only = off',
  'explain delete from orders',
  // Behind a WITH, a comment or another statement.
  'with x as (select 1) delete from orders returning *',
  "with x as (select 'B', 2) insert into orders select * from x returning *",
  'with x as (select 1) update orders set amount = 3 returning amount',
  'explain with x as (select 1) delete from orders',
  'select 1; delete from orders',
  "select ';' ; pragma query_only = off; --",
  'select 1 /* ; */ ; delete from orders',
  '/* select */ delete from orders',
  '-- select\ndelete from orders',
  '\uFEFF delete from orders',
  'select 1 ;\n;\n delete from orders',
  // Functions that reach other files, load code or run SQL.
  "select readfile('FOLDER/secret.txt') x",
  'select "readfile"(\'FOLDER/secret.txt\') x',
  "select [readfile] /* */ ('FOLDER/secret.txt') x",
  "select `ReadFile`('FOLDER/secret.txt') x",
  "select count(*) from orders where readfile('FOLDER/secret.txt') like 'S%'",
  "select 1 limit length(readfile('FOLDER/secret.txt'))",
  "select 1 from orders order by writefile('FOLDER/evil.db', 'x')",
  "select writefile('FOLDER/evil.db', 'x')",
  "select coalesce(1, writefile('FOLDER/evil.db', 'x'))",
  "select max(writefile('FOLDER/evil.db', 'x')) over () from orders",
  "select (select writefile('FOLDER/evil.db', 'x') from orders)",
  "values (writefile('FOLDER/evil.db', 'x'))",
  "select load_extension('FOLDER/evil.so')",
  "select sha3_query('delete from orders')",
  "select fts3_tokenizer('simple')",
  "select sqlite3mc_config('cipher', 'x')",
  // Tables that reach other files or deleted rows.
  "select data from fsdir('FOLDER')",
  "select name from fsdir where path = 'FOLDER'",
  "select name from 'fsdir' where path = 'FOLDER'",
  'select name from "fsdir"(\'FOLDER\')',
  'select data from sqlite_dbpage',
  'select data from [sqlite_dbpage]',
  // Views of the file itself.
  'select * from spy',
  'select * from list',
])('refuses %s and changes nothing', async (sql) => {
  const { folder, digest, ask } = shop;
  const before = digest();
  const refused = await ask(sql.replaceAll('FOLDER', folder));
  expect(refused).toBeInstanceOf(Error);
  expect(String(refused)).not.toContain('SECRET');
  expect(digest()).toBe(before);
  expect(existsSync(join(folder, 'evil.db'))).toBe(false);
});

test.for([
  "select 'delete from orders; --' a",
  'select 1 as "a;b" ;',
  'select 1 -- ; delete from orders',
  '/* ; */ select 1',
  'values (1), (2)',
  'with x(a) as (values (1)) select a, count(*) over () from x',
  'explain select * from orders',
  'explain query plan select * from orders',
  "select value from json_each('[1,2]')",
  'select value from generate_series(1, 3)',
  "select name from pragma_table_info('orders')",
  'select floor(1.5), median(amount), round(amount, 2), upper(receipt) from orders',
  "select date('2026-03-01', '+1 day'), strftime('%Y', '2026-03-01'), group_concat(receipt) from orders",
  "select * from orders where receipt like 'a%' and receipt glob 'A*' and receipt regexp 'A'",
])('runs %s', async (sql) => {
  expect(await shop.ask(sql)).toBeGreaterThan(0);
});

test('leaves the file and its folder as they were, whatever is typed', async () => {
  const { folder, digest, ask } = shop;
  const before = digest();
  const words = fc.constantFrom(
    ...['select', 'with', 'x', 'as', '(', ')', ';', '--', '/*', '*/', "'", '"', '`', '[', ']', ','],
    ...['1', '*', 'from', 'orders', 'delete from orders', 'pragma query_only=off', '\n', ' ', '?1'],
    ...['insert into orders values (1, 2)', 'attach', `'${folder}/evil.db'`, 'returning *', ':a'],
    ...['explain', 'union', 'values', 'vacuum into', '$a(', '\0'],
    `writefile('${folder}/evil.db', 1)`,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 14 }), async (some) => {
      await ask(some.join(' '));
    }),
    { numRuns: 400 },
  );
  expect(digest()).toBe(before);
  const known = /^shop\.db(?:-shm|-wal)?$|^secret\.txt$|^\./;
  expect(readdirSync(folder).filter((name) => !known.test(name))).toEqual([]);
});
