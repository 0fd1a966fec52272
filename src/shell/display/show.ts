/** Writes replies to stdout or a file in the requested format. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, groupedCount } from '../../decimals/decimals.ts';
import { resource, text } from '../../operations/resource.ts';
import { hasLineForRow, isFreeTable, isWrittenByPage } from '../../output/options.ts';
import { paint } from '../../output/paint.ts';
import { queryRows } from '../../output/query.ts';
import { formatNamed } from '../../output/registry.ts';
import { openWriter, renderOne } from '../../output/render.ts';
import type { RenderOptions, Writer } from '../../output/render-options.ts';
import { chosenColumns, knownPaths } from '../../output/rows/columns.ts';
import type { Row, Shape, Value } from '../../output/rows/rows.ts';
import { sorterFor } from '../../output/rows/sort.ts';
import {
  counted,
  held,
  limited,
  onePage,
  type Page,
  type Pages,
  type Stream,
  sorted,
  summed,
  type Tally,
} from '../../output/stream.ts';
import { wrap } from '../../output/table/display-width.ts';
import { codeOf, makeFolder } from '../../storage/files.ts';
import { type CommandContext, type Context, hasColor } from '../context.ts';
import { exitCodes, Failure, failureFrom } from '../failure.ts';
import { stateFolder } from '../folders.ts';
import type { OutputOptions } from '../options/show-flags.ts';
import { serviceNow } from '../session/session.ts';
import { writePaged } from '../terminal/pager.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { chartText, trendLines } from './chart.ts';
import { type Content, fileOf, fillSink, placeOf, type Sink, writeTo } from './sink.ts';
import { type Summary, summaryOf } from './summary.ts';
import { shapeOfView, type View } from './view.ts';

/** Tables, charts and JSON can have colors; JSON has no escape sequences of its own. */
const contentOf: Readonly<Record<string, Content>> = {
  ...{ table: 'drawing', chart: 'drawing', json: 'drawing', ndjson: 'drawing' },
};

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
  pages: Pages | readonly Page<unknown>[],
  { tally = { pages: 0, rows: 0 }, into, rendering, onPage, isLive = false }: Going = {},
): Promise<void> {
  const { sort, limit = Number.POSITIVE_INFINITY, page, sinceLast } = output;
  const isSeen = !!cmd.context.stdout.isTTY && fileOf(output.out) === undefined;
  const isTable = isSeen && output.format === 'table' && view.layout !== 'cards';
  const summary = isTable && !isLive && output.query === undefined ? summaryOf(view) : undefined;
  let stream = pages as Stream;
  if (sinceLast !== undefined && !isWrittenByPage(output)) stream = held(stream);
  if (sort) {
    const sorterOf = (first: readonly Row[]) => sorterFor(sort, shapeOfView(view), first);
    stream = sorted(stream, sorterOf, limit, page !== undefined, onPage);
  }
  stream = limited(stream, limit - tally.rows, page !== undefined, tally);
  stream = counted(stream, tally, (rows) => {
    summary?.add(rows);
    if (!sort) onPage?.(rows.length);
  });
  const sums = output.totals || output.format === 'table' ? view.summing : undefined;
  if (sums && !(view.screen && isFreeTable(output)))
    stream = summed(stream, sums(), view.isRepeated);
  let leftOut = 0;
  const fill = async (sink: Sink) => {
    try {
      const title = isTable && view.title ? titleLines(cmd, view.title) : '';
      const kept = {
        ...rendering,
        isWhole: Array.isArray(pages) || undefined,
        live: isLive,
        onColumns: (_: unknown, { length }: readonly string[]) => {
          leftOut = output.fields ? 0 : length;
        },
        ...(tally.first && { begun: tally.first }),
      };
      await write(stream, await writerFor(cmd, output, view, kept), sink, title);
      if (summary && tally.rows > 0) await sink.write(lastLine(cmd, summary, tally));
    } catch (error) {
      throw sink.shown && tally.rows > 0 ? brokenOff(error, tally) : error;
    }
  };
  if (into) await fillSink(into, fill);
  else if (isLive || sinceLast !== undefined) {
    await writeTo(cmd.context, output.out, fill, contentOf[output.format]);
  } else if (!(await writePaged(cmd, output.out, fill, contentOf[output.format]))) return;
  if (page !== undefined && tally.hasMore) {
    cmd.messages.tell(`More rows are on page ${page + 1}.`);
  }
  if (tally.rows === 0) cmd.messages.tell('No rows found.');
  const isKnown = Object.keys(view.resource.fields).length > 0;
  const choice = isKnown ? 'List them with --fields help' : 'Choose columns with --fields';
  tellLeftOut(cmd, leftOut, `${choice}, or use`);
  tellWritten(cmd, output, hasLineForRow(output) ? tally.rows : undefined);
}

