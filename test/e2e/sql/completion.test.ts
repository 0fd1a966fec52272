/** Tab completes tables and columns of the copy inside a query. */
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { sandboxHome, world } from '../../support/cb.ts';
import { syncedHome } from '../../support/copy.ts';

async function offered(folder: string, ...words: readonly string[]): Promise<string[]> {
  const { context, stdout, stderr } = world(folder, {});
  expect(await run(['__complete', '--', ...words], context)).toBe(0);
  expect(stderr.text).toBe('');
  return stdout.text.split('\n').filter((line) => line !== '');
}

test('completes the last name of a query, and columns after a dot', async () => {
  const { folder } = await syncedHome('--sandbox sync --tables orders,tickets', 60);
  const sql = (typed: string) => offered(folder, '--sandbox', 'sql', typed);
  expect(await sql('select trans')).toEqual(
    expect.arrayContaining(['select transaction_id', 'select transaction_day']),
  );
  expect(await sql("'select receipt from or")).toEqual(
    expect.arrayContaining(['select receipt from orders', 'select receipt from order_items']),
  );
  expect(await sql('select o.recei')).toEqual(['select o.receipt']);
  expect(await sql('select count(*) from orders where affil')).toEqual([
    'select count(*) from orders where affiliate',
  ]);
  expect(await sql('select nosuch')).toEqual([]);
  expect(await sql('.')).toEqual(['.tables', '.schema']);
  expect(await offered(folder, '--sandbox', 'sql', '.schema', 'ti')).toContain('tickets');
});

test('offers nothing, without an error, if there is no copy', async () => {
  const { folder } = await sandboxHome(60);
  expect(await offered(folder, '--sandbox', 'sql', 'select rec')).toEqual([]);
  expect(await offered(folder, 'sql', '--database', 'no/such.db', 'select rec')).toEqual([]);
});
