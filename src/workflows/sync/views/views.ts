/** All views of a copy, and how they are brought up to date. */
import { metaOf, setMeta } from '../database/migrate.ts';
import type { Sql } from '../database/sql.ts';
import { DestinationError } from '../destination.ts';
import { clickViews } from './click-views.ts';
import { coverageViews } from './coverage-views.ts';
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
  ...coverageViews,
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
  /** For PostgreSQL; SQLite has no comments. */
  readonly comments?: readonly string[];
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
  const words = dialects[sql.dialect];
  const isOwn = (name: string) => sql.dialect === 'postgres' && Object.hasOwn(before.views, name);
  for (const name of Object.keys(before.views).reverse()) {
    const view = views.find((one) => one.name === name);
    // A view that is replaced keeps its grants and the views of users. It must not read stored rows meanwhile.
    if (view && isOwn(name)) await replaceView(sql, name, view.select(words));
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
const stillUsed = '2BP01';

/** Throws a DestinationError that names the view of the user that reads this one. */
async function dropView(sql: Sql, name: string): Promise<void> {
  try {
    await sql.query(`DROP VIEW IF EXISTS ${name}`);
  } catch (error) {
    if (codeOf(error) !== stillUsed) throw error;
    const [reason = ''] = String((error as { readonly detail?: unknown }).detail).split('\n');
    throw new DestinationError(
      'unsuitable',
      `Cannot change the columns of the view ${name} in ${sql.label}: ${reason}.`,
      {
        hint: 'Drop what depends on it, run the command again, and create it again.',
        cause: error,
      },
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
