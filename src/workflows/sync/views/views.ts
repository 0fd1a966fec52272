/** All views of a copy, and how they are brought up to date. */
import { metaOf, setMeta } from '../database/migrate.ts';
import type { Sql } from '../database/sql.ts';
import { clickViews } from './click-views.ts';
import { customerIndexes, customerViews } from './customer-views.ts';
import { discardKept, keptTable, selectOf } from './kept-views.ts';
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
  /** Tables with the rows of views; missing in copies of earlier versions. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly views: Readonly<Record<string, string>>;
}

/** Those whose rows a sync stores. */
export const keptViews: readonly CopyView[] = views.filter(({ isKept }) => isKept);

function wanted({ dialect }: Sql): Required<Created> {
  const words = dialects[dialect];
  return {
    indexes: Object.fromEntries(
      viewIndexes.map(({ name, on }) => [name, `CREATE INDEX ${name} ON ${on}`]),
    ),
    kept: Object.fromEntries(
      keptViews.map((view) => [
        keptTable(view),
        `CREATE TABLE ${keptTable(view)} AS SELECT * FROM (\n${view.select(words)}\n) AS computed LIMIT 0`,
      ]),
    ),
    views: Object.fromEntries(
      views.map((view) => [view.name, `CREATE VIEW ${view.name} AS\n${selectOf(view, words)}`]),
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

async function replaceViews(sql: Sql, before: Created, now: Required<Created>): Promise<void> {
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
  await discardKept(sql);
  for (const name of Object.keys({ ...before.kept, ...now.kept })) {
    await sql.query(`DROP TABLE IF EXISTS ${name}`);
  }
  const statements = [...Object.values(now.kept), ...Object.values(now.views)];
  for (const statement of statements) await sql.query(statement);
  await setMeta(sql, 'views', JSON.stringify(now));
}
