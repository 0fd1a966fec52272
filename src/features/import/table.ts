/** Reads a table from delimited text, as written by shipping tools and spreadsheets, row by row. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { badInput, WorkflowError } from '../../client/workflow-error.ts';

export interface InputRow {
  /** The line of the file where the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface InputTable {
  readonly header: readonly string[];
  /** The rows that are not empty, to be read once. Throws a WorkflowError for anything but a table. */
  readonly rows: AsyncIterable<InputRow>;
  /** Whether the text ends with a line end; known when all rows are read. */
  endsLine(): boolean;
}

/** In characters. */
const longestRow = 1_048_576;

/** Reads UTF-8 or UTF-16 text and skips empty lines. Throws a WorkflowError for anything else. */
export async function readTable(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  delimiter?: string,
): Promise<InputTable> {
  let last = '';
  const text = (async function* () {
    for await (const part of withPlainLineEnds(decode(bytes, name))) {
      if (part !== '') last = part.at(-1) ?? '';
      yield part;
    }
  })();
  const { beginning, whole } = await beginningOf(text);
  const records = recordsIn(whole, name, delimiter ?? delimiterOf(beginning));
  const first = await records.next();
  if (first.done) throw badInput(`${name} is empty.`);
  return { header: first.value.cells, rows: records, endsLine: () => last === '\n' };
}

async function* decode(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  try {
    let first = new Uint8Array();
    for await (const part of bytes) {
      if (!decoder) {
        first = Buffer.concat([first, part]);
        if (first.length < 2) continue;
        decoder = decoderFor(first);
      }
      yield decoder.decode(first.length > 0 ? first : part, { stream: true });
      first = new Uint8Array();
    }
    yield (decoder ?? decoderFor(first)).decode(first);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw badInput(`${name} is not UTF-8.`, { hint: 'Save the file as CSV UTF-8.', cause });
  }
}

type Decoder = InstanceType<typeof TextDecoder>;

function decoderFor(bytes: Uint8Array): Decoder {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true });
}

async function* withPlainLineEnds(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let left = '';
  for await (const part of parts) {
    const text = left + part;
    // The line feed that belongs to it may be in the next part.
    left = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - left.length).replaceAll(/\r\n?/g, '\n');
  }
  if (left) yield '\n';
}

/** Reads until the header is complete. */
async function beginningOf(text: AsyncGenerator<string>) {
  let beginning = '';
  while (!beginning.trimStart().includes('\n') && beginning.length <= longestRow) {
    const next = await text.next();
    if (next.done) break;
    beginning += next.value;
  }
  const whole = (async function* () {
    yield beginning;
    yield* text;
  })();
  return { beginning, whole };
}

interface Parsed {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

async function* recordsIn(
  text: AsyncIterable<string>,
  name: string,
  delimiter: string,
): AsyncGenerator<InputRow, void> {
  const parser = parse({
    ...{ delimiter, info: true, raw: true, relax_column_count: true, trim: true },
    max_record_size: longestRow,
  });
  // What fails is thrown by the parser, which is destroyed with it.
  pipeline(Readable.from(text), parser).catch(() => undefined);
  try {
    // The types of csv-parse do not cover the option info.
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const cells = record.map(unwrap);
      if (cells.every((cell) => cell === '')) continue;
      // The parser reports the last line of a record; quoted line breaks make it begin earlier.
      yield { line: info.lines - (raw.trimEnd().match(/\n/g)?.length ?? 0), cells };
    }
  } catch (cause) {
    const { code = '', message } = cause as Error & { readonly code?: string };
    if (cause instanceof WorkflowError || !code.startsWith('CSV_')) throw cause;
    throw badInput(`${name} is not a valid table: ${message.replace(/\.$/, '')}.`, { cause });
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
