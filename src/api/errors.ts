/** The one error of the client: what went wrong with a request, by kind. */

/**
 * - `request`: the request can't be sent as asked (nothing was sent)
 * - `key`: no key, or the service does not know it (401)
 * - `refused`: the service says no (other 4xx)
 * - `rate-limit`: too many requests for longer than the wait allowed (429, or a 403 that means it)
 * - `failed`: the service failed (5xx), or its answer can't be read
 * - `network`: no connection, TLS, time-out
 * - `incomplete`: a list that can't be brought to its end
 * - `cancelled`: stopped by the caller's signal
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

interface Details {
  readonly status?: number;
  /** What to do about it, as a sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Seconds to wait before another try: what the service asked for, or the back-off of a rate limit. */
  readonly retryAfter?: number;
  /** Asking again may help: a lost connection, 429, 5xx, an answer cut short. */
  readonly passing?: boolean;
  /** See `ApiError.maybeDone`; false when absent. */
  readonly maybeDone?: boolean;
}

/** Thrown by everything in `api`; `message` is one line and never holds a key. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly passing: boolean;
  /**
   * The request may have left this machine, and no clear answer came back: neither 2xx nor 4xx. What it
   * asks for may be done already, or may be done later by something on the way that passes it on.
   */
  readonly maybeDone: boolean;

  constructor(kind: ErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.hint = details.hint;
    this.retryAfter = details.retryAfter;
    this.passing = details.passing ?? false;
    this.maybeDone = details.maybeDone ?? false;
  }
}
