/** The client: operations in, typed replies out. */
import type { Arguments, Operation, Params, Reply, Returns } from '../operations/operation.ts';
import { type Clock, realClock } from './clock.ts';
import { ApiError } from './errors.ts';
import { paceOf } from './pace.ts';
import { type Page, readAhead } from './read-ahead.ts';
import { replyOf } from './reply.ts';
import { type Request, requestFor, urlOf } from './request.ts';
import { withRetries } from './retry.ts';
import { type Answer, openTransport, type Transport } from './transport.ts';

/** What happens on the wire, for progress and debugging; it never carries a key. */
export type WireEvent =
  | { readonly type: 'sent'; readonly method: string; readonly url: string; readonly page: number }
  | {
      readonly type: 'answered';
      readonly method: string;
      readonly url: string;
      readonly page: number;
      readonly status: number;
      readonly milliseconds: number;
      readonly bytes: number;
    }
  | { readonly type: 'waiting'; readonly why: string; readonly milliseconds: number };

export interface ApiOptions {
  /** As `baseUrlFrom` gives it. */
  readonly baseUrl: string;
  /** Sent as it is in the Authorization header. */
  readonly key: string;
  readonly userAgent: string;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** The most milliseconds that a read waits before it asks again, in all. */
  readonly maxWait: number;
  /** Requests a second; Infinity for no limit. */
  readonly pace: number;
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** What the service is asked to answer in. */
  readonly wire: 'json' | 'xml';
  /** An answer that can't be read is no error: its body counts, and its reply is undefined. */
  readonly asReceived?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  onEvent?(event: WireEvent): void;
}

/** A whole answer: decoded, and as received. */
export interface Whole<R extends Returns> {
  readonly reply: Reply<R>;
  readonly body: string;
}

/** One page of rows: decoded, and as received. */
export interface RowPage<Row> extends Page {
  readonly rows: readonly Row[];
}

export interface PageOptions {
  /** The first page to ask for; 1 when absent. */
  readonly from?: number;
  /** Rows that the caller will read at most: bounds what is fetched ahead. */
  readonly expectedRows?: number;
}

export interface Api {
  /** The decoded reply of an operation. Throws an ApiError. */
  call<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
  ): Promise<Reply<R>>;
  /** The same, with the body as received. */
  ask<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
  ): Promise<Whole<R>>;
  /** The pages of a list, in order, fetched ahead; a list in one body is one page. */
  pages<P extends Params, R extends Returns>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: PageOptions,
  ): AsyncGenerator<RowPage<RowOf<R>>>;
  close(): Promise<void>;
}

/** One row of a list's reply. */
export type RowOf<R extends Returns> = Reply<R> extends readonly (infer Row)[] ? Row : never;

const rowsOnAPage = 100;

/** What is asked for, by the wire's format, and where an operation has only one form. */
const media: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  schema: 'application/xml',
  text: 'text/plain, */*',
};

export function createApi(options: ApiOptions): Api {
  const { timeout, concurrency, maxWait, signal, clock = realClock } = options;
  const transport = openTransport({ timeout, connections: concurrency });
  const send = sender(transport, options, clock);
  const accepts = ({ returns }: Operation) => media[returns.kind] ?? media[options.wire];
  const read = options.asReceived ? replyOrNothing : replyOf;

  /** Reads are asked again; a write is sent once, whatever happens to its answer. */
  const attempt = <T>(operation: Operation, once: () => Promise<T>, until?: AbortSignal) => {
    const isRead = operation.method === 'GET' || operation.method === 'HEAD';
    if (!isRead) return once();
    return withRetries(once, {
      maxWait,
      clock,
      signal: until ?? signal,
      onWait: (error, milliseconds) =>
        options.onEvent?.({ type: 'waiting', why: error.message, milliseconds }),
    });
  };

  const ask: Api['ask'] = (operation, args) => {
    const request = requestFor(operation, args);
    return attempt(operation, async () => {
      const answer = await send(request, accepts(operation), 1, signal);
      return { reply: read(operation, answer), body: answer.body };
    });
  };

  return {
    ask,
    call: async (operation, args) => (await ask(operation, args)).reply,
    pages<P extends Params, R extends Returns>(
      operation: Operation<P, R>,
      args: Arguments<P>,
      { from = 1, expectedRows = Number.POSITIVE_INFINITY }: PageOptions = {},
    ) {
      const request = requestFor(operation, args);
      const fetchPage = (number: number, until: AbortSignal) =>
        attempt(
          operation,
          async (): Promise<RowPage<RowOf<R>>> => {
            const answer = await send(request, accepts(operation), number, until);
            const rows = (read(operation, answer) ?? []) as readonly RowOf<R>[];
            return { number, rows, more: answer.status === 206, body: answer.body };
          },
          until,
        );
      const expected = Math.ceil(expectedRows / rowsOnAPage);
      return readAhead(fetchPage, { first: from, concurrency, expected, signal });
    },
    close: () => transport.close(),
  };
}

/** What the answer says, or undefined where it says something that can't be read. */
const replyOrNothing: typeof replyOf = (operation, answer) => {
  try {
    return replyOf(operation, answer);
  } catch (error) {
    if (answer.status >= 200 && answer.status < 300) return undefined as never;
    throw error;
  }
};

type Send = (
  request: Request,
  accept: string | undefined,
  page: number,
  signal?: AbortSignal,
) => Promise<Answer>;

/** Sends one request in its turn and tells of it. */
function sender(transport: Transport, options: ApiOptions, clock: Clock): Send {
  const pace = paceOf(options.pace, clock);
  const headers = {
    authorization: headerValue(options.key),
    'user-agent': options.userAgent,
  };
  return async (request, accept = '*/*', page, signal) => {
    const { method } = request;
    const url = urlOf(options.baseUrl, request);
    await pace.turn(signal);
    const start = clock.now();
    options.onEvent?.({ type: 'sent', method, url, page });
    const answer = await transport.send(
      { method, url, headers: { ...headers, accept, page: String(page), ...lengthOf(method) } },
      signal,
    );
    options.onEvent?.({
      type: 'answered',
      method,
      url,
      page,
      status: answer.status,
      milliseconds: clock.now() - start,
      bytes: answer.body.length,
    });
    return answer;
  };
}

/** The service answers 400 to a write that does not tell the length of its empty body. */
function lengthOf(method: string): Record<string, string> {
  return method === 'POST' || method === 'PUT' ? { 'content-length': '0' } : {};
}

/** A key that could break out of its header is refused before it is used. */
function headerValue(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ApiError(
    'key',
    'the API key holds a space, a line break or another strange character',
    {
      hint: 'copy it again from Settings, API Management',
    },
  );
}
