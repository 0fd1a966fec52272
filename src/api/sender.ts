/** One request on its way: key and headers, its turn, and word of it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';
import { type Mask, maskedAnswer } from './mask.ts';
import { isLoopback } from './origin.ts';
import { type Pace, paceOf, spacingOf } from './pace.ts';
import { rateLimitOf } from './rate-limit.ts';
import { type Request, urlOf } from './request.ts';
import { sharedSlots } from './slots.ts';
import type { Answer, Transport } from './transport.ts';

/** What happens beside the exchanges; it never carries a key. */
export type WireEvent =
  | { readonly type: 'waiting'; readonly why: string; readonly milliseconds: number }
  /** The next request had to wait for its turn. */
  | { readonly type: 'paced'; readonly milliseconds: number }
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
  /** Sends no Authorization header. */
  readonly isPublic?: boolean | undefined;
  readonly userAgent: string;
  /** Requests a second; Infinity for no limit. */
  readonly pace: number;
  /** Where processes share the pace of a key; each has its own when absent. */
  readonly paceFolder?: string;
  /** The most milliseconds that a read waits before it asks again, in all. */
  readonly maxWait: number;
  onEvent?(event: WireEvent): void;
}

/** Sends each request in its turn; a rate limit is an error. Throws an ApiError for a key that no header can hold. */
export function openSender(
  transport: Transport,
  options: SenderOptions,
  { clock, mask }: { readonly clock: Clock; readonly mask: Mask },
): Send {
  const pace = openPace(options, clock);
  const limit = rateLimitOf(clock, (wait) => pace.hold(Math.min(wait, options.maxWait)));
  const own = { ...authorizationOf(options), 'user-agent': options.userAgent };
  return async (request, { accept, page, general = false, signal }) => {
    const { method, path } = request;
    const url = urlOf(options.baseUrl, request);
    const asked = clock.now();
    await pace.turn(signal);
    const start = clock.now();
    if (start >= asked + 1) options.onEvent?.({ type: 'paced', milliseconds: start - asked });
    const headers = { ...own, accept, page: String(page), ...lengthOf(method) };
    const answer = maskedAnswer(await transport.send({ method, url, headers }, signal), mask);
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

/** Schema operations need no key. */
function authorizationOf(options: SenderOptions): Record<string, string> {
  return options.isPublic ? {} : { authorization: keyFor(options) };
}

/** A key of the sandbox is of no use elsewhere: whoever sends it there has mixed up two services. */
function keyFor({ key, baseUrl }: SenderOptions): string {
  const { hostname, origin } = new URL(baseUrl);
  if (!/(^|:)API-SANDBOX/.test(key) || isLoopback(hostname)) return headerValue(key);
  throw new ApiError('key', `the key is one of the sandbox, which is not at ${origin}`, {
    hint: 'nothing was sent; set CB_BASE_URL to the sandbox, or CB_API_KEY to a key of the service',
  });
}

/** A key that could break out of its header is refused before it is used. */
function headerValue(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ApiError(
    'request',
    'the API key holds a space, a line break or another strange character',
    { hint: 'nothing was sent; copy it again from Settings, API Management' },
  );
}
