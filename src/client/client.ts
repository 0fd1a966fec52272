/** The client of the ClickBank REST API 1.3: calls operations and returns typed replies and rows. */
import { pacificDay } from '../dates/day.ts';
import {
  type Arguments,
  isWrite,
  type Operation,
  type Params,
  type Returns,
} from '../operations/operation.ts';
import { problemsIn, validate } from '../operations/validate.ts';
import { type Clock, realClock } from './clock.ts';
import {
  type Decoded,
  listContentOf,
  type RowOf,
  replyOf,
  requireConfirmation,
} from './codec/reply.ts';
import type { Numbers } from './codec/rows.ts';
import { ApiError } from './errors.ts';
import type { RequestOptions, SendingOptions } from './exchange.ts';
import type { HttpResponse } from './http/http-client.ts';
import { refusal } from './http/http-errors.ts';
import { baseUrlFrom, liveBaseUrl } from './http/origin.ts';
import { type Request, requestFor } from './http/request.ts';
import { openRetries } from './http/retries.ts';
import { openSender, type SenderOptions, type SendOptions } from './http/sender.ts';
import { type ListOptions, readList } from './paging/lists.ts';
import type { RowPage } from './paging/pages.ts';

/** Only `apiKey` is required. */
export interface ClientOptions
  extends SendingOptions,
    Pick<SenderOptions, 'apiKey' | 'proxy' | 'secrets' | 'trace' | 'onRequest' | 'onServiceTime'> {
  /** The format of the responses; JSON by default. The rows are the same in each. */
  readonly wire?: 'json' | 'xml';
  /** True returns the body of a 2xx to a read that can't be decoded, with an undefined reply, instead of throwing. */
  readonly asReceived?: boolean;
  /** False sends arguments unchecked. By default, the catalogue's rules apply, with the Pacific day of `now`. */
  readonly validate?: boolean;
  /** For tests: the clock of waits and of the pace. */
  readonly clock?: Clock | undefined;
}

export interface CallOptions<N extends Numbers = Numbers> extends RequestOptions {
  /** How decimals and integers are returned; `plain` by default. */
  readonly numbers?: N;
  /** False sends a read only once, without retries. */
  readonly retries?: boolean;
}

export interface PageOptions<N extends Numbers = Numbers> extends ListOptions, RequestOptions {
  /** `plain` by default. */
  readonly numbers?: N;
  /** The largest body of a page that is read, in bytes; 64 MiB by default. A larger one is an ApiError `too-large`. */
  readonly largestBody?: number;
}

/**
 * Every method except `close` throws an ApiError; its `kind` and `code` say what went wrong. Reads are retried
 * after connection failures, 429, and 5xx, for up to `maxWait` milliseconds. A write is sent once and never
 * retried: if the error has `maybeDone`, check whether it was done before sending it again.
 */
export interface Client {
  /** Sends one request and returns its decoded reply, as `returns` of the operation says; rows are as in the library. */
  call<P extends Params, R extends Returns, N extends Numbers = 'plain'>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: CallOptions<N>,
  ): Promise<Decoded<R, N>>;
  /** The same, with the body as received, in which keys are redacted. */
  exchange<P extends Params, R extends Returns, N extends Numbers = 'plain'>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: CallOptions<N>,
  ): Promise<{ readonly reply: Decoded<R, N>; readonly body: string }>;
  /** Yields the pages of a whole list in order, each row once, prefetching the next. A list that is not paged is one page. */
  pages<P extends Params, R extends Returns, N extends Numbers = 'plain'>(
    operation: Operation<P, R>,
    args: Arguments<P>,
    options?: PageOptions<N>,
  ): AsyncGenerator<RowPage<RowOf<R, N>>>;
  /** Sends any request unchecked and returns the response, also if it is 4xx. */
  send(request: Request, page: number, options?: CallOptions): Promise<HttpResponse>;
  /** Aborts all requests. Resolves when all connections are closed. */
  close(): Promise<void>;
}

const opaque = { rows: [], totals: [], isOpaque: true };

/** Accept headers by wire format, and by kind for operations with only one format. */
const media: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  'count json': 'application/json, text/plain',
  schema: 'application/xml',
  text: 'text/plain, */*',
};

