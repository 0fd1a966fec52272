/** The one error of the client. */
import type { Finding } from '../operations/validate.ts';

/**
 * What went wrong with a request. Stable.
 *
 * - `request`: the request can't be sent as asked (nothing was sent)
 * - `key`: the key or the base URL is missing or unusable, or the service does not know the key (401)
 * - `refused`: the service says no (other 4xx, redirects)
 * - `rate-limit`: too many requests for longer than the wait allowed (429, or a 403 that means it)
 * - `failed`: the service failed (5xx), or its response can't be read
 * - `network`: no connection, TLS, time-out
 * - `incomplete`: a list that can't be read to its end
 * - `cancelled`: stopped by the caller's signal, or by closing the client
 */
export type ErrorKind =
  | 'request'
  | 'key'
  | 'refused'
  | 'rate-limit'
  | 'failed'
  | 'network'
  | 'incomplete'
  | 'cancelled';

/** The cases within a kind that a caller may want to handle by itself. Stable. */
export type ErrorCode =
  | 'invalid-arguments'
  | 'missing-rows'
  | 'rate-limit'
  | 'redirect'
  | 'sandbox-key'
  | 'split-period'
  | 'timeout'
  | 'too-many-pages'
  | 'unknown-key'
  | 'unreachable'
  | 'unreadable';

interface Details {
  readonly code?: ErrorCode;
  readonly status?: number;
  readonly hint?: string;
  readonly cause?: unknown;
  readonly retryAfter?: number;
  readonly passing?: boolean;
  readonly maybeDone?: boolean;
  readonly findings?: readonly Finding[];
}

/** Thrown by everything in the client; `message` is one line and never holds a key. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly code: ErrorCode | undefined;
  /** HTTP status of the response that the error is about. */
  readonly status: number | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Seconds to wait before another attempt: what the service asked for, or the back-off of a rate limit. */
  readonly retryAfter: number | undefined;
  /** Another attempt may succeed: a lost connection, 429, 5xx, a response cut short. */
  readonly passing: boolean;
  /**
   * The request may have left this machine, and no clear answer came back: neither 2xx nor 4xx. What it
   * asks for may be done already, or may be done later by something on the way that passes it on.
   */
  readonly maybeDone: boolean;
  /** With the code `invalid-arguments`: what is wrong with each argument. Otherwise empty. */
  readonly findings: readonly Finding[];

  constructor(kind: ErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.code = details.code;
    this.status = details.status;
    this.hint = details.hint;
    this.retryAfter = details.retryAfter;
    this.passing = details.passing ?? false;
    this.maybeDone = details.maybeDone ?? false;
    this.findings = details.findings ?? [];
  }
}
