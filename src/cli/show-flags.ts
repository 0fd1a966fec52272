/** The flags that say how a result is shown, and what they come to. */
import { type Command, Option } from 'commander';
import {
  type FormatOption,
  formatNamed,
  formatNames,
  formatOptions,
  formats,
  rowOptions,
} from '../output/registry.ts';
import type { CsvOptions, Spread } from '../output/render-options.ts';
import { chartFormat } from './chart-flags.ts';
import { usage } from './failure.ts';
import { helpGroups, kebab } from './flags.ts';
import { nearest } from './nearest.ts';
import type { Shell } from './shell.ts';
import { placeOf } from './sink.ts';
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
export interface Showing {
  /** The name of a format, or `raw` or `chart`. */
  readonly format: string;
  readonly out?: string;
  readonly fields?: readonly string[];
  readonly query?: string;
  readonly expand?: string;
  readonly limit?: number;
  readonly page?: number;
  readonly concurrency?: number;
  /** A file that an earlier run began is gone on with. */
  readonly resume?: boolean;
  /** The schedule that this run belongs to. */
  readonly sinceLast?: string;
  /** The file that the rows are added to. */
  readonly append?: string;
  /** The most pages of one period. */
  readonly maxPages?: number;
  /** The figure to draw, or true. */
  readonly chart?: string | true;
  /** The row over all others is wanted in every format. */
  readonly totals: boolean;
  readonly spread?: Spread;
  /** csv and tsv: whether the first line names the columns. */
  readonly header?: boolean;
  readonly csv: CsvOptions;
}

/** What a command can show. */
export interface Shown {
  readonly rows: boolean;
  /** The rows come page by page. */
  readonly pages: boolean;
  /** There is a row over all others. */
  readonly totals: boolean;
  /** The rows never end: there is no whole to be had. */
  readonly endless?: boolean;
}

export function addShowFlags(command: Command, shown: Shown): void {
  const { rows, pages, totals, endless = false } = shown;
  const options = endless
    ? []
    : [
        new Option(
          '--out <file>',
          'Write to a file, whole or not at all; its ending picks the format',
        ),
        new Option('--raw', 'Print the answer as received'),
      ];
  if (rows) {
    options.unshift(
      new Option('--fields <names>', 'Only these columns, as in receipt,lineItemData.itemNo'),
      ...(endless
        ? []
        : [new Option('--query <jmespath>', 'A JMESPath expression over the whole list')]),
      new Option('--expand <list>', 'A row for each element of this list, as in lineItemData'),
      new Option('--limit <n>', 'At most so many rows'),
    );
    options.push(
      optionOf('bom', '--bom', 'begin with a byte order mark, for Excel'),
      optionOf('crlf', '--crlf', 'end lines with CR LF'),
      optionOf('delimiter', '--delimiter <character>', 'instead of the comma'),
      optionOf('textIds', '--text-ids', 'write 007, 1E5, 3/4 or MAR1 as ="007", shown as typed'),
      optionOf('spread', '--spread <list[:n]>', 'columns for the first n elements (default: 3)'),
      optionOf('header', '--no-header', 'without the line of column names, as for >>'),
    );
  }
  if (totals) {
    options.push(new Option('--totals', 'Add the row over all others in every format'));
  }
  if (pages) {
    options.push(
      new Option('--page <n>', 'Only this page of the service, of 100 rows'),
      new Option('--concurrency <n>', 'Pages under way at once (default: 10)'),
      new Option('--max-pages <n>', 'Maximum number of pages of one period (default: 10000)'),
      new Option('--resume', 'Continue an export that was stopped; requires --out'),
      new Option('--since-last <name>', 'Only rows that earlier runs of this name did not return'),
      new Option('--append <file>', 'Add the rows of --since-last to a file, each exactly once'),
    );
  }
  for (const option of options) command.addOption(option.helpGroup(helpGroups.show));
}

/** A flag whose help begins with the formats that obey it. */
function optionOf(name: FormatOption, flags: string, text: string): Option {
  return new Option(flags, `${formatNames(name).join(', ')}: ${text}`);
}

/** Throws a usage failure that names the flag at fault. */
export function readShowFlags(shell: Shell, flags: ShowFlags): Showing {
  const { chart } = flags;
  const format = chart === undefined ? chooseFormat(shell, flags) : chartFormat(shell, flags);
  requireObeyed(format, flags);
  if (flags.query !== undefined && flags.fields !== undefined) {
    throw usage('--query and --fields both choose columns; give one of them');
  }
  if (flags.delimiter !== undefined && flags.delimiter.length !== 1) {
    throw usage(`--delimiter must be one character, not '${flags.delimiter}'`);
  }
  const spread = readSpread(flags);
  if (flags.out !== undefined) placeOf(shell.context, named('--out', flags.out));
  return {
    format,
    ...(spread && { spread }),
    ...(chart !== undefined && { chart }),
    ...(flags.header !== undefined && { header: flags.header }),
    ...(flags.out !== undefined && { out: flags.out }),
    ...(flags.fields !== undefined && { fields: columns(flags.fields) }),
    ...(flags.query !== undefined && { query: named('--query', flags.query) }),
    ...(flags.expand !== undefined && { expand: named('--expand', flags.expand) }),
    ...(flags.limit !== undefined && { limit: wholeNumber('--limit', flags.limit, 0) }),
    ...(flags.page !== undefined && { page: wholeNumber('--page', flags.page, 1) }),
    ...(flags.concurrency !== undefined && {
      concurrency: wholeNumber('--concurrency', flags.concurrency, 1, 64),
    }),
    totals: flags.totals ?? false,
    resume: flags.resume ?? false,
    ...(flags.sinceLast !== undefined && { sinceLast: flags.sinceLast }),
    ...(flags.append !== undefined && { append: named('--append', flags.append) }),
    ...(flags.maxPages !== undefined && {
      maxPages: wholeNumber('--max-pages', flags.maxPages, 1, 1_000_000),
    }),
    csv: {
      bom: flags.bom ?? false,
      crlf: flags.crlf ?? false,
      textIds: flags.textIds ?? false,
      ...(flags.delimiter !== undefined && { delimiter: flags.delimiter }),
    },
  };
}

/** What was asked for, else what the file's ending says, else a table for a person and tsv for a pipe. */
function chooseFormat({ context, flags: { output } }: Shell, { raw, ...flags }: ShowFlags) {
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

function named(flag: string, text: string): string {
  if (text.trim() === '') throw usage(`${flag} must not be empty`);
  return text;
}

function columns(text: string): string[] {
  return named('--fields', text)
    .split(',')
    .map((name) => named('--fields', name).trim());
}
