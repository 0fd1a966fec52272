/** Converts stored tickets to responses (section 2, Ticket). */
import type { Row } from '../../operations/resource.ts';
import type { ticket } from '../../operations/tickets.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Sent } from '../request/handlers.ts';
import { type Comment, findComments, type Ticket } from '../store/tickets/ticket.ts';
import { meaningOf } from './ticket-parameters.ts';

export type SentTicket = Sent<Row<typeof ticket>>;

/** As in `en_US`: the language of the purchase, and the country if known. */
function localeOf({ language, country }: Ticket): string | null {
  if (language === null) return null;
  return country === null ? language.toLowerCase() : `${language.toLowerCase()}_${country}`;
}

function ticketRow(ticket: Ticket, comments: readonly Comment[]): SentTicket {
  return {
    ...ticket,
    ticketid: ticket.id,
    description: meaningOf(ticket.reason),
    customerFirstName: ticket.firstName,
    customerLastName: ticket.lastName,
    emailAtOrderTime: ticket.email,
    locale: localeOf(ticket),
    note: null,
    productItemNo: ticket.itemNo,
    openedDate: ticket.opened,
    closedDate: ticket.closed,
    expirationDate: ticket.settles,
    updateTime: ticket.updated,
    refundAmount: ticket.refundCents,
    comments: comments.map(({ id, time, role, ...entry }) => ({
      ...entry,
      commentId: id,
      date: time,
      commentRole: role,
    })),
  };
}

/** Keeps the order; each ticket has its log. `refundAmount` is always an amount, even if a percentage was requested. */
export function ticketRows(db: Database, tickets: readonly Ticket[]): SentTicket[] {
  const comments = findComments(
    db,
    tickets.map(({ id }) => id),
  );
  return tickets.map((ticket) => ticketRow(ticket, comments.get(ticket.id) ?? []));
}
