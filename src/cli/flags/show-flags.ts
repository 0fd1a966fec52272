/** The flags that say how a result is shown, and what they come to. */
import { type Command, Option } from 'commander';
import {
  type FormatOption,
  formatNamed,
  formatNames,
  formatOptions,
  formats,
  rowOptions,
} from '../../output/registry.ts';
import type { CsvOptions, Spread } from '../../output/render-options.ts';
import { placeOf } from '../display/sink.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { chartFormat } from './chart-flags.ts';
import { helpGroups, kebab } from './flags.ts';
import { nearest } from './nearest.ts';
import { wholeNumber } from './whole-number.ts';

/** As commander reads them. */
export interface ShowFlags {
  readonly out?: string;
  readonly raw?: boolean;
  readonly fields?: string;
  readonly query?: string;
  readonly expand?: string;
  readonly limit?: string;
  readonly page?: string;
  readonly concurrency?: string;
  readonly bom?: boolean;
  readonly crlf?: boolean;
  readonly delimiter?: string;
  readonly textIds?: boolean;
  readonly spread?: string;
  /** false with --no-header. */
  readonly header?: boolean;
  readonly totals?: boolean;
  readonly resume?: boolean;
  readonly sinceLast?: string;
  readonly append?: string;
  readonly maxPages?: string;
  /** true without the name of a figure. */
  readonly chart?: string | true;
}

/** How a result is to be shown. */
export interface OutputOptions {
  /** The name of a format, or `raw` or `chart`. */
  readonly format: string;
  readonly out?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly expand?: string | undefined;
  readonly limit?: number | undefined;
  readonly page?: number | undefined;
  readonly concurrency?: number | undefined;
  /** A file that an earlier run began is gone on with. */
  readonly resume?: boolean | undefined;
  /** The schedule that this run belongs to. */
  readonly sinceLast?: string | undefined;
  /** The file that the rows are added to. */
  readonly append?: string | undefined;
  /** The most pages of one period. */
  readonly maxPages?: number | undefined;
  /** The figure to draw, or true. */
  readonly chart?: string | true | undefined;
  /** The row over all others is wanted in every format. */
  readonly totals: boolean;
  readonly spread?: Spread | undefined;
  /** csv and tsv: whether the first line names the columns. */
  readonly header?: boolean | undefined;
  readonly csv: CsvOptions;
}

/** The bodies of the service are printed, in place of what they say. */
export function isAsReceived({ format }: OutputOptions): boolean {
  return format === 'xml' || format === 'raw';
}

/** What the service is asked to answer in. */
export function wireFor({ format }: OutputOptions) {
  return format === 'xml' ? ({ wire: 'xml' } as const) : {};
}

/** What a command shows: its output flags follow from this. */
export interface Shows {
  /** Else one value. */
  readonly rows?: boolean;
  /** The rows come page by page. */
  readonly pages?: boolean;
  /** The rows have days, so that a later run can ask for new ones only. */
  readonly dated?: boolean;
  /** There is a row over all others. */
  readonly totals?: boolean;
  /** The rows never end: there is no whole to be had. */
  readonly endless?: boolean;
  /** A body of the service, which can be shown as received. */
  readonly asReceived?: boolean;
}

/** The output flags of a command, in the order of its help. */
function outputOptions({ rows, pages, dated, totals, endless, asReceived }: Shows) {
  const whole = !endless;
  const formatsOf = (name: FormatOption) => formatNames(name).join(', ');
  const options: readonly (readonly [
    offered: boolean | undefined,
    flag: string,
    summary: string,
  ])[] = [
    [rows, '--fields <names>', 'Only these columns, as in receipt,lineItemData.itemNo'],
    [rows && whole, '--query <jmespath>', 'A JMESPath expression over the whole list'],
    [rows, '--expand <list>', 'A row for each element of this list, as in lineItemData'],
    [rows, '--limit <n>', 'At most so many rows'],
    [whole, '--out <file>', 'Write to a file, whole or not at all; its ending picks the format'],
    [asReceived, '--raw', 'Print the answer as received'],
    [rows, '--bom', `${formatsOf('bom')}: begin with a byte order mark, for Excel`],
    [rows, '--crlf', `${formatsOf('crlf')}: end lines with CR LF`],
    [rows, '--delimiter <character>', `${formatsOf('delimiter')}: instead of the comma`],
    [
      rows,
      '--text-ids',
      `${formatsOf('textIds')}: write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed`,
    ],
    [
      rows,
      '--spread <list[:n]>',
      `${formatsOf('spread')}: columns for the first n elements (default: 3)`,
    ],
    [rows, '--no-header', `${formatsOf('header')}: without the line of column names, as for >>`],
    [totals, '--totals', 'Add the row over all others in every format'],
    [pages, '--page <n>', 'Only this page of the service, of 100 rows'],
    [pages, '--concurrency <n>', 'Pages under way at once (default: 10)'],
    [pages, '--max-pages <n>', 'Maximum number of pages of one period (default: 10000)'],
    [pages, '--resume', 'Continue an export that was stopped; requires --out'],
    [dated, '--since-last <name>', 'Only rows that earlier runs of this name did not return'],
    [dated, '--append <file>', 'Add the rows of --since-last to a file, each exactly once'],
  ];
  return options.filter(([offered]) => offered);
}

