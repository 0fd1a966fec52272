/** The output options: which ones a command offers, and how they are read. */
import { Option } from 'commander';
import type { Resource } from '../../operations/resource.ts';
import {
  optionNames,
  optionTable,
  refusalOf,
  type ShowFlags,
  type Shows as ShownRows,
} from '../../output/options.ts';
import { requireQuery } from '../../output/query.ts';
import { endingOf, type FormatOption, formatNamed, formatNames } from '../../output/registry.ts';
import type { CsvOptions } from '../../output/render-options.ts';
import { knownPaths, pathNamed } from '../../output/rows/columns.ts';
import { listPaths } from '../../output/rows/nested-lists.ts';
import type { Shape } from '../../output/rows/rows.ts';
import type { SortKey } from '../../output/rows/sort.ts';
import type { CommandContext } from '../context.ts';
import { placeOf } from '../display/sink.ts';
import { usage } from '../failure.ts';
import { helpGroups, type Typed, wholeNumber } from './flags.ts';
import { suggest } from './nearest.ts';
import { choiceFrom, delimiterFrom } from './values.ts';

export type { ShowFlags } from '../../output/options.ts';

/** What a command shows, which determines its output options. */
export interface Shows extends ShownRows {
  /** The fields of the rows, for completion and `--fields help`. They may depend on the options. */
  readonly shape?: (typed?: Typed) => Shape;
}

type ReadFlags = ReturnType<typeof readShowFlags>;

/** The output options of a call. `format` is the name of a format, or `raw` or `chart`. */
export type OutputOptions = Pick<ReadFlags, 'format' | 'totals' | 'csv'> & {
  readonly [name in keyof ReadFlags]?: ReadFlags[name] | undefined;
};

/** Whether bodies are printed as the service sent them. */
export function isAsReceived({ format }: OutputOptions): boolean {
  return format === 'xml' || format === 'raw';
}

/** Programs read it, or it isn't text, so it can't hold a sentence. */
export function isStructured({ format }: OutputOptions): boolean {
  return ['json', 'ndjson', 'xlsx', 'parquet'].includes(format);
}

export function wireFor({ format }: OutputOptions) {
  return format === 'xml' ? ({ wire: 'xml' } as const) : {};
}

export function outputOptions(shows: Shows): Option[] {
  return optionNames.flatMap((name) => {
    const { flags, summary, isOffered } = optionTable[name];
    if (!isOffered(shows)) return [];
    const obeying = () => formatNames(name as FormatOption).join(', ');
    const option = new Option(flags, summary.replace('{formats}', obeying));
    return [option.hideHelp(name === 'columns').helpGroup(helpGroups.output)];
  });
}

/**
 * Reads those of the typed options that a command offers: others of the same name mean something else. `usual` is the
 * format unless `-o` or the name of the file says otherwise. Throws a usage failure that names the invalid option.
 */
export function readShowFlags(
  cmd: CommandContext,
  given: ShowFlags,
  shows?: Shows,
  usual?: string,
) {
  const isOffered = (typed: string) =>
    !shows ||
    typed === 'chart' ||
    optionNames.some((name) => name === typed && optionTable[name].isOffered(shows));
  const flags: ShowFlags = Object.fromEntries(
    Object.entries(given).filter(([typed]) => isOffered(typed)),
  );
  const { out, append, query, chart, delimiter, sinceLast, expand } = flags;
  const format = formatFor(cmd, flags, usual);
  if (format === 'xml' && !shows?.asReceived) {
    throw usage("The output can't be xml, which is what the service sends.", {
      hint: 'Use another format.',
    });
  }
  const fields = listOf('--fields', flags.fields ?? flags.columns);
  const sort = listOf('--sort', flags.sort)?.map(sortKey);
  const [, list = '', size = '3'] = /^(.*?)(?::([^:]*))?$/.exec(flags.spread ?? '') ?? [];
  if (flags.spread !== undefined && list === expand) {
    throw usage(`--spread and --expand both name ${list}. Use one or the other.`);
  }
  const spread =
    flags.spread === undefined
      ? undefined
      : { list: named('--spread', list), size: wholeNumber('--spread', size, 1, 1000) };
  const dates = choiceFrom('--dates', flags.dates, ['iso', 'spreadsheet', 'both'] as const);
  const layout = choiceFrom('--layout', flags.layout, layoutNames);
  for (const [name, text] of Object.entries({ out, append, query, expand })) {
    named(`--${name}`, text);
  }
  const { kind } =
    append === undefined ? placeOf(cmd.context, out) : placeOf(cmd.context, append, '--append');
  const { isTTY, isDiscarded } = cmd.context.stdout;
  const screen = isTTY ? 'terminal' : isDiscarded ? 'nowhere' : 'pipe';
  const to = kind === 'screen' ? screen : kind;
  const asked = { ...flags, ...(layout && { layout }) };
  const refused = refusalOf({ format, flags: asked, to, isLive: shows?.live });
  if (refused) throw usage(refused.message, { hint: refused.hint });
  const mark = delimiterFrom(delimiter);
  const { bom = false, crlf = false, textIds = false } = flags;
  const csv: CsvOptions = { bom, crlf, textIds, ...(mark !== undefined && { delimiter: mark }) };
  return {
    // In this order, as it is in the digest of exports that are resumed.
    ...{ format, spread, chart, out, header: flags.header, fields, sort, query },
    expand,
    limit: numberOf('--limit', flags.limit, 0),
    page: numberOf('--page', flags.page, 1),
    concurrency: numberOf('--concurrency', flags.concurrency, 1, 64),
    dates: dates === 'iso' ? undefined : dates,
    layout: shows?.layouts ? readLayout(format, flags, layout) : undefined,
    ...(flags.layout !== undefined && { isLayoutTyped: true }),
    totals: flags.totals ?? false,
    resume: flags.resume ?? false,
    ...{ sinceLast, append, maxPages: numberOf('--max-pages', flags.maxPages, 1, 1_000_000), csv },
  };
}

