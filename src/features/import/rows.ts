/** Reads a table from delimited text, as written by shipping tools and spreadsheets, and turns its rows into writes. */
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { liveBaseUrl } from '../../client/http/origin.ts';
import { requestFor, urlOf } from '../../client/http/request.ts';
import { badInput, reasonOf } from '../../client/workflow-error.ts';
import { grouped } from '../../decimals/decimals.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { messageOf } from '../../shell/options/findings.ts';
import { readArguments } from '../../shell/options/values.ts';
import { type Columns, valuesOf } from './columns.ts';

interface InputRow {
  /** The line of the file where the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface InputTable {
  readonly header: readonly string[];
  /** The rows that are not empty. */
  readonly rows: readonly InputRow[];
  /** Whether the text ends with a line end. */
  readonly endsLine: boolean;
}

const requestsADay = 25_000;
const allowance = `ClickBank allows ${grouped(requestsADay)} requests a day`;

/** A row is looked for, and then sent. */
const leastRequests = 2;

interface Parsed {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/** Reads UTF-8 or UTF-16 text, without empty lines. Throws a WorkflowError for anything else, and for too many rows. */
export function readTable(bytes: Uint8Array, name: string, delimiter?: string): InputTable {
  const text = textOf(bytes, name).replaceAll(/\r\n?/g, '\n');
  // The first line that Excel writes to name the delimiter.
  const [, named] = /^sep=(.)\n/i.exec(text) ?? [];
  const mark = delimiter ?? named ?? delimiterOf(text);
  let count = 0;
  // The types of csv-parse do not cover the options info and raw.
  const rowOf = ({ record, raw, info }: Parsed): InputRow | undefined => {
    // Exports write ="007" so that a spreadsheet does not read it as a number.
    const cells = record.map((cell) => (/^\s*="([^"]*)"\s*$/.exec(cell)?.[1] ?? cell).trim());
    if (cells.every((cell) => cell === '')) return undefined;
    // The header is no row, nor is a line before it.
    if (count > requestsADay + (named === undefined ? 0 : 1)) {
      throw badInput(
        `The file has more than ${grouped(requestsADay)} rows, but ${allowance}, and each row needs at least ${leastRequests}. Nothing was sent.`,
        { hint: 'Split the file, and import a part of it each day.' },
      );
    }
    count += 1;
    // The parser reports the last line of a record; quoted line breaks make it begin earlier.
    return { line: info.lines - (raw.trim().match(/\n/g)?.length ?? 0), cells };
  };
  try {
    const rows: unknown = parse(withoutFormulas(text, mark), {
      ...{ delimiter: mark, info: true, raw: true },
      ...{ relax_column_count: true, skip_empty_lines: true, trim: true },
      ...{ max_record_size: 1_048_576, on_record: rowOf as never },
    });
    const [header, ...others] = (rows as readonly InputRow[]).slice(named === undefined ? 0 : 1);
    if (!header) throw badInput(`${name} is empty.`);
    return { header: header.cells, rows: others, endsLine: text.endsWith('\n') };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const message = `${name} is not a valid table: ${cause.message.replace(/\.$/, '')}.`;
    throw badInput(message, { hint: saveAsCsv, cause });
  }
}

/** Cells such as ="007" that are not quoted once more. */
function withoutFormulas(text: string, mark: string): string {
  const edge = mark.replace(/[\\^$*+?.()|[\]{}]/g, '\\$&');
  return text.replaceAll(new RegExp(`(?<=^|${edge})="([^"\n]*)"(?=${edge}|$)`, 'gm'), '"$1"');
}

const saveAsCsv = 'Save the file as CSV UTF-8.';

function textOf(bytes: Uint8Array, name: string): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badInput(`${name} is not UTF-8.`, { hint: saveAsCsv, cause });
  }
}

/** The delimiter that occurs most often in the header, outside quotes. */
function delimiterOf(text: string): string {
  const [header = ''] = text.trimStart().split('\n', 1);
  const count = (mark: string) => header.replaceAll(/"[^"]*"/g, '').split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

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
  for (const [i, { line, cells }] of rows.entries()) {
    if (i % rowsAtOnce === 0) await setImmediate();
    signal.throwIfAborted();
    const values = valuesOf(operation, columns, cells, defaults);
    const key = String(values.receipt ?? '');
    const { args, findings } = readArguments(operation, values, day);
    const said = (weight: string) =>
      findings.filter((one) => one.weight === weight).map((one) => messageOf(operation, one, day));
    const problems = said('problem');
    const shortened = cells.find(
      (cell, at) => columns.params[at] && /^\d[.,]?\d*E\+\d+$/i.test(cell),
    );
    if (shortened) {
      problems.push(
        `A spreadsheet has shortened the number ${shortened}. Format its column as text before you export it.`,
      );
    }
    if (problems.length === 0) {
      try {
        urlOf(liveBaseUrl, requestFor(operation, args));
      } catch (error) {
        problems.push(reasonOf(error));
      }
    }
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
