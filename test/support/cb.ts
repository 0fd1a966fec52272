/** Runs command lines in a separate home folder and returns output and exit code. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '../../src/client/clock.ts';
import { startQueries } from '../../src/features/sync/query/start-queries.ts';
import { run } from '../../src/run.ts';
import type { Context } from '../../src/shell/context.ts';
import type { Prompts } from '../../src/shell/terminal/prompts.ts';
import { processesFrom } from '../../src/storage/lock-owner.ts';
import { binary, emptyHome, keysOf } from './binary.ts';
import { copySeed, now } from './seeds.ts';
import { input, Recorder } from './streams.ts';

const thisProcess = processesFrom(process);

export { now };

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Options {
  /** The width of the terminal in columns; a pipe if undefined. */
  readonly columns?: number;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly person?: Prompts;
  /** Identifies the session of the terminal. */
  readonly session?: string | undefined;
  /** The Node version that cb sees. */
  readonly node?: string;
  readonly signal?: AbortSignal;
  /** The time zone of the terminal; Pacific when absent. */
  readonly zone?: string;
  /** Replaces the clock of waits. */
  readonly clock?: Clock;
  /** The current time; that of the tests by default. */
  readonly now?: () => Date;
}

export interface Home {
  readonly folder: string;
  /** Runs a command line, split into words as by a shell. */
  cb(line: string, options?: Options): Promise<Ran>;
}

/** An empty home, removed when the test ends. `account` is the home folder of the user's account. */
export function home(account?: string): Home {
  const folder = emptyHome();
  const keys = keysOf(folder);
  return {
    folder,
    async cb(line, options = {}) {
      const { context: usual, stdout, stderr } = world(folder, options);
      const context = account === undefined ? usual : { ...usual, home: account };
      const { env, stdin = '' } = options;
      keys.give(env?.CB_API_KEY);
      // Keys that a person types are found in the file of profiles later.
      if (stdin.length < 1000) keys.give(stdin);
      const code = await run(wordsOf(line), context);
      keys.refuse(stdout.text + stderr.text, `what 'cb ${line}' wrote`);
      expect(stderr.text).not.toMatch(/\bundefined\b|\[object Object\]|\bNaN\b/);
      return { code, out: stdout.text, err: stderr.text };
    },
  };
}

/** A home with a seeded sandbox of a few hundred orders; 5,000 are rarely needed. */
export async function sandboxHome(orders = 300): Promise<Home> {
  const made = home();
  await copySeed(join(made.folder, '.local/share/clickbank-cli/sandbox.sqlite'), { orders });
  return made;
}

/** The context of a call of cb, and its output. */
export function world(folder: string, options: Options) {
  const screen = { tty: options.columns !== undefined, columns: options.columns ?? 80 };
  const stdout = new Recorder(screen);
  const stderr = new Recorder(screen);
  const context: Context = {
    ...{ stdin: input(options.stdin ?? '', screen.tty), stdout, stderr, env: options.env ?? {} },
    ...{ platform: 'linux', runtime: { node: options.node ?? '20.18.0' } },
    ...{ session: options.session, user: process.getuid?.(), processes: thisProcess },
    ...{ home: folder, folder, zone: options.zone ?? 'America/Los_Angeles' },
    now: options.now ?? (() => now),
    ...(options.clock && { clock: options.clock }),
    signal: options.signal ?? new AbortController().signal,
    startQueries: async () =>
      startQueries({ env: process.env, pid: process.pid, argv: ['', binary] }),
    prompts: async () => {
      if (!options.person) throw new Error('There is no person to answer prompts.');
      return options.person;
    },
  };
  return { context, stdout, stderr };
}

/** Supports single quotes, as in the examples of the help. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}
