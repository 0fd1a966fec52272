/** Starts this program once more, as a process that answers queries, and is that process. */
import { fork } from 'node:child_process';
import { isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import type { QueryProcess } from './remote-queries.ts';
import { answerQueries } from './sqlite-queries.ts';

/** Its hidden command is `__query`. It gets no API key, and writes nothing to the terminal. */
export function startQueries({
  env,
  pid,
  argv: [, program = ''],
}: Pick<NodeJS.Process, 'env' | 'pid' | 'argv'>): QueryProcess {
  const { CB_API_KEY: _, CB_INS_SECRET: _secret, ...others } = env;
  const words = ['__query', String(pid)];
  // `fork` puts its first argument after the path of this program, which for the executable is all of it.
  const [first = '', ...rest] = isSea() ? words : [program, ...words];
  return fork(first, rest, {
    env: others,
    // JSON has neither large integers nor bytes.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** `watch` is a program that ends this process when its parent is gone, for a thread that a query does not block. */
export function serveQueries(host: NodeJS.Process, watch: string): void {
  // A terminal sends Ctrl-C to all its processes, but only the parent decides.
  host.on('SIGINT', () => undefined);
  host.on('disconnect', () => host.exit());
  new Worker(watch, { eval: true }).unref();
  answerQueries(host);
}
