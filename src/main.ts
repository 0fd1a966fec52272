/** The only file that touches the process: streams, environment, signals, exit code. */
import { writeSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Context } from './cli/context.ts';
import { stateFolder } from './cli/folders.ts';
import { run } from './cli/run.ts';
import { version } from './cli/version.ts';

const stop = new AbortController();

/** A second signal ends at once what the first could not end. */
function stopOn(signal: NodeJS.Signals, code: number): void {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(code);
    stop.abort(code);
  });
}

/** Node makes a stream when it is first asked for, which takes its time. */
function screen(open: () => NodeJS.WriteStream): () => NodeJS.WriteStream {
  let opened: NodeJS.WriteStream | undefined;
  return () => {
    // A closed pipe is told to whoever writes; nobody else needs to know.
    opened ??= open().on('error', () => undefined);
    return opened;
  };
}

const stdout = screen(() => process.stdout);
const stderr = screen(() => process.stderr);

function openContext(): Context {
  const context: Context = {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    env: process.env,
    platform: process.platform,
    runtime: { node: process.versions.node },
    home: homedir(),
    folder: process.cwd(),
    now: () => new Date(),
    signal: stop.signal,
    prompts: async () => (await import('./cli/prompts.ts')).promptsOn(context),
  };
  return context;
}

/**
 * What runs longer than a moment may be a long list: its memory is to stay that of a short one, which
 * Node would rather let grow than clear up. Loading `node:v8` takes too long for all else.
 */
function keepSmall(): void {
  const moment = 250;
  setTimeout(async () => {
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--heap-growing-percent=20');
  }, moment).unref();
}

/** Newer Node keeps what it compiled; in a folder of the user's own, since what lies there is run. */
function keepCompiled(context: Context): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(join(stateFolder(context), 'compiled'));
}

function start(argv: readonly string[]): void {
  const context = openContext();
  stopOn('SIGINT', 130);
  stopOn('SIGTERM', 143);
  keepSmall();
  keepCompiled(context);
  run(argv, context).then((code) => {
    process.exitCode = code;
  });
}

/** Past the stream, which takes longer to make than the text to write. */
function tellVersion(): void {
  try {
    writeSync(1, `${version}\n`);
  } catch {
    // A closed pipe: nobody wants to know.
  }
}

const argv = process.argv.slice(2);
const isVersion = argv.length === 1 && ['-V', '--version'].includes(argv[0] ?? '');

// Told at once: the command tree would take longer to load than Node takes to start.
if (isVersion) tellVersion();
else start(argv);
