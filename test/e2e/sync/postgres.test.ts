/** `cb sync` and the commands for a copy, with a PostgreSQL database. */
import { expect, test } from 'vitest';
import { openPostgres } from '../../../src/features/sync/database/postgres.ts';
import { home } from '../../support/cb.ts';
import { noPostgres, postgresUrl } from '../../support/postgres.ts';
import { asOneLine, expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const email = 'ada.sample@example.com';

test.skipIf(noPostgres)(
  'syncs, shows, checks, forgets and resets a copy in a schema of PostgreSQL',
  async () => {
    const url = (await postgresUrl()) ?? '';
    const { env } = await serveSandbox({ orders: 300 });
    const { cb } = home();
    const run = async (line: string) => {
      const ran = await cb(line, { env });
      return { ...ran, err: asOneLine(ran.err) };
    };
    const at = `--database ${url} --schema shop`;
    const query = async (text: string) => {
      const sql = await openPostgres({ url, schema: 'shop' });
      const rows = await sql.query(text);
      await sql.close();
      return rows;
    };
    expectExit(await run(`sync status ${at}`), 3, 'Create it with `cb sync` and this URL.');
    const plan = await run(`sync ${url} --schema shop --since 2026-01-01 --dry-run -o json`);
    expect(plan).toMatchObject({ code: 0, err: expect.stringContaining('Nothing was written.') });
    const sync = `sync ${url} --schema shop --tables orders,tickets --since 2026-01-01`;
    expect(await run(sync)).toMatchObject({ code: 0, out: '' });
    const { out } = await run(`sync status ${at} -o json`);
    const [orders] = JSON.parse(out);
    const [{ count } = {}] = await query('SELECT count(*) AS count FROM orders');
    expect(orders).toMatchObject({
      ...{ account: 'GREENLEAF', table: 'orders', rows: Number(count), newestDay: '2026-03-18' },
      ...{ oldestRefresh: '2026-03-18T18:30:00Z', outcome: 'complete', missingDays: 0 },
    });
    expect(await run(`sync check ${at}`)).toMatchObject({ code: 0, out: '' });
    await query(
      "UPDATE order_items SET account_amount = account_amount + 1 WHERE transaction_type = 'SALE'",
    );
    expect(await run(`sync check ${at} -o json`)).toMatchObject({
      code: 8,
      out: expect.stringContaining('"figure": "sales"'),
    });
    const personal = `SELECT count(*) AS count FROM orders WHERE email = '${email}' OR CAST(raw AS text) LIKE '%${email}%'`;
    expect(await query(personal)).not.toEqual([{ count: '0' }]);
    expect(await run(`sync forget --email ${email.toUpperCase()} ${at} --yes`)).toMatchObject({
      code: 0,
    });
    expect(Number((await query(personal))[0]?.count)).toBe(0);
    expect(await run(`${sync} --look-back 90d`)).toMatchObject({ code: 0 });
    expect(Number((await query(personal))[0]?.count)).toBe(0);
    // No row is written again that has not changed.
    const versions = 'SELECT transaction_id, xmin FROM orders ORDER BY 1';
    const unchanged = await query(versions);
    const again = { env, now: () => new Date('2026-03-19T18:30:00Z') };
    expect(await cb(`${sync} --look-back 90d`, again)).toMatchObject({ code: 0 });
    expect(await query(versions)).toEqual(unchanged);
    await query('CREATE VIEW mine AS SELECT count(*) AS orders FROM orders');
    expect(await run(`sync reset ${at} --yes`)).toMatchObject({ code: 0 });
    expect(Number((await query('SELECT orders FROM mine'))[0]?.orders)).toBe(0);
    expect(await run(sync)).toMatchObject({ code: 0 });
    expect(Number((await query('SELECT orders FROM mine'))[0]?.orders)).toBe(Number(count));
    expect(Number((await query(personal))[0]?.count)).toBe(0);
  },
);
