/** What happens to a ticket if nobody acts, which actions can succeed, and why the others can't. */
import { countOf } from '../../../decimals/decimals.ts';
import type { Transaction } from '../../../safe-write/reads.ts';
import { hasEnded, isOpen, type Obstacle, obstacleTo } from '../../../safe-write/refundable.ts';
import { money } from '../../../safe-write/sentence.ts';
import { paymentsOf } from '../refund/refund.ts';
import { instantOf, itemOf, type TicketDetails } from './ticket-details.ts';

/**
 * `sentence` has no final period. `isAutomatic`: money moves, or a subscription ends, unless somebody acts. `now` is
 * milliseconds since 1970; `timeOf` writes a time for people.
 */
export function outlookOf(details: TicketDetails, now: number, timeOf: (time: string) => string) {
  const { ticket } = details;
  if (!isOpen(ticket)) {
    const on = ticket.closedDate ? ` on ${timeOf(ticket.closedDate)}` : '';
    return { sentence: `Closed${on}`, isAutomatic: false };
  }
  const consequence = consequenceOf(details);
  const isAutomatic = consequence !== undefined;
  const expires = instantOf(ticket.expirationDate);
  if (expires === undefined) {
    const none = 'No expiration date';
    if (requestsRefund(details) && itemOf(details)?.shippable) {
      const returned = `${refundWords(details)} is refunded when you acknowledge the return`;
      return { sentence: `${none}: ${returned}`, isAutomatic: false };
    }
    if (ticket.type === 'TECH_SUPPORT') {
      return { sentence: `${none}: the ticket stays open`, isAutomatic: false };
    }
    return { sentence: `${none}${consequence ? `: ${consequence}` : ''}`, isAutomatic };
  }
  const time = timeOf(ticket.expirationDate ?? '');
  if (expires <= now) {
    const sentence = `Expired ${distance(now - expires)} ago (${time}); not closed yet`;
    return { sentence, isAutomatic };
  }
  const effect = consequence ?? 'what ClickBank does then is not documented';
  return { sentence: `Expires in ${distance(expires - now)} (${time}): ${effect}`, isAutomatic };
}

/** A refund, or a cancellation of something that is not a subscription. */
function requestsRefund(details: TicketDetails): boolean {
  const { type } = details.ticket;
  return type === 'REFUND' || (type === 'CANCEL' && itemOf(details)?.recurring === false);
}

function refundWords({ ticket, payment }: TicketDetails): string {
  return money(ticket.refundAmount, payment?.currency) || 'the payment';
}

function consequenceOf(details: TicketDetails): string | undefined {
  const { type } = details.ticket;
  const item = itemOf(details);
  if (requestsRefund(details)) {
    const ends = item?.recurring && !hasEnded(item) ? ', and future billing ends' : '';
    return `ClickBank refunds ${refundWords(details)} automatically${ends}`;
  }
  if (type !== 'CANCEL' || !item?.recurring) return undefined;
  return hasEnded(item)
    ? 'nothing is refunded, and the subscription has already ended'
    : 'future billing ends, and nothing is refunded';
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "2 days", "5 hours", "1 minute"; less than a minute is "less than a minute". */
export function distance(milliseconds: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(milliseconds / length);
    if (count >= 1) return countOf(count, unit);
  }
  return 'less than a minute';
}

export const actionNames = ['refund', 'cancel', 'reply', 'close', 'reopen', 'return'] as const;

export type ActionName = (typeof actionNames)[number];

/**
 * One sentence that says why the action can't succeed; undefined if nothing is known to prevent it. `sent`: the receipts that
 * this session has refunded or canceled; a second refund of one is never offered.
 */
type WhyNot = (details: TicketDetails, sent: ReadonlySet<string>) => string | undefined;

export const whyNot: Readonly<Record<ActionName, WhyNot>> = {
  refund: whyNoRefund,
  cancel: whyNoCancellation,
  reply: () => undefined,
  close: ({ ticket }) => (isOpen(ticket) ? undefined : 'This ticket is already closed.'),
  reopen(details, sent) {
    if (isOpen(details.ticket)) return 'This ticket is not closed.';
    // Reopening a refund requests it again.
    return details.ticket.type === 'TECH_SUPPORT' ? undefined : whySent(details, sent);
  },
  return(details) {
    if (!isOpen(details.ticket) || !requestsRefund(details)) {
      return 'This ticket has no open refund to complete.';
    }
    return itemOf(details)?.shippable
      ? undefined
      : "The product isn't shipped, so there is nothing to return.";
  },
};

/** The payments of the order that can be refunded, the newest first. */
export function refundablePayments(
  details: TicketDetails,
  sent: ReadonlySet<string>,
): Transaction[] {
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

function whyNoRefund(details: TicketDetails, sent: ReadonlySet<string>): string | undefined {
  const { ticket, sale, payment } = details;
  if (!sale || !payment) return 'The order of this ticket could not be read.';
  if (isOpen(ticket) && requestsRefund(details)) {
    return 'This ticket already requests a refund. To refund only a part, close it first.';
  }
  if (refundablePayments(details, sent).length > 0) return undefined;
  const obstacle = obstacleOf(details, payment);
  return whySent(details, sent) ?? `${payment.receipt} can't be refunded: ${obstacle?.clause}.`;
}

function whyNoCancellation(details: TicketDetails, sent: ReadonlySet<string>): string | undefined {
  const { ticket, sale, payment } = details;
  if (!sale || !payment) return 'The order of this ticket could not be read.';
  const open = [ticket, ...(sale.tickets ?? [])].find(
    (one) => one.type === 'CANCEL' && isOpen(one) && one.receipt === ticket.receipt,
  );
  if (open) return `The order already has an open cancellation (ticket ${open.ticketid}).`;
  const item = itemOf(details);
  if (!item?.recurring) return whyNoRefund(details, sent) ?? whySent(details, sent);
  return hasEnded(item) ? 'The subscription has already ended.' : whySent(details, sent);
}

function whySent({ ticket }: TicketDetails, sent: ReadonlySet<string>): string | undefined {
  const receipt = ticket.receipt ?? '';
  return sent.has(receipt)
    ? `You have already refunded or canceled ${receipt} in this session.`
    : undefined;
}
