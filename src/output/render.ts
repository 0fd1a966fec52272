/** Renders rows in any format. Only the requested format is loaded. */
import { formatNamed } from './registry.ts';
import type { Arrangement, Chunk, RenderOptions, RowWriters } from './render-options.ts';
import { expandRows, expandShape, listPaths } from './rows/expansion.ts';
import { pathNamed } from './rows/field-names.ts';
import { isList, isRow, type Row, type Value } from './rows/rows.ts';

async function writersOf(format: string): Promise<RowWriters> {
  const writers = await formatNamed(format)?.load();
  if (!writers || !('writeRows' in writers)) throw new Error(`'${format}' does not show rows`);
  return writers;
}

/**
 * Streams the rows page by page. After an error, the text so far consists of whole lines (json: a
 * complete document), and the error is thrown.
 */
export async function* renderRows(
  format: string,
  pages: AsyncIterable<readonly Row[]>,
  options: RenderOptions,
): AsyncGenerator<Chunk> {
  const { writeRows } = await writersOf(format);
  const { arrangement } = options;
  if (arrangement) {
    yield* writeRows(arrangedPages(pages, arrangement), arrangedOptions(options, arrangement));
    return;
  }
  const named = withListNames(options);
  const { expand, shape, begun, ...others } = named;
  if (expand === undefined) {
    yield* writeRows(pages, named);
    return;
  }
  yield* writeRows(expandRows(pages, expand, shape), {
    ...others,
    shape: shape && expandShape(shape, expand),
    begun: begun && (await rowsOf(expandRows(onePage(begun), expand, shape))),
  });
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
  if (isList(rows) && rows.length > 0 && rows.every(isRow)) {
    return collect(renderRows(format, onePage(rows), options));
  }
  return (await writersOf(format)).writeValue(rows, options);
}

async function* arrangedPages(
  pages: AsyncIterable<readonly Row[]>,
  { rows }: Arrangement,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) yield rows(page);
}

function arrangedOptions(options: RenderOptions, { shape, rows }: Arrangement): RenderOptions {
  const { begun } = options;
  return { ...options, shape, arrangement: undefined, begun: begun && rows(begun) };
}

/** Replaces the names of lists to expand and to spread by their paths. */
function withListNames(options: RenderOptions): RenderOptions {
  const { expand, spread, shape } = options;
  if (!shape || (expand === undefined && !spread)) return options;
  const named = (typed: string) => pathNamed(typed, listPaths(shape), shape) ?? typed;
  return {
    ...options,
    ...(expand !== undefined && { expand: named(expand) }),
    ...(spread && { spread: { ...spread, list: named(spread.list) } }),
  };
}

async function* onePage(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

async function rowsOf(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** Text stays text, and bytes stay bytes. */
async function collect(chunks: AsyncIterable<Chunk>): Promise<Chunk> {
  const all: Chunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  if (all.every((chunk) => typeof chunk === 'string')) return all.join('');
  return Buffer.concat(all.map((chunk) => Buffer.from(chunk as Uint8Array)));
}
