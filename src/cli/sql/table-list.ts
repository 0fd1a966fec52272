/** The tables of a copy and their columns, for `cb sql .tables` and `cb sql .schema`. */
import { integer, resource, text } from '../../operations/resource.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { Queries } from '../../workflows/sync/query/queries.ts';
import { readStatement } from '../../workflows/sync/query/statement.ts';
import type { View } from '../display/view.ts';
import { nearest } from '../flags/nearest.ts';
import { usage } from '../runtime/failure.ts';

export const tablesView: View = {
  resource: resource('table', ['name', 'rows', 'meaning'], {
    ...{ name: text, kind: text, rows: integer, meaning: text },
  }),
};

export const schemaView: View = {
  resource: resource('column', ['table', 'column', 'type', 'meaning'], {
    ...{ table: text, column: text, type: text, meaning: text },
  }),
};

/** Tables and views; the tables have the number of their rows, which for a view could take long. */
export async function tableRows(queries: Queries): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name, kind, comment } of await queries.relations()) {
    const count = kind === 'table' ? await countOf(queries, name) : null;
    rows.push({ name, kind, rows: count, meaning: comment });
  }
  return rows;
}

async function countOf(queries: Queries, table: string): Promise<number> {
  const name = `"${table.replaceAll('"', '""')}"`;
  const statement = readStatement(`SELECT count(*) FROM ${name}`, queries.dialect);
  const { pages } = await queries.run(statement, []);
  for await (const [row] of pages) return Number(row?.[0]);
  return 0;
}

export async function schemaRows(queries: Queries, table?: string): Promise<readonly Row[]> {
  const columns = await queries.columns();
  const chosen = columns.filter((one) => table === undefined || one.table === table);
  if (table !== undefined && chosen.length === 0) {
    const known = [...new Set(columns.map((one) => one.table))];
    const near = nearest(table, known);
    throw usage(`There is no table ${table}.`, {
      hint: near ? `Did you mean ${near}?` : `Tables: ${known.join(', ')}.`,
    });
  }
  return chosen.map(({ table, column, type, comment }) => ({
    ...{ table, column, type, meaning: comment },
  }));
}
