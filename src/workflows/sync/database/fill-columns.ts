/** Fills columns that a new version of the schema adds, for the rows that are there, from the rows as received. */
import { cellOf } from '../tables/cells.ts';
import type { Source } from '../tables/source.ts';
import type { Cell, Column, RowFacts, ServiceRow, Table } from '../tables/table.ts';
import type { Sql } from './sql.ts';

export interface FillFacts {
  readonly version: number;
  /** Personal data is left out of this copy. */
  readonly leftOut: boolean;
}

/** Rows that are read at once. */
const batch = 500;

/** Runs in a transaction. Does nothing for a source whose tables have no new columns. */
export async function fillColumns(sql: Sql, source: Source, facts: FillFacts): Promise<void> {
  const isNew = ({ since }: Column) => since === facts.version;
  const grown = source.tables
    .filter(({ since }) => since < facts.version)
    .map((table) => ({ table, added: table.columns.filter(isNew) }))
    .filter(({ added }) => added.length > 0);
  if (grown.length === 0) return;
  for await (const stored of storedRows(sql, source)) {
    for (const { table, added } of grown) await fill(sql, table, added, stored, facts);
  }
}

interface StoredRow extends Omit<RowFacts, 'item' | 'position'> {
  readonly account: string;
}

/** The rows of the first table in the order of its key. */
async function* storedRows(
  sql: Sql,
  { identity, tables: [main] }: Source,
): AsyncGenerator<StoredRow> {
  const key = ['account', ...main.key];
  const keys = key.map((name, i) => `CAST(${name} AS text) AS key_${i}`).join(', ');
  const texts = `CAST(${identity} AS text) AS id, CAST(${main.day ?? "''"} AS text) AS day, CAST(raw AS text) AS raw`;
  const after = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  let last: readonly Cell[] = [];
  for (;;) {
    const where = last.length > 0 ? ` WHERE ${after}` : '';
    const rows = await sql.query<Readonly<Record<string, string>>>(
      `SELECT ${keys}, ${texts} FROM ${main.name}${where} ORDER BY ${key.join(', ')} LIMIT ${batch}`,
      last,
    );
    for (const { id = '', day = '', raw = '', key_0: account = '' } of rows) {
      yield { account, id, day, row: JSON.parse(raw) };
    }
    const end = rows.at(-1);
    if (!end || rows.length < batch) return;
    last = key.map((_, i) => end[`key_${i}`] ?? null);
  }
}

async function fill(
  sql: Sql,
  table: Table,
  added: readonly Column[],
  { account, ...stored }: StoredRow,
  { leftOut }: FillFacts,
): Promise<void> {
  const sets = added.map(({ name }) => `${name} = ?`).join(', ');
  const where = ['account', ...table.key].map((name) => `${name} = ?`).join(' AND ');
  const keys = table.key.map((name) => table.columns.find((column) => column.name === name));
  const items: readonly ServiceRow[] = table.items ? table.items(stored.row) : [stored.row];
  for (const [i, item] of items.entries()) {
    const facts: RowFacts = { ...stored, item, position: i + 1 };
    const values = added.map((column) =>
      leftOut && column.personal ? null : cellOf(column.from(facts), column.type),
    );
    const key = keys.map((column) => (column ? cellOf(column.from(facts), column.type) : null));
    await sql.query(`UPDATE ${table.name} SET ${sets} WHERE ${where}`, [
      ...values,
      account,
      ...key,
    ]);
  }
}
