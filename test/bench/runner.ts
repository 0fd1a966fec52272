/** What the benchmarks share: a world that is removed, processes and their usage, medians of rounds, and tables. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Period } from './service.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface World {
  /** Empty at the start, removed at the end. */
  readonly folder: string;
  /** Starts a service of orders in its own process. Returns its URL for each delay in milliseconds. */
  serve(delays: readonly number[], days?: Period): Promise<Readonly<Record<number, string>>>;
}

/** Runs a benchmark. An error is printed without its stack, and becomes exit code 1. */
export async function benchmark(run: (world: World) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cb-bench-'));
  const servers: ChildProcess[] = [];
  const close = () => {
    for (const server of servers) server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('SIGINT', () => {
    close();
    process.exit(130);
  });
  const serve: World['serve'] = async (delays, days) => {
    const program = ['--import', 'tsx', pathOf('programs/server.ts'), String(delays)];
    const args = days === undefined ? program : [...program, days.startDate, days.endDate];
    const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    servers.push(server);
    const ended = once(server, 'exit').then(([code]) => {
      throw new Error(`the server of the benchmark ended with ${code}`);
    });
    ended.catch(() => undefined);
    return JSON.parse(String(await Promise.race([once(server.stdout, 'data'), ended])));
  };
  try {
    await run({ folder, serve });
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    close();
  }
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Its whole environment except PATH; nothing is inherited, such as NODE_EXTRA_CA_CERTS. */
  readonly env?: Readonly<Record<string, string>>;
  /** The file that it writes instead of stdout; removed after counting. */
  readonly out?: string | undefined;
  /** Only its time is measured, so that it loads nothing else. */
  readonly isBare?: boolean;
}

export interface Measured {
  readonly seconds: number;
  readonly lines: number;
  /** User plus system time. */
  readonly cpuSeconds?: number;
  readonly peakMiB?: number;
}

/** The built cb. */
export function cb(args: readonly string[], out?: string): Command {
  const flags = out === undefined ? [] : ['--out', out];
  return { file: process.execPath, args: [pathOf('../../bin/cb.js'), ...args, ...flags], out };
}

export function cbEnv({ folder }: World, url: string) {
  return { HOME: folder, CB_BASE_URL: url, CB_API_KEY: 'API-BENCHMARK' };
}

const reportsUsage = {
  NODE_OPTIONS: `--require ${JSON.stringify(pathOf('programs/report-usage.cjs'))}`,
};

/** Runs a command in a separate process. Throws if it fails or takes more than `timeout` milliseconds. */
export async function measure(command: Command, timeout = 120_000): Promise<Measured> {
  const { file, args, env, out, isBare = false } = command;
  const start = performance.now();
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, ...(!isBare && reportsUsage), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  const [printed, problems, usage, [code, signal]] = await Promise.all([
    countLines(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close'),
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) {
    throw new Error(`'${file} ${args.join(' ')}' ended with ${signal ?? code}: ${problems}`);
  }
  const lines = out === undefined ? printed : await countLines(createReadStream(out));
  if (out !== undefined) rmSync(out);
  return { seconds, lines, ...usageIn(usage) };
}

/** Reads the report of a Node process, or the four times of a shell's `times`, such as 1m2.345s. */
function usageIn(report: string): Pick<Measured, 'cpuSeconds' | 'peakMiB'> {
  if (report.startsWith('{')) return JSON.parse(report);
  const times = [...report.matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length === 0) return {};
  const seconds = times.map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return { cpuSeconds: seconds.reduce((sum, one) => sum + one) };
}

async function countLines(stream: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  for await (const chunk of stream) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return lines;
}

/** Medians; undefined for what was not measured. */
export interface Medians {
  readonly rounds: number;
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
  readonly peakMiB: number | undefined;
}

/**
 * Runs each of some tasks in rounds, whose order alternates to balance changing conditions. After the first one, no round
 * begins that would end later than `until`, in milliseconds of performance.now().
 */
export async function runRounds<K>(
  tasks: ReadonlyMap<K, () => Promise<Measured>>,
  rounds: number,
  until = Number.POSITIVE_INFINITY,
): Promise<Map<K, Medians>> {
  const taken = new Map<K, Measured[]>([...tasks.keys()].map((key) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const order = round % 2 === 0 ? [...tasks] : [...tasks].reverse();
    for (const [key, run] of order) taken.get(key)?.push(await run());
    const end = performance.now();
    if (end + (end - start) > until) break;
  }
  const medians = (all: readonly Measured[]): Medians => ({
    rounds: all.length,
    seconds: median(all.map(({ seconds }) => seconds)) ?? Number.NaN,
    cpuSeconds: median(all.map(({ cpuSeconds }) => cpuSeconds)),
    peakMiB: median(all.map(({ peakMiB }) => peakMiB)),
  });
  return new Map([...taken].map(([key, all]) => [key, medians(all)]));
}

/** Undefined if nothing is defined. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** Prints rows below their heads, the first column left and the others right; nothing if there are no rows. */
export function printTable(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length === 0) return;
  const lines = heads.length > 0 ? [heads, ...rows] : rows;
  const widths = lines[0]?.map((_, at) =>
    Math.max(...lines.map((cells) => cells[at]?.length ?? 0)),
  );
  const pad = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths?.[at] ?? 0) : cell.padStart(widths?.[at] ?? 0);
  const aligned = lines.map((cells) => `  ${cells.map(pad).join('  ')}`.trimEnd());
  console.log(`\n${title}\n\n${aligned.join('\n')}`);
}

/** Limits of the ratio of a figure and its base. */
export interface Requirement {
  readonly says: string;
  readonly figure: number | undefined;
  readonly base: number | undefined;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Prints which requirements are met, of those that were measured; exit code 1 if one of them is not. */
export function printVerdicts(requirements: readonly Requirement[]): void {
  const rows = requirements.flatMap(({ says, figure, base, atMost, atLeast }) => {
    if (figure === undefined || base === undefined) return [];
    const isMet = figure / base <= (atMost ?? Infinity) && figure / base >= (atLeast ?? 0);
    if (!isMet) process.exitCode = 1;
    const limit = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
    return [[`${says}, ${limit}`, ratio(figure, base), isMet ? 'met' : 'NOT MET']];
  });
  printTable('Requirements', [], rows);
}

export function ratio(figure: number | undefined, base: number | undefined): string {
  return figure === undefined || base === undefined ? '-' : (figure / base).toFixed(2);
}

/** `12,345` */
export function thousands(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
