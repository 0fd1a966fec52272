/** A reply on its way to stdout or a file, in the format that was asked for. */
import type { RowPage } from '../api/client.ts';
import type { Resource } from '../operations/resource.ts';
import type { RenderOptions } from '../output/render.ts';
import type { Row, Value } from '../output/rows.ts';
import { hasColor } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, failureFrom } from './failure.ts';
import type { Shell } from './shell.ts';
import type { Showing } from './show-flags.ts';
import { type Sink, writeTo } from './sink.ts';

export type Layout = 'rows' | 'cards';

/** Shows the rows of a list as its pages come. */
export async function showPages(
  shell: Shell,
  showing: Showing,
  resource: Resource,
  layout: Layout,
  pages: AsyncGenerator<RowPage<unknown>>,
): Promise<void> {
  const count = { pages: 0, rows: 0 };
  const counted = counting(onlyAsked(shell, showing, pages), count);
  await writeTo(shell.context, showing.out, async (sink) => {
    try {
      await render(shell, showing, resource, layout, counted, sink);
    } catch (error) {
      throw sink.shown && count.rows > 0 ? brokenOff(error, count) : error;
    }
  });
  if (count.rows === 0) shell.messages.tell('nothing found');
}

type Rows = readonly Row[];

async function render(
  shell: Shell,
  showing: Showing,
  resource: Resource,
  layout: Layout,
  pages: AsyncGenerator<RowPage<unknown>>,
  sink: Sink,
): Promise<void> {
  const { format, query } = showing;
  if (format === 'raw') {
    for await (const { body } of pages) await sink.write(endLine(body));
    return;
  }
  if (format === 'xml') {
    const { joinXml } = await import('../output/xml.ts');
    for await (const text of joinXml(bodiesOf(pages))) await sink.write(text);
    await sink.write('\n');
    return;
  }
  const { renderRows } = await import('../output/render.ts');
  if (query !== undefined) {
    const rows: Row[] = [];
    for await (const page of rowsOf(pages)) rows.push(...page);
    const { queryRows } = await import('../output/query.ts');
    await writeValue(shell, showing, await queryRows(rows, query), sink);
    return;
  }
  const options = renderOptions(shell, showing, resource, layout);
  for await (const text of renderRows(format, rowsOf(pages), options)) await sink.write(text);
}

/** Shows a single value: a count, a text, an object. */
export async function showValue(shell: Shell, showing: Showing, value: Value): Promise<void> {
  await writeTo(shell.context, showing.out, (sink) => writeValue(shell, showing, value, sink));
}

/** Shows a text as it is. */
export async function showText(shell: Shell, showing: Showing, text: string): Promise<void> {
  await writeTo(shell.context, showing.out, (sink) => sink.write(endLine(text)));
}

async function writeValue(shell: Shell, showing: Showing, value: Value, sink: Sink) {
  const { renderOne } = await import('../output/render.ts');
  const format = showing.format === 'xml' || showing.format === 'raw' ? 'tsv' : showing.format;
  await sink.write(await renderOne(format, value, renderOptions(shell, showing)));
}

function renderOptions(
  { context, flags, messages }: Shell,
  { fields, expand, csv, out }: Showing,
  shape?: Resource,
  layout: Layout = 'rows',
): RenderOptions {
  const width = out === undefined && context.stdout.isTTY ? context.stdout.columns : undefined;
  return {
    layout,
    csv,
    color: out === undefined && hasColor(context, context.stdout, flags),
    ...(shape && { shape }),
    ...(fields && { fields }),
    ...(expand !== undefined && { expand }),
    ...(width !== undefined && { width }),
    onColumns: (_, leftOut) => {
      if (leftOut.length === 0 || fields) return;
      messages.tell(`${leftOut.length} more columns: pick with --fields, or see all with -o json`);
    },
    onLateFields: (paths) =>
      messages.say(
        `note: ${paths.join(', ')} came up after the header was written; name them in --fields`,
      ),
  };
}

/** The pages that the user asked for: one page, or rows up to the limit. */
async function* onlyAsked(
  { messages }: Shell,
  { limit, page: only }: Showing,
  pages: AsyncGenerator<RowPage<unknown>>,
): AsyncGenerator<RowPage<unknown>> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left === 0) return;
  for await (const page of pages) {
    const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
    left -= rows.length;
    yield { ...page, rows };
    if (left === 0 || only !== undefined) {
      if (only !== undefined && page.more) messages.tell(`more on page ${only + 1}`);
      return;
    }
  }
}

async function* counting(
  pages: AsyncGenerator<RowPage<unknown>>,
  count: { pages: number; rows: number },
): AsyncGenerator<RowPage<unknown>> {
  for await (const page of pages) {
    yield page;
    count.pages += 1;
    count.rows += page.rows.length;
  }
}

async function* rowsOf(pages: AsyncIterable<RowPage<unknown>>): AsyncGenerator<Rows> {
  for await (const { rows } of pages) yield rows as Rows;
}

async function* bodiesOf(pages: AsyncIterable<RowPage<unknown>>): AsyncGenerator<string> {
  for await (const { body } of pages) yield body;
}

/** Rows are out already: what stopped the list is told with how far it came. */
function brokenOff(error: unknown, { pages, rows }: { pages: number; rows: number }): unknown {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return error;
  const { message, hint, status, code } = failureFrom(error);
  if (code === exitCodes.interrupted || code === exitCodes.internal) return error;
  const sofar = `the list is not whole: it stopped after ${rows} rows (${pages} pages)`;
  return new Failure(exitCodes.incomplete, `${sofar}: ${message}`, { hint, status, cause: error });
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
