/** Starts this program once more, as a process that answers queries, and is that process. */
import { type ChildProcess, fork } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import type { QueryProcess } from './remote-queries.ts';
import { type Answer, answerQueries, type Request } from './sqlite-queries.ts';

/** The hidden command of such a process. */
const queryWord = '__query';

/** The part of `process` that is needed. */
interface Starter {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly argv: readonly string[];
}

/** The process gets no API key, and writes nothing to the terminal. */
export function startQueries({ env, pid, argv: [, program = ''] }: Starter): QueryProcess {
  const { CB_API_KEY: _, CB_INS_SECRET: _secret, ...others } = env;
  const child: ChildProcess = fork(program, [queryWord, String(pid)], {
    env: others,
    // JSON has neither large integers nor bytes.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return child as QueryProcess;
}

/** The part of `process` that is needed. */
interface Answering {
  send?(answer: Answer): unknown;
  on(event: 'message', listener: (request: Request) => void): unknown;
  on(event: 'disconnect' | 'SIGINT', listener: () => void): unknown;
  exit(): unknown;
}

/** `watch` is a program that ends this process when its parent is gone, for a thread that a query does not block. */
export function serveQueries(host: Answering, watch: string): void {
  // A terminal sends Ctrl-C to all its processes, but only the parent decides.
  host.on('SIGINT', () => undefined);
  host.on('disconnect', () => host.exit());
  new Worker(watch, { eval: true }).unref();
  answerQueries({
    on: (event, listener) => host.on(event, listener),
    send: (answer) => host.send?.(answer),
  });
}
