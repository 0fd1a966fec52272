/** Each output option, the options that exclude it, and where it can't be used: for help, completion and refusals. */
import { endingOf, type FormatOption, formatNamed, formatNames } from './registry.ts';

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
  /** Rows are written as they are created. */
  readonly live?: boolean;
  /** The service sends a body that --raw can print. */
  readonly asReceived?: boolean;
  /** The rows are orders, which files can have in several layouts. */
  readonly layouts?: boolean;
}

export interface Refusal {
  readonly message: string;
  readonly hint?: string | undefined;
}

type Refuse = (option: string) => string | Refusal;

/** An export that later runs continue, which writes rows as they arrive. */
type Run = 'sinceLast' | 'append' | 'resume';

interface OptionRow<Flags extends string = string> {
  readonly flags: Flags;
  readonly summary: string;
  readonly isOffered: (shows: Shows) => boolean | undefined;
  /** With a format that does not obey it; `true` if it works with each format. */
  readonly otherFormat: true | ((option: string, format: string) => string | Refusal);
  readonly beside: { readonly [name: string]: Refuse };
}

function row<const Flags extends string>(
  flags: Flags,
  summary: string,
  isOffered: OptionRow['isOffered'],
  otherFormat: OptionRow['otherFormat'],
  beside: OptionRow['beside'],
): OptionRow<Flags> {
  return { flags, summary, isOffered, otherFormat, beside };
}

const rows = (shows: Shows) => shows.rows;
const pages = (shows: Shows) => shows.pages;
const dated = (shows: Shows) => shows.dated;
const whole = ({ rows, endless }: Shows) => rows && !endless;

const losesRows = (option: string) =>
  `${option} can't be combined with --since-last, because later runs would not return the skipped rows.`;
const needsLines = () => '--append requires csv, tsv or ndjson, without --query and --totals.';
const needsWhole = () =>
  `--resume requires a whole list in one of ${formatNames('resume').join(', ')}, without --query, --page or --totals.`;
const asItComes = (run: string) => (option: string) =>
  `${option} can't be combined with ${run}, which writes rows as they arrive.`;
/** The option also works in an export that later runs continue. */
const inRuns = {};
const besideRuns = {
  sinceLast: asItComes('--since-last'),
  append: asItComes('--append'),
  resume: asItComes('--resume'),
};
const notAppend = {
  append: (option: string) => `${option} and --append can't be combined. Use one or the other.`,
};
const wholeOnly = { append: needsLines, resume: needsWhole };
const query = () => '--query and --fields both choose columns. Use one or the other.';
const besideQuery = {
  query: (option: string) => `${option} and --query both shape the rows. Use one or the other.`,
};
const bothShape = (other: string) => (option: string) => ({
  message: `${option} and ${other} both shape the rows.`,
  hint: `Use one or the other. With ${other}, use --layout raw.`,
});

function asReceived(option: string, format: string): Refusal {
  const what = format === 'raw' ? '--raw' : `--output ${format}`;
  return {
    message: `${option} and ${what} can't be combined, because the response is printed as received.`,
    hint: option === '--limit' ? 'Choose a page with --page.' : 'Use another format.',
  };
}

/** Formats of bytes, which no later run can continue. */
const binary: Readonly<Record<string, string>> = {
  xlsx: 'A workbook',
  parquet: 'A Parquet file',
};

/** `inWorkbook` says what makes the option unnecessary in a workbook. */
function worksOnlyWith(name: FormatOption, inWorkbook?: string) {
  return (option: string, format: string): Refusal => ({
    message: `${option} works only with ${listed(formatNames(name))}, not with ${format}.`,
    hint: format === 'xlsx' ? inWorkbook : undefined,
  });
}

function continues(name: Run, otherwise: () => string) {
  return (option: string, format: string): Refusal | string => {
    const what = binary[format];
    if (what === undefined) return otherwise();
    const fit = formatNames(name).filter((one) => one !== 'table');
    return {
      message: `${option} works only with ${listed(fit)}, not with ${format}.`,
      hint: `${what} is written in one run. Use csv for an export that grows or is continued.`,
    };
  };
}

/** As in `csv and tsv`, and `json, ndjson and csv`. */
function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}

