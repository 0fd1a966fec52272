/** Compares a copy with what the service lists, day by day. */
import { expect, onTestFinished } from 'vitest';
import { openPostgresReader } from '../../../../src/features/sync/database/postgres.ts';
import { openSqliteReader } from '../../../../src/features/sync/database/sqlite.ts';
import type { SqlReader } from '../../../../src/features/sync/destination.ts';
import { kinds } from '../../../features/sync/database/databases.ts';
import { clientOf } from '../../../support/client.ts';
import { isLong } from '../../../support/tier.ts';
import { differencesOf, sourceOf } from '../nights/compare.ts';
import { type Json, listedNow } from '../nights/service.ts';

/** Where to copy to. In `npm test`, the contract tests hold PostgreSQL to the same answers. */
export const places = isLong ? kinds : kinds.slice(0, 1);

interface Service {
  readonly listed: ReadonlyMap<string, readonly Json[]>;
  readonly days: { readonly first: string; readonly last: string };
}

/** The orders and tickets of the service. */
export async function serviceRows(
  env: { readonly CB_BASE_URL: string; readonly CB_API_KEY: string },
  last = '2026-03-18',
): Promise<Service> {
  const client = clientOf(env.CB_BASE_URL, { apiKey: env.CB_API_KEY });
  const days = { first: '2025-09-01', last };
  const listed = await listedNow({ client, ...days, tables: ['orders', 'tickets'] });
  return { listed, days };
}

/** A file, or a URL of PostgreSQL. */
export async function openCopy(place: string): Promise<SqlReader> {
  const isUrl = place.startsWith('postgres:');
  const reader = await (isUrl ? openPostgresReader({ url: place }) : openSqliteReader(place));
  onTestFinished(() => reader.close().catch(() => undefined));
  return reader;
}

/** Each complete day equals the service, and no other day has orders. Returns the number of complete days. */
export async function expectNoHalfWindow(copy: SqlReader, service: Service): Promise<number> {
  const days = await copy.query<{ day: string }>(
    "SELECT source || ' ' || day AS day FROM sync_days",
  );
  const complete = new Set(days.map(({ day }) => day));
  const differences = await differencesOf(copy, service.listed, service.days);
  const wrong = differences.filter(({ table, field, day, copy }) => {
    const isUnread = field === 'row' && copy === undefined;
    return !isUnread || complete.has(`${sourceOf(table)} ${day}`);
  });
  expect(wrong.slice(0, 3)).toEqual([]);
  // A ticket that changed today may be of a day that is still to be read; no order is.
  const early = `SELECT transaction_id FROM orders WHERE transaction_time IS NOT NULL
    AND transaction_day NOT IN (SELECT day FROM sync_days WHERE source = 'orders')`;
  expect(await copy.query(early)).toEqual([]);
  return days.length;
}

export async function expectEqual(copy: SqlReader, service: Service): Promise<void> {
  for (const rows of service.listed.values()) expect(rows.length).toBeGreaterThan(0);
  const found = await differencesOf(copy, service.listed, service.days);
  expect(found.slice(0, 3)).toEqual([]);
}
