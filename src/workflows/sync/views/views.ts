/** All views of a copy, and how they are brought up to date. */
import { metaOf, setMeta } from '../database/migrate.ts';
import type { Sql } from '../database/sql.ts';
import { clickViews } from './click-views.ts';
import { customerIndexes, customerViews } from './customer-views.ts';
import { salesIndexes, salesViews } from './sales-views.ts';
import { subscriptionIndexes, subscriptionViews } from './subscription-views.ts';
import { type CopyView, dialects, type ViewIndex } from './view.ts';

/** A view that reads another one comes after it. */
export const views: readonly CopyView[] = [
  ...salesViews,
  ...subscriptionViews,
  ...customerViews,
  ...clickViews,
];

export const viewIndexes: readonly ViewIndex[] = [
  ...salesIndexes,
  ...subscriptionIndexes,
  ...customerIndexes,
];

/** The statements that create what is in a copy besides tables, by name. */
interface Created {
  readonly indexes: Readonly<Record<string, string>>;
  readonly views: Readonly<Record<string, string>>;
}

function wanted({ dialect }: Sql): Created {
  return {
    indexes: Object.fromEntries(
      viewIndexes.map(({ name, on }) => [name, `CREATE INDEX ${name} ON ${on}`]),
    ),
    views: Object.fromEntries(
      views.map(({ name, select }) => [
        name,
        `CREATE VIEW ${name} AS\n${select(dialects[dialect])}`,
      ]),
    ),
  };
}

const nothing: Created = { indexes: {}, views: {} };

/**
 * Creates the views of this cb in place of those of another version, and the indexes that changed. Does nothing if all
 * are there. Views that users made are left alone.
 */
export async function updateViews(sql: Sql): Promise<void> {
  const stored = await metaOf(sql, 'views');
  const now = wanted(sql);
  if (stored === JSON.stringify(now)) return;
  const before: Created = stored === undefined ? nothing : JSON.parse(stored);
  await sql.transaction(() => replaceViews(sql, before, now));
}

async function replaceViews(sql: Sql, before: Created, now: Created): Promise<void> {
  const isKept = (name: string) => before.indexes[name] === now.indexes[name];
  for (const name of Object.keys(before.views).reverse()) {
    await sql.query(`DROP VIEW IF EXISTS ${name}`);
  }
  for (const name of Object.keys(before.indexes).filter((name) => !isKept(name))) {
    await sql.query(`DROP INDEX IF EXISTS ${name}`);
  }
  for (const [name, statement] of Object.entries(now.indexes)) {
    if (!isKept(name)) await sql.query(statement);
  }
  for (const statement of Object.values(now.views)) await sql.query(statement);
  await setMeta(sql, 'views', JSON.stringify(now));
}
