/**
 * The quick way of a long list: rows go from the bytes of a body to the bytes of a format without being
 * made. It knows only bodies as the service really writes them, and is the same to the byte as the way of all
 * others, `decodeRows` and `renderRows`, or says that it can't.
 */
import { isUtf8 } from 'node:buffer';
import type { Copier } from '../api/page-rows.ts';
import type { Resource } from '../operations/resource.ts';
import { allColumns, chosenColumns, UnknownField } from '../output/columns.ts';
import type { RenderOptions, RowFormat } from '../output/render-options.ts';
import { jsonFormOf, jsonMannerOf, putJson } from './json-copy.ts';
import { compileLineCopy } from './line-copy.ts';
import { csvStyle, tsvStyle } from './line-styles.ts';
import { marksOf } from './marks.ts';
import { type Out, openOut, putAll, writtenIn } from './out.ts';
import { type Plan, planOf } from './plan.ts';
import { readObject, type Scan } from './scan.ts';
import { patternOf, sourceFrom, sourceOf, standsAt } from './source.ts';
import { openTape } from './tape.ts';

/** How a row is written. */
interface Manner {
  /** Bytes that mean something in the format. */
  readonly special: readonly number[];
  row(out: Out, scan: Scan, at: number): void;
}

/** What copies the rows of a resource into a format; undefined where that needs the rows themselves. */
export function openCopier(
  resource: Resource,
  format: RowFormat,
  options: RenderOptions,
): Copier | undefined {
  const plan = planOf(resource);
  const manner = mannerOf(plan, format, options);
  if (!manner) return undefined;
  const start = patternOf(`{${JSON.stringify(resource.element)}:`);
  const marks = marksOf(manner.special);
  const tape = openTape();
  const out = openOut();
  return (body) => {
    const source = sourceOf(body);
    if (!standsAt(source, 0, start) || !isUtf8(body)) return undefined;
    const scan = { source, at: start.length, tape, made: [], marks, traits: 0 };
    out.size = 0;
    try {
      const rows = copyRows(scan, plan, (at) => manner.row(out, scan, at));
      if (rows === undefined) return undefined;
      return { rows, text: writtenIn(out) };
    } catch {
      // What is wrong with the body, the ordinary way meets too, and tells of it; what is wrong here costs time only.
      return undefined;
    }
  };
}

function mannerOf(plan: Plan, format: RowFormat, options: RenderOptions): Manner | undefined {
  if (format === 'csv' || format === 'tsv') return lineManner(plan, format, options);
  return options.fields ? undefined : jsonManner(plan, format);
}

function jsonManner(plan: Plan, format: 'json' | 'ndjson'): Manner {
  const lead = sourceFrom(format === 'json' ? ',\n  ' : '');
  const end = sourceFrom(format === 'json' ? '' : '\n');
  const manner = jsonMannerOf({ quote: '"', ...(format === 'json' && { indent: 2 }) });
  const form = jsonFormOf(plan, manner);
  return {
    special: [],
    row(out, scan, at) {
      putAll(out, lead);
      putJson(out, scan, at, manner, form, 0);
      putAll(out, end);
    },
  };
}

function lineManner(
  plan: Plan,
  format: 'csv' | 'tsv',
  { fields, shape, csv }: RenderOptions,
): Manner | undefined {
  const columns = columnsOf(fields, shape);
  // The empty cell of a record of one is written in another way.
  if (!columns || columns.length < 2) return undefined;
  const style = format === 'csv' ? csvStyle(csv, columns.length) : tsvStyle;
  const row = style && compileLineCopy(plan, columns, style);
  return row && { special: style.special, row };
}

function columnsOf(
  fields: RenderOptions['fields'],
  shape: RenderOptions['shape'],
): readonly string[] | undefined {
  try {
    const columns = fields ? chosenColumns(fields, shape, []) : allColumns(shape, []);
    return columns.map(({ path }) => path);
  } catch (error) {
    // The first page may know it.
    if (error instanceof UnknownField) return undefined;
    throw error;
  }
}

/** Every row up to the end of the body; undefined when something is of another make. */
function copyRows(scan: Scan, plan: Plan, copy: (at: number) => void): number | undefined {
  const { bytes } = scan.source;
  const isList = bytes[scan.at] === 0x5b;
  if (isList) scan.at += 1;
  let rows = 0;
  for (;;) {
    scan.tape.size = 0;
    scan.made.length = 0;
    if (!readObject(scan, plan)) return undefined;
    copy(0);
    rows += 1;
    if (!isList || bytes[scan.at] !== 0x2c) break;
    scan.at += 1;
  }
  if (isList && bytes[scan.at++] !== 0x5d) return undefined;
  return endsAt(bytes, scan.at) ? rows : undefined;
}

/** The brace of the body stands here, and nothing behind it. */
function endsAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x7d && at + 1 === bytes.length;
}
