/** cb as a user sees it: a command line in, its output and exit code out, in a home of its own. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Prompts } from '../../src/cli/prompts/prompts.ts';
import type { Context } from '../../src/cli/runtime/context.ts';
import { run } from '../../src/cli/runtime/run.ts';
import type { Clock } from '../../src/client/clock.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { type Keys, watchKeys } from './canary.ts';
import { input, Recorder } from './streams.ts';

/** The day of the tests: after the clocks went forward, before noon in Pacific time. */
export const now = new Date('2026-03-18T18:30:00Z');

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Options {
  /** On a terminal so many columns wide; else in a pipe. */
  readonly columns?: number;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly person?: Prompts;
  /** The version of Node that cb believes to run on. */
  readonly node?: string;
  readonly signal?: AbortSignal;
  /** The time zone of the terminal; Pacific when absent. */
  readonly zone?: string;
  /** In place of the clock that waits. */
  readonly clock?: Clock;
  /** The time of day; the day of the tests when absent. */
  readonly now?: () => Date;
}

export interface Home {
  readonly folder: string;
  /** Runs a command line, split as a shell splits words. */
  cb(line: string, options?: Options): Promise<Ran>;
}

/** An empty home; it goes when the test ends. `account` is what cb takes for the user's home folder. */
export function home(account?: string): Home {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-test-'));
  const keys = watchKeys();
  onTestFinished(() => {
    keys.refuseBelow(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    async cb(line, options = {}) {
      const { context: usual, stdout, stderr } = world(folder, options);
      const context = account === undefined ? usual : { ...usual, home: account };
      giveKeys(keys, options);
      const code = await run(words(line), context);
      keys.refuse(stdout.text + stderr.text, `what 'cb ${line}' wrote`);
      return { code, out: stdout.text, err: stderr.text };
    },
  };
}

/** A person's answers are not known yet: what they come to is in the file with the profiles. */
function giveKeys(keys: Keys, { env, stdin }: Options): void {
  keys.give(env?.CB_API_KEY);
  if (stdin !== undefined && stdin.length < 1000) keys.give(stdin);
}

/** A home whose sandbox is seeded already: a copy of one made once for all tests of a run. */
export async function sandboxHome(orders = 5000): Promise<Home> {
  const made = home();
  const data = join(made.folder, '.local/share/clickbank-cli');
  // The whole folder: what was written last may still be in the log beside the database.
  cpSync(await template(orders), data, { recursive: true });
  return made;
}

const templates = new Map<number, Promise<string>>();

function template(orders: number): Promise<string> {
  const known = templates.get(orders) ?? makeTemplate(orders);
  templates.set(orders, known);
  return known;
}

async function makeTemplate(orders: number): Promise<string> {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-seed-'));
  const file = join(folder, 'sandbox.sqlite');
  const sandbox = await startSandbox({ file, now: () => now, seed: { orders } });
  await sandbox.close();
  return folder;
}

/** The context of a call of cb, and what it writes. */
export function world(folder: string, options: Options) {
  const screen = { tty: options.columns !== undefined, columns: options.columns ?? 80 };
  const stdout = new Recorder(screen);
  const stderr = new Recorder(screen);
  const context: Context = {
    stdin: input(options.stdin ?? '', screen.tty),
    stdout,
    stderr,
    env: options.env ?? {},
    platform: 'linux',
    runtime: { node: options.node ?? '20.18.0' },
    user: process.getuid?.(),
    processes: { own: process.pid, isRunning },
    home: folder,
    zone: options.zone ?? 'America/Los_Angeles',
    folder,
    now: options.now ?? (() => now),
    ...(options.clock && { clock: options.clock }),
    signal: options.signal ?? new AbortController().signal,
    prompts: async () => {
      if (!options.person) throw new Error('nobody is there to be asked');
      return options.person;
    },
  };
  return { context, stdout, stderr };
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Single quotes hold words together, as in the examples of the help. */
function words(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
