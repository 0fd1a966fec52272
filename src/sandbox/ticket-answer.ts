/** A stored ticket as the service answers it (section 2, Ticket). */

import { pacificTime } from '../dates/pacific.ts';
import type { Row } from '../operations/resource.ts';
import type { ticket } from '../operations/tickets.ts';
import type { Sent } from './handlers.ts';
import { moneyText } from './money.ts';
import type { Database } from './store/driver.ts';
import { type Comment, findComments, type Ticket } from './store/ticket.ts';
import { meaningOf } from './ticket-words.ts';

export type SentTicket = Sent<Row<typeof ticket>>;

const timeOrNil = (instant: number | null) => (instant === null ? null : pacificTime(instant));

/** `en_US`: the language of the purchase, and the country where that is known. */
function localeOf({ language, country }: Ticket): string | null {
  if (language === null) return null;
  return country === null ? language.toLowerCase() : `${language.toLowerCase()}_${country}`;
}

function answerComment({ id, time, comment, action, role }: Comment) {
  return { commentId: id, date: pacificTime(time), comment, action, commentRole: role };
}

function answerTicket(ticket: Ticket, comments: readonly Comment[]): SentTicket {
  return {
    ticketid: ticket.id,
    receipt: ticket.receipt,
    status: ticket.status,
    type: ticket.type,
    description: meaningOf(ticket.reason),
    customerFirstName: ticket.firstName,
    customerLastName: ticket.lastName,
    email: ticket.email,
    emailAtOrderTime: ticket.email,
    locale: localeOf(ticket),
    note: null,
    productItemNo: ticket.itemNo,
    openedDate: pacificTime(ticket.opened),
    closedDate: timeOrNil(ticket.closed),
    expirationDate: timeOrNil(ticket.settles),
    updateTime: pacificTime(ticket.updated),
    refundType: ticket.refundType,
    refundAmount: ticket.refundCents === null ? null : moneyText(ticket.refundCents),
    source: ticket.source,
    comments: comments.map(answerComment),
  };
}

/** In the order given, each with its log. `refundAmount` is money, whatever was asked for. */
export function answerTickets(db: Database, tickets: readonly Ticket[]): SentTicket[] {
  const comments = findComments(
    db,
    tickets.map(({ id }) => id),
  );
  return tickets.map((ticket) => answerTicket(ticket, comments.get(ticket.id) ?? []));
}
