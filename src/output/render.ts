/** Renders rows in any format. Only the requested format is loaded. */
import { formatNamed } from './registry.ts';
import type { Chunk, RenderOptions, Writer } from './render-options.ts';
import { pathNamed } from './rows/columns.ts';
import { expandShape, listPaths, rowExpander } from './rows/nested-lists.ts';
import { isList, isRow, type Row, type Value } from './rows/rows.ts';

async function writersOf(format: string) {
  const writers = await formatNamed(format)?.load();
  if (!writers) throw new Error(`there is no format '${format}'`);
  return writers;
}

/** Opens a writer of pages that arranges or expands their rows as the options say. */
export async function openWriter(format: string, options: RenderOptions): Promise<Writer> {
  const { open } = await writersOf(format);
  const { arrangement, expand: typed, ...plain } = options;
  const { shape, spread } = plain;
  const path = (list: string) => (shape && pathNamed(list, listPaths(shape), shape)) ?? list;
  const expand = typed === undefined ? undefined : path(typed);
  const named = spread ? { ...plain, spread: { ...spread, list: path(spread.list) } } : plain;
  const expanded = expand !== undefined && shape ? expandShape(shape, expand) : shape;
  const expander = expand === undefined ? undefined : rowExpander(expand, shape);
  const change = arrangement ? (page: readonly Row[]) => arrangement.rows(page) : expander;
  if (!change) return open(named);
  const writer = open({
    ...named,
    shape: arrangement ? arrangement.shape : expanded,
    begun: named.begun && change(named.begun),
  });
  return { ...writer, add: (page, body) => writer.add(change(page), body) };
}

export async function render(
  format: string,
  rows: readonly Row[],
  options: RenderOptions,
): Promise<Chunk> {
  const writer = await openWriter(format, options);
  try {
    const chunks = [writer.add(rows, ''), ...(await writer.end(false))];
    const some = chunks.filter(({ length }) => length > 0);
    // Text stays text, and bytes stay bytes.
    if (some.every((chunk) => typeof chunk === 'string')) return some.join('');
    return Buffer.concat(some.map((chunk) => Buffer.from(chunk as Uint8Array)));
  } finally {
    writer.close?.();
  }
}

/**
 * The text of one object (json: the object itself; csv and tsv: a header and a line; table: a card), of a scalar
 * (a line), or of a list, such as the result of a query (objects: as rows; anything else: one line each).
 */
export async function renderOne(
  format: string,
  value: Value,
  options: RenderOptions,
): Promise<Chunk> {
  const rows = isRow(value) && options.expand !== undefined ? [value] : value;
  if (isList(rows) && rows.length > 0 && rows.every(isRow)) return render(format, rows, options);
  const { writeValue } = await writersOf(format);
  if (!writeValue) throw new Error(`'${format}' does not show values`);
  return writeValue(rows, options);
}
