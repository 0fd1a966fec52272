/** What a person sees before changing something: the order, and what a refund would pay back. */
import type { Api } from '../api/client.ts';
import type { Arguments } from '../operations/operation.ts';
import { orders } from '../operations/orders.ts';
import { tickets } from '../operations/tickets.ts';
import { failureFrom } from './failure.ts';
import type { Shell } from './shell.ts';

/** The order that is about to be changed, so that the right one is confirmed. */
export async function showOrder({ messages }: Shell, api: Api, args: Arguments): Promise<void> {
  const { receipt } = args as { readonly receipt: string };
  try {
    const [sale] = await api.call(orders.get, { receipt });
    if (!sale) return;
    const total = [sale.totalOrderAmount?.value, sale.currency].filter(Boolean).join(' ');
    messages.tell([receipt, sale.fullName, total, sale.country].filter(Boolean).join('  '));
    for (const item of sale.lineItemData ?? []) {
      const next = item.nextPaymentDate ? `next payment ${item.nextPaymentDate.slice(0, 10)}` : '';
      const words = [item.itemNo, item.productTitle, item.status, next].filter(Boolean);
      messages.tell(`  ${words.join('  ')}`);
    }
  } catch (error) {
    // A key may change subscriptions without reading orders: the question still names the receipt.
    messages.tell(`the order can't be shown: ${failureFrom(error).message}`);
  }
}

/** The order, and for a refund the amounts that the service would pay back. */
export async function showRefund(shell: Shell, api: Api, args: Arguments): Promise<void> {
  await showOrder(shell, api, args);
  const {
    receipt,
    sku,
    refundType,
    refundAmount = '0',
  } = args as Arguments<typeof tickets.refundAmounts.params>;
  if (refundType === undefined) return;
  try {
    const refund = await api.call(tickets.refundAmounts, {
      receipt,
      sku,
      refundType,
      refundAmount,
    });
    const pairs = [
      [refund?.customerAmount?.value, refund?.customerCurrency],
      [refund?.usdAmount?.value, 'USD'],
    ];
    shell.messages.tell(`would pay back ${pairs.map((pair) => pair.join(' ')).join(', ')}`);
  } catch (error) {
    shell.messages.tell(`the amounts can't be shown: ${failureFrom(error).message}`);
  }
}