/** In the order of the help. `{formats}` are those that obey the option. */
// biome-ignore format: a row for each option.
const table = {
  limit: row('--limit <n>', 'Maximum number of rows to return', rows, asReceived, { sinceLast: losesRows }),
  fields: row('--fields <fields>', 'Columns to show, such as receipt,email; help lists them', rows, asReceived, { query }),
  sort: row('--sort <fields>', 'Sort the whole list, such as by totalOrderAmount:desc, before --limit',
    whole, asReceived, besideRuns),
  out: row('--out <file>', 'Write to a file; its extension selects the format',
    ({ endless }) => !endless, true, notAppend),
  totals: row('--totals', 'Add a row of totals', ({ totals }) => totals,
    (option, format) => (binary[format] === undefined ? asReceived : worksOnlyWith('totals', 'Amounts with a currency have a sheet of totals in xlsx.'))(option, format), wholeOnly),
  query: row('--query <jmespath>', 'Filter or reshape rows with a JMESPath expression', whole, asReceived, wholeOnly),
  resume: row('--resume', 'Continue an interrupted export; requires --out',
    pages, continues('resume', needsWhole), notAppend),
  sinceLast: row('--since-last <name>', 'Return only rows that are new since the last run', dated,
    continues('sinceLast', () => '--since-last requires -o table, json, ndjson, csv or tsv, because it leaves out rows.'), inRuns),
  append: row('--append <file>', 'Append the rows of --since-last to a file, each exactly once',
    dated, continues('append', needsLines), inRuns),
  layout: row('--layout <name>', 'Layout of a file: orders, items, accounting or raw',
    ({ layouts }) => layouts, worksOnlyWith('layout'),
    { query: bothShape('--query'), expand: bothShape('--expand'), spread: bothShape('--spread') }),
  expand: row('--expand <field>', 'Show one row for each element of a list, such as lineItemData', rows, asReceived, besideQuery),
  spread: row('--spread <field[:n]>', '{formats}: columns for n list elements (default: 3)', rows,
    worksOnlyWith('spread', 'Orders in xlsx have a sheet with their line items already.'),
    besideQuery),
  dates: row('--dates <form>', '{formats}: iso (default), spreadsheet or both', rows,
    worksOnlyWith('dates', 'Times in xlsx are real dates already. Choose their zone with --tz.'), inRuns),
  textIds: row('--text-ids', '{formats}: keep IDs such as 007 or 1E5 as text', rows,
    worksOnlyWith('textIds', 'IDs in xlsx are text already.'), inRuns),
  header: row('--no-header', '{formats}: omit the line of column names', rows, worksOnlyWith('header'), inRuns),
  delimiter: row('--delimiter <character>', '{formats}: column separator (default: comma)',
    rows, worksOnlyWith('delimiter'), inRuns),
  bom: row('--bom', '{formats}: start with a byte order mark', rows, worksOnlyWith('bom'), inRuns),
  crlf: row('--crlf', '{formats}: end lines with CR LF', rows, worksOnlyWith('crlf'), inRuns),
  raw: row('--raw', 'Print the response as received', ({ asReceived }) => asReceived, true, inRuns),
  page: row('--page <n>', 'Return only this page of 100 rows', pages, true, { sinceLast: losesRows, resume: needsWhole }),
  concurrency: row('--concurrency <n>', 'Number of pages to request at the same time (default: 10)', pages, true, inRuns),
  maxPages: row('--max-pages <n>', 'Maximum number of pages to read per period (default: 10000)', pages, true, inRuns),
  columns: row('--columns <fields>', 'The same as --fields', rows, asReceived,
    { fields: () => '--columns and --fields mean the same. Use one or the other.', query }),
} satisfies Readonly<Record<Exclude<FormatOption, 'live'>, OptionRow>> & {
  readonly [name: string]: OptionRow;
};

export type OptionName = keyof typeof table;

/** Every option of lists: one that is missing here is unknown to the readers of options. */
export const optionTable: Readonly<Record<OptionName, OptionRow>> = table;

export const optionNames = Object.keys(table) as readonly OptionName[];

/** The options that were typed. A switch is true; `header` is false with --no-header, `chart` is true without a metric. */
export type ShowFlags = {
  readonly [N in OptionName]?: (typeof table)[N]['flags'] extends `${string}<${string}`
    ? string
    : boolean;
} & { readonly chart?: string | true };

export function typedOptions(flags: ShowFlags): OptionName[] {
  return optionNames.filter((name) =>
    name === 'header' ? flags.header === false : flags[name] !== undefined,
  );
}