/** Says that a table leaves columns out: once in a session of the terminal, because people ask for many tables. */
function tellLeftOut({ context, messages }: CommandContext, columns: number, how = 'Use'): void {
  if (columns === 0 || !messages.watched || wasTold(context)) return;
  const shown = columns === 1 ? '1 column is' : `${columns} columns are`;
  messages.tell(`${shown} not shown. ${how} -o json.`);
}

/** Remembers the session that was told last. Without a folder for it, the sentence is repeated. */
function wasTold(context: Context): boolean {
  const { session } = context;
  if (session === undefined) return false;
  try {
    const folder = stateFolder(context);
    const file = join(folder, 'told-of-columns');
    makeFolder(folder);
    const known = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
    if (known === session) return true;
    writeFileSync(file, session);
  } catch {
    // For example a home folder without write permission.
  }
  return false;
}

/** The title appears with the first page, so that it does not stand above an error. */
async function write(stream: Stream, writer: Writer, sink: Sink, title: string): Promise<void> {
  let isReading = true;
  let above = title;
  const put = async (chunk: string | Uint8Array) => {
    isReading = false;
    if (chunk.length > 0) await sink.write(chunk);
  };
  try {
    for await (const { rows, body = '', written } of stream) {
      await put(above);
      above = '';
      await put(writer.add(rows, body));
      await written?.();
      isReading = true;
    }
    for (const chunk of await writer.end(false)) await put(chunk);
  } catch (error) {
    if (isReading) for (const chunk of await writer.end(true)) await put(chunk);
    throw error;
  } finally {
    writer.close?.();
  }
}

function titleLines({ context }: CommandContext, title: readonly string[]): string {
  const lines = title.flatMap((line) => wrap(line, context.stdout.columns ?? 80));
  return `${lines.join('\n')}\n\n`;
}

function lastLine({ context, flags }: CommandContext, summary: Summary, { isCut }: Tally): string {
  const { stdout } = context;
  const lines = wrap(summary.line(isCut ?? false), stdout.columns ?? 80);
  const color = hasColor(context, stdout, flags);
  return `\n${lines.map((line) => `${color ? paint('dim', line) : line}\n`).join('')}`;
}

async function writerFor(
  cmd: CommandContext,
  output: OutputOptions,
  view: View,
  kept: Partial<RenderOptions>,
): Promise<Writer> {
  const { format, query } = output;
  const { chart, trend, screen } = view;
  if (format === 'raw') return { add: (_, body) => endLine(body), end: () => [] };
  if (format === 'chart') {
    return whole(async (rows) => (chart ? chartText(cmd, output, chart, rows) : ''));
  }
  if (query !== undefined) {
    return whole((rows) => valueText(cmd, output, queryRows(rows, query)));
  }
  const options = { ...(await renderOptions(cmd, output, view)), ...kept };
  const writer =
    screen && isFreeTable(output) && !cmd.context.isPlain
      ? whole(async (rows) => (rows.length > 0 ? screen(rows, options) : ''))
      : await openWriter(format, options);
  if (!trend) return writer;
  const lines = whole((rows) => {
    const once = rows.filter((row) => !view.isRepeated?.(row));
    return trendLines(cmd, output, trend, once);
  });
  return {
    ...writer,
    add(rows, body) {
      lines.add(rows, body);
      return writer.add(rows, body);
    },
    end: async (isBroken) => [...(await writer.end(isBroken)), ...(await lines.end(isBroken))],
  };
}

function whole(text: (rows: readonly Row[]) => Promise<string | Uint8Array>): Writer {
  const all: Row[] = [];
  return {
    add(rows) {
      for (const row of rows) all.push(row);
      return '';
    },
    end: async (isBroken) => (isBroken ? [] : [await text(all)]),
  };
}

export async function showValue(
  cmd: CommandContext,
  output: OutputOptions,
  value: Value,
  view: Partial<View> = {},
): Promise<void> {
  let leftOut = 0;
  const onColumns = (_: unknown, { length }: readonly string[]) => {
    leftOut = length;
  };
  const fill = async (sink: Sink) =>
    sink.write(await valueText(cmd, output, value, view, { onColumns }));
  await writeTo(cmd.context, output.out, fill, contentOf[output.format]);
  tellLeftOut(cmd, leftOut);
  tellWritten(cmd, output);
}

const fieldResource = resource('field', ['field', 'heading', 'type'], {
  ...{ field: text, heading: text, type: text },
});

