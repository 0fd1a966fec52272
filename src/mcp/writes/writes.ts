/** The tools of a session that allows writes, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { cancelOrder, refundOrder } from './order-writes.ts';
import { planStatusTool } from './plan-status.ts';
import { addShipNotice } from './ship-notice.ts';
import { changeShippingAddress, changeSubscription } from './subscription-writes.ts';
import { answerTicket, closeTicket } from './ticket-writes.ts';

export const writeTools: readonly Tool[] = [
  ...[refundOrder, cancelOrder, answerTicket, closeTicket, changeSubscription],
  ...[changeShippingAddress, addShipNotice, planStatusTool],
];
