/** How the rows of a command are displayed. */
import type { Client } from '../../client/client.ts';
import type { Arguments } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import type { RenderOptions } from '../../output/render-options.ts';
import type { DerivedField, Row, Shape, TableColumns } from '../../output/rows/rows.ts';
import type { Charting } from '../../output/series.ts';
import type { Summing } from '../../output/stream.ts';

type Rows = readonly Row[];

export type Layout = 'rows' | 'cards';

export interface View {
  readonly resource: Resource;
  readonly layout?: Layout;
  /** Lines above a table on a terminal: the period, the accounts, and what the figures are. */
  readonly title?: readonly string[];
  /** Fields for people, which are computed from a row: tables show them, and --fields and --sort can name them. */
  readonly derived?: Readonly<Record<string, DerivedField>>;
  /** The columns of a table if no fields are chosen; default: the headline of the resource. */
  columns?(rows: Rows): TableColumns;
  /** Draws all rows in place of a table, if the options choose no fields, order or other shape. */
  screen?(rows: Rows, options: RenderOptions): string | Promise<string>;
  /** The amounts that the last line of a table on a terminal adds up. */
  readonly sums?: readonly SummedAmount[];
  /** Rows that the last line of a table also counts by themselves, as in `12 tickets, 5 open`. */
  readonly ofThem?: { readonly adjective: string; is(row: Row): boolean };
  /** Rows that are counted but belong to no sum. */
  readonly unsummed?: readonly Unsummed[];
  /** Rows whose amounts are negative in the sums of a workbook. */
  readonly subtracted?: readonly Unsummed[];
  /** Whether the sums have the row already, which several profiles list. */
  isRepeated?(row: Row): boolean;
  /** What the rows leave out of the sums that people expect, found while they are listed. */
  readonly leftOut?: LeftOut;
  /** The requests of a list, if it takes more than one; the rows of each follow those of the one before. */
  requests?(api: Client, args: Arguments): Promise<readonly ListRequest[]>;
  reshape?(rows: Rows): Rows;
  /** Creates the row of sums, which is shown below a table, or with --totals. */
  summing?(): Summing;
  readonly chart?: Charting;
  /** The sparklines below a table. */
  readonly trend?: Charting;
}

/** An amount of each row; amounts are added by currency. */
export interface SummedAmount {
  /** As in `customers paid`. */
  readonly label: string;
  amount(row: Row): string | undefined;
  currency(row: Row): string;
  /** It is disputed whether ClickBank sends amounts in other currencies than this one (docs/figures.md). */
  readonly undisputed?: string;
  /** Rows with the same identity have the amount together; default: each row has its own. */
  identity?(row: Row): string;
}

export interface ListRequest {
  readonly args: Arguments;
  /** Selects and converts the rows of a page; default: all as they are. */
  take?(rows: Rows): Rows;
}

export interface LeftOut {
  see(api: Client, rows: Rows): void;
  /** Called after all rows were seen. */
  end(): Promise<void>;
  /** In sentences, after the last row. */
  sentences(): readonly string[];
}

/** Rows such as test transactions. */
export interface Unsummed {
  readonly noun: string;
  is(row: Row): boolean;
}

/** What a view can depend on besides the arguments of the operation. */
export interface ViewFacts {
  /** What the operation returns: operations that share a command return different rows. */
  readonly resource: Resource;
  /** The options as typed. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** The current time at the service, once the first response has arrived. */
  now(): Date;
  /** The time zone of tables. */
  readonly zone: string;
}

/** The resource with the derived fields, as the formats see it. */
export function shapeOfView({ resource, derived, columns }: View): Shape {
  return { ...resource, ...(derived && { derived }), ...(columns && { columns }) };
}