/** That of --output; otherwise of the file extension; otherwise table on a terminal and tsv elsewhere. */
function formatFor(
  { context, flags: { output: typed } }: CommandContext,
  { out, append, raw, chart }: ShowFlags,
  usual: string | undefined,
): string {
  const ending = endingOf(out ?? append);
  if (chart !== undefined) {
    if (typed !== undefined) throw eitherOr('--chart', `--output ${typed}`);
    if (['txt', undefined].includes(ending)) return 'chart';
    throw usage('--chart writes .txt files only.', {
      hint: 'Use a file name that ends in .txt.',
    });
  }
  const output = typed ?? (out === undefined ? usual : undefined);
  if (output !== undefined) {
    const format = formatNamed(output.toLowerCase());
    if (!format) {
      const names = formatNames();
      const isExcel = /^(?:excel|xlsm?|spreadsheet|workbook)$/i.test(output);
      const meant = isExcel ? 'xlsx' : output;
      throw usage(`Unknown --output format '${output}'.`, {
        hint: suggest(meant, names, `Use one of ${names.join(', ')}.`),
      });
    }
    if (raw) throw eitherOr('--raw', `--output ${output}`);
    return format.name;
  }
  if (raw) return 'raw';
  const byEnding = formatNamed(ending ?? '');
  if (byEnding) return byEnding.name;
  if (ending !== undefined && ending !== 'txt') {
    const forFiles = formatNames().filter((name) => name !== 'table');
    throw usage(
      `Unknown file format '.${ending}' in ${out ? '--out' : '--append'} ${out ?? append}.`,
      {
        hint: `Use .${forFiles.join(', .')}, or name the format with -o. Spreadsheets open xlsx and csv files.`,
      },
    );
  }
  return context.stdout.isTTY && (out ?? append) === undefined ? 'table' : 'tsv';
}

function eitherOr(one: string, other: string) {
  return usage(`${one} and ${other} can't be combined.`, { hint: 'Use one or the other.' });
}

const layoutNames = ['orders', 'items', 'accounting', 'raw'] as const;

/** Undefined for the fields as sent. A csv file has the layout `orders` unless options choose columns. */
function readLayout(
  format: string,
  { fields, columns, expand, spread, query }: ShowFlags,
  layout: (typeof layoutNames)[number] | undefined,
) {
  if (layout === undefined) {
    const isPlain = (fields ?? columns ?? expand ?? spread ?? query) === undefined;
    return isPlain && format === 'csv' ? 'orders' : undefined;
  }
  // A workbook of orders has sheets of its own unless the fields are requested as sent.
  return layout === 'raw' && format !== 'xlsx' ? undefined : layout;
}

/** As in `totalOrderAmount:desc`. */
function sortKey(typed: string): SortKey {
  const [, field = typed, order] = /^(.*?)(?::([^:]*))?$/.exec(typed) ?? [];
  const isKnown = order === undefined || /^(?:asc|desc)(?:ending)?$/i.test(order);
  if (isKnown && /^[^-]/.test(field)) return { field, descending: /^d/i.test(order ?? '') };
  throw usage(`Invalid --sort '${typed}'. Use a field, or a field with :asc or :desc.`);
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

/** Throws a usage failure. Unknown names may be new fields of ClickBank: the first rows of the response decide on them. */
export function requireShowable(
  { fields = [], expand, spread, query }: OutputOptions,
  resource: Resource,
): void {
  if (query !== undefined) requireQuery(query);
  const known = knownPaths(resource);
  const lists = listPaths(resource);
  const pathOf = (typed: string) => pathNamed(typed, known, resource);
  for (const [flag, typed] of [
    ['--expand', expand] as const,
    ['--spread', spread?.list] as const,
  ]) {
    const path = typed && pathOf(typed);
    if (!path || lists.includes(path)) continue;
    throw usage(`${flag} '${typed}' is not a list.`, {
      hint: lists.length > 0 ? `The lists are: ${lists.join(', ')}.` : undefined,
    });
  }
  if (!spread || fields.length === 0) return;
  // Selected columns include the list only if the list, or one of its fields, is among them.
  const list = pathOf(spread.list) ?? spread.list;
  const paths = fields.map((field) => pathOf(field) ?? field);
  if (paths.some((path) => path === list || path.startsWith(`${list}.`))) return;
  throw usage(`--spread ${list} requires ${list} in --fields.`, {
    hint: `Add ${list}, or fields of it such as ${list}.name.`,
  });
}
