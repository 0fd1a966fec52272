/** Chooses the format of the output, and rejects options that the format ignores. */
import {
  type FormatOption,
  formatNamed,
  formatNames,
  formatOptions,
  formats,
  isRowFormat,
  rowOptions,
} from '../../output/registry.ts';
import { placeOf } from '../display/sink.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { kebab } from './flags.ts';
import { nearest } from './nearest.ts';

type Texts<Name extends string> = { readonly [name in Name]?: string };
type Switches<Name extends string> = { readonly [name in Name]?: boolean };

/** Options as commander reads them. `header` is false with --no-header; `chart` is true if no metric was named. */
export type ShowFlags = Texts<
  'out' | 'fields' | 'columns' | 'sort' | 'query' | 'expand' | 'spread' | 'delimiter'
> &
  Texts<'dates' | 'layout'> &
  Texts<'limit' | 'page' | 'concurrency' | 'maxPages' | 'sinceLast' | 'append'> &
  Switches<'raw' | 'bom' | 'crlf' | 'textIds' | 'header' | 'totals' | 'resume'> & {
    readonly chart?: string | true;
  };

/**
 * Returns the format of --output; otherwise the format of the file extension; otherwise table on a terminal and tsv
 * elsewhere.
 */
export function chooseFormat(
  { context, flags: { output } }: CommandContext,
  { raw, ...flags }: ShowFlags,
): string {
  if (raw) return 'raw';
  const out = flags.out ?? flags.append;
  if (output !== undefined) {
    const format = formatNamed(output.toLowerCase());
    if (format) return format.name;
    const isExcel = /^(?:excel|xlsm?|spreadsheet|workbook)$/i.test(output);
    const near = isExcel ? 'xlsx' : nearest(output, formatNames());
    const all = `Use one of ${formatNames().join(', ')}.`;
    throw usage(`Unknown --output format '${output}'.`, {
      hint: near ? `Did you mean ${near}?` : all,
    });
  }
  const ending = endingOf(out);
  const byEnding = formats.find(({ extensions }) => extensions.some((one) => one === ending));
  if (byEnding) return byEnding.name;
  if (ending !== undefined && ending !== 'txt') {
    const forFiles = formatNames().filter((name) => name !== 'table');
    throw usage(`Unknown file format '.${ending}' in ${flags.out ? '--out' : '--append'} ${out}.`, {
      hint: `Use .${forFiles.join(', .')}, or name the format with -o. Spreadsheets open xlsx and csv files.`,
    });
  }
  return context.stdout.isTTY && out === undefined ? 'table' : 'tsv';
}

function endingOf(path = ''): string | undefined {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
}

const unfitForCharts = [
  ...(['raw', 'fields', 'sort', 'query', 'expand', 'spread', 'totals'] as const),
  ...(['bom', 'crlf', 'delimiter', 'textIds', 'dates', 'layout'] as const),
  ...(['resume', 'sinceLast', 'append'] as const),
];

export function chartFormat({ flags: { output } }: CommandContext, flags: ShowFlags): string {
  if (output !== undefined) {
    throw usage(`--chart and --output ${output} can't be combined.`, {
      hint: 'Use one or the other.',
    });
  }
  if (!['txt', undefined].includes(endingOf(flags.out))) {
    throw usage(`A chart is text, so --out ${flags.out} can't hold it.`, {
      hint: 'Use a file name that ends in .txt.',
    });
  }
  const other = unfitForCharts.find((name) => flags[name] !== undefined);
  const written = flags.header === false ? '--no-header' : other && `--${kebab(other)}`;
  if (written === undefined) return 'chart';
  throw usage(`${written} and --chart can't be combined, because a chart shows no rows.`);
}

/** What makes an option of csv unnecessary in a workbook. */
const xlsxHints: Readonly<Partial<Record<FormatOption, string>>> = {
  dates: 'Times in xlsx are real dates already. Choose their zone with --tz.',
  textIds: 'IDs in xlsx are text already.',
  spread: 'Orders in xlsx have a sheet with their line items already.',
};

/** Rejects the options of exports that are written in several runs, for a format that can't be continued. */
export function requireContinuable(format: string, flags: ShowFlags): void {
  const name = (['resume', 'append', 'sinceLast'] as const).find((one) => flags[one]);
  if (format !== 'xlsx' || name === undefined) return;
  const fit = formatNames().filter(
    (one) => isRowFormat(one) && (name !== 'append' || one !== 'json'),
  );
  throw usage(`--${kebab(name)} works only with ${listed(fit)}, not with xlsx.`, {
    hint: 'A workbook is written in one run. Use csv for an export that grows or is continued.',
  });
}

/** As in `csv and tsv`, and `json, ndjson and csv`. */
function listed(names: readonly string[]): string {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}

/** Rejects a workbook on a terminal, which would show its bytes. */
export function requireNoScreen({ context }: CommandContext, format: string, out?: string): void {
  if (format !== 'xlsx' || !context.stdout.isTTY) return;
  if (placeOf(context, out).kind !== 'screen') return;
  throw usage("A workbook can't be shown on a terminal.", {
    hint: 'Add --out orders.xlsx, or redirect the output to a file.',
  });
}

/** Rejects options that the format would ignore. */
export function requireObeyed(format: string, flags: ShowFlags): void {
  if (format === 'chart') return;
  const obeyed = formatNamed(format)?.options ?? [];
  const isGiven = (name: FormatOption) =>
    name === 'header' ? flags.header === false : flags[name] !== undefined;
  const name = formatOptions.find((one) => !obeyed.includes(one) && isGiven(one));
  if (name === undefined) return;
  const flag = name === 'header' ? '--no-header' : `--${kebab(name)}`;
  if (!rowOptions.some((one) => one === name)) {
    throw usage(`${flag} works only with ${listed(formatNames(name))}, not with ${format}.`, {
      hint: format === 'xlsx' ? xlsxHints[name] : undefined,
    });
  }
  const what = format === 'raw' ? '--raw' : `--output ${format}`;
  throw usage(
    `${flag} and ${what} can't be combined, because the response is printed as received.`,
    {
      hint: name === 'limit' ? 'Choose a page with --page.' : 'Use another format.',
    },
  );
}
