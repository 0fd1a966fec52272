/** Keys that read more or fewer nicknames than before, as a user of `cb sync` meets them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { copyOf, rowsOf } from '../../support/copy.ts';
import { type Passed, startGateway } from '../../support/gateway.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson, serveSandbox } from '../../support/sandbox.ts';

const since = '--since 2026-01-01';
const later = (days: number) => () => new Date(now.getTime() + days * 86_400_000);

// That the copy then equals what the service lists is proved in nights/changing-key.test.ts.
test('a key that reads more nicknames lacks days until it has read all of them', async () => {
  const at = await sandboxHome(300);
  const vendor = `--profile sandbox:vendor sync ${since} --tables orders`;
  expect(await at.cb(vendor)).toMatchObject({ code: 0 });
  await sandboxJson(at, 'sync --tables orders --max-requests 8');
  const [orders] = await sandboxJson(at, 'sync status');
  expect(orders).toMatchObject({ table: 'orders' });
  expect(orders.missingDays).toBeGreaterThan(20);
  const metric = await at.cb('--sandbox metrics rates-by-affiliate --period last-month');
  expectExit(metric, 8, 'The copy does not have all orders of 2026-02-01 to 2026-02-');
  const months = "SELECT month FROM complete_months WHERE source = 'orders' ORDER BY 1";
  expect(await rowsOf(copyOf(at), months)).toEqual([]);
  expect(await at.cb('--sandbox sync --tables orders')).toMatchObject({ code: 0 });
  expect((await rowsOf(copyOf(at), months)).length).toBe(2);
});

// That no row is deleted is proved in nights/changing-key.test.ts.
test('each run of a key that reads fewer nicknames says so with exit code 8 until --accept-access records once that the access has ended, and status names its last day', async () => {
  const at = await sandboxHome(300);
  const tables = '--tables orders,subscriptions,quickstats';
  const run = (line: string, night: number) => at.cb(line, { now: later(night) });
  expect(await run(`--sandbox sync ${since} ${tables}`, 0)).toMatchObject({ code: 0 });
  const lost = "SELECT raw FROM orders WHERE coalesce(vendor, '') <> 'GREENLEAF' ORDER BY raw";
  const rows = await rowsOf(copyOf(at), lost);
  const says =
    /warning: The API key can't read .*FITLAB24 \(last day 2026-03-17\).* of the account GREENLEAF\. Their rows stay as they are\. If this access has ended, run cb sync once with --accept-access\./;
  for (const night of [1, 2]) {
    expectExit(await run(`--profile sandbox:vendor sync ${tables}`, night), 8, says);
  }
  const runs = 'SELECT outcome, message FROM sync_runs ORDER BY started_at DESC LIMIT 1';
  expect(await rowsOf(copyOf(at), runs)).toEqual([
    { outcome: 'incomplete', message: expect.stringContaining("can't read") },
  ]);
  const metric = '--sandbox metrics rates-by-affiliate --period';
  expectExit(await run(`${metric} last-month`, 2), 8, 'FITLAB24');

  const stay =
    /note: The rows of .*FITLAB24 \(last day 2026-03-17\).* stay as they are in GREENLEAF\./;
  expectExit(await run(`--profile sandbox:vendor sync --accept-access ${tables}`, 2), 0, stay);
  const next = await run('--profile sandbox:vendor sync --tables orders', 3);
  expect(next).toMatchObject({ code: 0, err: expect.not.stringContaining('warning') });
  expect(await rowsOf(copyOf(at), lost)).toEqual(rows);
  const earlier =
    /note: The copy of GREENLEAF has earlier rows only of .*FITLAB24 \(last day 2026-03-17\)/;
  expectExit(await run('--sandbox sync status', 3), 0, earlier);
  expectExit(await run(`${metric} this-month`, 3), 0, 'FITLAB24 (last day 2026-03-17)');
  const agrees = { code: 0, out: '' };
  expect(await run('--profile sandbox:vendor sync check', 3)).toMatchObject(agrees);
  // The access comes back.
  expect(await run(`--sandbox sync ${tables}`, 4)).toMatchObject({ code: 0 });
  expect((await run('--sandbox sync status', 4)).err).not.toContain('note:');
  expect(await run('--sandbox sync check', 4)).toMatchObject(agrees);
});

test('a key that shares nicknames, and has others where the copy has others, is refused with exit code 3, or copied as a separate account with --new-account', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 60 });
  /** What the key reads. */
  const read = { nicknames: ['GREENLEAF', 'FITLAB24'] };
  const change = ({ path }: Passed) =>
    path === '/quickstats/accounts'
      ? JSON.stringify({ accountData: read.nicknames.map((nickName) => ({ nickName })) })
      : undefined;
  const gateway = await startGateway(sandbox.url, now, change);
  const at = home();
  const file = join(at.folder, 'copy.db');
  const run = (line: string) => at.cb(line, { env: { ...env, CB_BASE_URL: gateway.url } });
  const everything = 'SELECT * FROM sync_accounts ORDER BY account';
  const state = async () => [
    await rowsOf(file, everything),
    await rowsOf(file, 'SELECT * FROM sync_days'),
  ];
  await run(`sync copy.db ${since} --tables orders`);
  const before = await state();
  read.nicknames = ['FITLAB24', 'COOKWELL'];
  const refused =
    /copy\.db already has FITLAB24 in the account GREENLEAF, and the API key also reads COOKWELL\. Nothing was written\. .*--new-account/;
  for (const options of ['', '--dry-run']) {
    expectExit(await run(`sync copy.db --tables orders ${options}`), 3, refused);
  }
  expect(await state()).toEqual(before);
  const ofFirst = "SELECT * FROM orders WHERE account = 'GREENLEAF'";
  const first = await rowsOf(file, ofFirst);
  const added = await run(`sync copy.db ${since} --tables orders --new-account`);
  expectExit(added, 0, 'rows of FITLAB24 to');
  // Later runs continue both.
  expect(await run('sync copy.db --tables orders')).toMatchObject({ code: 0 });
  expect(await rowsOf(file, ofFirst)).toEqual(first);
  read.nicknames = ['GREENLEAF', 'FITLAB24'];
  expectExit(await run('sync copy.db --tables orders'), 0, 'rows of GREENLEAF to');
  const accounts = [{ account: 'FITLAB24' }, { account: 'GREENLEAF' }];
  expect(await rowsOf(file, everything)).toMatchObject(accounts);
});

test('a key that reads two accounts of the copy is refused: their rows would be there twice', async () => {
  const at = await sandboxHome(60);
  await at.cb(`--profile sandbox:vendor,sandbox:affiliate sync ${since} --tables orders`);
  const ran = await at.cb('--sandbox sync --tables orders');
  expectExit(ran, 3, /already has TOPAFF1 in the account TOPAFF1.* as a separate account\. $/);
});
