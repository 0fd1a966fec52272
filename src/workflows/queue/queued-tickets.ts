/** The tickets to work on, the most urgent first. */
import type { Client } from '../../client/client.ts';
import type { Arguments } from '../../operations/operation.ts';
import { tickets } from '../../operations/tickets.ts';
import type { Ticket } from '../safe-write/reads.ts';

/** What the queue remembers of a ticket; the rest is read when it is shown. */
export interface QueuedTicket {
  readonly id: string;
  readonly receipt: string;
  /** Milliseconds since 1970; undefined if the ticket does not expire. */
  readonly expires: number | undefined;
  readonly opened: number | undefined;
}

export type QueueFilter = Arguments<typeof tickets.list.params>;

/** Tickets that wait for somebody. */
const waiting = ['open', 'reopened'] as const;

/** Reads the whole list. Without a status, only tickets that are open or were reopened. */
export async function readQueue(client: Client, filter: Arguments): Promise<QueuedTicket[]> {
  const args = { ...filter, status: filter.status ?? waiting } as unknown as QueueFilter;
  const found: QueuedTicket[] = [];
  for await (const { rows } of client.pages(tickets.list, args)) found.push(...rows.map(queued));
  return found.sort(byUrgency);
}

export function queued({ ticketid, receipt, expirationDate, openedDate }: Ticket): QueuedTicket {
  return {
    id: String(ticketid ?? ''),
    receipt: receipt ?? '',
    expires: instantOf(expirationDate),
    opened: instantOf(openedDate),
  };
}

/** Soonest expiration first, tickets that do not expire last; then the oldest first. */
export function byUrgency(a: QueuedTicket, b: QueuedTicket): number {
  const last = Number.POSITIVE_INFINITY;
  const expires = compare(a.expires ?? last, b.expires ?? last);
  return expires || compare(a.opened ?? last, b.opened ?? last) || compare(+a.id, +b.id);
}

/** The difference of two infinities is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Milliseconds since 1970; undefined for a missing or unreadable time. */
export function instantOf(time: string | null | undefined): number | undefined {
  const instant = Date.parse(time ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}
