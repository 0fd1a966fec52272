/** Views whose rows a sync stores answer as if they were computed. */
import { describe, expect, test } from 'vitest';
import { storeRun, updateCopy } from '../../../../src/features/sync/database/copy.ts';
import { metaOf, setMeta } from '../../../../src/features/sync/database/schema.ts';
import { findCustomer, forgetCustomer } from '../../../../src/features/sync/upkeep/forget.ts';
import { emptyCopy } from '../../../../src/features/sync/upkeep/status.ts';
import { keepViews, keptTable } from '../../../../src/features/sync/views/view.ts';
import { keptViews } from '../../../../src/features/sync/views/views.ts';
import { kinds } from '../database/databases.ts';
import { openShop, type Shop, subscription, transaction } from './shop.ts';

const january = [
  transaction('2026-01-05', { email: 'ada@example.com' }),
  transaction('2026-02-05', { email: 'ada@example.com', type: 'BILL' }),
  transaction('2026-01-06', { email: 'bo@example.com' }),
];
const plans = [
  subscription('ada@example.com', '10.00', '2026-01-05'),
  subscription('bo@example.com', '20.00', '2026-01-06', { stop: '2026-02-10' }),
];

async function fill(shop: Shop): Promise<Shop> {
  await shop.orders(january);
  await shop.subscriptions(plans, '2026-02-20');
  return shop;
}

async function answersOf(shop: Shop) {
  const answers = [];
  for (const { name, columns } of keptViews) {
    answers.push([name, await shop.view(name)]);
    if (shop.sql.dialect !== 'sqlite') continue;
    // 12.0 and 12 are one number in JavaScript, but SQL divides them differently.
    const types = columns.map((column) => `typeof(${column.name}) AS ${column.name}`);
    const rows = await shop.sql.query(`SELECT DISTINCT ${types.join(', ')} FROM ${name}`);
    answers.push([name, rows.map((row) => JSON.stringify(row)).toSorted()]);
  }
  return answers;
}

const changes: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  'orders are replaced': (shop) =>
    shop.orders([...january, transaction('2026-02-07', { email: 'bo@example.com' })]),
  'subscriptions are replaced': async (shop) => {
    await shop.sql.query('DELETE FROM sync_runs');
    await shop.subscriptions(plans.slice(0, 1), '2026-02-20');
  },
  'a sync starts on a later day': ({ sql }) =>
    storeRun(sql, {
      ...{ runId: 'later', account: 'MAKER', day: '2026-03-20', requests: 0, rows: 0 },
      startedAt: '2026-03-20T18:00:00Z',
    }),
  'a customer is forgotten': async ({ sql }) => {
    const rows = await findCustomer(sql, 'ada@example.com');
    await forgetCustomer(sql, 'ada@example.com', rows, '2026-02-21T18:00:00Z');
  },
  'the copy is emptied': ({ sql }) => emptyCopy(sql),
  'another version of cb replaces the views': async ({ sql }) => {
    await sql.query('UPDATE orders SET customer = NULL');
    const stored = JSON.parse((await metaOf(sql, 'views')) ?? '');
    await setMeta(sql, 'views', JSON.stringify({ ...stored, kept: undefined }));
    await updateCopy(sql);
  },
};

describe.each(kinds)('in $name', (kind) => {
  const check = test.skipIf(kind.missing);

  check('answers from stored rows as it answers without them', async () => {
    const shop = await fill(await openShop(kind));
    const computed = await answersOf(shop);
    expect(computed.every(([, rows]) => rows?.length)).toBe(true);
    await keepViews(shop.sql, keptViews);
    expect(await answersOf(shop)).toEqual(computed);
    for (const view of keptViews) await shop.sql.query(`DELETE FROM ${keptTable(view)}`);
    expect((await answersOf(shop)).every(([, rows]) => rows?.length === 0)).toBe(true);
  });

  check.each(Object.entries(changes))('computes again when %s', async (_, change) => {
    const shop = await fill(await openShop(kind));
    const other = await fill(await openShop(kind));
    const before = await answersOf(shop);
    await keepViews(shop.sql, keptViews);
    await change(shop);
    await change(other);
    const after = await answersOf(shop);
    expect(after).toEqual(await answersOf(other));
    expect(after).not.toEqual(before);
  });
});
