/** Warnings about a write: unexpected effects on money (section 3 of the specification), and why it will be refused. */
import { isSameItem } from '../operations/operation.ts';
import type { WriteWarning } from './plan.ts';
import type { Looked, Order } from './reads.ts';

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

/** A warning that ClickBank will refuse the write. */
export function refusedIf(isRefused: boolean, message: string): Warning[] {
  return isRefused ? [{ kind: 'refused', message }] : [];
}

/** ClickBank refuses a write that names none of several items, or one that the order lacks. */
export function itemProblems({ receipt, payment }: Order, sku: string | undefined): Warning[] {
  const items = payment.lineItemData ?? [];
  const names = items.map(({ itemNo }) => itemNo).join(', ');
  if (sku === undefined) {
    const message = `${receipt} has the items ${names}`;
    return items.length < 2 ? [] : [{ kind: 'several-items', message, receipt }];
  }
  // The order of a subscription does not show the product that it was changed to.
  const isPossible = items.some(
    ({ itemNo, recurring }) => recurring !== false || isSameItem(itemNo, sku),
  );
  return refusedIf(items.length > 0 && !isPossible, `${receipt} has no item ${sku}, only ${names}`);
}
