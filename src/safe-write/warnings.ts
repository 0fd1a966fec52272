/** Warnings about a write: unexpected effects on money (section 3 of the specification), and why it will be refused. */
import type { WriteWarning } from './plan.ts';
import { itemsOf, type Looked, type Order } from './reads.ts';

export interface Warning extends WriteWarning {
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
