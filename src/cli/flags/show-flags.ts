/** The output flags: which of them a command offers, and how they are read. */
import { type Command, Option } from 'commander';
import {
  type FormatOption,
  formatNamed,
  formatNames,
  formatOptions,
  formats,
  rowOptions,
} from '../../output/registry.ts';
import type { CsvOptions } from '../../output/render-options.ts';
import { placeOf } from '../display/sink.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { helpGroups, kebab, wholeNumber } from './flags.ts';
import { nearest } from './nearest.ts';

type Texts<Name extends string> = { readonly [name in Name]?: string };
type Switches<Name extends string> = { readonly [name in Name]?: boolean };

/** As commander reads them; `header` is false with --no-header, `chart` true without the name of a figure. */
export type ShowFlags = Texts<'out' | 'fields' | 'query' | 'expand' | 'spread' | 'delimiter'> &
  Texts<'limit' | 'page' | 'concurrency' | 'maxPages' | 'sinceLast' | 'append'> &
  Switches<'raw' | 'bom' | 'crlf' | 'textIds' | 'header' | 'totals' | 'resume'> & {
    readonly chart?: string | true;
  };

type ReadFlags = ReturnType<typeof readShowFlags>;

/** How a result is to be shown. `format` is the name of a format, or `raw` or `chart`. */
export type OutputOptions = Pick<ReadFlags, 'format' | 'totals' | 'csv'> & {
  readonly [name in keyof ReadFlags]?: ReadFlags[name] | undefined;
};

/** Bodies are printed as the service sent them. */
export function isAsReceived({ format }: OutputOptions): boolean {
  return format === 'xml' || format === 'raw';
}

export function isStructured({ format }: OutputOptions): boolean {
  return format === 'json' || format === 'ndjson';
}

export function wireFor({ format }: OutputOptions) {
  return format === 'xml' ? ({ wire: 'xml' } as const) : {};
}

/** What a command shows: its output flags follow from this. */
export interface Shows {
  /** False for a single value. */
  readonly rows?: boolean;
  readonly pages?: boolean;
  /** The rows have days, so that a later run can ask for new ones only. */
  readonly dated?: boolean;
  readonly totals?: boolean;
  /** The rows never end, so --query and --out would never be done. */
  readonly endless?: boolean;
  /** The service sends a body that --raw can print. */
  readonly asReceived?: boolean;
}

/** Adds the output flags of a command, in the order of its help. */
export function addShowFlags(
  command: Command,
  { rows, pages, dated, totals, endless, asReceived }: Shows = {},
): void {
  const formatsOf = (name: FormatOption) => formatNames(name).join(', ');
  const options: readonly (readonly [
    offered: boolean | undefined,
    option: string,
    summary: string,
  ])[] = [
    [rows, '--limit <n>', 'Maximum number of rows to return'],
    [rows, '--fields <fields>', 'Columns to show, such as receipt,email'],
    [!endless, '--out <file>', 'Write to a file; its extension selects the format'],
    [totals, '--totals', 'Add a row of totals in every format'],
    [rows && !endless, '--query <jmespath>', 'Filter or reshape rows with a JMESPath expression'],
    [pages, '--resume', 'Continue an interrupted export; requires --out'],
    [dated, '--since-last <name>', 'Return only rows that are new since the last run'],
    [dated, '--append <file>', 'Append the rows of --since-last to a file, each exactly once'],
    [rows, '--expand <field>', 'Show one row for each element of a list, such as lineItemData'],
    [
      rows,
      '--spread <field[:n]>',
      `${formatsOf('spread')}: columns for n list elements (default: 3)`,
    ],
    [rows, '--text-ids', `${formatsOf('textIds')}: keep IDs such as 007 or 1E5 as text`],
    [rows, '--no-header', `${formatsOf('header')}: omit the line of column names`],
    [
      rows,
      '--delimiter <character>',
      `${formatsOf('delimiter')}: column separator (default: comma)`,
    ],
    [rows, '--bom', `${formatsOf('bom')}: start with a byte order mark`],
    [rows, '--crlf', `${formatsOf('crlf')}: end lines with CR LF`],
    [asReceived, '--raw', 'Print the response as received'],
    [pages, '--page <n>', 'Return only this page of 100 rows'],
    [pages, '--concurrency <n>', 'Number of pages to request at the same time (default: 10)'],
    [pages, '--max-pages <n>', 'Maximum number of pages to read per period (default: 10000)'],
  ];
  for (const [offered, option, summary] of options) {
    if (offered) command.addOption(new Option(option, summary).helpGroup(helpGroups.output));
  }
}

/** Throws a usage failure that names the flag at fault. */
export function readShowFlags(
  cmd: CommandContext,
  flags: ShowFlags,
  { asReceived = false }: Shows = {},
) {
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
  const { bom = false, crlf = false, textIds = false } = flags;
  const csv: CsvOptions = { bom, crlf, textIds, ...(delimiter !== undefined && { delimiter }) };
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
    csv,
  };
}

/** --output, else the extension of the file, else table on a terminal and tsv elsewhere. */
function chooseFormat(
  { context, flags: { output } }: CommandContext,
  { raw, ...flags }: ShowFlags,
): string {
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
  const ending = endingOf(out);
  const byEnding = formats.find(({ extensions }) => extensions.some((one) => one === ending));
  if (byEnding) return byEnding.name;
  if (ending !== undefined && ending !== 'txt') {
    throw usage(`Unknown file format '.${ending}' in ${flags.out ? '--out' : '--append'} ${out}.`, {
      hint: `Use one of ${formatNames().join(', ')}, or name the format with -o.`,
    });
  }
  return context.stdout.isTTY && out === undefined ? 'table' : 'tsv';
}

function endingOf(path = ''): string | undefined {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
}

const unfitForCharts = [
  ...(['raw', 'fields', 'query', 'expand', 'spread', 'totals'] as const),
  ...(['bom', 'crlf', 'delimiter', 'textIds', 'resume', 'sinceLast', 'append'] as const),
];

function chartFormat({ flags: { output } }: CommandContext, flags: ShowFlags): string {
  if (output !== undefined) {
    throw usage(`--chart and --output ${output} can't be combined.`, {
      hint: 'Use one or the other.',
    });
  }
  if (!['txt', undefined].includes(endingOf(flags.out))) {
    throw usage(`--out ${flags.out}: a chart is text`, { hint: 'end the name in .txt' });
  }
  const other = unfitForCharts.find((name) => flags[name] !== undefined);
  const written = flags.header === false ? '--no-header' : other && `--${kebab(other)}`;
  if (written === undefined) return 'chart';
  throw usage(`${written} can't be given with --chart, which shows no rows`);
}

function readSpread({ spread, expand, query }: ShowFlags) {
  if (spread === undefined) return undefined;
  if (query !== undefined)
    throw usage('--spread and --query both shape the rows; give one of them');
  const [, list = '', size = '3'] = /^(.*?)(?::([^:]*))?$/.exec(spread) ?? [];
  if (list === expand) throw usage(`--spread and --expand both take ${list}; give one of them`);
  return { list: named('--spread', list), size: wholeNumber('--spread', size, 1, 1000) };
}

/** Refuses flags that the format would ignore. */
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

function named<T extends string | undefined>(flag: string, text: T): T {
  if (text?.trim() === '') throw usage(`${flag} must not be empty`);
  return text;
}
