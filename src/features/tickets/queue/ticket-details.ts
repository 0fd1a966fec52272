/** The tickets to work on, the most urgent first; and the order, other tickets and other orders of one. */
import type { Client } from '../../../client/client.ts';
import { reasonOf } from '../../../client/workflow-error.ts';
import type { Days } from '../../../client/zoned-period.ts';
import { type Arguments, saleOf } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import {
  type LineItem,
  paymentIn,
  type Ticket,
  type Transaction,
  ticketsOf,
} from '../../../safe-write/reads.ts';
import { customerOf } from '../../../safe-write/sentence.ts';
import { unlessRefused } from '../../../safe-write/verifier.ts';
import { paymentsOf, type Sale } from '../refund/refund.ts';

/** What the queue remembers of a ticket; the rest is read when it is shown. */
export interface QueuedTicket {
  readonly id: string;
  readonly receipt: string;
  /** REFUND, CANCEL or TECH_SUPPORT. */
  readonly type: string;
  /** Name and email addresses, for a search. */
  readonly customer: string;
  /** Milliseconds since 1970; undefined if the ticket does not expire. */
  readonly expires: number | undefined;
  readonly opened: number | undefined;
}

/** Reads the whole list. Without a status, only tickets that wait: those that are open or were reopened. */
export async function readQueue(client: Client, filter: Arguments): Promise<QueuedTicket[]> {
  const { status = ['open', 'reopened'] } = filter as { readonly status?: unknown };
  const args = { ...filter, status } as Arguments<typeof tickets.list.params>;
  const found: QueuedTicket[] = [];
  for await (const { rows } of client.pages(tickets.list, args)) found.push(...rows.map(queued));
  return found.sort(byUrgency);
}

export function queued(ticket: Ticket): QueuedTicket {
  const { ticketid, receipt, type, expirationDate, openedDate, email, emailAtOrderTime } = ticket;
  const addresses = new Set([email, emailAtOrderTime]);
  return {
    id: String(ticketid ?? ''),
    receipt: receipt ?? '',
    type: type ?? '',
    customer: [customerOf(ticket), ...addresses].filter(Boolean).join(', '),
    expires: instantOf(expirationDate),
    opened: instantOf(openedDate),
  };
}

/** Soonest expiration first, tickets that do not expire last; then the oldest first. */
function byUrgency(a: QueuedTicket, b: QueuedTicket): number {
  const last = Number.MAX_SAFE_INTEGER;
  const expires = (a.expires ?? last) - (b.expires ?? last);
  return expires || (a.opened ?? last) - (b.opened ?? last) || +a.id - +b.id;
}

