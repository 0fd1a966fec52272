/** The output options: which ones a command offers, and how they are read. */
import { Option } from 'commander';
import { type FormatOption, formatNames } from '../../output/registry.ts';
import type { CsvOptions } from '../../output/render-options.ts';
import type { Shape } from '../../output/rows/rows.ts';
import type { SortKey } from '../../output/rows/sort.ts';
import { placeOf } from '../display/sink.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import {
  chartFormat,
  chooseFormat,
  requireContinuable,
  requireNoScreen,
  requireObeyed,
  type ShowFlags,
} from './choose-format.ts';
import { helpGroups, kebab, wholeNumber } from './flags.ts';
import { readDates, readLayout } from './layout-flags.ts';

export type { ShowFlags } from './choose-format.ts';

type ReadFlags = ReturnType<typeof readShowFlags>;

/** The output options of a call. `format` is the name of a format, or `raw` or `chart`. */
export type OutputOptions = Pick<ReadFlags, 'format' | 'totals' | 'csv'> & {
  readonly [name in keyof ReadFlags]?: ReadFlags[name] | undefined;
};

/** Whether bodies are printed as the service sent them. */
export function isAsReceived({ format }: OutputOptions): boolean {
  return format === 'xml' || format === 'raw';
}

export function isStructured({ format }: OutputOptions): boolean {
  return format === 'json' || format === 'ndjson';
}

export function wireFor({ format }: OutputOptions) {
  return format === 'xml' ? ({ wire: 'xml' } as const) : {};
}

/** What a command shows, which determines its output options. */
export interface Shows {
  /** False for a single value. */
  readonly rows?: boolean;
  readonly pages?: boolean;
  /** The rows have days, so a later run can return only new ones. */
  readonly dated?: boolean;
  readonly totals?: boolean;
  /** The list never ends, so --sort, --query and --out can't be used. */
  readonly endless?: boolean;
  /** The service sends a body that --raw can print. */
  readonly asReceived?: boolean;
  /** The rows are orders, which files can have in several layouts. */
  readonly layouts?: boolean;
  /** The fields of the rows, for completion. */
  readonly shape?: () => Shape;
}

const shapes = new WeakMap<Option, () => Shape>();

/** Returns the known fields of the rows of a command, by one of the options that name fields. */
export function shapeNamedBy(option: Option): (() => Shape) | undefined {
  return shapes.get(option);
}

/** Returns what was typed for the output options that a command offers; others of the same name mean something else. */
export function typedOutputOptions(given: ShowFlags, shows: Shows): ShowFlags {
  const offered = outputOptions(shows).map((option) => option.attributeName());
  const isOffered = ([name]: readonly [string, unknown]) => offered.includes(name);
  const chart = given.chart === undefined ? {} : { chart: given.chart };
  return { ...Object.fromEntries(Object.entries(given).filter(isOffered)), ...chart };
}

