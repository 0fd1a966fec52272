/** A seeded sandbox whose clock moves on by nights, what its customers and its vendor do, and a copy of it. */
import { onTestFinished } from 'vitest';
import { addDays, type Day } from '../../../../src/dates/day.ts';
import { pacificDay } from '../../../../src/dates/pacific.ts';
import { quickstats } from '../../../../src/operations/quickstats.ts';
import { startSandbox } from '../../../../src/sandbox/http/server.ts';
import { openBudget } from '../../../../src/workflows/sync/budget.ts';
import { prepareCopy, storeAccount } from '../../../../src/workflows/sync/database/copy.ts';
import type { Sql } from '../../../../src/workflows/sync/database/sql.ts';
import { sqlDestination } from '../../../../src/workflows/sync/database/sql-destination.ts';
import { type SyncResult, syncAccount } from '../../../../src/workflows/sync/run.ts';
import { sources } from '../../../../src/workflows/sync/tables/sources.ts';
import { now } from '../../../support/cb.ts';
import { clientOf } from '../../../support/client.ts';
import type { Asked } from './service.ts';

/** Days before the first night that are copied. */
const history = 120;

/** Analytics are compared in test/workflows/sync/tables/: they cost a request for each day and nickname. */
const nightly = sources.filter(({ name }) => name !== 'analytics_days');

export async function openShop({ orders = 300, randomSeed = 1 } = {}) {
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
    /** What to ask the service about the copied days. */
    asked: (): Asked => ({ client, nicknames, first, last: today() }),
    sync: (sql: Sql, destination = sqlDestination(sql), lookBack = 60) =>
      syncNightly({ sql, destination, lookBack, first }),
  };

  async function syncNightly(copy: {
    readonly sql: Sql;
    readonly destination: ReturnType<typeof sqlDestination>;
    readonly lookBack: number;
    readonly first: Day;
  }): Promise<SyncResult> {
    const { account } = await storeAccount(copy.sql, nicknames, copy.first, copy.first);
    return syncAccount({
      account,
      reader: { client, nicknames, today: today(), signal: new AbortController().signal },
      destination: copy.destination,
      sources: nightly,
      since: copy.first,
      lookBack: copy.lookBack,
      readsAll: false,
      refreshWithin: 365,
      budget: openBudget(20_000),
      now: () => sandbox.now(),
      isAnonymous: () => false,
    });
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

export async function prepared(sql: Sql): Promise<Sql> {
  await prepareCopy(sql, { service: 'the sandbox', withoutPersonalData: false, patience: 0 });
  return sql;
}
