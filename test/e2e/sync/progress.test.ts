/** What a running sync shows on a terminal, and what is known of one that was killed. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb, emptyHome } from '../../support/binary.ts';
import { home, now } from '../../support/cb.ts';
import { rowsOf } from '../../support/copy.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

/** A service with one slow order a day. */
function slowShop() {
  return serve((reply, _, { url }) => {
    reply.sendDate = false;
    reply.setHeader('date', now.toUTCString());
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    if (pathname.endsWith('/accounts'))
      return void reply.end('{"accountData":{"nickName":"SHOP"}}');
    if (pathname.endsWith('/count')) return void reply.end('1');
    const day = searchParams.get('startDate');
    const row = {
      receipt: 'SOLD',
      transactionType: 'SALE',
      transactionTime: `${day}T12:00:00-07:00`,
    };
    setTimeout(() => reply.end(JSON.stringify({ orderData: row })), 400);
  });
}

test('shows the table, the days, rows, windows and requests left, on a line that disappears', async () => {
  const { env } = await slowShop();
  const line = 'sync shop.db --tables orders --since -3d';
  const { code, out, err } = await home().cb(line, { env, columns: 120 });
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toMatch(
    /orders 2026-03-\d\d to 2026-03-\d\d: \d rows?, \d windows?, 19,99\d requests left today, about \d+ s left/,
  );
  const clear = '\x1b[K';
  const last = err.slice(err.lastIndexOf(clear) + clear.length);
  expect(last).toMatch(/^Copied 3 rows of SHOP to \S+ with \d+ requests\.\n/);
  const { err: piped } = await home().cb(line, { env });
  expect(piped).toMatch(/^Copied 3 rows[^\n]*\n$/);
});

test('counts the requests of a sync that was killed, which status calls unfinished', async () => {
  const { env, sandbox } = await serveSandbox({ orders: 3000 });
  const folder = emptyHome();
  const file = join(folder, 'shop.db');
  const { child } = cb(['sync', 'shop.db'], { home: folder, env });
  const stored = async () => {
    const isThere = existsSync(file) && sandbox.requests.length > 10;
    const runs = isThere
      ? await rowsOf<{ requests: number; outcome: string | null }>(
          file,
          'SELECT requests, outcome FROM sync_runs',
        )
      : [];
    return runs[0];
  };
  while (((await stored())?.requests ?? 0) < 10) await new Promise((done) => setImmediate(done));
  child.kill('SIGKILL');
  await once(child, 'close');
  const sent = sandbox.requests.filter(({ method }) => method === 'GET').length;
  const run = await stored();
  expect(run?.outcome).toBeNull();
  expect(run?.requests).toBeGreaterThanOrEqual(10);
  expect(run?.requests).toBeLessThanOrEqual(sent);
  const status = await home().cb(`sync status --database ${file} -o json`, { env });
  expect(JSON.parse(status.out)[0]).toMatchObject({ table: 'orders', outcome: 'unfinished' });
});
