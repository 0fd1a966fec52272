/** Runs a command in a separate process and measures its time, usage, and lines of output. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Its whole environment except PATH; nothing is inherited, such as NODE_EXTRA_CA_CERTS. */
  readonly env: Readonly<Record<string, string>>;
  /** The format of its report on file descriptor 3: `json` for a Node process, `times` for a shell. */
  readonly usage: 'json' | 'times' | 'none';
  /** The file that it writes instead of stdout; removed after counting. */
  readonly out?: string;
}

export interface Measured {
  /** The duration of the process. */
  readonly seconds: number;
  /** User plus system time. */
  readonly cpuSeconds: number | undefined;
  readonly peakMiB: number | undefined;
  readonly lines: number;
}

const reporter = fileURLToPath(new URL('programs/report-usage.cjs', import.meta.url));

/** Runs a command. Throws if it fails or takes more than `timeout` milliseconds. */
export async function measure(command: Command, timeout: number): Promise<Measured> {
  const { file, args, usage, out } = command;
  const start = performance.now();
  const child = spawn(file, args, {
    env: environment(command),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | NodeJS.Signals | null>((done, fail) => {
    child.on('error', fail).on('close', (code, signal) => done(signal ?? code));
  });
  const [lines, problems, said, end] = await Promise.all([
    countLines(child.stdout as Readable),
    textOf(child.stderr as Readable),
    textOf(child.stdio[3] as Readable),
    ended,
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (end !== 0) throw new Error(`'${file} ${args.join(' ')}' ended with ${end}: ${problems}`);
  return { seconds, ...usageOf(usage, said), lines: out ? await countAndRemove(out) : lines };
}

function environment({ env, usage }: Command): NodeJS.ProcessEnv {
  const reports = usage === 'json' && { NODE_OPTIONS: `--require ${JSON.stringify(reporter)}` };
  return { PATH: process.env.PATH, ...reports, ...env };
}

function usageOf(usage: Command['usage'], said: string): Pick<Measured, 'cpuSeconds' | 'peakMiB'> {
  if (usage === 'json') return JSON.parse(said) as { cpuSeconds: number; peakMiB: number };
  return { cpuSeconds: usage === 'times' ? secondsOfTimes(said) : undefined, peakMiB: undefined };
}

/** The sum of the four times of a shell's `times`, such as 1m2.345s. */
function secondsOfTimes(said: string): number {
  const times = [...said.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

async function countLines(stream: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  for await (const chunk of stream) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return lines;
}

async function countAndRemove(path: string): Promise<number> {
  const lines = await countLines(createReadStream(path));
  await rm(path);
  return lines;
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
