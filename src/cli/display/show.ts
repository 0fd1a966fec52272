/** Writes replies to stdout or a file in the requested format. */

import { countOf } from '../../decimals/decimals.ts';
import { paint } from '../../output/paint.ts';
import { queryRows } from '../../output/query.ts';
import { formatNamed, isRowFormat } from '../../output/registry.ts';
import { renderOne, renderRows } from '../../output/render.ts';
import type { RenderOptions } from '../../output/render-options.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { wrap } from '../../output/table/display-width.ts';
import { codeOf } from '../../storage/error-code.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, failureFrom } from '../runtime/failure.ts';
import { hasColor } from '../terminal/color.ts';
import { type PagedScreen, pagedScreen } from '../terminal/pager.ts';
import { chartText, withTrend } from './chart.ts';
import { renderOptions } from './rendering.ts';
import {
  allRows,
  bodiesOf,
  counted,
  type Pages,
  pagesAsked,
  rowsOf,
  summedUp,
  type Tally,
} from './shown-pages.ts';
import { type Content, fileOf, fillSink, type Sink, writeTo } from './sink.ts';
import { sortedPages } from './sorted-pages.ts';
import { type Summary, summaryOf } from './summary.ts';
import type { View } from './view.ts';
import { tellWritten } from './written.ts';

/** How the pages of a list are counted, and where they go if not to `--out`. */
interface Going {
  readonly tally?: Tally;
  readonly into?: Sink | undefined;
  /** For a file that earlier runs have begun. */
  readonly rendering?: Partial<RenderOptions> | undefined;
  onPage?(rows: number): void;
  /** The rows arrive as they are created: there is no pager and no last line. */
  readonly isLive?: boolean;
}

export async function showPages(
  cmd: CommandContext,
  output: OutputOptions,
  view: View,
  pages: Pages,
  { tally = { pages: 0, rows: 0 }, into, rendering, onPage, isLive = false }: Going = {},
): Promise<void> {
  const kept = { ...rendering, live: isLive, ...(tally.first && { begun: tally.first }) };
  const summary = !isLive && hasSummary(cmd, output, view) ? summaryOf(view) : undefined;
  const asked = output.sort
    ? pagesAsked(cmd, output, sortedPages(pages, output, view, onPage), tally)
    : pagesAsked(cmd, output, pages, tally, onPage);
  const seen = summary ? counted(asked, summary) : asked;
  const summed = hasScreen(output, view) ? seen : summedUp(output, seen, view.summing);
  const fill = async (sink: Sink) => {
    try {
      await render(cmd, output, view, summed, sink, kept);
      if (summary && tally.rows > 0) await sink.write(lastLine(cmd, summary, tally));
    } catch (error) {
      throw sink.shown && tally.rows > 0 ? brokenOff(error, tally) : error;
    }
  };
  const mayPage = !isLive && output.sinceLast === undefined;
  if (into) await fillSink(into, fill);
  else if (!(await writePaged(cmd, output, fill, mayPage))) return;
  if (tally.rows === 0) cmd.messages.tell('No rows found.');
  tellWritten(cmd, output, isCountable(output) ? tally.rows : undefined);
}

/** Writes through the pager on a terminal. Returns false if the user left it before the end. */
async function writePaged(
  cmd: CommandContext,
  output: OutputOptions,
  fill: (sink: Sink) => Promise<void>,
  mayPage: boolean,
): Promise<boolean> {
  let paged: PagedScreen | undefined;
  const page = (print: (text: string) => Promise<void>) => {
    paged = pagedScreen(cmd, print);
    return paged;
  };
  const isPaged = mayPage && cmd.context.startPager !== undefined;
  try {
    await writeTo(cmd.context, output.out, fill, contentOf(output), isPaged ? page : undefined);
  } catch (error) {
    if (!paged?.isLeft) throw error;
    return false;
  }
  return true;
}

