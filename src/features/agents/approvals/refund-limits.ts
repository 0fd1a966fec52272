/**
 * How many refunds a session may plan, and how much money they may move. A plan counts from the moment it is made; it
 * counts no more only if it is certain that it can't be sent: declined, expired, or closed because it no longer held.
 */

import { WorkflowError } from '../../../client/workflow-error.ts';
import { addDecimals, countOf } from '../../../decimals/decimals.ts';
import { type Refund, refundText } from './facts.ts';

export interface RefundLimits {
  /** Refunds in a session; undefined for any number. */
  readonly refunds?: number | undefined;
  /** Decimal digits by currency. With any entry, refunds in other currencies and of unknown amounts are refused. */
  readonly totals: Readonly<Record<string, string>>;
}

export interface RefundCounter {
  readonly limits: RefundLimits;
  /**
   * Counts a refund, and returns a function that takes it back. Throws a WorkflowError (`declined`) at a limit.
   */
  reserve(refund: Refund): () => void;
  readonly count: number;
}

export function countRefunds(limits: RefundLimits): RefundCounter {
  const reserved = new Set<Refund>();
  return {
    limits,
    get count() {
      return reserved.size;
    },
    reserve(refund) {
      const problem = problemOf(limits, [...reserved], refund);
      if (problem !== undefined) {
        const hint = 'Nothing was sent. Only a person can start a session with higher limits.';
        throw new WorkflowError('declined', problem, { hint });
      }
      // A new object, because equal refunds count each.
      const entry = { ...refund };
      reserved.add(entry);
      return () => {
        reserved.delete(entry);
      };
    },
  };
}

function problemOf(
  { refunds, totals }: RefundLimits,
  reserved: readonly Refund[],
  refund: Refund,
): string | undefined {
  if (refunds !== undefined && reserved.length >= refunds) {
    return `This session may make at most ${countOf(refunds, 'refund')}.`;
  }
  if (Object.keys(totals).length === 0) return undefined;
  const { amount, currency } = refund;
  const limit =
    currency !== undefined && Object.hasOwn(totals, currency) ? totals[currency] : undefined;
  if (amount === undefined || currency === undefined) {
    return 'This session has a limit for refunds, and the amount of this one is not known.';
  }
  if (limit === undefined) return `This session may refund nothing in ${currency}.`;
  const same = reserved.filter((one) => one.currency === currency);
  const total = addDecimals([...same.map((one) => one.amount ?? '0'), amount]);
  if (total !== undefined && !isMore(total, limit)) return undefined;
  return `This session may refund at most ${limit} ${currency} in total, and ${refundText({ refund })} more would exceed that.`;
}

function isMore(one: string, other: string): boolean {
  const difference = addDecimals([one, `-${other}`]);
  return difference === undefined || !/^(?:-|0*\.?0*$)/.test(difference);
}
