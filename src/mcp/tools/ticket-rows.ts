/** Tickets as rows of tools. */
import { ticket } from '../../operations/tickets.ts';
import type { Ticket } from '../../workflows/safe-write/reads.ts';
import { pick, present, type ToolRow } from '../rows/pick.ts';

export const ticketFields = [
  ...(['ticketid', 'receipt', 'type', 'status', 'openedDate', 'expirationDate'] as const),
  ...(['updateTime', 'refundType', 'refundAmount', 'customerFirstName'] as const),
  ...(['customerLastName', 'email', 'description'] as const),
] as const;

export const ticketTexts = [
  ...(['customerFirstName', 'customerLastName', 'email', 'description'] as const),
];

export function ticketRow(row: object): ToolRow {
  return pick(ticket, ticketFields, row);
}

/** More entries than these are left out, the oldest first. */
const mostComments = 30;

/** The latest entries of the conversation; `by` says who wrote each. */
export function commentRows({ comments }: Pick<Ticket, 'comments'>): ToolRow[] {
  return (comments ?? [])
    .slice(-mostComments)
    .map(({ date, action, commentRole, comment }) =>
      present({ date, action, by: commentRole, text: comment }),
    );
}
