/** A seeded sandbox whose clock moves on by nights, what its customers and its vendor do, and a copy of it. */
import { onTestFinished } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
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
const history = 75;

/** Statistics are compared in test/workflows/sync/tables/: they cost a request for each day and nickname. */
const elsewhere = ['analytics_days', 'subscription_days'];
const nightly = sources.filter(({ name }) => !elsewhere.includes(name));

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
    /** Prepares a copy, and returns a function that brings it up to date. */
    async copyTo(sql: Sql, lookBack: number): Promise<() => Promise<SyncResult>> {
      const facts = { service: 'the sandbox', withoutPersonalData: false, patience: 0 };
      await prepareCopy(sql, facts);
      const { account } = await storeAccount(sql, nicknames, first, first);
      const destination = sqlDestination(sql);
      return () =>
        syncAccount({
          account,
          reader: { client, nicknames, today: today(), signal: new AbortController().signal },
          destination,
          sources: nightly,
          since: first,
          lookBack,
          readsAll: false,
          refreshWithin: 365,
          budget: openBudget(20_000),
          now: () => sandbox.now(),
          isAnonymous: () => false,
        });
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
