/** One request on its way: key and headers, its turn, and word of it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';
import { type Pace, paceOf, spacingOf } from './pace.ts';
import { rateLimitOf } from './rate-limit.ts';
import { type Request, urlOf } from './request.ts';
import { sharedSlots } from './slots.ts';
import type { Answer, Transport } from './transport.ts';

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
  | { readonly type: 'waiting'; readonly why: string; readonly milliseconds: number }
  /** The pace is this process's alone, though it was to be shared. */
  | { readonly type: 'unshared'; readonly why: string };

/** How one request goes out: what it may answer in, and the header `Page`. */
export interface Manner {
  readonly accept: string;
  readonly page: number;
  /** The path is about no single thing: none of its placeholders is filled in. */
  readonly general?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type Send = (request: Request, manner: Manner) => Promise<Answer>;

export interface SenderOptions {
  /** As `baseUrlFrom` gives it. */
  readonly baseUrl: string;
  /** Sent as it is in the Authorization header. */
  readonly key: string;
  readonly userAgent: string;
  /** Requests a second; Infinity for no limit. */
  readonly pace: number;
  /** Where processes share the pace of a key; each has its own when absent. */
  readonly paceFolder?: string;
  /** The most milliseconds that a read waits before it asks again, in all. */
  readonly maxWait: number;
  onEvent?(event: WireEvent): void;
}

/** Sends each request in its turn and tells of it; a rate limit is an error. Throws an ApiError for a key that no header can hold. */
export function openSender(transport: Transport, options: SenderOptions, clock: Clock): Send {
  const pace = openPace(options, clock);
  const limit = rateLimitOf(clock, (wait) => pace.hold(Math.min(wait, options.maxWait)));
  const headers = {
    authorization: headerValue(options.key),
    'user-agent': options.userAgent,
  };
  return async (request, { accept, page, general = false, signal }) => {
    const { method, path } = request;
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
    limit.judge({ method, path, url, general, at: start }, answer);
    return answer;
  };
}

function openPace({ pace, paceFolder, baseUrl, key, onEvent }: SenderOptions, clock: Clock): Pace {
  const alone = spacingOf(pace, clock);
  if (paceFolder === undefined || pace === Number.POSITIVE_INFINITY) return paceOf(alone, clock);
  // Other rates have other slots, and the key itself is written nowhere.
  const name = createHash('sha256').update(`${baseUrl}\n${key}\n${pace}`).digest('hex');
  const onUnshared = (why: string) => onEvent?.({ type: 'unshared', why });
  const folder = join(paceFolder, name.slice(0, 32));
  const shared = { folder, perSecond: pace, clock, otherwise: alone, onUnshared };
  return paceOf(sharedSlots(shared), clock);
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
