/** `cb orders …` */
import type { Command } from 'commander';
import type { Api } from '../../api/client.ts';
import type { Arguments } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { addEndpoint } from '../endpoint-command.ts';
import { failureFrom } from '../failure.ts';
import type { Call, Shell } from '../shell.ts';

export function addOrders(group: Command, call: Call): void {
  addEndpoint(group, call, orders.list);
  addEndpoint(group, call, orders.count);
  addEndpoint(group, call, orders.get, { layout: 'cards' });
  addEndpoint(group, call, orders.active);
  addEndpoint(group, call, orders.upsells);
  addEndpoint(group, call, orders.reinstate, { preview: showOrder });
  addEndpoint(group, call, orders.pause, { preview: showOrder });
  addEndpoint(group, call, orders.extend, { preview: showOrder });
  addEndpoint(group, call, orders.changeProduct, { preview: showOrder });
  addEndpoint(group, call, orders.changeAddress, { preview: showOrder });
  addEndpoint(group, call, orders.changeDate, { preview: showOrder });
  addEndpoint(group, call, orders.schema);
}

/** The order that is about to be changed, so that the right one is confirmed. */
async function showOrder({ messages }: Shell, api: Api, args: Arguments): Promise<void> {
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
