/** Warnings about a write: unexpected effects on money (section 3 of the specification), and why it will be refused. */
import { itemsOf, type Looked, type Order } from './reads.ts';

/**
 * - `refunds-sale`: a cancellation refunds a one-time sale
 * - `cancels-refund`: the write cancels an open refund
 * - `full-refund`: the write turns a ticket into a full refund
 * - `reopens-refund`: the write requests a closed refund again
 * - `prorated-refund`: a product change refunds the unused part of the period
 * - `not-refundable`: the payment can't be refunded, for example because it is too old
 * - `several-items`: the order has several items, and the write names none of them
 * - `not-checked`: this key may not read the required data; `message` says what is unknown
 * - `refused`: the service refuses to show the subject of the write, so it will refuse the write
 */
export type WarningKind =
  | 'refunds-sale'
  | 'cancels-refund'
  | 'full-refund'
  | 'reopens-refund'
  | 'prorated-refund'
  | 'not-refundable'
  | 'several-items'
  | 'not-checked'
  | 'refused';

export interface Warning {
  readonly kind: WarningKind;
  /** One sentence without its final period. */
  readonly message: string;
  readonly receipt?: string;
  /** The digits as sent by the service, if the amount is known. */
  readonly amount?: string;
  readonly currency?: string;
  /** HTTP status of a refusal. */
  readonly status?: number;
  /** The permission required if no person confirms the write. */
  readonly requires?: 'allow-refund';
}

/** A warning about something that could not be read. If it may refund a sale, it requires permission. */
export function gap(
  looked: Exclude<Looked<unknown>, { state: 'found' }>,
  unknown: string,
  { mayRefund = false } = {},
): Warning {
  if (looked.state === 'refused') {
    const { message, status } = looked;
    const refusal = { kind: 'refused', message: message.replace(/\.$/, '') } as const;
    return status === undefined ? refusal : { ...refusal, status };
  }
  return {
    kind: 'not-checked',
    message: `Not checked: ${unknown} (this key may not read it)`,
    ...(mayRefund && { requires: 'allow-refund' as const }),
  };
}

export function severalItems(order: Order, sku: string | undefined): Warning[] {
  const items = itemsOf(order, undefined).map(({ itemNo }) => itemNo);
  if (sku !== undefined || items.length < 2) return [];
  const { receipt } = order;
  return [
    { kind: 'several-items', message: `${receipt} has the items ${items.join(', ')}`, receipt },
  ];
}
