/** The only file that touches the process: streams, environment, signals, exit code. */
import { writeSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Context } from './cli/context.ts';
import { exitCodes } from './cli/exit-codes.ts';
import { Failure } from './cli/failure.ts';
import { faultText } from './cli/fault.ts';
import { run } from './cli/run.ts';
import { openScreen } from './cli/screen.ts';
import { version } from './cli/version.ts';

/** A second signal ends at once what the first could not end. */
function stopOn(signal: NodeJS.Signals, code: number, stop: AbortController): void {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(code);
    stop.abort(code);
  });
}

const stderr = openScreen(2, () => process.stderr);
const stdout = openScreen(1, () => process.stdout, tellLost);

/** A help or a version that nobody got; a reader that has gone wants none. */
function tellLost({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || process.exitCode === exitCodes.incomplete) return;
  stderr.write(`cb: the text could not be written (${code})\n`);
  process.exitCode = exitCodes.incomplete;
}

function openContext({ signal }: AbortController): Context {
  const context: Context = {
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env: process.env,
    platform: process.platform,
    runtime: { node: process.versions.node },
    user: process.getuid?.(),
    processes: { own: process.pid, isRunning },
    home: homeFolder(),
    get folder() {
      return currentFolder();
    },
    now: () => new Date(),
    signal,
    prompts: async () => {
      const { promptsOn } = await import('./cli/prompts.ts');
      return promptsOn({ stdin: process.stdin, stderr: process.stderr, signal });
    },
  };
  return context;
}

/** Also true for processes of other users. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** HOME if it is an absolute path, otherwise the home folder of the user's account; '' if neither exists. */
function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // A user without an account, as in some containers.
    }
  }
  return '';
}

/** Throws a Failure if the folder was deleted. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure(exitCodes.usage, 'The current folder no longer exists.', {
      hint: 'Nothing was sent. Change to another folder and run the command again.',
      cause,
    });
  }
}

/** Node would print the error as it is, and with it the request that failed and its key. */
function endOnFault(argv: readonly string[]): void {
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, `${faultText(error, argv)}\n`);
    } finally {
      process.exit(exitCodes.internal);
    }
  });
}

function start(argv: readonly string[]): void {
  const stop = new AbortController();
  const context = openContext(stop);
  endOnFault(argv);
  stopOn('SIGHUP', exitCodes.hungUp, stop);
  stopOn('SIGINT', exitCodes.interrupted, stop);
  stopOn('SIGTERM', exitCodes.terminated, stop);
  run(argv, context).then((code) => {
    process.exitCode = code || process.exitCode;
  });
}

const argv = process.argv.slice(2);
const isVersion = argv.length === 1 && ['-V', '--version'].includes(argv[0] ?? '');

// Told at once: the command tree would take longer to load than Node takes to start.
if (isVersion) stdout.write(`${version}\n`);
else start(argv);