/** The summary line is for tables on a terminal. */
function hasSummary(
  { context }: CommandContext,
  { format, out, query }: OutputOptions,
  { layout }: View,
): boolean {
  const isSeen = !!context.stdout.isTTY && fileOf(out) === undefined;
  return isSeen && format === 'table' && query === undefined && layout !== 'cards';
}

/** Whether the view draws the rows itself. */
function hasScreen({ format, fields, sort, query, expand }: OutputOptions, { screen }: View) {
  return !!screen && format === 'table' && (fields ?? sort ?? query ?? expand) === undefined;
}

function lastLine({ context, flags }: CommandContext, summary: Summary, { isCut }: Tally): string {
  const { stdout } = context;
  const lines = wrap(summary.line(isCut ?? false), stdout.columns ?? 80);
  const color = hasColor(context, stdout, flags);
  return `\n${lines.map((line) => `${color ? paint('dim', line) : line}\n`).join('')}`;
}

/** Whether the output has one line or object for each counted row. */
function isCountable({ format, query, expand, layout }: OutputOptions): boolean {
  const isCounted = isRowFormat(format) || format === 'xlsx';
  return isCounted && query === undefined && expand === undefined && layout !== 'items';
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
  const options = { ...(await fullOptions(cmd, output, view)), ...kept };
  const rows = rowsOf(pages);
  const write = (some: typeof rows) =>
    hasScreen(output, view) ? drawn(view, some, options) : renderRows(format, some, options);
  const texts = view.trend ? withTrend(cmd, output, view.trend, rows, write) : write(rows);
  for await (const text of texts) await sink.write(text);
}

async function* drawn(
  { screen }: View,
  pages: AsyncIterable<readonly Row[]>,
  options: RenderOptions,
) {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  if (screen && rows.length > 0) yield screen(rows, options);
}

export async function* onePage(rows: readonly unknown[]): Pages {
  yield { number: 1, more: false, rows, totals: [] };
}

/** Shows a single value: a count, a text or an object. */
export async function showValue(
  cmd: CommandContext,
  output: OutputOptions,
  value: Value,
  view: Partial<View> = {},
): Promise<void> {
  const fill = (sink: Sink) => writeValue(cmd, output, value, sink, view);
  await writeTo(cmd.context, output.out, fill, contentOf(output));
  tellWritten(cmd, output);
}

/** Tables, charts and JSON can have colors; JSON has no escape sequences of its own. */
function contentOf({ format }: OutputOptions): Content {
  return ['table', 'chart', 'json', 'ndjson'].includes(format) ? 'drawing' : 'data';
}

/** Ignores a closed pipe, so that messages after the output still appear. */
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
  tellWritten(cmd, output);
}

async function writeValue(
  cmd: CommandContext,
  output: OutputOptions,
  value: Value,
  sink: Sink,
  view: Partial<View> = {},
) {
  const { format: asked } = output;
  // Formats that print responses as received can't show a value.
  const format = formatNamed(asked)?.options.includes('fields') ? asked : 'tsv';
  await sink.write(await renderOne(format, value, await fullOptions(cmd, output, view)));
}

/** Layouts are loaded only if the output can have one. */
async function fullOptions(
  cmd: CommandContext,
  output: OutputOptions,
  view: Partial<View>,
): Promise<RenderOptions> {
  const { format, layout, dates } = output;
  const options = renderOptions(cmd, output, view);
  if (format !== 'xlsx' && format !== 'csv' && (layout ?? dates) === undefined) return options;
  const { arranged } = await import('../layouts/arranged.ts');
  return { ...options, ...arranged(cmd, output, view) };
}

/** Returns the failure of a list whose first rows have been written. */
function brokenOff(error: unknown, { pages, rows }: Tally): unknown {
  if (codeOf(error) === 'EPIPE') return error;
  const { message, hint, status, code } = failureFrom(error);
  if (code === exitCodes.interrupted || code === exitCodes.internal) return error;
  const sofar = `The list is incomplete: it stopped after ${countOf(rows, 'row')} (${countOf(pages, 'page')})`;
  return new Failure(exitCodes.incomplete, `${sofar}. ${message}`, { hint, status, cause: error });
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