/** Milliseconds since 1970; undefined for a missing or unreadable time. */
export function instantOf(time: string | null | undefined): number | undefined {
  const instant = Date.parse(time ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}

export interface TicketDetails {
  readonly ticket: Ticket;
  /** The order with its rebills, refunds and tickets; undefined if it can't be read. */
  readonly sale: Sale | undefined;
  /** The payment that the ticket is about. */
  readonly payment: Transaction | undefined;
  /** When the ticket was read, by the clock of the queue. */
  readonly readAt: number;
}

/** Other orders and tickets of the customer; `problem` says what could not be read. */
export interface OtherRecords {
  /** The newest payment of each other order, newest first. */
  readonly orders: readonly Transaction[];
  readonly hasMoreOrders: boolean;
  /** Tickets of the same order and of the newest other orders. */
  readonly tickets: readonly Ticket[];
  readonly problem?: string;
}

/** Throws an ApiError if the ticket can't be read. An order that the service refuses to show is left out. */
export async function readDetails(
  client: Client,
  { id, receipt }: Pick<QueuedTicket, 'id' | 'receipt'>,
  now: () => number,
): Promise<TicketDetails> {
  const readAt = now();
  const [ticket, transactions, found] = await Promise.all([
    client.call(tickets.get, { id }),
    receipt === '' ? undefined : unlessRefused(() => client.call(orders.get, { receipt })),
    receipt === '' ? undefined : unlessRefused(() => ticketsByUrgency(client, receipt)),
  ]);
  if (!transactions?.length) return { ticket, sale: undefined, payment: undefined, readAt };
  const sale = { receipt, transactions, tickets: found };
  return { ticket, sale, payment: paymentIn(paymentsOf(sale), receipt), readAt };
}

/** The item of the ticket; undefined if the order has several and the ticket names none. */
export function itemOf({
  ticket,
  payment,
}: Pick<TicketDetails, 'ticket' | 'payment'>): LineItem | undefined {
  const items = payment?.lineItemData ?? [];
  const named = items.find(({ itemNo }) => itemNo === ticket.productItemNo);
  return named ?? (items.length === 1 ? items[0] : undefined);
}

const mostOrders = 20;

/** Each of these is one more request. */
const ordersWithTickets = 3;

/** Reads the customer's other orders in a period, and their tickets. Never throws. */
export async function readOthers(
  client: Client,
  { ticket, sale }: TicketDetails,
  days: Days,
): Promise<OtherRecords> {
  const own = (sale?.tickets ?? []).filter(({ ticketid }) => ticketid !== ticket.ticketid);
  const email = ticket.emailAtOrderTime ?? ticket.email;
  // A percent sign would be a wildcard.
  if (!email || email.includes('%')) return { orders: [], hasMoreOrders: false, tickets: own };
  const newest = new Map<string, Transaction>();
  try {
    const args = { role: 'VENDOR', startDate: days.first, endDate: days.last, email } as const;
    for await (const { rows } of client.pages(orders.list, args)) {
      for (const payment of paymentsOf({ receipt: '', transactions: rows })) {
        const order = saleOf(payment.receipt ?? '');
        const isOther = order !== saleOf(ticket.receipt ?? '') && payment.email === email;
        if (isOther && !newest.has(order)) newest.set(order, payment);
      }
      if (newest.size > mostOrders) break;
    }
    const payments = [...newest.values()].slice(0, mostOrders);
    const lists = await Promise.all(
      payments
        .slice(0, ordersWithTickets)
        .map(({ receipt }) => unlessRefused(() => ticketsByUrgency(client, receipt ?? ''))),
    );
    const found = [ticket, ...own, ...lists.flatMap((list) => list ?? [])];
    const ids = found.map(({ ticketid }) => String(ticketid));
    const others = found.filter((_, i) => i > 0 && ids.indexOf(ids[i] ?? '') === i);
    return { orders: payments, hasMoreOrders: newest.size > mostOrders, tickets: others };
  } catch (error) {
    return { orders: [], hasMoreOrders: false, tickets: own, problem: reasonOf(error) };
  }
}

async function ticketsByUrgency(client: Client, receipt: string): Promise<Ticket[]> {
  return (await ticketsOf(client, receipt)).sort((a, b) => byUrgency(queued(a), queued(b)));
}

export type Prefetch<T> = ReturnType<typeof openPrefetch<T>>;

export function openPrefetch<T>(read: (key: string) => Promise<T>) {
  const known = new Map<string, Promise<T>>();
  /** The value of a key; a read that failed is repeated. */
  const get = (key: string): Promise<T> => {
    const before = known.get(key);
    if (before) return before;
    const reading = read(key);
    known.set(key, reading);
    // Whoever needs the value gets the error; a background read must not end the process.
    reading.catch(() => {
      if (known.get(key) === reading) known.delete(key);
    });
    return reading;
  };
  return {
    get,
    /** Starts to read these keys in the background and forgets all others. */
    keep(keys: readonly string[]) {
      for (const key of known.keys()) if (!keys.includes(key)) known.delete(key);
      for (const key of keys) void get(key);
    },
    drop: (key: string) => void known.delete(key),
  };
}
