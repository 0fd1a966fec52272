/** ndjson: one JSON object per line. */
import type { RenderOptions, Writer } from '../render-options.ts';
import { isList, isRow, type Value } from '../rows/rows.ts';
import { pickOf } from './json.ts';
import { colorJson } from './json-color.ts';
import { toJson } from './json-text.ts';

export function open(options: RenderOptions): Writer {
  let pick = options.begun && pickOf(options.begun, options);
  return {
    add(page) {
      if (page.length === 0) return '';
      pick ??= pickOf(page, options);
      return linesOf(page.map(pick), options);
    },
    end: () => [],
  };
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
