/** ndjson: one JSON object per line. */
import type { RenderOptions } from '../render-options.ts';
import { isList, isRow, type Pages, type Value } from '../rows/rows.ts';
import { pickOf } from './json.ts';
import { colorJson } from './json-color.ts';
import { toJson } from './json-text.ts';

export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  let pick = options.begun && pickOf(options.begun, options);
  for await (const page of pages) {
    if (page.length === 0) continue;
    pick ??= pickOf(page, options);
    yield linesOf(page.map(pick), options);
  }
}

/** Writes an object or a scalar as a line, and a list as a line for each element. */
export function writeValue(value: Value, options: RenderOptions): string {
  if (isList(value)) return linesOf(value, options);
  return linesOf([isRow(value) ? pickOf([value], options)(value) : value], options);
}

function linesOf(values: readonly Value[], { color }: RenderOptions): string {
  const text = values.map((value) => `${toJson(value)}\n`).join('');
  return color ? colorJson(text) : text;
}
