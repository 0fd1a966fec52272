/** A seeded sandbox whose clock moves on by nights, and copies of it. */
import { expect } from 'vitest';
import { addDays, pacificDay } from '../../../../src/dates/day.ts';
import { sources } from '../../../../src/features/sync/tables/sources.ts';
import {
  type DatabaseKind,
  kinds,
  sqlite,
  type TestDatabase,
} from '../../../features/sync/database/databases.ts';
import { type Home, home } from '../../../support/cb.ts';
import { clientOf } from '../../../support/client.ts';
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

/** A database for a copy, and a home of its own. */
export type CopyPlace = Home & TestDatabase;

export async function openPlace({ create }: DatabaseKind = sqlite): Promise<CopyPlace> {
  return { ...home(), ...(await create()) };
}

/** One in SQLite, and one in PostgreSQL if it is installed. */
export const allPlaces = () =>
  Promise.all(kinds.filter(({ missing }) => missing === undefined).map(openPlace));

export async function openShop(orders: number) {
  const { sandbox, key, keyOf, env } = await serveSandbox({ orders });
  const client = clientOf(sandbox.url, { apiKey: key });
  const today = () => pacificDay(sandbox.now().getTime() / 1000);
  const first = addDays(today(), -history);
  return {
    ...{ sandbox, keyOf, client },
    today,
    /** The copied days. */
    asked: (): Asked => ({ client, first, last: today() }),
    /** Brings copies up to date with `cb sync`; `options` are further ones. */
    async sync(copies: readonly CopyPlace[], options: string, tables = nightly): Promise<void> {
      for (const { cb, place } of copies) {
        const line = `sync ${place} --tables ${tables} --since ${first} ${options}`;
        const { code, err } = await cb(line, { env, now: sandbox.now });
        expect({ line, code, err }).toMatchObject({ code: 0 });
      }
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
