/** The only file that touches the process: streams, environment, signals, exit code. */
import { homedir } from 'node:os';
import type { Context } from './cli/context.ts';
import { run } from './cli/run.ts';

const stop = new AbortController();

/** A second signal ends at once what the first could not end. */
function stopOn(signal: NodeJS.Signals, code: number): void {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(code);
    stop.abort(code);
  });
}

const context: Context = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  platform: process.platform,
  home: homedir(),
  folder: process.cwd(),
  now: () => new Date(),
  signal: stop.signal,
  prompts: async () => (await import('./cli/prompts.ts')).promptsOn(context),
};

stopOn('SIGINT', 130);
stopOn('SIGTERM', 143);
// A closed pipe is told to whoever writes; nobody else needs to know.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

run(process.argv.slice(2), context).then((code) => {
  process.exitCode = code;
});
