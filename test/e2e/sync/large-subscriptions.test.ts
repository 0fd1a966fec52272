/** Subscriptions that are too many for one response; test/features/sync/tables/ has them in small. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now } from '../../support/cb.ts';
import { rowsOf } from '../../support/copy.ts';
import { startGateway } from '../../support/gateway.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { isLong } from '../../support/tier.ts';

interface Details {
  data?: { row?: Record<string, unknown>[] };
}

const largest = 32 * 1024 * 1024;

test.skipIf(!isLong)(
  'copies subscriptions that are larger than 32 MiB together, by the days on which they started',
  async () => {
    const { sandbox, env } = await serveSandbox({ orders: 1500, keyName: 'vendor' });
    let padding = '';
    const asked: { readonly path: string; readonly size: number }[] = [];
    const gateway = await startGateway(sandbox.url, now, ({ path, body }) => {
      if (!path.includes('/subscription/details')) return undefined;
      const details: Details = JSON.parse(body);
      const rows = details.data?.row ?? [];
      // All of them together are too large, and so are those of the last year.
      padding ||= 'x'.repeat((2 * largest) / rows.length);
      const row = rows.map((one) => ({ ...one, timeStr: padding }));
      const sent = JSON.stringify({ ...details, data: { row } });
      asked.push({ path, size: sent.length });
      return sent;
    });
    const at = home();
    const file = (name: string) => join(at.folder, name);
    await at.cb('sync right.db --tables subscriptions', { env });
    const { code, err } = await at.cb('sync copy.db --tables subscriptions', {
      env: { ...env, CB_BASE_URL: gateway.url },
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    const read = asked.filter(({ path }) => path.endsWith('/startdate'));
    expect(read.some(({ size }) => size > largest)).toBe(true);
    expect(
      read.filter(({ size }) => size > padding.length && size <= largest).length,
    ).toBeGreaterThan(2);
    const query = 'SELECT subscription_id, start_day, status, value FROM subscriptions ORDER BY 1';
    const right = await rowsOf(file('right.db'), query);
    expect(right.length).toBeGreaterThan(20);
    expect(await rowsOf(file('copy.db'), query)).toEqual(right);
  },
);
