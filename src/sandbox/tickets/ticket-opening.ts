/** Writing a new ticket with the first entry of its log. */
import type { Database } from '../store/driver.ts';
import { addComment, insertTicket, type TicketType } from '../store/tickets/ticket.ts';
import type { Effect } from './ticket-effect.ts';
import type { Subject } from './ticket-refund.ts';

interface Opening {
  readonly type: TicketType;
  readonly reason: string;
  readonly effect: Effect;
  readonly openedBy: 'VENDOR' | 'CUSTOMER';
  readonly source: string | null;
  readonly retainSubscription: boolean;
  readonly comment: string | null;
  readonly now: number;
}

/** Returns the ID of the new ticket. */
export function openTicket(db: Database, { txn, line }: Subject, opening: Opening): number {
  const { type, reason, effect, openedBy, source, retainSubscription, comment, now } = opening;
  const ticketId = insertTicket(db, {
    ...effect,
    txnId: txn.id,
    purchaseId: txn.purchaseId,
    lineItemId: line?.id ?? null,
    receipt: txn.receipt,
    vendor: txn.vendor,
    type,
    status: 'OPEN',
    reason,
    source,
    opened: now,
    updated: now,
    closed: null,
    retainSubscription: retainSubscription ? 1 : 0,
  });
  addComment(db, { ticketId, time: now, action: 'OPENED', role: openedBy, comment });
  return ticketId;
}