/** `--fields help`: the columns that --fields can name, without a request. */
export async function showFields(cmd: CommandContext, asked: OutputOptions, sent: Shape) {
  const { arrangementOf } = await import('./arranged.ts');
  const layout = asked.isLayoutTyped ? asked.layout : undefined;
  const { shape = sent } = arrangementOf({ ...asked, layout, fields: [] }, sent, '') ?? {};
  const rows = chosenColumns(knownPaths(shape), shape, []).map(({ name, heading, kind }) => {
    return { field: name, heading, type: kind };
  });
  const output = { ...asked, layout: undefined };
  await showPages(cmd, output, { resource: fieldResource }, onePage(rows));
}

/** Nothing if there are no rows, except a complete document: JSON, or a file that was asked for. */
export async function showFound(
  cmd: CommandContext,
  output: OutputOptions,
  view: View,
  rows: readonly unknown[],
): Promise<void> {
  if (rows.length > 0 || output.out !== undefined || output.format === 'json') {
    await showPages(cmd, output, view, onePage(rows));
  }
}

/** Ignores a closed pipe, so that messages after the output still appear. */
export async function showIfRead(show: Promise<void>): Promise<void> {
  await show.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

export async function showText(
  cmd: CommandContext,
  output: Pick<OutputOptions, 'out' | 'append'>,
  text: string,
): Promise<void> {
  await writeTo(cmd.context, output.out, (sink) => sink.write(endLine(text)));
  tellWritten(cmd, output);
}

async function valueText(
  cmd: CommandContext,
  output: OutputOptions,
  value: Value,
  view: Partial<View> = {},
  kept: Partial<RenderOptions> = {},
) {
  const { format: asked } = output;
  // Formats that print responses as received can't show a value.
  const format = formatNamed(asked)?.options.includes('fields') ? asked : 'tsv';
  return renderOne(format, value, { ...(await renderOptions(cmd, output, view)), ...kept });
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

export async function renderOptions(
  cmd: CommandContext,
  output: OutputOptions,
  view: Partial<View>,
): Promise<RenderOptions> {
  const { format, fields, expand, spread, header, csv, out, dates } = output;
  const { context, flags, messages } = cmd;
  const { stdout } = context;
  const { resource, layout = 'rows' } = view;
  const shape = resource && shapeOfView({ ...view, resource });
  // Layouts are loaded only if the output can have one.
  const isArranged = ['xlsx', 'csv'].includes(format) || (output.layout ?? dates) !== undefined;
  const { arranged } = isArranged ? await import('./arranged.ts') : {};
  return {
    ...{ layout, csv, header, shape, fields, expand, spread },
    width: out === undefined && stdout.isTTY ? stdout.columns : undefined,
    isPlain: out === undefined && context.isPlain,
    color: out === undefined && hasColor(context, stdout, flags),
    now: () => serviceNow(context),
    zone: format === 'table' ? timeZoneOf(cmd) : undefined,
    onLateFields: (paths) => {
      const names = paths.join(', ');
      messages.say(
        `note: The header was written before ${names} appeared. Name these fields in --fields.`,
      );
    },
    onSpreadShort: (rows, most) => {
      const lists = rows === 1 ? '1 row has' : `${rows} rows have`;
      const elements = spread?.size === 1 ? '1 element' : `${spread?.size} elements`;
      const more = `--spread ${spread?.list}:${most}`;
      messages.say(`note: ${lists} more than ${elements}. Use ${more} to keep all of them.`);
    },
    ...arranged?.(cmd, output, view, shape),
  };
}

/** Prints a line such as `Wrote 312 rows (48 KB) to orders.csv.` to stderr if it is a terminal. */
export function tellWritten(
  { context, messages }: CommandContext,
  { out, append }: Pick<OutputOptions, 'out' | 'append'>,
  rows?: number,
): void {
  const file = append ?? out;
  if (!messages.watched || file === undefined) return;
  const place = placeOf(context, file, append === undefined ? '--out' : '--append');
  if (place.kind !== 'file') return;
  const size = sizeText(statSync(place.path).size);
  const what = rows === undefined ? size : `${groupedCount(rows, 'row')} (${size})`;
  if (append === undefined) messages.tell(`Wrote ${what} to ${file}.`);
  else messages.tell(`Added ${groupedCount(rows ?? 0, 'row')} to ${file} (now ${size}).`);
}

const units = ['bytes', 'KB', 'MB', 'GB'];

/** As in `312 bytes`, `4.8 KB` or `48 KB`. */
function sizeText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** power;
  return `${power > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}