/** Throws an ApiError for a base URL or a key that can't be used. Sends nothing yet. */
export function createClient(options: ClientOptions): Client {
  const { wire = 'json', asReceived = false, clock = realClock } = options;
  const { now = () => new Date(clock.wall()) } = options;
  const baseUrl = baseUrlFrom(options.baseUrl ?? liveBaseUrl);
  const { userAgent = 'clickbank-client', pace = 8, timeout = 60_000, maxWait = 60_000 } = options;
  // Enough for the default pace if each page takes a second, with two to spare.
  const { concurrency = 10 } = options;
  const settings = { userAgent, pace, timeout, maxWait, concurrency, baseUrl };
  const sender = openSender({ ...options, ...settings }, clock);
  // A read that waits to be retried when the client is closed must not keep the process alive.
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
  const attempt = openRetries({
    ...{ maxWait, clock, hasAnswered: sender.hasAnswered },
    onWait: (why, milliseconds) => options.onEvent?.({ type: 'waiting', why, milliseconds }),
  });

  const acceptOf = ({ returns }: Operation) =>
    media[`${returns.kind} ${wire}`] ?? media[returns.kind] ?? media[wire] ?? '*/*';
  const send = (
    operation: Operation,
    request: Request,
    options: Omit<SendOptions, 'accept' | 'general'>,
  ) => {
    const general = !operation.path.includes('{');
    return sender.send(request, { accept: acceptOf(operation), general, ...options });
  };
  const requireValid = (operation: Operation, args: Arguments) => {
    if (options.validate !== false) requireValidArguments(operation, args, now());
  };
  const decoded = <T>({ status }: HttpResponse, decode: () => T, otherwise: () => T): T => {
    try {
      return decode();
    } catch (error) {
      if (asReceived && status >= 200 && status < 300) return otherwise();
      throw error;
    }
  };

  const client: Client = {
    call: async (...args) => (await client.exchange(...args)).reply,
    async exchange(operation, args, options = {}) {
      const { numbers, retries, signal: own, timeout, maxWait, onResponse } = options;
      requireValid(operation, args);
      const request = requestFor(operation, args);
      const until = own ? AbortSignal.any([signal, own]) : signal;
      const once = async (attempt: number) => {
        const sent = { page: 1, signal: until, attempt, timeout };
        const response = await send(operation, request, sent);
        const { status, headers, body } = response;
        const read = () => {
          const reply = replyOf(operation, response, numbers);
          requireConfirmation(operation, args, response, reply);
          return reply;
        };
        // What a write has done must be known, also if its response is shown as received, or its listener throws.
        const isKnown = isWrite(operation);
        const reply = isKnown ? read() : decoded(response, read, () => undefined as never);
        try {
          onResponse?.({ status, headers });
        } catch (error) {
          if (!isKnown) throw error;
        }
        return { reply, body };
      };
      return attempt(operation.method, once, until, { retries, maxWait });
    },
    pages<P extends Params, R extends Returns, N extends Numbers = 'plain'>(
      operation: Operation<P, R>,
      args: Arguments<P>,
      { numbers, largestBody, timeout, maxWait, onResponse, ...listed }: PageOptions<N> = {},
    ) {
      const fetch = (request: Request, number: number, until: AbortSignal) =>
        attempt(
          operation.method,
          async (attempt) => {
            const options = { page: number, largestBody, signal: until, attempt, timeout };
            const response = await send(operation, request, options);
            const { body, status, headers } = response;
            const read = () => listContentOf<R, N>(operation, response, numbers);
            const content = decoded(response, read, () => opaque);
            onResponse?.({ status, headers });
            return { ...content, number, more: status === 206, body };
          },
          until,
          { maxWait },
        );
      requireValid(operation, args);
      const today = dayOf(now());
      const fetcher = { concurrency, signal, today, fetch, client, clock };
      return readList(operation, args, listed, fetcher);
    },
    send: (request, page, { signal: own, timeout, maxWait } = {}) => {
      const until = own ? AbortSignal.any([signal, own]) : signal;
      return attempt(
        request.method,
        async (attempt) => {
          // Some paths, such as schemas and the roles of a key, do not have this format.
          const accept = `${media[wire]}, */*;q=0.1`;
          const options = { accept, page, signal: until, attempt, timeout };
          const response = await sender.send(request, options);
          if (response.status >= 500) throw refusal(response);
          return response;
        },
        until,
        { maxWait },
      );
    },
    close() {
      closing.abort(new ApiError('cancelled', 'The client is closed.'));
      return sender.close();
    },
  };
  return client;
}

/** Throws an ApiError for arguments that break a rule of the catalogue. */
export function requireValidArguments(operation: Operation, args: Arguments, now: Date): void {
  const { problems: findings, message } = problemsIn(validate(operation, args, dayOf(now)));
  if (findings.length === 0) return;
  throw new ApiError('request', message, {
    ...{ code: 'invalid-arguments', findings, hint: 'Nothing was sent.' },
  });
}

const dayOf = (now: Date) => pacificDay(now.getTime() / 1000);
