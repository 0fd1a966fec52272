/** The columns that every table has. */
import { type Column, column, type Table } from './table.ts';

const account = column(
  'account',
  'text',
  'The account that was read: its first nickname',
  () => null,
);
const raw = column(
  'raw',
  'json',
  'The row as received, with fields that have no column',
  () => null,
);
const syncedAt = column(
  'synced_at',
  'timestamp',
  'When the row was read from ClickBank',
  () => null,
);

/** The columns of a table, in order. Only the first table of a source keeps the row as received. */
export function columnsOf(table: Table): readonly Column[] {
  return [account, ...table.columns, ...(table.items ? [] : [raw]), syncedAt];
}
