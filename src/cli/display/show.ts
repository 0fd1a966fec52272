/** A reply on its way to stdout or a file, in the format that was asked for. */
import { queryRows } from '../../output/query.ts';
import { formatNamed } from '../../output/registry.ts';
import { renderOne, renderRows } from '../../output/render.ts';
import type { RenderOptions } from '../../output/render-options.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { codeOf } from '../../storage/error-code.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, failureFrom } from '../runtime/failure.ts';
import { chartText, withTrend } from './chart.ts';
import { renderOptions } from './rendering.ts';
import {
  allRows,
  bodiesOf,
  type Pages,
  pagesAsked,
  rowsOf,
  summedUp,
  type Tally,
} from './shown-pages.ts';
import { type Content, fillSink, type Sink, writeTo } from './sink.ts';
import { sortedPages } from './sorted-pages.ts';
import type { View } from './view.ts';

/** Where the rows of a list go instead of `--out`. */
interface Going {
  readonly tally?: Tally;
  readonly into?: Sink | undefined;
  /** Of a file that earlier runs have begun. */
  readonly rendering?: Partial<RenderOptions> | undefined;
  onPage?(rows: number): void;
}

export async function showPages(
  cmd: CommandContext,
  output: OutputOptions,
  view: View,
  pages: Pages,
  { tally = { pages: 0, rows: 0 }, into, rendering, onPage }: Going = {},
): Promise<void> {
  const kept = { ...rendering, ...(tally.first && { begun: tally.first }) };
  const asked = output.sort
    ? pagesAsked(cmd, output, sortedPages(pages, output, view, onPage), tally)
    : pagesAsked(cmd, output, pages, tally, onPage);
  const summed = summedUp(output, asked, view.summing);
  const fill = async (sink: Sink) => {
    try {
      await render(cmd, output, view, summed, sink, kept);
    } catch (error) {
      throw sink.shown && tally.rows > 0 ? brokenOff(error, tally) : error;
    }
  };
  await (into ? fillSink(into, fill) : writeTo(cmd.context, output.out, fill, contentOf(output)));
  if (tally.rows === 0) cmd.messages.tell('nothing found');
}

async function render(
  cmd: CommandContext,
  output: OutputOptions,
  view: View,
  pages: Pages<Row>,
  sink: Sink,
  kept: Partial<RenderOptions>,
): Promise<void> {
  const { format, query } = output;
  if (format === 'raw') {
    for await (const body of bodiesOf(pages)) await sink.write(endLine(body));
    return;
  }
  const writers = await formatNamed(format)?.load();
  if (writers && 'writeBodies' in writers) {
    for await (const text of writers.writeBodies(bodiesOf(pages))) await sink.write(text);
    await sink.write('\n');
    return;
  }
  if (format === 'chart') {
    if (view.chart)
      await sink.write(await chartText(cmd, output, view.chart, await allRows(pages)));
    return;
  }
  if (query !== undefined) {
    await writeValue(cmd, output, queryRows(await allRows(pages), query), sink);
    return;
  }
  const options = { ...renderOptions(cmd, output, view), ...kept };
  const rows = rowsOf(pages);
  const write = (some: typeof rows) => renderRows(format, some, options);
  const texts = view.trend ? withTrend(cmd, output, view.trend, rows, write) : write(rows);
  for await (const text of texts) await sink.write(text);
}

export async function* onePage(rows: readonly unknown[]): Pages {
  yield { number: 1, more: false, rows, totals: [] };
}

/** Shows a single value: a count, a text, an object, which may have fields of its own. */
export async function showValue(
  cmd: CommandContext,
  output: OutputOptions,
  value: Value,
  view: Partial<View> = {},
): Promise<void> {
  const fill = (sink: Sink) => writeValue(cmd, output, value, sink, view);
  await writeTo(cmd.context, output.out, fill, contentOf(output));
}

/** Tables, charts and JSON can have colors; JSON has no escape sequences of its own. */
function contentOf({ format }: OutputOptions): Content {
  return ['table', 'chart', 'json', 'ndjson'].includes(format) ? 'drawing' : 'data';
}

/** Ignores a closed pipe, so that the messages after the output still appear. */
export async function showIfRead(show: Promise<void>): Promise<void> {
  await show.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

export async function showText(
  cmd: CommandContext,
  output: OutputOptions,
  text: string,
): Promise<void> {
  await writeTo(cmd.context, output.out, (sink) => sink.write(endLine(text)));
}

async function writeValue(
  cmd: CommandContext,
  output: OutputOptions,
  value: Value,
  sink: Sink,
  view: Partial<View> = {},
) {
  const { format: asked } = output;
  // What is shown as it was received has no form of its own for a value.
  const format = formatNamed(asked)?.options.includes('fields') ? asked : 'tsv';
  await sink.write(await renderOne(format, value, renderOptions(cmd, output, view)));
}

/** The failure of a list whose first rows are already written. */
function brokenOff(error: unknown, { pages, rows }: Tally): unknown {
  if (codeOf(error) === 'EPIPE') return error;
  const { message, hint, status, code } = failureFrom(error);
  if (code === exitCodes.interrupted || code === exitCodes.internal) return error;
  const sofar = `the list is not whole: it stopped after ${rows} rows (${pages} pages)`;
  return new Failure(exitCodes.incomplete, `${sofar}: ${message}`, { hint, status, cause: error });
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
