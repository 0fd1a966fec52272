/** The error class of the client and of the library. */
import type { Finding } from '../operations/finding.ts';

/**
 * What went wrong with a request. Each kind is an exit code of `cb`. Stable.
 *
 * - `request`: the request is invalid (nothing was sent)
 * - `key`: the key or the base URL is missing or unusable, or the service does not recognize the key (401)
 * - `refused`: the service refused the request (other 4xx, redirects)
 * - `rate-limit`: too many requests, for longer than the allowed wait (429, or a 403 that means it)
 * - `failed`: the service failed (5xx), or its response can't be read
 * - `network`: connection failures, TLS failures, timeouts
 * - `incomplete`: a list that can't be read to the end, or a write whose outcome is unknown
 * - `declined`: a write that was not confirmed (nothing was sent)
 * - `cancelled`: aborted by the caller's signal, whose reason is the `cause`, or by closing the client
 */
export type ErrorKind =
  | 'request'
  | 'key'
  | 'refused'
  | 'rate-limit'
  | 'failed'
  | 'network'
  | 'incomplete'
  | 'declined'
  | 'cancelled';

/** Cases within a kind that a caller may want to handle separately. Stable. */
export type ErrorCode =
  | 'existing-match'
  | 'invalid-arguments'
  | 'missing-rows'
  | 'rate-limit'
  | 'redirect'
  | 'sandbox-key'
  | 'shifted-rows'
  | 'split-period'
  | 'timeout'
  | 'too-large'
  | 'too-many-pages'
  | 'unknown-outcome'
  | 'unknown-key'
  | 'unreachable'
  | 'unreadable';

type Details = Partial<
  Pick<
    ApiError,
    'code' | 'status' | 'hint' | 'cause' | 'retryAfter' | 'passing' | 'maybeDone' | 'findings'
  >
>;

/** The only class of errors that a client throws; `message` is one line and never contains a key. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly code: ErrorCode | undefined;
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  /** Seconds to wait before another attempt: from Retry-After, or the backoff of a rate limit. */
  readonly retryAfter: number | undefined;
  /** Another attempt may succeed: a lost connection, 429, 5xx, a response cut short. */
  readonly passing: boolean;
  /**
   * The write may have been sent, and its outcome is unclear: neither a 2xx that shows it nor a 4xx of the service.
   * It may have been carried out already, or may be later, by an intermediary that passes it on.
   * Always false for a read.
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

  /** For logs: what `JSON.stringify` writes. Without the cause, which may be anything. */
  toJSON(): object {
    const { name, message, kind, code, status, hint, retryAfter, retryable, maybeDone } = this;
    const all = { name, message, kind, code, status, hint, retryAfter, retryable, maybeDone };
    return { ...all, findings: this.findings };
  }

  /** Another attempt may succeed, and can't do a write twice. Reads were already retried for up to `maxWait`. */
  get retryable(): boolean {
    return this.passing && !this.maybeDone;
  }
}
