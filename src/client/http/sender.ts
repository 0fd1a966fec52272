/** Sends one request: key and headers, its turn by the pace, the rate limit, redaction and tracing. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { type Pace, paceOf, spacingOf } from '../limits/pace.ts';
import { rateLimitOf } from '../limits/rate-limit.ts';
import { sharedSlots } from '../limits/slots.ts';
import { type HttpRequest, type HttpResponse, openHttpClient } from './http-client.ts';
import { isLoopback, isSandboxKey } from './origin.ts';
import type { HttpProxy } from './proxy.ts';
import { type Redact, redactHeaders, redactorFor } from './redaction.ts';
import { type Request, urlOf } from './request.ts';

/** What happens besides the exchanges; it never holds a key. */
export type ClientEvent =
  | { readonly type: 'waiting'; readonly why: string; readonly milliseconds: number }
  /** The next request had to wait for its turn. */
  | { readonly type: 'paced'; readonly milliseconds: number }
  /** The pace is this process's alone, though it was to be shared. */
  | { readonly type: 'unshared'; readonly why: string };

/** Is told of each exchange, without keys. Times are milliseconds. */
export interface TraceListener {
  sent(request: TracedRequest): void;
  /** `response.body` is redacted and whole. */
  answered(request: TracedRequest, response: HttpResponse, took: number): void;
  failed(request: TracedRequest, why: string, took: number): void;
}

export interface TracedRequest extends HttpRequest {
  /** Of all that this client sent, from 1. */
  readonly number: number;
}

export interface SenderOptions {
  /** `https://api.clickbank.com` by default. Plain http is refused except to this machine. */
  readonly baseUrl: string;
  /** Sent unchanged in the Authorization header. Undefined sends none: operations that return schemas need no key. */
  readonly apiKey: string | undefined;
  readonly userAgent: string;
  /** Requests a second, 8 by default; Infinity for no limit. The service allows 10. */
  readonly pace: number;
  /** A folder through which processes share the pace of a key. Without it, each process has a pace of its own. */
  readonly paceFolder?: string | undefined;
  /** Maximum total milliseconds that a read waits between attempts; 60,000 by default. */
  readonly maxWait: number;
  /** Milliseconds from sending a request to the end of its response; 60,000 by default. */
  readonly timeout: number;
  /** Maximum number of requests under way at once; 10 by default. */
  readonly concurrency: number;
  readonly proxy?: HttpProxy | undefined;
  /** Further texts to redact, such as the keys of other accounts; may grow until the first request. */
  readonly secrets?: readonly string[];
  readonly trace?: TraceListener | undefined;
  onEvent?(event: ClientEvent): void;
  /** Called once, with the service's time in its first response. */
  onServiceTime?(time: Date): void;
}

export interface SendOptions {
  readonly accept: string;
  readonly page: number;
  /** The path names no single thing, so only the key decides about a 403. */
  readonly general?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Sender {
  /** Throws an ApiError; a rate limit is one, any other status is a response. */
  send(request: Request, options: SendOptions): Promise<HttpResponse>;
  /** The service has answered before: what fails now is more likely to pass. */
  hasAnswered(): boolean;
  close(): Promise<void>;
}

/** Throws an ApiError for a key that no header can hold. */
export function openSender(options: SenderOptions, clock: Clock): Sender {
  const { apiKey = '', proxy, secrets = [], maxWait, concurrency } = options;
  const http = openHttpClient({ ...options, connections: concurrency });
  const redact = redactorFor(() => [apiKey, ...secrets, ...(proxy?.secrets ?? [])]);
  const pace = openPace(options, clock);
  const limit = rateLimitOf(clock, (wait) => pace.hold(Math.min(wait, maxWait)));
  const own = { ...authorizationOf(options), 'user-agent': options.userAgent };
  const exchange = traced(
    async (request, signal) => {
      const { headers, body, ...rest } = await http.send(request, signal);
      return { ...rest, headers: redactHeaders(headers, redact), body: redact(body) };
    },
    { redact, clock, trace: options.trace },
  );
  let hasAnswered = false;
  return {
    async send(request, { accept, page, general = false, signal }) {
      const { method, path } = request;
      const url = urlOf(options.baseUrl, request);
      const asked = clock.now();
      await pace.turn(signal);
      const at = clock.now();
      if (at >= asked + 1) options.onEvent?.({ type: 'paced', milliseconds: at - asked });
      const headers = { ...own, accept, page: String(page), ...lengthOf(method) };
      const response = await exchange({ method, url, headers }, signal);
      const time = hasAnswered ? undefined : timeIn(response);
      hasAnswered = true;
      if (time) options.onServiceTime?.(time);
      limit.judge({ method, path, url, general, at }, response);
      return response;
    },
    hasAnswered: () => hasAnswered,
    close: () => http.close(),
  };
}

type Exchange = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpResponse>;

interface Tracing {
  readonly redact: Redact;
  readonly clock: Clock;
  readonly trace: TraceListener | undefined;
}

function traced(exchange: Exchange, { redact, clock, trace }: Tracing): Exchange {
  if (!trace) return exchange;
  let count = 0;
  return async (request, signal) => {
    count += 1;
    const { method, url, headers } = request;
    const shown = { method, url: redact(url), headers: redactHeaders(headers, redact) };
    const sent = { ...shown, number: count };
    trace.sent(sent);
    const start = clock.now();
    try {
      const response = await exchange(request, signal);
      trace.answered(sent, response, clock.now() - start);
      return response;
    } catch (error) {
      trace.failed(sent, redact((error as Error).message), clock.now() - start);
      throw error;
    }
  };
}

function openPace(options: SenderOptions, clock: Clock): Pace {
  const { pace, paceFolder, baseUrl, apiKey = '', onEvent } = options;
  const alone = spacingOf(pace, clock);
  if (paceFolder === undefined || pace === Number.POSITIVE_INFINITY) return paceOf(alone, clock);
  // Other rates have other slots, and the key itself is written nowhere.
  const name = createHash('sha256').update(`${baseUrl}\n${apiKey}\n${pace}`).digest('hex');
  const onUnshared = (why: string) => onEvent?.({ type: 'unshared', why });
  const folder = join(paceFolder, name.slice(0, 32));
  const shared = { folder, perSecond: pace, clock, otherwise: alone, onUnshared };
  return paceOf(sharedSlots(shared), clock);
}

/** The service answers 400 to a write that does not tell the length of its empty body. */
function lengthOf(method: string): Record<string, string> {
  return method === 'POST' || method === 'PUT' ? { 'content-length': '0' } : {};
}

function authorizationOf({ apiKey, baseUrl }: SenderOptions): Record<string, string> {
  if (apiKey === undefined) return {};
  const { hostname, origin } = new URL(baseUrl);
  if (isSandboxKey(apiKey) && !isLoopback(hostname)) {
    // A sandbox key works nowhere else, so sending it means that two services were confused.
    throw new ApiError('key', `the key is one of the sandbox, which is not at ${origin}`, {
      code: 'sandbox-key',
      hint: 'nothing was sent',
    });
  }
  // A key that could break out of its header is refused before it is used.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { authorization: apiKey };
  throw new ApiError(
    'request',
    'the API key holds a space, a line break or another strange character',
    { hint: 'nothing was sent; copy it again from Settings, API Management' },
  );
}

interface TimeOptions extends Pick<SenderOptions, 'baseUrl' | 'userAgent' | 'timeout' | 'proxy'> {
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request without a key. Undefined if the service can't be reached or does not tell its time. */
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
