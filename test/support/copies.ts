/** Copies of an account in databases that are closed when the test ends. */
import { onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { Day } from '../../src/dates/day.ts';
import { pacificDay } from '../../src/dates/pacific.ts';
import {
  prepareCopy,
  sqlDestination,
  storeAccount,
} from '../../src/features/sync/database/copy.ts';
import { openPostgres } from '../../src/features/sync/database/postgres.ts';
import { openSqlite } from '../../src/features/sync/database/sqlite.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import { Budget } from '../../src/features/sync/plan.ts';
import { syncAccount } from '../../src/features/sync/run.ts';
import type { Source } from '../../src/features/sync/tables/table.ts';
import { quickstats } from '../../src/operations/quickstats.ts';
import { home } from './cb.ts';
import { postgresUrl } from './postgres.ts';

async function closedWithTest(opening: Promise<Sql>): Promise<Sql> {
  const sql = await opening;
  onTestFinished(() => sql.close());
  return sql;
}

export function sqliteDatabase(): Promise<Sql> {
  const processes = { own: process.pid, isRunning: () => true };
  return closedWithTest(openSqlite({ file: `${home().folder}/copy.db`, processes }));
}

/** One of SQLite, and one of PostgreSQL if it is installed. */
export async function emptyDatabases(): Promise<readonly Sql[]> {
  const sqlite = await sqliteDatabase();
  const url = await postgresUrl();
  return url === undefined ? [sqlite] : [sqlite, await closedWithTest(openPostgres({ url }))];
}

interface CopyOptions {
  readonly sql: Sql;
  readonly client: Client;
  /** The clock of the service. */
  now(): Date;
  readonly sources: readonly Source[];
  /** The first day to copy. */
  readonly first: Day;
  /** Days; default: 60. */
  readonly lookBack?: number;
  readonly withoutPersonalData?: boolean;
}

/** Prepares a copy of the account of a client; `sync` brings it up to date. */
export async function copyTo(options: CopyOptions) {
  const { sql, client, now, sources, first, lookBack = 60 } = options;
  const { withoutPersonalData = false } = options;
  await prepareCopy(sql, { service: 'the sandbox', withoutPersonalData, patience: 0 });
  const accounts = await client.call(quickstats.accounts, {});
  const nicknames = accounts.flatMap(({ nickName }) => nickName ?? []);
  const account = nicknames[0] ?? '';
  await storeAccount(sql, { account, nicknames, ended: {}, firstDay: first });
  const destination = sqlDestination(sql);
  const { signal } = new AbortController();
  const sync = () => {
    const today = pacificDay(now().getTime() / 1000);
    return syncAccount({
      ...{ account, destination, sources, since: first, lookBack, readsAll: false, now },
      reader: { client, nicknames, today, signal },
      budget: new Budget(20_000),
      isAnonymous: () => withoutPersonalData,
    });
  };
  return { nicknames, sync };
}
