/** All views of a copy, and how they are brought up to date. */
import { codeOf } from '../../../storage/error-code.ts';
import { emptyView, metaOf, setMeta, withDependents } from '../database/migrate.ts';
import { schemaVersion } from '../database/schema.ts';
import type { Sql } from '../destination.ts';
import { clickViews, coverageViews, customerIndexes, customerViews } from './customer-views.ts';
import { salesIndexes, salesViews } from './sales-views.ts';
import { subscriptionIndexes, subscriptionViews } from './subscription-views.ts';
import {
  type CopyView,
  dialects,
  discardKept,
  keptTable,
  selectOf,
  type ViewIndex,
} from './view.ts';

/** A view that reads another one comes after it. */
export const views: readonly CopyView[] = [
  ...salesViews,
  ...subscriptionViews,
  ...customerViews,
  ...clickViews,
  ...coverageViews,
];

export const viewIndexes: readonly ViewIndex[] = [
  ...salesIndexes,
  ...subscriptionIndexes,
  ...customerIndexes,
];

/** The statements that create what is in a copy besides tables, by name. */
interface Created {
  /** The version of the schema that the views were made for. */
  readonly version?: number;
  readonly indexes: Readonly<Record<string, string>>;
  /** Tables with the rows of views; missing in copies of earlier versions. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly views: Readonly<Record<string, string>>;
  /** For PostgreSQL; SQLite has no comments. */
  readonly comments?: readonly string[];
}

/** Those whose rows a sync stores. */
export const keptViews: readonly CopyView[] = views.filter(({ isKept }) => isKept);

function wanted({ dialect }: Sql): Required<Created> {
  const words = dialects[dialect];
  return {
    version: schemaVersion,
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
    comments: dialect === 'sqlite' ? [] : views.flatMap(commentsOn),
  };
}

function commentsOn({ name, summary, columns }: CopyView): string[] {
  return [
    `COMMENT ON VIEW ${name} IS ${quoted(summary)}`,
    ...columns.map((one) => `COMMENT ON COLUMN ${name}.${one.name} IS ${quoted(one.comment)}`),
  ];
}

const nothing: Created = { indexes: {}, views: {} };

/**
 * Creates the views of this cb in place of those of another version, and the indexes that changed. Does nothing if all
 * are there. Views that users made are left alone. Runs in a transaction.
 */
export async function replaceViews(sql: Sql): Promise<void> {
  const stored = await metaOf(sql, 'views');
  const now = wanted(sql);
  if (stored === JSON.stringify(now)) return;
  await replace(sql, stored === undefined ? nothing : JSON.parse(stored), now);
}

export async function updateViews(sql: Sql): Promise<void> {
  await sql.transaction(() => replaceViews(sql));
}

async function replace(sql: Sql, before: Created, now: Required<Created>): Promise<void> {
  const isKept = (name: string) => before.indexes[name] === now.indexes[name];
  const words = dialects[sql.dialect];
  const isOwn = (name: string) => sql.dialect === 'postgres' && Object.hasOwn(before.views, name);
  for (const name of Object.keys(before.views).reverse()) {
    // A view that is replaced keeps its grants and the views of users. It must not read stored rows meanwhile.
    if (isOwn(name) && Object.hasOwn(now.views, name)) await emptyView(sql, name);
    else await dropView(sql, name);
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
  for (const statement of Object.values(now.kept)) await sql.query(statement);
  for (const view of views) {
    if (isOwn(view.name)) await replaceView(sql, view.name, selectOf(view, words));
    else await sql.query(now.views[view.name] ?? '');
  }
  for (const comment of now.comments) await sql.query(comment);
  await setMeta(sql, 'views', JSON.stringify(now));
}

/** PostgreSQL replaces a view with equal columns, and with new ones at the end. */
async function replaceView(sql: Sql, name: string, select: string): Promise<void> {
  await sql.query('SAVEPOINT replaced_view');
  try {
    await sql.query(`CREATE OR REPLACE VIEW ${name} AS\n${select}`);
  } catch (error) {
    if (codeOf(error) !== otherColumns) throw error;
    await sql.query('ROLLBACK TO SAVEPOINT replaced_view');
    await dropView(sql, name);
    await sql.query(`CREATE VIEW ${name} AS\n${select}`);
  }
}

const otherColumns = '42P16';

async function dropView(sql: Sql, name: string): Promise<void> {
  const drop = () => sql.query(`DROP VIEW IF EXISTS ${name}`);
  await withDependents(sql, `the view ${name}`, drop);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
