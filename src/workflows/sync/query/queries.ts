/** Runs statements of users on a copy, and describes its tables. */

import { dataTables } from '../database/schema.ts';
import type { SqlReader } from '../database/sql.ts';
import { columnsOf } from '../tables/row-columns.ts';
import { views } from '../views/views.ts';
import type { Statement } from './statement.ts';

/** A value of a parameter. */
export type Parameter = string | number | bigint | null;

export interface ResultColumn {
  readonly name: string;
  /** The declared type of a column of a table, if it is known. */
  readonly type: string | undefined;
}

export interface Result {
  /** In the order of the statement; names can repeat. */
  readonly columns: readonly ResultColumn[];
  /** Rows as lists of values in the order of the columns. An integer beyond 2^53 is a bigint. */
  readonly pages: AsyncIterable<readonly (readonly unknown[])[]>;
}

export interface TableColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly comment: string | null;
}

export interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly comment: string | null;
}

export interface Queries {
  readonly dialect: SqlReader['dialect'];
  /** `values` has one for each parameter of the statement. Throws a QueryError, or the error of the database. */
  run(statement: Statement, values: readonly Parameter[]): Promise<Result>;
  relations(): Promise<readonly Relation[]>;
  /** The columns of all tables and views. */
  columns(): Promise<readonly TableColumn[]>;
  close(): Promise<void>;
}

/** The meaning of a table or view of the copy, and of its columns by name; undefined for another table. */
export function commentsOn(table: string) {
  const view = views.find(({ name }) => name === table);
  if (view) {
    const columns = new Map(view.columns.map(({ name, comment }) => [name, comment]));
    return { comment: view.summary, columns };
  }
  const known = dataTables.find(({ name }) => name === table);
  if (!known) return undefined;
  const columns = new Map(columnsOf(known).map(({ name, comment }) => [name, comment]));
  return { comment: known.comment, columns };
}
