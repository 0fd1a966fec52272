/** The other side of `remote-queries.ts`: answers the requests of the process that started this one, in order. */
import type { SqlReader } from '../database/sql.ts';
import { openSqliteReader } from '../database/sqlite.ts';
import type { Cell } from '../tables/table.ts';
import type { Parameter, Queries } from './queries.ts';
import { openSqliteQueries, type QueryLimits } from './sqlite-queries.ts';
import type { Statement } from './statement.ts';

/** `open` comes first. `next` is for a page of the latest `run`; its value is undefined after the last one. */
export type Request =
  | readonly ['open', file: string, limits: QueryLimits]
  | readonly ['run', statement: Statement, values: readonly Parameter[]]
  | readonly ['next' | 'relations' | 'columns']
  | readonly ['query', text: string, values: readonly Cell[]];

/** An error is a plain object, because its class would be lost. */
export type Answer = { readonly value: unknown } | { readonly error: Record<string, unknown> };

export interface Channel {
  on(event: 'message', listener: (request: Request) => void): unknown;
  send(answer: Answer): unknown;
}

export function answerQueries(channel: Channel): void {
  const answer = answerer();
  let before: Promise<unknown> = Promise.resolve();
  channel.on('message', (request) => {
    before = before.then(async () => channel.send(await answer(request)));
  });
}

function answerer(): (request: Request) => Promise<Answer> {
  let open: { readonly queries: Queries; readonly reader: () => Promise<SqlReader> } | undefined;
  let pages: AsyncIterator<readonly (readonly unknown[])[]> | undefined;

  async function answerTo(request: Request): Promise<unknown> {
    if (request[0] === 'open') {
      const [, file, limits] = request;
      const queries = await openSqliteQueries(file, limits);
      let reader: Promise<SqlReader> | undefined;
      open = { queries, reader: () => (reader ??= openSqliteReader(file)) };
      return undefined;
    }
    if (!open) throw new Error(`'${request[0]}' came before 'open'`);
    switch (request[0]) {
      case 'run': {
        const result = await open.queries.run(request[1], request[2]);
        pages = result.pages[Symbol.asyncIterator]();
        return result.columns;
      }
      case 'next': {
        const page = await pages?.next();
        return page?.done ? undefined : page?.value;
      }
      case 'query':
        return (await open.reader()).query(request[1], request[2]);
      default:
        return open.queries[request[0]]();
    }
  }

  return async (request) => {
    try {
      return { value: await answerTo(request) };
    } catch (error) {
      const { name, message } = error as Error;
      return { error: { ...(error as object), name, message } };
    }
  };
}
