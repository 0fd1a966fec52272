/** Turns the rows of a table into writes, and collects duplicates and invalid rows. */

import { setImmediate } from 'node:timers/promises';
import { badInput } from '../../client/workflow-error.ts';
import { grouped } from '../../decimals/decimals.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { messageOf } from '../../shell/options/findings.ts';
import { readArguments } from '../../shell/options/values.ts';
import { type Columns, valuesOf } from './columns.ts';
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

const requestsADay = 25_000;
const allowance = `ClickBank allows ${grouped(requestsADay)} requests a day`;

/** A row is looked for, and then sent. */
const leastRequests = 2;

/** Signals are noticed between them. */
const rowsAtOnce = 100;

interface RowOptions {
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly day: string;
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
  { defaults, day, signal, allowDuplicate }: RowOptions,
): Promise<ImportRows> {
  const valid: ImportRow[] = [];
  const duplicates: UnsentRow[] = [];
  const invalid: UnsentRow[] = [];
  const notes = new Set<string>();
  const firstLines = new Map<string, number>();
  const rows: InputRow[] = [];
  for await (const row of table.rows) {
    if (rows.length === requestsADay) {
      throw badInput(
        `The file has more than ${grouped(requestsADay)} rows, but ${allowance}, and each row needs at least ${leastRequests}. Nothing was sent.`,
        { hint: 'Split the file, and import a part of it each day.' },
      );
    }
    rows.push(row);
  }
  const width = table.header.length;
  for (const [i, row] of rows.entries()) {
    if (i % rowsAtOnce === 0) await setImmediate();
    signal.throwIfAborted();
    const { line, cells } = row;
    const values = valuesOf(operation, columns, row, defaults);
    const key = String(values.receipt ?? '');
    const { args, findings } = readArguments(operation, values, day);
    const said = (weight: string) =>
      findings.filter((one) => one.weight === weight).map((one) => messageOf(operation, one, day));
    const problems = said('problem');
    if (cells.length !== width) {
      problems.unshift(`the row has ${cells.length} cells, but the header has ${width}`);
    }
    if (problems.length > 0) {
      invalid.push({ line, key, why: problems.join(' ') });
      continue;
    }
    for (const note of said('note')) notes.add(note);
    const content = contentOf(args);
    const first = allowDuplicate ? undefined : firstLines.get(content);
    if (first !== undefined) duplicates.push({ line, key, why: `duplicate of line ${first}` });
    else {
      firstLines.set(content, line);
      valid.push({ line, key, args: args as Arguments });
    }
  }
  const least = valid.length * leastRequests;
  if (least > requestsADay) {
    const days = Math.ceil(least / requestsADay);
    notes.add(
      `${grouped(valid.length)} rows need at least ${grouped(least)} requests, but ${allowance}: they take at least ${days} days. Run the same command again each day to continue.`,
    );
  }
  const last = rows.at(-1)?.line;
  const unended = table.endsLine() ? undefined : valid.find(({ line }) => line === last);
  return { total: rows.length, valid, duplicates, invalid, notes: [...notes], unended };
}

/** Equal for rows with the same content. Receipts are compared in upper case. */
function contentOf(args: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(args).map(([name, value]) => {
    return [name, name === 'receipt' ? String(value).toUpperCase() : value] as const;
  });
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
