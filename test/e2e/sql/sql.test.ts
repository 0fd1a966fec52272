/** `cb sql`: queries on the copy in every format, Tab inside a query, and Ctrl-C, also while SQLite computes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { sandboxHome, world } from '../../support/cb.ts';
import { changeCopy, copyOf, syncedHome } from '../../support/copy.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';

const synced = () => syncedHome('--sandbox sync --tables orders --since 2026-01-01');

test('answers from the copy with the columns in the order of the query', async () => {
  const at = await synced();
  const listed = await sandboxJson(at, 'orders list --role VENDOR --period last-30-days');
  // Double quotes are names in SQL.
  const names = 'select count(*) n, "orders" what from orders where transaction_day > "2026-02-16"';
  expect(await at.cb(`--sandbox sql '${names}'`)).toMatchObject({ code: 2 });
  const query =
    'select count(*) n, :what what from orders where role = :role and transaction_day > :day';
  const given = '--param what=orders --param role=VENDOR --param day=2026-02-16';
  const out = `n,what\n${listed.length},orders\n`;
  expect(await at.cb(`--sandbox sql '${query}' ${given} -o csv`)).toMatchObject({ code: 0, out });
});

test('writes every format: repeated names, NULL, large integers, reals and blobs', async () => {
  const { cb, folder } = await synced();
  const sql =
    "select 9007199254740993 big, 11.90 price, null none, 'a' big, 1, x'0aff' blob, 0.1 + 0.2 sum, 9e999 inf";
  writeFileSync(join(folder, 'q.sql'), sql);
  const run = (format: string) => cb(`--sandbox sql --file ${folder}/q.sql -o ${format}`);
  const names = 'big,price,none,big_2,column_5,blob,sum,inf';
  const out = `${names}\n9007199254740993,11.9,,a,1,x'0aff',0.30000000000000004,Inf\n`;
  expect(await run('csv')).toMatchObject({ code: 0, out });
  expect((await run('ndjson')).out).toBe(
    `{"big":9007199254740993,"price":11.9,"none":null,"big_2":"a","column_5":1,"blob":"x'0aff'","sum":0.30000000000000004,"inf":"Inf"}\n`,
  );
  expect(JSON.parse((await run('json')).out)).toHaveLength(1);
  expect((await run('tsv')).out).toContain('9007199254740993\t11.9\t\ta\t1\t');
  expect((await run('table')).out).toMatch(/big +price +none/);
  const book = await cb(`--sandbox sql --file ${folder}/q.sql --out ${folder}/book.xlsx`);
  expect(book).toMatchObject({ code: 0 });
  expect(await run('xml')).toMatchObject({ code: 2 });
});

test('streams more rows than a page, each once, ends early with --limit, and has a header without rows', async () => {
  const { cb } = await synced();
  const none = "--sandbox sql 'select receipt, role from orders limit 0' -o csv";
  expect(await cb(none)).toMatchObject({ code: 0, out: 'receipt,role\n' });
  const query =
    "'with recursive n(i) as (select 1 union all select i + 1 from n where i < 2501) select i from n'";
  const { out } = await cb(`--sandbox sql ${query} -o csv`);
  const numbers = out.trim().split('\n').slice(1).map(Number);
  expect(numbers).toEqual(Array.from({ length: 2501 }, (_, i) => i + 1));
  const endless = query.replace(' where i < 2501', '');
  expect((await cb(`--sandbox sql ${endless} --limit 3 -o csv`)).out).toBe('i\n1\n2\n3\n');
});

test('binds numbers as numbers, null as NULL, and other values as text', async () => {
  const { cb } = await synced();
  const types = 'select typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?)';
  const { out } = await cb(`--sandbox sql '${types}' 5 1.50 null 007 1E5 x --no-header -o csv`);
  expect(out).toBe('integer,real,null,text,text,text\n');
  const twice = "'select ?2 b, ?1 a, ?2 c, :n d, :n e' 1 2 --param n=x";
  const again = await cb(`--sandbox sql ${twice} -o csv`);
  expect(again.out).toBe('b,a,c,d,e\n2,1,2,x,x\n');
});

test('reads the query from a file or from stdin, and rows of another copy with --database', async () => {
  const { cb, folder } = await synced();
  writeFileSync(join(folder, 'q.sql'), '-- orders\nselect ? as a;\n');
  expect((await cb(`--sandbox sql --file ${folder}/q.sql 7 -o csv`)).out).toBe('a\n7\n');
  expect((await cb('--sandbox sql - -o csv', { stdin: 'select 8 as b' })).out).toBe('b\n8\n');
  const ran = await cb(`--sandbox sql --file ${folder}/none.sql`);
  expectExit(ran, 2, 'none.sql (ENOENT: no such file');
  await cb(`--sandbox sync --tables orders ${folder}/shop.db`);
  const other = "'select count(*) > 50 yes from orders' --database shop.db -o csv";
  expect((await cb(`sql ${other}`)).out).toBe('yes\n1\n');
});

test('lists tables with their rows, and columns with their meaning', async () => {
  const at = await synced();
  const sql = (query: string) => sandboxJson(at, `sql '${query}'`);
  const tables: { name: string }[] = await sql('.tables');
  const table = (name: string) => tables.find((one) => one.name === name);
  const [{ rows }] = await sql('select count(*) rows from orders');
  const transactions = expect.stringMatching(/^Transactions/);
  expect(table('orders')).toMatchObject({ kind: 'table', rows, meaning: transactions });
  const retention = expect.stringMatching(/^Retention/);
  expect(table('cohorts')).toMatchObject({ kind: 'view', meaning: retention });
  expect(await sql('.schema orders')).toContainEqual({
    ...{ table: 'orders', column: 'total_order_amount', type: 'numeric' },
    meaning: 'What the customer paid, as sent: in US dollars or in currency, which is disputed',
  });
  // State tables have their meaning only in the database.
  const day = expect.objectContaining({ column: 'day', meaning: 'Pacific day' });
  expect(await sql('.schema sync_days')).toContainEqual(day);
});

test('suggests tables and columns for misspelled ones, and says where the SQL is invalid', async () => {
  const { cb } = await synced();
  for (const [sql, message] of [
    ['select recipt from orders', 'There is no column recipt. Did you mean receipt?'],
    ['select o.vendr from orders o', 'There is no column vendr. Did you mean vendor?'],
    ['select * from odrers', 'There is no table odrers. Did you mean orders?'],
    ['select 1\n  form orders x y', 'Invalid SQL at line 2, column '],
    ['select * from order', 'Invalid SQL at column 15: near order. Did you mean orders?'],
    ["select 'open", 'Invalid SQL at column 8'],
    ['select count(', 'The query failed: incomplete input.'],
    ['', 'The SQL is empty.'],
    ['select nosuch(1)', 'no such function: nosuch'],
  ] as const) {
    expectExit(await cb('--sandbox sql -', { stdin: sql }), 2, message);
  }
});

async function offered(folder: string, ...words: readonly string[]): Promise<string[]> {
  const { context, stdout, stderr } = world(folder, {});
  expect(await run(['__complete', '--', ...words], context)).toBe(0);
  expect(stderr.text).toBe('');
  return stdout.text.split('\n').filter((line) => line !== '');
}

test('completes the last name of a query, and columns after a dot, and offers nothing, without an error, if there is no copy', async () => {
  const { folder } = await syncedHome('--sandbox sync --tables orders,tickets', 60);
  const sql = (typed: string) => offered(folder, '--sandbox', 'sql', typed);
  const from = 'select receipt from ';
  for (const [typed, words] of [
    ['select trans', expect.arrayContaining(['select transaction_id', 'select transaction_day'])],
    [`'${from}or`, expect.arrayContaining([`${from}orders`, `${from}order_items`])],
    ['select o.recei', ['select o.receipt']],
    [`${from}orders where affil`, [`${from}orders where affiliate`]],
    ['select nosuch', []],
    ['.', ['.tables', '.schema']],
  ] as const) {
    expect(await sql(typed)).toEqual(words);
  }
  expect(await offered(folder, '--sandbox', 'sql', '.schema', 'ti')).toContain('tickets');
  const without = await sandboxHome(60);
  expect(await offered(without.folder, '--sandbox', 'sql', 'select rec')).toEqual([]);
  expect(await offered(folder, 'sql', '--database', 'no/such.db', 'select rec')).toEqual([]);
});

async function withDatabase() {
  const home = emptyHome();
  const database = await openDatabase(join(home, 'shop.db'));
  database.execute('CREATE TABLE orders (receipt TEXT)');
  database.close();
  return home;
}

const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n)';

test.for([
  ['while rows stream', `${endless} select i from n limit 3000000`],
  [
    'while SQLite computes',
    `${endless} select iif(value > 300, (select count(*) from n where i > 0 * value), value) from generate_series(1, 400)`,
  ],
] as const)('ends at once on Ctrl-C %s', async ([, query]) => {
  const home = await withDatabase();
  const running = cb(['sql', query, '--database', 'shop.db', '-o', 'csv'], { home });
  await running.until(/^100$/m);
  running.child.kill('SIGINT');
  expect(await running.ended()).toMatchObject({ code: 130, err: 'cb: Interrupted.\n' });
});

test('ends quietly when the reader has enough', async () => {
  const home = await withDatabase();
  const line = `set -o pipefail; cb sql '${endless} select i from n' --database shop.db | head -n 3`;
  expect(await shell(line, { home }).ended()).toEqual({ code: 0, out: 'i\n1\n2\n', err: '' });
});

test('says that the file is damaged', async () => {
  const made = await synced();
  await changeCopy(made, 'PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(copyOf(made));
  writeFileSync(copyOf(made), bytes.fill(0xff, Math.floor(bytes.length / 2)));
  const ran = await made.cb("--sandbox sql 'select max(raw) from orders'");
  expectExit(
    ran,
    3,
    /is not a copy that cb can use: database disk image is malformed\. Delete the file/,
  );
});

test('refuses a value that needs too much memory', async () => {
  const home = await withDatabase();
  const query = "select printf('%.*c', 600000000, 'x') as x";
  const ran = await cb(['sql', query, '--database', 'shop.db'], { home }).ended();
  const err = 'cb: The query needs more than 1 GB of memory.\n    Read fewer or shorter values.\n';
  expect(ran).toEqual({ code: 2, out: '', err });
});
