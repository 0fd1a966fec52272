/** The environment of the benchmark: the server, the programs for comparison, and an empty home. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Command } from './child.ts';
import { periodOf } from './days.ts';

/** Delays of the server in milliseconds. */
export const latencies = [0, 50, 200] as const;
export type Latency = (typeof latencies)[number];

export interface World {
  /** Empty at the start, removed at the end. */
  readonly folder: string;
  /** The URL of the server with this latency: `http://127.0.0.1:PORT`. */
  origin(latency: Latency): string;
  /** A program bundled like cb, so that neither has an advantage. */
  program(name: 'loop' | 'limit'): string;
  close(): void;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const cb = fileURLToPath(new URL('../../bin/cb.js', import.meta.url));

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'cb-bench-'));
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', join(here, 'programs/server.ts'), ...latencies.map(String)],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: here },
  );
  const program = (name: string) => join(folder, `${name}.cjs`);
  const close = () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await bundle(folder);
    const ports = await portsOf(server);
    return { folder, program, close, origin: (latency) => `http://127.0.0.1:${ports[latency]}` };
  } catch (error) {
    close();
    throw error;
  }
}

async function portsOf(server: ChildProcess): Promise<Readonly<Record<string, number>>> {
  const said = server.stdout ? once(server.stdout, 'data') : Promise.reject();
  const gone = once(server, 'exit').then(([code]) => {
    throw new Error(`the server of the benchmark ended with ${code}`);
  });
  gone.catch(() => undefined);
  return JSON.parse(String(await Promise.race([said, gone])));
}

async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: ['loop', 'limit'].map((name) => join(here, `programs/${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifyWhitespace: true,
  });
}

/** The task of a contender: a number of pages at a latency. */
export interface Task {
  readonly latency: Latency;
  readonly pages: number;
}

/** The URL of the list, for contenders that build their own requests. */
export function listUrl(world: World, { latency, pages }: Task): string {
  const search = new URLSearchParams({ ...periodOf(pages) });
  return `${world.origin(latency)}/rest/1.3/orders2/list?${search}`;
}

export function environment(world: World, latency: Latency = 0): Command['env'] {
  return {
    HOME: world.folder,
    CB_BASE_URL: world.origin(latency),
    CB_API_KEY: 'API-BENCHMARK',
  };
}

/** The command line of cb. */
export function cbCommand(
  world: World,
  args: readonly string[],
  { latency = 0, out }: { latency?: Latency; out?: string } = {},
): Command {
  return {
    file: process.execPath,
    args: [cb, ...args, ...(out ? ['--out', out] : [])],
    env: environment(world, latency),
    usage: 'json',
    ...(out && { out }),
  };
}

/** The cb command for the list of a task. */
export function cbList(world: World, task: Task, flags: readonly string[], out?: string): Command {
  const { startDate, endDate } = periodOf(task.pages);
  const period = ['--start-date', startDate, '--end-date', endDate];
  const { latency } = task;
  return cbCommand(world, ['orders', 'list', ...period, ...flags], {
    latency,
    ...(out !== undefined && { out: join(world.folder, out) }),
  });
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