/** As in `--text-ids`. */
export const optionFlags = Object.fromEntries(
  Object.entries(table).map(([name, { flags }]) => [name, flags.split(' ', 1)[0]]),
) as Readonly<Record<OptionName, string>>;

/** Where the output goes: a stream is a named pipe or a device; what goes nowhere is lost. */
export type Destination = 'terminal' | 'pipe' | 'file' | 'stream' | 'nowhere';

export interface Combination {
  /** The name of a format, or `raw` or `chart`. */
  readonly format: string;
  readonly flags: ShowFlags;
  readonly to: Destination;
  readonly isLive?: boolean | undefined;
}

/** Why options, format and destination can't be combined; undefined if they can. */
export function refusalOf(asked: Combination): Refusal | undefined {
  const found = refused(asked);
  return typeof found === 'string' ? { message: found } : found;
}

const chartOptions: readonly OptionName[] = ['limit', 'out', 'page', 'concurrency', 'maxPages'];

function refused({ format, isLive, flags, to }: Combination): Refusal | string | undefined {
  if (isLive && !obeys(format, 'live')) {
    return {
      message: `A live list can't be written as ${format}.`,
      hint: 'For programs, use -o ndjson.',
    };
  }
  const { layout, out, append } = flags;
  const ending = endingOf(out ?? append) ?? '';
  if (formatNamed(ending) && ending !== format && (binary[ending] ?? binary[format])) {
    return {
      message: `${out ?? append} can't be written as ${format}, because its name ends in .${ending}.`,
      hint: 'Change one or the other.',
    };
  }
  const typed = typedOptions(flags);
  for (const name of typed) {
    const { otherFormat } = optionTable[name];
    const option = optionFlags[name];
    if (format === 'chart' && !chartOptions.includes(name)) {
      return `${option} and --chart can't be combined, because a chart shows no rows.`;
    }
    if (format !== 'chart' && otherFormat !== true && !obeys(format, name)) {
      return otherFormat(option, format);
    }
  }
  // The layout `raw` is what the service sends.
  const names = typed.filter((name) => name !== 'layout' || layout !== 'raw');
  for (const name of names) {
    const { beside } = optionTable[name];
    const other = Object.keys(beside).find((one) => names.includes(one as OptionName));
    if (other) return beside[other]?.(name === 'layout' ? `--layout ${layout}` : optionFlags[name]);
  }
  if (binary[format] !== undefined && to === 'terminal') {
    return {
      message: `${binary[format]} can't be shown on a terminal.`,
      hint: `Add --out orders.${format}, or redirect the output to a file.`,
    };
  }
  if (append !== undefined) {
    if (flags.sinceLast === undefined) return '--append requires --since-last with a name.';
    return to === 'file' ? undefined : `--append requires a regular file, not ${append}.`;
  }
  if (flags.resume && to !== 'file') {
    if (to === 'stream') return `--resume requires --out with a file, not ${out}.`;
    return '--resume requires --out with a file.';
  }
  // Rows written to a closed stdout would be recorded as exported although they are lost.
  if (flags.sinceLast === undefined || to !== 'nowhere') return undefined;
  return {
    message: 'Standard output is closed or is /dev/null, so the rows would be lost.',
    hint: 'Nothing was sent. Use --append <file>, or --out /dev/null to skip all rows up to now.',
  };
}

function obeys(format: string, option: string): boolean {
  const options: readonly string[] = formatNamed(format)?.options ?? [];
  return options.includes(option);
}

interface Asked {
  readonly format: string;
  readonly query?: string | undefined;
  readonly totals?: boolean;
  readonly sort?: unknown;
  readonly page?: number | undefined;
  readonly expand?: string | undefined;
  readonly fields?: unknown;
  readonly layout?: string | undefined;
}

/** Each page is written before the next one is read, so that what was written can be recorded. */
export function isWrittenByPage({ format, query, totals, sort }: Asked): boolean {
  return obeys(format, 'resume') && query === undefined && sort === undefined && !totals;
}

/** Whether the output has one line or object for each row of the list. */
export function hasLineForRow({ format, query, expand, layout }: Asked): boolean {
  const isCounted = obeys(format, 'resume') || binary[format] !== undefined;
  return isCounted && query === undefined && expand === undefined && layout !== 'items';
}

/** Whether a command may draw the rows itself. */
export function isFreeTable({ format, fields, sort, query, expand }: Asked): boolean {
  return format === 'table' && (fields ?? sort ?? query ?? expand) === undefined;
}
