/** Turns the rows of a table into writes, and collects duplicates and invalid rows. */
import { setImmediate } from 'node:timers/promises';
import { grouped } from '../../decimals/decimals.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { messageOf } from '../../shell/options/findings.ts';
import { readArguments } from '../../shell/options/values.ts';
import { type Columns, valuesOf } from './columns.ts';
import { allowance, type InputTable, leastRequests, requestsADay } from './table.ts';

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

/** Checks every row of a table. The first of identical rows is kept; the others are duplicates. */
export async function readRows(
  operation: Operation,
  { header, rows, endsLine }: InputTable,
  columns: Columns,
  { defaults, day, signal, allowDuplicate }: RowOptions,
): Promise<ImportRows> {
  const valid: ImportRow[] = [];
  const duplicates: UnsentRow[] = [];
  const invalid: UnsentRow[] = [];
  const notes = new Set<string>();
  const firstLines = new Map<string, number>();
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
    if (cells.length !== header.length) {
      problems.unshift(`the row has ${cells.length} cells, but the header has ${header.length}`);
    }
    if (problems.length > 0) {
      invalid.push({ line, key, why: problems.join(' ') });
      continue;
    }
    for (const note of said('note')) notes.add(note);
    // Receipts are in upper case, however they were typed.
    const content = JSON.stringify(Object.entries(args).sort());
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
  const unended = endsLine ? undefined : valid.find(({ line }) => line === last);
  return { total: rows.length, valid, duplicates, invalid, notes: [...notes], unended };
}
