/** `--chart`: the rows of a list as a chart, and the sparklines below a table. */
import { Option } from 'commander';
import type { Arguments } from '../../operations/operation.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { Charting, ChartOptions } from '../../output/series.ts';
import { type CommandContext, hasColor, hasUnicode } from '../context.ts';
import { usage } from '../failure.ts';
import { helpGroups } from '../options/flags.ts';
import { suggest } from '../options/nearest.ts';
import type { OutputOptions } from '../options/show-flags.ts';
import { fileOf } from './sink.ts';
import type { View } from './view.ts';

export interface ChartFacts extends Pick<Charting, 'day' | 'names' | 'missing'> {
  readonly figures: readonly string[];
  /** The metrics of a chart if the user names none; if the rows lack them, their first metric is drawn. */
  readonly standard: readonly string[];
  /** The parameter that names the metric by which the rows are sorted. */
  readonly orderedBy?: string;
}

export function chartOption({ standard }: ChartFacts): Option {
  const summary = `Draw a chart of this metric instead of a table (default: ${standard.join(', ')})`;
  return new Option('--chart [metric]', summary).helpGroup(helpGroups.output);
}

/** Throws a usage failure for an unknown metric, before other options are checked. */
export function requireFigure({ chart }: OutputOptions, { figures }: ChartFacts): void {
  if (typeof chart !== 'string' || figures.includes(chart)) return;
  const others = `Use one of ${figures.join(', ')}. Put arguments before --chart.`;
  throw usage(`Unknown --chart metric '${chart}'.`, { hint: suggest(chart, figures, others) });
}

/** Returns what to draw for rows with the fields of this view. Throws a usage failure if they lack the metric. */
export function chartingFor(
  { chart, limit }: OutputOptions,
  facts: ChartFacts,
  { resource: { fields } }: View,
  args: Arguments,
): Charting {
  const { orderedBy, day, names, missing } = facts;
  const ordering = (args as Readonly<Record<string, unknown>>)[orderedBy ?? ''];
  if (typeof chart === 'string' && !Object.hasOwn(fields, chart)) {
    throw usage(`The response does not contain the --chart metric ${chart}.`, {
      hint: 'Add the metric to --select.',
    });
  }
  const present = Object.keys(fields).filter((name) => facts.figures.includes(name));
  const choices = [[chart], [ordering], facts.standard, present.slice(0, 1)];
  const figures = choices
    .map((names) => present.filter((name) => names.includes(name)))
    .find((names) => names.length > 0);
  return {
    names: ['profile', ...names],
    figures: figures ?? [],
    sorted: orderedBy !== undefined && ordering === undefined,
    ...(day !== undefined && { day }),
    ...(missing !== undefined && limit === undefined && { missing }),
  };
}

export async function chartText(
  cmd: CommandContext,
  output: OutputOptions,
  charting: Charting,
  rows: readonly Row[],
): Promise<string> {
  const { drawChart } = await import('../../output/chart.ts');
  return drawChart(rows, charting, optionsFor(cmd, output));
}

function optionsFor({ context, flags }: CommandContext, { out }: OutputOptions): ChartOptions {
  const isSeen = fileOf(out) === undefined;
  return {
    width: (isSeen && context.stdout.isTTY && context.stdout.columns) || 80,
    color: isSeen && hasColor(context, context.stdout, flags),
    ascii: !hasUnicode(context),
  };
}

/** Sparklines below a table on a terminal; empty elsewhere. */
export async function trendLines(
  cmd: CommandContext,
  output: OutputOptions,
  trend: Charting,
  rows: readonly Row[],
): Promise<string> {
  const { format, out, fields } = output;
  const isSeen = fileOf(out) === undefined && cmd.context.stdout.isTTY;
  // With --fields, nothing is added.
  if (!isSeen || format !== 'table' || fields !== undefined || !hasUnicode(cmd.context)) return '';
  const { sparkLines } = await import('../../output/series.ts');
  const lines = sparkLines(rows, trend, optionsFor(cmd, output).width);
  return lines.length > 0 ? `\n${lines.join('\n')}\n` : '';
}
