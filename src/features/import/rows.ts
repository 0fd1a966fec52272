/** Turns the rows of a table into writes, and collects duplicates and invalid rows. */

import { setImmediate } from 'node:timers/promises';
import { badInput, type WorkflowError } from '../../client/workflow-error.ts';
import { grouped } from '../../decimals/decimals.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { type Columns, type Values, valuesOf } from './columns.ts';
import type { InputRow, InputTable } from './table.ts';

export interface ImportRow {
  readonly line: number;
  readonly args: Arguments;
  /** The receipt. Writes for the same receipt are sent in order. */
  readonly key: string;
}

interface UnsentRow extends Pick<ImportRow, 'line' | 'key'> {
  readonly why: string;
}

export interface ImportRows {
  /** All rows of the table. */
  readonly total: number;
  readonly valid: readonly ImportRow[];
  readonly duplicates: readonly UnsentRow[];
  readonly invalid: readonly UnsentRow[];
  readonly notes: readonly string[];
  /** The valid row at the end of a table whose last line has no line end: the file may be cut off in it. */
  readonly unended: ImportRow | undefined;
}

/** ClickBank allows so many requests a day. */
const requestsADay = 25_000;

/** A row is looked for, and then sent. */
const leastRequests = 2;

/** Signals are noticed between them. */
const rowsAtOnce = 100;

export interface RowOptions {
  readonly defaults: Values;
  /** Checks the values of one row against the catalogue. */
  read(values: Values): {
    readonly args: Readonly<Record<string, unknown>>;
    readonly problems: readonly string[];
    readonly notes: readonly string[];
  };
  /** Stops the checks. */
  readonly signal: AbortSignal;
  /** Send identical rows as often as they occur. */
  readonly allowDuplicate: boolean;
}

/**
 * Checks every row of a table; one that is too large is refused before. The first of identical rows is kept; the others
 * are duplicates.
 */
export async function readRows(
  operation: Operation,
  table: InputTable,
  columns: Columns,
  { defaults, read, signal, allowDuplicate }: RowOptions,
): Promise<ImportRows> {
  const valid: ImportRow[] = [];
  const duplicates: UnsentRow[] = [];
  const invalid: UnsentRow[] = [];
  const notes = new Set<string>();
  const firstLines = new Map<string, number>();
  const rows: InputRow[] = [];
  for await (const row of table.rows) {
    if (rows.length === requestsADay) throw tooManyRows();
    rows.push(row);
  }
  for (const [i, row] of rows.entries()) {
    if (i % rowsAtOnce === 0) await setImmediate();
    signal.throwIfAborted();
    const { line } = row;
    const values = valuesOf(operation, columns, row, defaults);
    const key = String(values.receipt ?? '');
    const { args, problems, notes: rowNotes } = read(values);
    const why = [...widthProblem(row, table), ...problems];
    if (why.length > 0) {
      invalid.push({ line, key, why: why.join(' ') });
      continue;
    }
    for (const one of rowNotes) notes.add(one);
    const text = textOf(args);
    const first = allowDuplicate ? undefined : firstLines.get(text);
    if (first !== undefined) duplicates.push({ line, key, why: `duplicate of line ${first}` });
    else {
      firstLines.set(text, line);
      valid.push({ line, key, args: args as Arguments });
    }
  }
  if (valid.length * leastRequests > requestsADay) notes.add(manyRows(valid.length));
  const last = rows.at(-1)?.line;
  const unended = table.endsLine() ? undefined : valid.find(({ line }) => line === last);
  return { total: rows.length, valid, duplicates, invalid, notes: [...notes], unended };
}

const allowance = `ClickBank allows ${grouped(requestsADay)} requests a day`;

function tooManyRows(): WorkflowError {
  return badInput(
    `The file has more than ${grouped(requestsADay)} rows, but ${allowance}, and each row needs at least ${leastRequests}. Nothing was sent.`,
    { hint: 'Split the file, and import a part of it each day.' },
  );
}

function manyRows(count: number): string {
  const days = Math.ceil((count * leastRequests) / requestsADay);
  return `${grouped(count)} rows need at least ${grouped(count * leastRequests)} requests, but ${allowance}: they take at least ${days} days. Run the same command again each day to continue.`;
}

function widthProblem({ cells }: InputRow, { header }: InputTable): string[] {
  if (cells.length === header.length) return [];
  return [`the row has ${cells.length} cells, but the header has ${header.length}`];
}

/** Equal for rows with the same content. Receipts are compared in upper case. */
function textOf(args: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(args).map(([name, value]) => {
    return [name, name === 'receipt' ? String(value).toUpperCase() : value] as const;
  });
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
