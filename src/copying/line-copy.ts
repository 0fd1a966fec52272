/** Rows of a tape as lines of cells: of csv and tsv. */
import type { Value } from '../output/rows.ts';
import {
  type JsonForm,
  type JsonManner,
  jsonFormOf,
  jsonMannerOf,
  putEntry,
  putJson,
} from './json-copy.ts';
import { type Out, putAll, putByte, putText } from './out.ts';
import type { Plan } from './plan.ts';
import { madeAt, type Scan, textAt } from './scan.ts';
import { type Source, sourceFrom } from './source.ts';
import { behind, entry, entrySize, kindAt, type Tape, trait, traitsAt } from './tape.ts';

export interface LineStyle {
  /** One character of ASCII. */
  readonly delimiter: string;
  readonly end: string;
  /** What stands around JSON in a cell, and instead of each quote in it. */
  readonly around: string;
  readonly quote: string;
  /** Bytes that make a text one that may not be copied. */
  readonly special: readonly number[];
  /** 1 for each byte that a text may begin with to be copied. */
  readonly safeStarts: Uint8Array;
  /** Any value as the cell that it is. */
  cell(value: Value): string;
  /** What becomes of JSON in a cell that is not copied as it is. */
  finish?(json: string): string;
}

/** Where a column is: a field of the row, or of an object in it. */
interface Spot {
  /** Of the field in the plan, then of the field inside it, and so on. */
  readonly indexes: readonly number[];
  /** Names the fields of objects in its cells. */
  readonly form: JsonForm | undefined;
}

/** A style in the bytes that it takes. */
interface LineManner {
  readonly style: LineStyle;
  readonly json: JsonManner;
  readonly around: Source;
}

const absent = -1;

/** What writes a row as a line; undefined when a column is none of the plan's own fields. */
export function compileLineCopy(
  plan: Plan,
  paths: readonly string[],
  style: LineStyle,
): ((out: Out, scan: Scan, at: number) => void) | undefined {
  const { quote, finish } = style;
  const json = jsonMannerOf({ quote, ...(finish && { finish }) });
  const form = jsonFormOf(plan, json);
  const found = paths.map((path) => spotOf(plan, form, path.split('.')));
  const spots = found.filter((spot) => spot !== undefined);
  if (spots.length < paths.length) return undefined;
  const manner = { style, json, around: sourceFrom(style.around) };
  const delimiter = style.delimiter.charCodeAt(0);
  const end = sourceFrom(style.end);
  const fields = new Int32Array(plan.length);
  return (out, scan, row) => {
    locate(scan, row, fields);
    for (let i = 0; i < spots.length; i++) {
      if (i > 0) putByte(out, delimiter);
      const spot = spots[i] as Spot;
      const at = within(scan, fields[spot.indexes[0] as number] as number, spot.indexes);
      if (at !== absent) putCell(out, scan, at, manner, spot);
    }
    putAll(out, end);
  };
}

function spotOf(
  plan: Plan,
  { inside }: JsonForm,
  [key, ...others]: readonly string[],
): Spot | undefined {
  const index = plan.findIndex(({ name }) => name === key);
  const place = plan[index];
  if (!place) return undefined;
  const form = inside[index];
  if (others.length === 0) return { indexes: [index], form };
  if (place.kind !== 'object' || !place.inside || !form) return undefined;
  const spot = spotOf(place.inside, form, others);
  return spot && { ...spot, indexes: [index, ...spot.indexes] };
}

function putCell(out: Out, scan: Scan, at: number, manner: LineManner, { form }: Spot): void {
  const kind = kindAt(scan.tape, at);
  if (kind === entry.text) putCellText(out, scan, at, manner);
  else if (kind === entry.made) putText(out, manner.style.cell(madeAt(scan, at)));
  else if (kind === entry.list || kind === entry.object) putInside(out, scan, at, manner, form);
  else if (kind !== entry.nothing) putEntry(out, scan, at);
}

function putCellText(out: Out, scan: Scan, at: number, { style }: LineManner): void {
  const { source, tape } = scan;
  const start = tape.slots[at + 1] as number;
  if (start === tape.slots[at + 2]) return;
  const isSpecial = (traitsAt(tape, at) & trait.special) !== 0;
  const isSafe = style.safeStarts[source.bytes[start] as number] === 1;
  if (isSafe && !isSpecial) putEntry(out, scan, at);
  else putText(out, style.cell(textAt(scan, at)));
}

/** JSON without anything in it has no quotes, and none around it. */
function putInside(
  out: Out,
  scan: Scan,
  at: number,
  { json, around }: LineManner,
  form: JsonForm | undefined,
): void {
  const isWrapped = behind(scan.tape, at) > at + entrySize;
  if (isWrapped) putAll(out, around);
  putJson(out, scan, at, json, form, 0);
  if (isWrapped) putAll(out, around);
}

/** Where the value of each field of the plan is. */
function locate({ tape }: Scan, row: number, fields: Int32Array): void {
  const end = behind(tape, row);
  fields.fill(absent);
  for (let next = row + entrySize; next < end; next = behind(tape, next + 1)) {
    fields[tape.slots[next] as number] = next + 1;
  }
}

/** Where the value is that the indexes behind the first lead to. Throws where an object there was made. */
function within({ tape }: Scan, start: number, indexes: readonly number[]): number {
  let at = start;
  for (let depth = 1; depth < indexes.length && at !== absent; depth++) {
    const kind = kindAt(tape, at);
    if (kind === entry.nothing) return absent;
    // It may have fields that nobody knows, which would have to be told of.
    if (kind !== entry.object) throw new Error('a field inside a value that was made');
    at = fieldOf(tape, at, indexes[depth] as number);
  }
  return at;
}

function fieldOf(tape: Tape, object: number, index: number): number {
  const end = behind(tape, object);
  for (let next = object + entrySize; next < end; next = behind(tape, next + 1)) {
    if (tape.slots[next] === index) return next + 1;
  }
  return absent;
}
