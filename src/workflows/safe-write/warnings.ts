/**
 * Warnings about a write: the ways in which it moves money that its name does not mention (section 3 of
 * the specification), and why the service will not do it.
 */
import type { Looked } from './reads.ts';

/**
 * - `refunds-sale`: a cancellation refunds something that was sold once
 * - `cancels-refund`: the write cancels a refund that is under way
 * - `full-refund`: the write turns a ticket into a full refund
 * - `reopens-refund`: the write asks for a closed refund again
 * - `prorated-refund`: a change of product refunds the unused part of the period
 * - `not-refundable`: the payment can't be refunded, for example because it is too old
 * - `not-checked`: this key may not read what would have to be looked at; `message` says what is unknown
 * - `refused`: the service refuses to show what the write is about, and so will refuse the write
 */
export type WarningKind =
  | 'refunds-sale'
  | 'cancels-refund'
  | 'full-refund'
  | 'reopens-refund'
  | 'prorated-refund'
  | 'not-refundable'
  | 'not-checked'
  | 'refused';

export interface Warning {
  readonly kind: WarningKind;
  /** One sentence without its final period. */
  readonly message: string;
  readonly receipt?: string;
  /** The digits as the service sent them, where the amount is known. */
  readonly amount?: string;
  readonly currency?: string;
  /** The permission that must be given where no person confirms the write. */
  readonly requires?: 'allow-refund';
}

/** What could not be looked at. Where that may refund a sale, permission is needed as if it surely did. */
export function gap(
  looked: Exclude<Looked<unknown>, { state: 'found' }>,
  unknown: string,
  { mayRefund = false } = {},
): Warning {
  if (looked.state === 'refused') {
    const { message } = looked;
    return { kind: 'refused', message: `${message.charAt(0).toUpperCase()}${message.slice(1)}` };
  }
  return {
    kind: 'not-checked',
    message: `Not checked: ${unknown} (this key may not read it)`,
    ...(mayRefund && { requires: 'allow-refund' as const }),
  };
}
