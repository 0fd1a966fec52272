/** Formats measurements as aligned text. */
import { yardstick } from './contenders.ts';
import { type Growth, longList, shortList } from './memory.ts';
import type { Standing } from './race.ts';
import type { Verdict } from './requirements.ts';
import type { Latency } from './world.ts';

export function raceText(latency: Latency, standings: readonly Standing[]): string {
  const base = standings.find(({ name }) => name === yardstick);
  const rows = standings.map((standing) => [
    standing.says,
    ...[standing.pages, standing.rounds].map(String),
    thousands(standing.rowsASecond),
    ratio(standing.rowsASecond, base?.rowsASecond),
    standing.cpuARow?.toFixed(1) ?? '-',
    ratio(standing.cpuARow, base?.cpuARow),
    standing.peakMiB?.toFixed(0) ?? '-',
  ]);
  const head = ['', 'pages', 'rounds', 'rows/s', 'x loop', 'CPU us/row', 'x loop', 'peak MiB'];
  return tableText(`Each request answered after ${latency} ms`, [head, ...rows]);
}

/** The median duration of one command. */
export interface Start {
  readonly says: string;
  readonly milliseconds: number;
}

export function startText(starts: readonly Start[]): string {
  const base = starts[0]?.milliseconds;
  const rows = starts.map(({ says, milliseconds }) => [
    says,
    milliseconds.toFixed(0),
    ratio(milliseconds, base),
  ]);
  return tableText('Start to end', [['', 'ms', 'x node'], ...rows]);
}

export function growthText(growths: readonly Growth[]): string {
  const rows = growths.map(({ format, short, long }) => [
    `cb --out orders.${format}`,
    short.toFixed(0),
    long.toFixed(0),
    ratio(long, short),
  ]);
  const head = ['', `${shortList} pages`, `${longList} pages`, 'ratio'];
  return tableText('Peak memory in MiB', [head, ...rows]);
}

export function verdictText(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ says, ratio, isMet }) => [
    says,
    ratio.toFixed(2),
    isMet ? 'met' : 'NOT MET',
  ]);
  return tableText('Requirements', rows);
}

export function tableText(title: string, rows: readonly (readonly string[])[]): string {
  return `\n${title}\n\n${aligned(rows)}`;
}

/** Aligns the first column left and the others right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd()).join('\n');
}

function ratio(figure: number | undefined, base: number | undefined): string {
  return figure === undefined || base === undefined ? '-' : (figure / base).toFixed(2);
}

/** `12,345` */
export function thousands(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
