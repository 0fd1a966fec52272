/** A seeded sandbox whose clock moves on by nights, and copies of it. */
import { expect } from 'vitest';
import { addDays, pacificDay } from '../../../../src/dates/day.ts';
import { openPostgresReader } from '../../../../src/features/sync/database/postgres.ts';
import { openSqliteReader } from '../../../../src/features/sync/database/sqlite.ts';
import type { SqlReader } from '../../../../src/features/sync/destination.ts';
import { sources } from '../../../../src/features/sync/tables/sources.ts';
import { quickstats } from '../../../../src/operations/quickstats.ts';
import { type Home, home } from '../../../support/cb.ts';
import { clientOf } from '../../../support/client.ts';
import { postgresUrl } from '../../../support/postgres.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import type { Asked } from './service.ts';

/** Days before the first night that are copied. */
const history = 65;

/** Statistics are compared in test/features/sync/tables/: they cost a request for each day and nickname. */
const elsewhere = ['analytics_days', 'subscription_days'];
const nightly = sources
  .map(({ name }) => name)
  .filter((name) => !elsewhere.includes(name))
  .join();

/** A database for a copy. */
export interface CopyPlace {
  readonly home: Home;
  /** As it is typed. */
  readonly database: string;
  open(): Promise<SqlReader>;
}

/** One in SQLite, and one in PostgreSQL if it is installed. */
export async function copyPlaces(): Promise<readonly CopyPlace[]> {
  const url = await postgresUrl();
  const sqlite = sqlitePlace();
  if (url === undefined) return [sqlite];
  return [sqlite, { home: home(), database: url, open: () => openPostgresReader({ url }) }];
}

export function sqlitePlace(): CopyPlace {
  const own = home();
  const open = () => openSqliteReader(`${own.folder}/copy.db`);
  return { home: own, database: 'copy.db', open };
}

export async function openShop(orders: number) {
  const { sandbox, key, keyOf, env } = await serveSandbox({ orders });
  const client = clientOf(sandbox.url, { apiKey: key });
  const accounts = await client.call(quickstats.accounts, {});
  const nicknames = accounts.flatMap(({ nickName }) => nickName ?? []);
  const today = () => pacificDay(sandbox.now().getTime() / 1000);
  const first = addDays(today(), -history);
  return {
    ...{ sandbox, keyOf, client },
    today,
    /** The copied days, and whose they are. */
    asked: (): Asked => ({ client, nicknames, first, last: today() }),
    /** Brings copies up to date with `cb sync`; `options` are further ones. */
    async sync(copies: readonly CopyPlace[], options: string, tables = nightly): Promise<void> {
      for (const { home, database } of copies) {
        const line = `sync ${database} --tables ${tables} --since ${first} ${options}`;
        const { code, err } = await home.cb(line, { env, now: sandbox.now });
        expect({ line, code, err }).toMatchObject({ code: 0 });
      }
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
