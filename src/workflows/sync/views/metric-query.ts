/** The SQL of a metric: its view, limited to a period and an account. */
import type { Day } from '../../../dates/day.ts';
import type { SqlReader } from '../database/sql.ts';
import { DestinationError } from '../destination.ts';
import type { Cell } from '../tables/table.ts';
import type { CopyView } from './view.ts';

export interface MetricQuery {
  readonly account: string | undefined;
  readonly first: Day | undefined;
  readonly last: Day | undefined;
}

/** A view by day is limited by month, too, because its index begins with the month. */
export function queryOf(
  { name, columns, order }: CopyView,
  { account, first, last }: MetricQuery,
): { readonly text: string; readonly values: readonly Cell[] } {
  const conditions: (readonly [text: string, value: Cell])[] = [];
  if (account !== undefined) conditions.push(['upper(account) = ?', account.toUpperCase()]);
  for (const { name, kind } of columns) {
    if (kind !== 'day' && kind !== 'month') continue;
    const start = kind === 'month' ? monthOf(first) : first;
    if (start !== undefined) conditions.push([`${name} >= ?`, start]);
    if (last !== undefined) conditions.push([`${name} <= ?`, last]);
  }
  const where = conditions.map(([text]) => text).join(' AND ');
  // As texts: a driver would make times of days.
  const selected = columns.map(({ name }) => `CAST(${name} AS text) AS ${name}`).join(', ');
  return {
    text: `SELECT ${selected} FROM (SELECT * FROM ${name}${where && ` WHERE ${where}`} ORDER BY ${withNulls(order)}) AS rows`,
    values: conditions.map(([, value]) => value),
  };
}

/** Without these words, PostgreSQL sorts NULL as the largest value, and SQLite as the smallest one. */
function withNulls(order: string): string {
  const terms = order.split(', ');
  return terms.map((one) => `${one} NULLS ${one.endsWith(' DESC') ? 'LAST' : 'FIRST'}`).join(', ');
}

export function monthOf<D extends Day | undefined>(day: D): D;
export function monthOf(day: Day | undefined): Day | undefined {
  return day && `${day.slice(0, 'yyyy-mm'.length)}-01`;
}

/** Throws a DestinationError if an older cb wrote the copy. */
export async function requireView(copy: SqlReader, { name }: CopyView): Promise<void> {
  const text =
    copy.dialect === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'view' AND name = ?"
      : 'SELECT table_name AS name FROM information_schema.views WHERE table_schema = current_schema() AND table_name = ?';
  if ((await copy.query(text, [name])).length > 0) return;
  throw new DestinationError('missing', `${copy.label} does not have this metric yet.`, {
    hint: 'Run `cb sync` to bring the copy up to date.',
  });
}
