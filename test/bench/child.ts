/** A command as a process of its own: how long it ran, what it took, how many lines it wrote. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** All of its environment but PATH; nothing of ours gets through, such as NODE_EXTRA_CA_CERTS. */
  readonly env: Readonly<Record<string, string>>;
  /** What it writes on file descriptor 3 at its end: `json` a Node process, `times` a shell. */
  readonly usage: 'json' | 'times' | 'none';
  /** The file that it writes in place of stdout; removed when it is counted. */
  readonly out?: string;
}

export interface Measured {
  /** From the start of the process to its end. */
  readonly seconds: number;
  /** In user and system mode. */
  readonly cpuSeconds: number | undefined;
  readonly peakMiB: number | undefined;
  readonly lines: number;
}

const reporter = fileURLToPath(new URL('programs/report-usage.cjs', import.meta.url));

/** Runs a command to its end. Throws when it fails or is not done after `timeout` milliseconds. */
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

/** The four times of a shell's `times`, such as 1m2.345s, added up. */
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
