/** All views of a copy, and how they are brought up to date. */

import { codeOf } from '../../../storage/files.ts';
import { columnsIn, commentsOn, metaOf, setMeta } from '../database/schema.ts';
import { DestinationError, type Dialect, type Sql } from '../destination.ts';
import { customerViews, ofCustomers, salesViews } from './sales-views.ts';
import { subscriptionViews } from './subscription-views.ts';
import { type CopyView, dialects } from './view.ts';

/** As users type it. */
export function metricName({ name }: CopyView): string {
  return name.replaceAll('_', '-');
}

export const views: readonly CopyView[] = [...salesViews, ...subscriptionViews, ...customerViews];

/** What each index is on. They hold all columns that the views read, because the rows of orders are large. */
export const viewIndexes: Readonly<Record<string, string>> = {
  order_items_for_sales:
    'order_items (transaction_month, account, role, vendor, item_no, transaction_day, transaction_type, first_of_product, account_amount)',
  orders_for_rates:
    'sync_orders (transaction_month, account, role, affiliate, transaction_type, account_amount)',
  orders_for_payments:
    "sync_orders (receipt, account, role, transaction_month, transaction_day) WHERE transaction_type IN ('SALE', 'BILL')",
  orders_for_returns:
    "sync_orders (receipt, account, role, transaction_type, transaction_day) WHERE transaction_type IN ('RFND', 'CGBK')",
  subscriptions_for_months:
    'subscriptions (account, role, currency, email, subscription_id, start_day, stop_day, mrr)',
  orders_for_customers: `sync_orders (account, customer, transaction_month, transaction_day, transaction_type, account_amount) WHERE ${ofCustomers.replaceAll('orders.', '')}`,
};

/** The statements of what is in a copy besides tables. */
function wanted(dialect: Dialect) {
  const comments = views.flatMap(({ name, summary, columns }) =>
    commentsOn('VIEW', name, summary, columns),
  );
  return {
    indexes: Object.fromEntries(
      Object.entries(viewIndexes).map(([name, on]) => [name, `CREATE INDEX ${name} ON ${on}`]),
    ),
    views: Object.fromEntries(views.map(({ name, select }) => [name, select(dialects[dialect])])),
    // SQLite has none.
    comments: dialect === 'sqlite' ? [] : comments,
  };
}

/**
 * Creates the views of this cb in place of those of another version, and the indexes that changed. Does nothing if all
 * are there. Views that users made are left alone. Runs in a transaction.
 */
export async function replaceViews(sql: Sql): Promise<void> {
  const stored = await metaOf(sql, 'views');
  const now = wanted(sql.dialect);
  let isCurrent = stored === JSON.stringify(now);
  // A user may have dropped a view together with their own views that depend on it.
  for (const name of Object.keys(now.views)) isCurrent &&= (await columnsIn(sql, name)).size > 0;
  if (isCurrent) return;
  const before: typeof now = { indexes: {}, views: {}, ...JSON.parse(stored ?? '{}') };
  // In PostgreSQL, a view that is replaced keeps its grants and the views of users.
  const isReplaced = (name: string) =>
    sql.dialect === 'postgres' && [before, now].every(({ views }) => Object.hasOwn(views, name));
  for (const name of Object.keys(before.views)) if (!isReplaced(name)) await dropView(sql, name);
  for (const name of Object.keys({ ...before.indexes, ...now.indexes })) {
    const create = now.indexes[name];
    if (before.indexes[name] === create) continue;
    await sql.query(`DROP INDEX IF EXISTS ${name}`);
    if (create) await sql.query(create);
  }
  for (const [name, select] of Object.entries(now.views)) {
    if (isReplaced(name)) await replaceView(sql, name, select);
    else await sql.query(`CREATE VIEW ${name} AS\n${select}`);
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

/** Throws a DestinationError that names what a user made and what stops the change. */
async function dropView(sql: Sql, name: string): Promise<void> {
  try {
    await sql.query(`DROP VIEW IF EXISTS ${name}`);
  } catch (error) {
    if (codeOf(error) !== hasDependents) throw error;
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

const hasDependents = '2BP01';