/** The output options of a command, in the order of its help. */
export function outputOptions({
  rows,
  pages,
  dated,
  totals,
  endless,
  asReceived,
  layouts,
  shape,
}: Shows): Option[] {
  const formatsOf = (name: FormatOption) => formatNames(name).join(', ');
  const options: readonly (readonly [
    offered: boolean | undefined,
    option: string,
    summary: string,
  ])[] = [
    [rows, '--limit <n>', 'Maximum number of rows to return'],
    [rows, '--fields <fields>', 'Columns to show, such as receipt,email'],
    [
      rows && !endless,
      '--sort <fields>',
      'Sort the whole list, such as by totalOrderAmount:desc, before --limit',
    ],
    [!endless, '--out <file>', 'Write to a file; its extension selects the format'],
    [totals, '--totals', 'Add a row of totals in every format'],
    [rows && !endless, '--query <jmespath>', 'Filter or reshape rows with a JMESPath expression'],
    [pages, '--resume', 'Continue an interrupted export; requires --out'],
    [dated, '--since-last <name>', 'Return only rows that are new since the last run'],
    [dated, '--append <file>', 'Append the rows of --since-last to a file, each exactly once'],
    [layouts, '--layout <name>', 'Layout of a file: orders, items, accounting or raw'],
    [rows, '--expand <field>', 'Show one row for each element of a list, such as lineItemData'],
    [
      rows,
      '--spread <field[:n]>',
      `${formatsOf('spread')}: columns for n list elements (default: 3)`,
    ],
    [rows, '--dates <form>', `${formatsOf('dates')}: iso (default), spreadsheet or both`],
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
  const made = options.flatMap(([offered, flags, summary]) => {
    if (!offered) return [];
    const option = new Option(flags, summary).helpGroup(helpGroups.output);
    if (shape) shapes.set(option, shape);
    return [option];
  });
  const synonym = new Option('--columns <fields>', 'The same as --fields').hideHelp();
  return rows ? [...made, synonym.helpGroup(helpGroups.output)] : made;
}

/** Throws a usage failure that names the invalid option. */
export function readShowFlags(
  cmd: CommandContext,
  given: ShowFlags,
  { asReceived = false, layouts = false }: Shows = {},
) {
  const flags = withFields(given);
  const { out, query, chart, delimiter } = flags;
  const format = chart === undefined ? chooseFormat(cmd, flags) : chartFormat(cmd, flags);
  if (format === 'xml' && !asReceived) {
    throw usage("The output can't be xml, which is what the service sends.", {
      hint: 'Use another format.',
    });
  }
  requireContinuable(format, flags);
  requireObeyed(format, flags);
  requireNoScreen(cmd, format, out);
  if (query !== undefined && flags.fields !== undefined) {
    throw usage('--query and --fields both choose columns. Use one or the other.');
  }
  if (delimiter !== undefined && delimiter.length !== 1) {
    throw usage(`Invalid --delimiter '${delimiter}'. Use one character.`);
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
    fields: listOf('--fields', flags.fields),
    sort: readSort(flags),
    query: named('--query', query),
    expand: named('--expand', flags.expand),
    limit: numberOf('--limit', flags.limit, 0),
    page: numberOf('--page', flags.page, 1),
    concurrency: numberOf('--concurrency', flags.concurrency, 1, 64),
    dates: readDates(flags),
    layout: layouts ? readLayout(format, flags) : undefined,
    ...(flags.layout !== undefined && { isLayoutTyped: true }),
    // A workbook has a sheet of totals.
    totals: (flags.totals ?? false) && format !== 'xlsx',
    resume: flags.resume ?? false,
    sinceLast: flags.sinceLast,
    append: named('--append', flags.append),
    maxPages: numberOf('--max-pages', flags.maxPages, 1, 1_000_000),
    csv,
  };
}

/** `--columns` means `--fields`. */
function withFields({ columns, ...flags }: ShowFlags): ShowFlags {
  if (columns === undefined) return flags;
  if (flags.fields === undefined) return { ...flags, fields: columns };
  throw usage('--columns and --fields mean the same. Use one or the other.');
}

/** As in `totalOrderAmount:desc,receipt`. */
function readSort(flags: ShowFlags): readonly SortKey[] | undefined {
  const fields = listOf('--sort', flags.sort);
  const other = (['sinceLast', 'append', 'resume'] as const).find((name) => flags[name]);
  if (fields && other) {
    throw usage(`--sort can't be combined with --${kebab(other)}, which writes rows as they come.`);
  }
  return fields?.map((typed) => {
    const [, field = typed, order] = /^(.*?)(?::([^:]*))?$/.exec(typed) ?? [];
    const isKnown = order === undefined || /^(?:asc|desc)(?:ending)?$/i.test(order);
    if (isKnown && field !== '') return { field, descending: /^d/i.test(order ?? '') };
    throw usage(`Invalid --sort '${typed}'. Use a field, or a field with :asc or :desc.`);
  });
}

function readSpread({ spread, expand, query }: ShowFlags) {
  if (spread === undefined) return undefined;
  if (query !== undefined)
    throw usage('--spread and --query both shape the rows. Use one or the other.');
  const [, list = '', size = '3'] = /^(.*?)(?::([^:]*))?$/.exec(spread) ?? [];
  if (list === expand) {
    throw usage(`--spread and --expand both name ${list}. Use one or the other.`);
  }
  return { list: named('--spread', list), size: wholeNumber('--spread', size, 1, 1000) };
}

function numberOf(flag: string, text: string | undefined, least: number, most?: number) {
  return text === undefined ? undefined : wholeNumber(flag, text, least, most);
}

function listOf(flag: string, text: string | undefined): readonly string[] | undefined {
  return named(flag, text)
    ?.split(',')
    .map((name) => named(flag, name).trim());
}

function named<T extends string | undefined>(flag: string, text: T): T {
  if (text?.trim() === '') throw usage(`${flag} must not be empty.`);
  return text;
}
