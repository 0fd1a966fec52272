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
import { type SyncResult, syncAccount } from '../../src/features/sync/run.ts';
import type { Source } from '../../src/features/sync/tables/table.ts';
import { quickstats } from '../../src/operations/quickstats.ts';
import { home } from './cb.ts';
import { postgresUrl } from './postgres.ts';

export async function sqliteDatabase(): Promise<Sql> {
  const processes = { own: process.pid, isRunning: () => true };
  const sql = await openSqlite({ file: `${home().folder}/copy.db`, processes });
  onTestFinished(() => sql.close());
  return sql;
}

/** One of SQLite, and one of PostgreSQL if it is installed. */
export async function emptyDatabases(): Promise<readonly Sql[]> {
  return [await sqliteDatabase(), ...(await postgresDatabases())];
}

async function postgresDatabases(): Promise<readonly Sql[]> {
  const url = await postgresUrl();
  if (url === undefined) return [];
  const sql = await openPostgres({ url });
  onTestFinished(() => sql.close());
  return [sql];
}

export interface CopyOptions {
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

export interface Copying {
  readonly nicknames: readonly string[];
  /** Brings the copy up to date. */
  sync(): Promise<SyncResult>;
}

/** Prepares a copy of the account of a client. */
export async function copyTo(options: CopyOptions): Promise<Copying> {
  const { sql, client, now, sources, first, lookBack = 60 } = options;
  const { withoutPersonalData = false } = options;
  await prepareCopy(sql, { service: 'the sandbox', withoutPersonalData, patience: 0 });
  const accounts = await client.call(quickstats.accounts, {});
  const nicknames = accounts.flatMap(({ nickName }) => nickName ?? []);
  const account = nicknames[0] ?? '';
  await storeAccount(sql, { account, nicknames, ended: {}, firstDay: first });
  const destination = sqlDestination(sql);
  const { signal } = new AbortController();
  return {
    nicknames,
    sync() {
      const today = pacificDay(now().getTime() / 1000);
      return syncAccount({
        account,
        reader: { client, nicknames, today, signal },
        destination,
        sources,
        since: first,
        lookBack,
        readsAll: false,
        budget: new Budget(20_000),
        now,
        isAnonymous: () => withoutPersonalData,
      });
    },
  };
}
