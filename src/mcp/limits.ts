/** What one session may do: a model that loops must not use up the account's requests. */
import {
  countRefunds,
  type RefundCounter,
  type RefundLimits,
} from '../workflows/approvals/refund-limits.ts';
import { ToolError } from './tool-error.ts';

export interface Limits {
  /** Requests to the service, retries included. */
  readonly requests: number;
  readonly refunds: RefundLimits;
}

export const usualLimits: Limits = { requests: 1000, refunds: { totals: {} } };

export interface SessionLimits {
  readonly limits: Limits;
  /** How many requests the session has sent. */
  readonly requests: number;
  readonly refunds: RefundCounter;
  /** Counts a request before it is sent. Throws a ToolError at the limit. */
  countRequest(): void;
}

export function sessionLimits(limits: Limits): SessionLimits {
  let requests = 0;
  return {
    limits,
    refunds: countRefunds(limits.refunds),
    get requests() {
      return requests;
    },
    countRequest() {
      if (requests >= limits.requests) {
        throw new ToolError(
          `This session has sent ${limits.requests} requests, which is its limit.`,
          'Ask the person to restart the server with a higher --max-requests.',
        );
      }
      requests += 1;
    },
  };
}
