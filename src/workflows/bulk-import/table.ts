/** Reads a table from delimited text, as written by shipping tools and spreadsheets. */
import { parse } from 'csv-parse/sync';
import { badInput } from '../errors.ts';

export interface InputRow {
  /** The line of the file where the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface InputTable {
  readonly header: readonly string[];
  readonly rows: readonly InputRow[];
}

/** Reads UTF-8 or UTF-16 text and skips empty lines. Throws a WorkflowError for anything else. */
export function readTable(bytes: Uint8Array, name: string, delimiter?: string): InputTable {
  const text = decode(bytes, name).replaceAll(/\r\n?/g, '\n');
  const records = parseRecords(text, name, delimiter ?? delimiterOf(text));
  const [header, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (!header) throw badInput(`${name} is empty.`);
  return { header: header.cells, rows };
}

function decode(bytes: Uint8Array, name: string): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw badInput(`${name} is not UTF-8.`, { hint: 'Save the file as CSV UTF-8.', cause });
  }
}

interface Parsed {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

function parseRecords(text: string, name: string, delimiter: string): InputRow[] {
  try {
    const options = { delimiter, info: true, raw: true, relax_column_count: true, trim: true };
    // The types of csv-parse do not cover the option info.
    return (parse(text, options) as unknown as Parsed[]).map(({ record, raw, info }) => ({
      // The parser reports the last line of a record; quoted line breaks make it begin earlier.
      line: info.lines - (raw.trimEnd().match(/\n/g)?.length ?? 0),
      cells: record.map(unwrap),
    }));
  } catch (cause) {
    throw badInput(
      `${name} is not a valid table: ${(cause as Error).message.replace(/\.$/, '')}.`,
      { cause },
    );
  }
}

/** Exports write ="007" so that a spreadsheet does not read it as a number. */
function unwrap(cell: string): string {
  return /^="?([^"]*)"?$/.exec(cell)?.[1] ?? cell;
}

/** The delimiter that occurs most often in the header, outside quotes. */
function delimiterOf(text: string): string {
  const header =
    text
      .trimStart()
      .split('\n')[0]
      ?.replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (mark: string) => header.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
