/** What some ticket commands really do, where their name does not say it (section 3 of the specification). */
import type { Api } from '../api/client.ts';
import type { Arguments } from '../operations/operation.ts';
import { orders } from '../operations/orders.ts';
import { tickets } from '../operations/tickets.ts';
import { failureFrom } from './failure.ts';

/** Cancelling something that was sold once refunds it. */
export async function cancelWarning(api: Api, args: Arguments): Promise<string | undefined> {
  const { receipt, type } = args as { readonly receipt: string; readonly type: string };
  if (type !== 'cncl') return undefined;
  const [sale] = (await unlessRefused(() => api.call(orders.get, { receipt }))) ?? [];
  const recurs = (sale?.lineItemData ?? []).some(({ recurring }) => recurring);
  if (!sale || recurs) return undefined;
  const paid = [sale.totalOrderAmount?.value, sale.currency].filter(Boolean).join(' ');
  return `${receipt} is no subscription: cancelling it refunds the sale (${paid})`;
}

/** Closing an open refund drops it. */
export async function closeWarning(api: Api, args: Arguments): Promise<string | undefined> {
  const { id } = args as { readonly id: string };
  const ticket = await unlessRefused(() => api.call(tickets.get, { id }));
  if (ticket?.type !== 'REFUND' || ticket.status === 'CLOSED') return undefined;
  const amount = ticket.refundAmount ? ` of ${ticket.refundAmount.value}` : '';
  return `ticket ${id} is an open refund${amount} on ${ticket.receipt}: closing it cancels the refund`;
}

/** A key that may write without reading gets no warning, and its command goes on. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (failureFrom(error).status === 403) return undefined;
    throw error;
  }
}
