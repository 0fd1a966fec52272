/**
 * Runs statements on a copy in a process of its own. SQLite blocks its thread, and nothing but the end of its process
 * interrupts it.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Clock } from '../../../client/clock.ts';
import { requireFile } from '../database/sqlite.ts';
import { DestinationError, missingCopy, type SqlReader } from '../destination.ts';
import type { Answer, QueryLimits, Request } from './sqlite-queries.ts';
import { type Queries, QueryError, type Result, type ResultColumn } from './statement.ts';

/** A process that answers requests in order, as `answerQueries` does. */
export type QueryProcess = Pick<ChildProcess, 'send' | 'on' | 'kill'>;

interface ProcessOptions {
  readonly file: string;
  /** Ends the process. */
  readonly signal: AbortSignal;
  readonly limits?: QueryLimits;
  /** The process ends after so many milliseconds; default: never. */
  readonly patience?: { readonly milliseconds: number; readonly clock: Clock };
  start(): Promise<QueryProcess>;
}

/**
 * `run` is for statements of users, `query` for those of cb. The process begins with the first request. Throws a
 * DestinationError if there is no file.
 */
export function openQueries(options: ProcessOptions): Queries & SqlReader {
  const { file, signal, limits = {}, patience, start } = options;
  requireFile(file);
  if (!existsSync(file)) throw missingCopy(`at ${file}`);
  const waiting: { resolve(value: never): void; reject(reason: unknown): void }[] = [];
  const stop = new AbortController();
  let running: QueryProcess | undefined;
  let end: { readonly reason: unknown } | undefined;

  function finish(reason: unknown): void {
    if (end) return;
    end = { reason };
    signal.removeEventListener('abort', onAbort);
    stop.abort();
    running?.kill('SIGKILL');
    for (const { reject } of waiting.splice(0)) reject(reason);
  }
  const onAbort = () => finish(signal.reason);

  async function begin(): Promise<QueryProcess> {
    signal.addEventListener('abort', onAbort, { once: true });
    const begun = await start();
    begun.on('message', (message) => {
      const answer = message as Answer;
      const next = waiting.shift();
      if ('error' in answer) next?.reject(errorFrom(answer.error));
      else next?.resolve(answer.value as never);
    });
    begun.on('error', finish);
    begun.on('exit', (code, signal) => {
      // The system ends a process that needs too much memory with SIGKILL.
      const hint = 'It may have needed too much memory. Read fewer or shorter values.';
      const message = `The process of the query ended by itself (${signal ?? code}).`;
      finish(new QueryError(message, { hint }));
    });
    patience?.clock.sleep(patience.milliseconds, stop.signal).then(
      () => {
        const hint = 'Read fewer rows: name a period, join tables by their keys, or use a view.';
        const message = `The query was ended after ${patience.milliseconds / 1000} seconds.`;
        finish(new QueryError(message, { hint }));
      },
      () => undefined,
    );
    return begun;
  }

  function send<T>(...request: Request): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      running?.send([...request]);
    });
  }

  async function ask<T>(...request: Request): Promise<T> {
    if (signal.aborted) throw signal.reason;
    if (end) throw end.reason;
    if (!running) {
      running = await begin();
      await send('open', file, limits);
    }
    return send(...request);
  }

  return {
    ...{ dialect: 'sqlite', label: file },
    async run(statement, values) {
      const columns = await ask<readonly ResultColumn[]>('run', statement, values);
      return { columns, pages: pagesOf(() => ask('next')) };
    },
    relations: () => ask('relations'),
    query: (text, values = []) => ask('query', text, values),
    close: async () => finish(new QueryError('The query was ended.')),
  };
}

/** The next page is computed while the reader has the current one. */
async function* pagesOf(
  next: () => Promise<readonly (readonly unknown[])[] | undefined>,
): Result['pages'] {
  for (let coming = next(); ; ) {
    const page = await coming;
    if (!page) return;
    coming = next();
    // The reader may not ask for it.
    coming.catch(() => undefined);
    yield page;
  }
}

function errorFrom({ name, message, ...rest }: Record<string, unknown>): Error {
  const text = String(message);
  const { hint, kind } = rest as { hint?: string; kind?: DestinationError['kind'] };
  if (name === 'QueryError') return new QueryError(text, { hint });
  if (name === 'DestinationError' && kind) return new DestinationError(kind, text, { hint });
  return Object.assign(new Error(text), { name, ...rest });
}
