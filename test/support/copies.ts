/** Copies the account of a client, without the command line. */
import type { Client } from '../../src/client/client.ts';
import { type Day, pacificDay } from '../../src/dates/day.ts';
import {
  prepareCopy,
  sqlDestination,
  storeAccount,
} from '../../src/features/sync/database/copy.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import { Budget } from '../../src/features/sync/plan.ts';
import { syncAccount } from '../../src/features/sync/run.ts';
import type { Source } from '../../src/features/sync/tables/table.ts';
import { quickstats } from '../../src/operations/quickstats.ts';

interface CopyOptions {
  readonly sql: Sql;
  readonly client: Client;
  /** The clock of the service. */
  now(): Date;
  readonly sources: readonly Source[];
  /** The first day to copy. */
  readonly first: Day;
}

/** Prepares a copy of the account of a client; `sync` brings it up to date. */
export async function copyTo(options: CopyOptions) {
  const { sql, client, now, sources, first } = options;
  await prepareCopy(sql, { service: 'the sandbox', withoutPersonalData: false, patience: 0 });
  const accounts = await client.call(quickstats.accounts, {});
  const nicknames = accounts.flatMap(({ nickName }) => nickName ?? []);
  const account = nicknames[0] ?? '';
  await storeAccount(sql, { account, nicknames, ended: {}, firstDay: first });
  const destination = sqlDestination(sql);
  const { signal } = new AbortController();
  const sync = () => {
    const today = pacificDay(now().getTime() / 1000);
    return syncAccount({
      ...{ account, destination, sources, since: first, lookBack: 60, readsAll: false, now },
      reader: { client, nicknames, today, signal },
      budget: new Budget(20_000),
      isAnonymous: () => false,
    });
  };
  return { nicknames, sync };
}
