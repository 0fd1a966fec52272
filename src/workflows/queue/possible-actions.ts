/** Which actions can succeed for a ticket, and why the others can't. */

import { paymentsOf } from '../refund/refund.ts';
import { hasEnded, isOpen, type Obstacle, obstacleTo } from '../refund/refundable.ts';
import type { Ticket, Transaction } from '../safe-write/reads.ts';
import { requestsRefund } from './outlook.ts';
import { itemOf, type TicketDetails } from './ticket-details.ts';

export const actionNames = ['refund', 'cancel', 'reply', 'close', 'reopen', 'return'] as const;

export type ActionName = (typeof actionNames)[number];

/** The receipts that this session has refunded or canceled; a second refund of one is never offered. */
export type SentRefunds = ReadonlySet<string>;

/** One sentence that says why the action can't succeed; undefined if nothing is known to prevent it. */
export function whyNot(
  action: ActionName,
  details: TicketDetails,
  sent: SentRefunds,
): string | undefined {
  return reasons[action](details, sent);
}

type Reason = (details: TicketDetails, sent: SentRefunds) => string | undefined;

const reasons: Readonly<Record<ActionName, Reason>> = {
  refund: whyNoRefund,
  cancel: whyNoCancellation,
  reply: () => undefined,
  close: ({ ticket }) => (isOpen(ticket) ? undefined : 'This ticket is already closed.'),
  reopen: whyNoReopening,
  return: whyNoReturn,
};

/** The payments of the order that can be refunded, the newest first. */
export function refundablePayments(details: TicketDetails, sent: SentRefunds): Transaction[] {
  const { sale } = details;
  if (!sale) return [];
  return paymentsOf(sale).filter(
    (payment) => !sent.has(payment.receipt ?? '') && !obstacleOf(details, payment),
  );
}

function obstacleOf({ ticket, sale }: TicketDetails, payment: Transaction): Obstacle | undefined {
  const item = itemOf({ ticket, payment });
  return sale && obstacleTo(sale, payment, item ? [item] : undefined);
}

function whyNoRefund(details: TicketDetails, sent: SentRefunds): string | undefined {
  const { ticket, sale, payment } = details;
  if (!sale || !payment) return 'The order of this ticket could not be read.';
  if (isOpen(ticket) && requestsRefund(details)) {
    return 'This ticket already requests a refund. To refund only a part, close it first.';
  }
  if (refundablePayments(details, sent).length > 0) return undefined;
  const obstacle = obstacleOf(details, payment);
  return whySent(details, sent) ?? `${payment.receipt} can't be refunded: ${obstacle?.clause}.`;
}

function whyNoCancellation(details: TicketDetails, sent: SentRefunds): string | undefined {
  const { sale, payment } = details;
  if (!sale || !payment) return 'The order of this ticket could not be read.';
  const open = openCancellation(details);
  if (open) return `A cancellation of it is already open (ticket ${open.ticketid}).`;
  const item = itemOf(details);
  if (!item?.recurring) return whyNoRefund(details, sent) ?? whySent(details, sent);
  return hasEnded(item) ? 'The subscription has already ended.' : whySent(details, sent);
}

function openCancellation({ ticket, sale }: TicketDetails): Ticket | undefined {
  const all = [ticket, ...(sale?.tickets ?? [])];
  return all.find((one) => one.type === 'CANCEL' && isOpen(one) && one.receipt === ticket.receipt);
}

/** Reopening a refund requests it again. */
function whyNoReopening(details: TicketDetails, sent: SentRefunds): string | undefined {
  const { ticket } = details;
  if (isOpen(ticket)) return 'This ticket is not closed.';
  return ticket.type === 'TECH_SUPPORT' ? undefined : whySent(details, sent);
}

function whyNoReturn(details: TicketDetails): string | undefined {
  if (!isOpen(details.ticket) || !requestsRefund(details)) {
    return 'This ticket has no open refund to complete.';
  }
  return itemOf(details)?.shippable ? undefined : 'The product is not shipped, so nothing returns.';
}

function whySent({ ticket }: TicketDetails, sent: SentRefunds): string | undefined {
  const receipt = ticket.receipt ?? '';
  return sent.has(receipt)
    ? `You have already refunded or canceled ${receipt} in this session.`
    : undefined;
}
