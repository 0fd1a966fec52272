/** Ctrl-C ends a query, also while SQLite computes. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb, emptyHome, shell } from '../../support/binary.ts';

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

test('refuses a value that needs too much memory', async () => {
  const home = await withDatabase();
  const query = "select printf('%.*c', 600000000, 'x') as x";
  const ran = await cb(['sql', query, '--database', 'shop.db'], { home }).ended();
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toBe(
    'cb: The query needs more than 1 GB of memory.\n    Read fewer or shorter values.\n',
  );
});