export function addShowFlags(command: Command, shows: Shows): void {
  for (const [, flag, summary] of outputOptions(shows)) {
    command.addOption(new Option(flag, summary).helpGroup(helpGroups.show));
  }
}

/** Throws a usage failure that names the flag at fault. */
export function readShowFlags(
  cmd: CommandContext,
  flags: ShowFlags,
  { asReceived = false }: Shows = {},
): OutputOptions {
  const { out, query, chart, delimiter } = flags;
  const format = chart === undefined ? chooseFormat(cmd, flags) : chartFormat(cmd, flags);
  if (format === 'xml' && !asReceived) {
    throw usage("The output can't be xml, which is what the service sends.", {
      hint: 'Use another format.',
    });
  }
  requireObeyed(format, flags);
  if (query !== undefined && flags.fields !== undefined) {
    throw usage('--query and --fields both choose columns; give one of them');
  }
  if (delimiter !== undefined && delimiter.length !== 1) {
    throw usage(`--delimiter must be one character, not '${delimiter}'`);
  }
  const spread = readSpread(flags);
  if (out !== undefined) placeOf(cmd.context, named('--out', out));
  return {
    format,
    spread,
    chart,
    out,
    header: flags.header,
    fields: named('--fields', flags.fields)
      ?.split(',')
      .map((name) => named('--fields', name).trim()),
    query: named('--query', query),
    expand: named('--expand', flags.expand),
    limit: numberOf('--limit', flags.limit, 0),
    page: numberOf('--page', flags.page, 1),
    concurrency: numberOf('--concurrency', flags.concurrency, 1, 64),
    totals: flags.totals ?? false,
    resume: flags.resume ?? false,
    sinceLast: flags.sinceLast,
    append: named('--append', flags.append),
    maxPages: numberOf('--max-pages', flags.maxPages, 1, 1_000_000),
    csv: {
      bom: flags.bom ?? false,
      crlf: flags.crlf ?? false,
      textIds: flags.textIds ?? false,
      ...(delimiter !== undefined && { delimiter }),
    },
  };
}

/** What was asked for, else what the file's ending says, else a table for a person and tsv for a pipe. */
function chooseFormat(
  { context, flags: { output } }: CommandContext,
  { raw, ...flags }: ShowFlags,
) {
  if (raw) return 'raw';
  const out = flags.out ?? flags.append;
  if (output !== undefined) {
    const format = formatNamed(output.toLowerCase());
    if (format) return format.name;
    const near = nearest(output, formatNames());
    throw usage(`--output must be one of ${formatNames().join(', ')}, not '${output}'`, {
      hint: near && `did you mean ${near}?`,
    });
  }
  const ending = /\.([^./\\]+)$/.exec(out ?? '')?.[1]?.toLowerCase();
  const byEnding = formats.find(({ extensions }) => extensions.some((one) => one === ending));
  if (byEnding) return byEnding.name;
  if (ending !== undefined && ending !== 'txt') {
    throw usage(`Unknown file format '.${ending}' in ${flags.out ? '--out' : '--append'} ${out}.`, {
      hint: `Use one of ${formatNames().join(', ')}, or name the format with -o.`,
    });
  }
  return context.stdout.isTTY && out === undefined ? 'table' : 'tsv';
}

function readSpread({ spread, expand, query }: ShowFlags): Spread | undefined {
  if (spread === undefined) return undefined;
  if (query !== undefined)
    throw usage('--spread and --query both shape the rows; give one of them');
  const [, list = '', size] = /^(.*?)(?::([^:]*))?$/.exec(spread) ?? [];
  if (list === expand) throw usage(`--spread and --expand both take ${list}; give one of them`);
  return {
    list: named('--spread', list),
    size: size === undefined ? 3 : wholeNumber('--spread', size, 1, 1000),
  };
}

/** Flags that a format does not obey are refused, so that nobody waits for what they would do. */
function requireObeyed(format: string, flags: ShowFlags): void {
  if (format === 'chart') return;
  const obeyed = formatNamed(format)?.options ?? [];
  const isGiven = (name: FormatOption) =>
    name === 'header' ? flags.header === false : flags[name] !== undefined;
  const name = formatOptions.find((one) => !obeyed.includes(one) && isGiven(one));
  if (name === undefined) return;
  const flag = name === 'header' ? '--no-header' : `--${kebab(name)}`;
  if (!rowOptions.some((one) => one === name)) {
    throw usage(`${flag} is for ${formatNames(name).join(' and ')}, not ${format}`);
  }
  const what = format === 'raw' ? '--raw' : `--output ${format}`;
  throw usage(`${flag} can't be given with ${what}, which is what the service sent`, {
    hint: name === 'limit' ? 'pick a page with --page' : 'use another format',
  });
}

function numberOf(flag: string, text: string | undefined, least: number, most?: number) {
  return text === undefined ? undefined : wholeNumber(flag, text, least, most);
}

/** The text of a flag that must not be empty. */
function named<T extends string | undefined>(flag: string, text: T): T {
  if (text?.trim() === '') throw usage(`${flag} must not be empty`);
  return text;
}
