/** Runs the built program in a separate process with its own home folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Keys, watchKeys } from './canary.ts';

export const binary = fileURLToPath(new URL('../../bin/cb.js', import.meta.url));

const fastWaits = fileURLToPath(new URL('fast-waits.cjs', import.meta.url));

/** An environment that shortens cb's waits before retries. */
export function shortWaits(speed: number): Record<string, string> {
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(fastWaits)}`,
    CB_TEST_SPEED: String(speed),
  };
}

export interface Running {
  readonly child: ChildProcess;
  readonly home: string;
  type(keys: string): void;
  /** Resolves when stdout or stderr matches; rejects with the output when cb ends or after two minutes. */
  until(pattern: RegExp): Promise<string>;
  ended(): Promise<{ code: number | null; out: string; err: string }>;
}

export interface StartOptions {
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The content of stdin; `open` leaves it open for `type`. */
  readonly stdin?: string | { readonly open: true };
}

/** An empty home, removed when the test ends, unless one of its keys is in a file. */
export function emptyHome(): string {
  const home = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-test-'));
  const keys = watchKeys();
  watched.set(home, keys);
  onTestFinished(() => {
    keys.refuseBelow(home);
    rmSync(home, { recursive: true, force: true });
  });
  return home;
}

const watched = new Map<string, Keys>();

/** The keys of a home. */
export function keysOf(home: string): Keys {
  return watched.get(home) ?? watchKeys();
}

/** Runs a shell line in which `cb` is the built program. */
export function shell(line: string, options: StartOptions = {}): Running {
  const run = `cb() { exec_cb "$@"; }; exec_cb() { '${process.execPath}' '${binary}' "$@"; }; ${line}`;
  return program('bash', ['-c', run], options);
}

/** Runs cb itself, so that a signal to the child is a signal to cb. */
export function cb(args: readonly string[], options: StartOptions = {}): Running {
  return program(process.execPath, [binary, ...args], options);
}

/** Runs any other program as `cb` is run. */
export function program(
  file: string,
  args: readonly string[],
  { home = emptyHome(), env = {}, stdin = '' }: StartOptions = {},
): Running {
  const child = spawn(file, args, {
    cwd: home,
    env: { PATH: process.env.PATH, NODE_OPTIONS: process.env.NODE_OPTIONS, HOME: home, ...env },
  });
  const keys = keysOf(home);
  for (const text of [env.CB_API_KEY, args.join(' '), stdin]) {
    if (typeof text === 'string') keys.give(text);
  }
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.err += chunk;
  });
  const closed = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => undefined);
  if (typeof stdin === 'string') child.stdin.end(stdin);
  return {
    child,
    home,
    type(typed) {
      keys.give(typed);
      child.stdin.write(typed);
    },
    async until(pattern) {
      const start = performance.now();
      for (;;) {
        const all = `${text.out}${text.err}`;
        if (pattern.test(all)) return all;
        if (child.exitCode !== null) throw new Error(`ended without ${pattern}: ${all}`);
        if (performance.now() - start > 120_000) throw new Error(`waits for ${pattern}: ${all}`);
        await sleep(10);
      }
    },
    async ended() {
      const [code] = await closed;
      keys.refuse(text.out + text.err, `what ${args.join(' ')} wrote`);
      return { code, ...text };
    },
  };
}

/** A folder with the built `cb`, for programs that start it. */
export function binFolder(home: string): string {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`;
  writeFileSync(join(bin, 'cb'), script, { mode: 0o755 });
  return bin;
}
