/** `cb orders …` */
import type { Command } from 'commander';
import type { Api } from '../../api/client.ts';
import type { Arguments } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { addEndpoint } from '../endpoint-command.ts';
import { showOrder } from '../order-preview.ts';
import type { Call } from '../shell.ts';

export function addOrders(group: Command, call: Call): void {
  addEndpoint(group, call, orders.list, { counts: new Map([[orders.list, orders.count]]) });
  addEndpoint(group, call, orders.count);
  addEndpoint(group, call, orders.get, { layout: 'cards' });
  addEndpoint(group, call, orders.active, { confirmNo: requireReadable });
  addEndpoint(group, call, orders.upsells);
  addEndpoint(group, call, orders.reinstate, { preview: showOrder });
  addEndpoint(group, call, orders.pause, { preview: showOrder });
  addEndpoint(group, call, orders.extend, { preview: showOrder });
  addEndpoint(group, call, orders.changeProduct, { preview: showOrder });
  addEndpoint(group, call, orders.changeAddress, { preview: showOrder });
  addEndpoint(group, call, orders.changeDate, { preview: showOrder });
  addEndpoint(group, call, orders.schema);
}

/** The same status says inactive, unknown and not permitted: an order that can be read is inactive. */
async function requireReadable(api: Api, args: Arguments): Promise<void> {
  const { receipt } = args as { readonly receipt: string };
  await api.call(orders.get, { receipt });
}
