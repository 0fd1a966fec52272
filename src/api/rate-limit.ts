/** The service's rate limit: told from a no, and waited out by all requests of the process at once. */
import type { Clock } from './clock.ts';
import { type Evidence, evidenceOf, type Subject } from './evidence.ts';
import { tooManyRequests } from './reply.ts';
import { backOff, retryAfterSeconds } from './retry.ts';
import type { Answer } from './transport.ts';

export interface Sent extends Subject {
  readonly method: string;
  /** By the clock's `now`. */
  readonly at: number;
}

export interface RateLimit {
  /** Takes note of an answer. Throws an ApiError of kind `rate-limit` where it means too many requests. */
  judge(sent: Sent, answer: Answer): void;
}

/**
 * Longer than after a failure, since each try counts too: the limit of ten a second is over at once,
 * that of 25,000 a day is not.
 */
const waits = { first: 2000, longest: 60_000 };

/** The least wait where the service tells how long to wait: `Retry-After: 0` must not be taken literally. */
const leastWaits = { first: 500, longest: 30_000 };

/** `hold` is told how long nothing should go out. */
export function rateLimitOf(clock: Clock, hold: (milliseconds: number) => void): RateLimit {
  const evidence = evidenceOf(clock);
  const spell = spellOf(clock);
  return {
    judge(sent, answer) {
      const { status, headers } = answer;
      if (!isRead(sent)) evidence.written();
      if (status >= 200 && status < 300) {
        if (sent.method === 'GET') evidence.allowed(sent);
        spell.end(sent.at);
      }
      const allowedAgo = status === 403 ? refusedByRate(sent, evidence) : undefined;
      if (status !== 429 && allowedAgo === undefined) return;
      const asked = retryAfterSeconds(headers['retry-after'], clock.wall());
      const wait = spell.refused(sent.at, asked);
      hold(wait);
      evidence.outlast(sent, wait);
      throw tooManyRequests(answer, { wait, allowedAgo });
    },
  };
}

function isRead({ method }: Sent): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Seconds since it was allowed. To a HEAD a 403 is an answer, to a write often a rule. */
function refusedByRate(sent: Sent, evidence: Evidence): number | undefined {
  return sent.method === 'GET' ? evidence.ago(sent) : undefined;
}

/** Refusals one after the other; those of requests that were under way together count as one. */
function spellOf(clock: Clock) {
  let refusals = 0;
  let since = Number.NEGATIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds to wait from now. */
    refused(sentAt: number, asked: number | undefined): number {
      const now = clock.now();
      const isNext = sentAt >= since;
      if (isNext) refusals += 1;
      const wait =
        asked === undefined
          ? backOff(refusals, waits, clock)
          : Math.max(asked * 1000, backOff(refusals, leastWaits, clock));
      if (!isNext && asked === undefined) return Math.max(0, until - now);
      since = now;
      until = Math.max(until, now + wait);
      return wait;
    },
    end(sentAt: number): void {
      if (sentAt >= since) refusals = 0;
    },
  };
}
