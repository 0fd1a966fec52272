/** Sends one request: adds key and headers, waits for the pace and the rate limit, redacts, and traces. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import type { SendingOptions } from '../exchange.ts';
import { type HttpRequest, type HttpResponse, openHttpClient } from './http-client.ts';
import { type HttpProxy, isLoopback, isSandboxKey } from './origin.ts';
import { openPace } from './pace.ts';
import { redactHeaders, redactorFor } from './redaction.ts';
import { type Request, urlOf } from './request.ts';
import { openRateLimit } from './retries.ts';

/** Receives each exchange, with keys redacted. Times are milliseconds. */
export interface TraceListener {
  sent(request: TracedRequest): void;
  /** `response.body` is redacted and complete. */
  answered(request: TracedRequest, response: HttpResponse, took: number): void;
  failed(request: TracedRequest, why: string, took: number): void;
}

export interface TracedRequest extends HttpRequest {
  /** Counts all requests of this client, from 1. */
  readonly number: number;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The options of a client that have defaults. */
type Settings = 'baseUrl' | 'userAgent' | 'pace' | 'maxWait' | 'timeout' | 'concurrency';

export interface SenderOptions
  extends Required<Defined<Pick<SendingOptions, Settings>>>,
    Pick<SendingOptions, 'paceFolder' | 'fetch' | 'onEvent'> {
  /** Sent unchanged in the Authorization header. Undefined sends none: operations that return schemas need no key. */
  readonly apiKey: string | undefined;
  readonly proxy?: HttpProxy | undefined;
  /** Further texts to redact, such as the keys of other accounts; may grow until the first request. */
  readonly secrets?: readonly string[];
  readonly trace?: TraceListener | undefined;
  /** Called before each request, also before each retry. If it throws, the request is not sent. */
  onRequest?(): void;
  /** Called with the service's time in each response. */
  onServiceTime?(time: Date): void;
}

export interface SendOptions {
  readonly accept: string;
  readonly page: number;
  /** The path names no single resource, so a 403 depends on the key alone. */
  readonly general?: boolean;
  readonly largestBody?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly attempt?: number | undefined;
  /** Milliseconds, instead of those of the client. */
  readonly timeout?: number | undefined;
}

/** Throws an ApiError for a key that is not valid in a header. */
export function openSender(options: SenderOptions, clock: Clock) {
  const { baseUrl, apiKey = '', secrets = [], proxy, maxWait, trace } = options;
  const { onEvent, onRequest, onServiceTime } = options;
  const http = openHttpClient({ ...options, connections: options.concurrency });
  const redact = redactorFor(() => [apiKey, ...secrets, ...(proxy?.secrets ?? [])]);
  const pace = openPace({
    ...{ perSecond: options.pace, clock },
    // The service limits an address, whichever keys it uses. Each rate has its own slots.
    folder:
      options.paceFolder &&
      join(options.paceFolder, encodeURIComponent(`${baseUrl} ${options.pace}`)),
    onUnshared: (why) => onEvent?.({ type: 'unshared', why }),
  });
  const judge = openRateLimit(clock, (wait) => pace.hold(Math.min(wait, maxWait)));
  const own = { ...authorizationOf(options), 'user-agent': options.userAgent };
  let requests = 0;
  let hasAnswered = false;

  return {
    /** Throws an ApiError for a rate limit or a network failure; any other status is a response. */
    async send(request: Request, options: SendOptions): Promise<HttpResponse> {
      const { accept, page, general = false, largestBody, signal, attempt = 1 } = options;
      const { method, path } = request;
      const url = urlOf(baseUrl, request);
      onRequest?.();
      const queuedAt = clock.now();
      await pace.turn(signal);
      const at = clock.now();
      if (at >= queuedAt + 1) onEvent?.({ type: 'paced', milliseconds: at - queuedAt });
      // The service returns 400 to a write without the length of its empty body.
      const length = method === 'POST' || method === 'PUT' ? { 'content-length': '0' } : {};
      const headers = { ...own, accept, page: String(page), ...length };
      const number = ++requests;
      const sent = { method, url: redact(url), headers: redactHeaders(headers, redact), number };
      trace?.sent(sent);
      const told = (status?: number) => {
        const address = new URL(sent.url);
        const event = { method, path: address.pathname + address.search, page, attempt, status };
        try {
          onEvent?.({ type: 'request', ...event, milliseconds: clock.now() - at });
        } catch {
          // What a write has done must be known, whatever its listener does.
        }
      };
      const failed = (error: Error) => {
        told();
        trace?.failed(sent, redact(error.message), clock.now() - at);
        throw error;
      };
      const received = await http
        .send({ method, url, headers, largestBody }, signal, options.timeout)
        .catch(failed);
      const response = {
        ...received,
        headers: redactHeaders(received.headers, redact),
        body: redact(received.body),
      };
      told(response.status);
      trace?.answered(sent, response, clock.now() - at);
      const time = timeIn(response);
      hasAnswered = true;
      if (time) onServiceTime?.(time);
      judge({ method, path, url, general, at }, response);
      return response;
    },
    /** Whether the service has responded before, so that a failure is more likely to be temporary. */
    hasAnswered: () => hasAnswered,
    close: () => http.close(),
  };
}

function authorizationOf({ apiKey, baseUrl }: SenderOptions): Record<string, string> {
  if (apiKey === undefined) return {};
  const { hostname, origin } = new URL(baseUrl);
  if (isSandboxKey(apiKey) && !isLoopback(hostname)) {
    // A sandbox key works nowhere else, so the base URL or the key is wrong.
    throw new ApiError('key', `This is a sandbox key, and the sandbox is not at ${origin}.`, {
      code: 'sandbox-key',
      hint: 'Nothing was sent.',
    });
  }
  // Refuses a key that could end its header and start another.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { authorization: apiKey };
  const message = 'The API key contains a space, a line break, or another invalid character.';
  const hint = 'Nothing was sent. Copy the key again from Settings, API Management.';
  throw new ApiError('request', message, { hint });
}

type TimeOptions = Pick<SenderOptions, 'baseUrl' | 'userAgent' | 'timeout' | 'proxy'> &
  Pick<SendOptions, 'signal'>;

/** Sends one request without a key. Undefined if the service is unreachable or its response has no date. */
export async function serviceTime(options: TimeOptions): Promise<Date | undefined> {
  const { baseUrl, userAgent, timeout, proxy, signal } = options;
  const http = openHttpClient({ timeout, connections: 1, proxy });
  try {
    const headers = { accept: '*/*', 'user-agent': userAgent };
    return timeIn(await http.send({ method: 'HEAD', url: `${baseUrl}/`, headers }, signal));
  } catch {
    return undefined;
  } finally {
    await http.close();
  }
}

/** The header Date; undefined if it is missing or not a date. */
function timeIn({ headers }: HttpResponse): Date | undefined {
  const time = Date.parse(headers.date ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
