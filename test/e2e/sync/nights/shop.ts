/** A seeded sandbox whose clock moves on by nights, and copies of it. */
import { onTestFinished } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
import { pacificDay } from '../../../../src/dates/pacific.ts';
import { quickstats } from '../../../../src/operations/quickstats.ts';
import { startSandbox } from '../../../../src/sandbox/http/server.ts';
import type { Sql } from '../../../../src/workflows/sync/database/sql.ts';
import { sources } from '../../../../src/workflows/sync/tables/sources.ts';
import { now } from '../../../support/cb.ts';
import { clientOf } from '../../../support/client.ts';
import { copyTo } from '../../../support/copies.ts';
import type { Asked } from './service.ts';

/** Days before the first night that are copied. */
const history = 65;

/** Statistics are compared in test/workflows/sync/tables/: they cost a request for each day and nickname. */
const elsewhere = ['analytics_days', 'subscription_days'];
const nightly = sources.filter(({ name }) => !elsewhere.includes(name));

export async function openShop({ orders = 200, randomSeed = 1 } = {}) {
  const seed = { orders, randomSeed };
  const sandbox = await startSandbox({ file: ':memory:', now: () => now, seed });
  onTestFinished(() => sandbox.close());
  const apiKey = sandbox.keys.find(({ name }) => name === 'full')?.key ?? '';
  const client = clientOf(sandbox.url, { apiKey });
  const accounts = await client.call(quickstats.accounts, {});
  const nicknames = accounts.flatMap(({ nickName }) => nickName ?? []);
  const today = () => pacificDay(sandbox.now().getTime() / 1000);
  const first = addDays(today(), -history);
  return {
    sandbox,
    client,
    today,
    /** The copied days, as the service is asked for them. */
    asked: (): Asked => ({ client, nicknames, first, last: today() }),
    copyTo: (sql: Sql, lookBack: number) =>
      copyTo({ sql, client, now: sandbox.now, sources: nightly, first, lookBack }),
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
