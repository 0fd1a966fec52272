/**
 * What happens to a ticket if nobody acts on it, as far as the service documents it: a refund or cancellation of a
 * one-time sale refunds it automatically; a cancellation of a subscription only ends future billing; a refund of
 * a physical item completes when its return is acknowledged (section 3 of the specification).
 */
import { hasEnded, isOpen } from '../refund/refundable.ts';
import { money } from '../safe-write/sentence.ts';
import { instantOf } from './queued-tickets.ts';
import { itemOf, type TicketDetails } from './ticket-details.ts';

export interface Outlook {
  /** One sentence without its final period. */
  readonly sentence: string;
  /** Money moves, or a subscription ends, unless somebody acts. */
  readonly isAutomatic: boolean;
}

/** `now` is milliseconds since 1970; `timeOf` writes a time for people. */
export function outlookOf(
  details: TicketDetails,
  now: number,
  timeOf: (time: string) => string,
): Outlook {
  const { ticket } = details;
  if (!isOpen(ticket)) {
    const on = ticket.closedDate ? ` on ${timeOf(ticket.closedDate)}` : '';
    return { sentence: `Closed${on}`, isAutomatic: false };
  }
  const consequence = consequenceOf(details);
  const expires = instantOf(ticket.expirationDate);
  if (expires === undefined) return withoutExpiration(details, consequence);
  const time = timeOf(ticket.expirationDate ?? '');
  if (expires <= now) {
    const sentence = `Expired ${distance(now - expires)} ago (${time}); not closed yet`;
    return { sentence, isAutomatic: consequence !== undefined };
  }
  const effect = consequence ?? 'what ClickBank does then is not documented';
  return {
    sentence: `Expires in ${distance(expires - now)} (${time}): ${effect}`,
    isAutomatic: consequence !== undefined,
  };
}

function withoutExpiration(details: TicketDetails, consequence: string | undefined): Outlook {
  const { type } = details.ticket;
  if (requestsRefund(details) && itemOf(details)?.shippable) {
    const sentence = `No expiration date: ${refundWords(details)} is paid when you acknowledge the return`;
    return { sentence, isAutomatic: false };
  }
  if (type === 'TECH_SUPPORT') {
    return { sentence: 'No expiration date: the ticket stays open', isAutomatic: false };
  }
  const effect = consequence ? `: ${consequence}` : '';
  return { sentence: `No expiration date${effect}`, isAutomatic: consequence !== undefined };
}

/** A refund, or a cancellation of something that is not a subscription. */
export function requestsRefund(details: TicketDetails): boolean {
  const { type } = details.ticket;
  return type === 'REFUND' || (type === 'CANCEL' && itemOf(details)?.recurring === false);
}

function refundWords({ ticket, payment }: TicketDetails): string {
  const amount = ticket.refundAmount ?? payment?.totalOrderAmount;
  return money(amount, payment?.currency) || 'the refund';
}

function consequenceOf(details: TicketDetails): string | undefined {
  const { type } = details.ticket;
  const item = itemOf(details);
  if (requestsRefund(details)) {
    const ends = item?.recurring && !hasEnded(item) ? ', and future billing ends' : '';
    return `ClickBank refunds ${refundWords(details)} automatically${ends}`;
  }
  if (type !== 'CANCEL') return undefined;
  if (item?.recurring && hasEnded(item))
    return 'nothing is refunded, and the subscription has already ended';
  if (item?.recurring) return 'future billing ends, and nothing is refunded';
  return undefined;
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
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}
