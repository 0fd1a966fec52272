/** A connection to a database of either kind. SQL is written once, in what both understand. */
import type { Cell, Column } from '../tables/table.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface SqlReader {
  readonly dialect: Dialect;
  /** Names the database in messages, without a password. */
  readonly label: string;
  /**
   * Values are bound in the order of the question marks. In the rows, moments are ISO 8601 texts in UTC and days are
   * texts; numeric values and booleans are numbers in SQLite, and texts with all digits and booleans in PostgreSQL.
   * Throws a DestinationError.
   */
  query<R = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly Cell[],
  ): Promise<R[]>;
  close(): Promise<void>;
}

export interface Sql extends SqlReader {
  /** Runs `work` in one transaction; no other query of the connection may run meanwhile. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Appends rows to a table in bulk. Throws a DestinationError. */
  load(
    table: string,
    columns: readonly Column[],
    rows: readonly (readonly Cell[])[],
  ): Promise<void>;
  /**
   * Makes this the only sync that writes to the database. Throws a DestinationError of kind `busy` if another one
   * still does after `patience` milliseconds.
   */
  lock(patience: number): Promise<void>;
}
