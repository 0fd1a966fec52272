/** Which flags --chart can be combined with. */
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { kebab } from './flags.ts';

/** What shapes rows as text has no place in a chart. */
const unfitForCharts = [
  ...(['raw', 'fields', 'query', 'expand', 'spread', 'totals'] as const),
  ...(['bom', 'crlf', 'delimiter', 'textIds', 'resume', 'sinceLast', 'append'] as const),
];

type ChartFlags = { readonly out?: string } & {
  readonly [name in 'header' | (typeof unfitForCharts)[number]]?: unknown;
};

/** The format of a chart. Throws for what was asked for beside it and can't be had with it. */
export function chartFormat({ flags: { output } }: CommandContext, flags: ChartFlags): 'chart' {
  if (output !== undefined) {
    throw usage(`--chart and --output ${output} can't be combined.`, {
      hint: 'Use one or the other.',
    });
  }
  const ending = /\.([^./\\]+)$/.exec(flags.out ?? '')?.[1];
  if (ending !== undefined && ending.toLowerCase() !== 'txt') {
    throw usage(`--out ${flags.out}: a chart is text`, { hint: 'end the name in .txt' });
  }
  const other = unfitForCharts.find((name) => flags[name] !== undefined);
  const written = flags.header === false ? '--no-header' : other && `--${kebab(other)}`;
  if (written === undefined) return 'chart';
  throw usage(`${written} can't be given with --chart, which shows no rows`);
}
