/** Searches orders and tickets by email address, name, receipt or ticket ID. */
import type { Client } from '../../client/client.ts';
import { keyOf } from '../../client/paging/pages.ts';
import type { Reply } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import type { Days } from '../period.ts';
import { unlessRefused } from '../safe-write/verifier.ts';
import { type Bounds, isWithin } from '../zoned-period.ts';
import { type Person, personMatcher, type Query } from './query.ts';

export type FoundOrder = Reply<typeof orders.list.returns>[number];
export type FoundTicket = Reply<typeof tickets.list.returns>[number];

export interface Found {
  /** Newest first, each once. */
  readonly orders: readonly FoundOrder[];
  readonly tickets: readonly FoundTicket[];
  /** Responses of ClickBank that were needed. */
  readonly requests: number;
  /** Set if nothing was found and the key has not sold anything in the period: it sees no customers. */
  readonly hasNoCustomers?: boolean;
}

export interface Search {
  readonly query: Query;
  /** Names and email addresses are searched in these days; receipts and ticket IDs always. */
  readonly days: Days;
  /** The moments of the days in another time zone. */
  readonly within?: Bounds | undefined;
  /** Called for each response, with the number of its rows. */
  onResponse?(rows: number): void;
}

/** More receipts are searched for only among the tickets of the period. */
const mostReceipts = 10;

/** Requests run in parallel, within the pace of the client. */
export async function findAll(client: Client, search: Search): Promise<Found> {
  const { query, days, onResponse } = search;
  let requests = 0;
  const onRows = (rows: number) => {
    requests += 1;
    onResponse?.(rows);
  };
  const reads = readsOf(client, onRows);
  const [byReceipt, byPerson, byId, opened] = await Promise.all([
    query.receipt === undefined ? [] : reads.order(query.receipt),
    reads.ordersOf(search),
    query.ticketId === undefined ? [] : reads.ticket(query.ticketId),
    query.filters.length === 0 ? [] : reads.ticketsOpened(search),
  ]);
  const [named] = byId;
  const itsOrder = named?.receipt ? await reads.order(named.receipt) : [];
  const found = distinctOrders([...byReceipt, ...itsOrder, ...byPerson]);
  const receipts = receiptsOf(query, found);
  const byReceipts = await Promise.all(
    receipts.slice(0, mostReceipts).map((receipt) => reads.ticketsOf(receipt)),
  );
  const matching = ticketsOf(query, found, opened);
  const foundTickets = distinctTickets([...byId, ...matching, ...byReceipts.flat()]);
  const isEmpty = found.length + foundTickets.length === 0;
  const isBlind = isEmpty && query.filters.length > 0 && (await reads.salesIn(days)) === 0;
  return {
    orders: found,
    tickets: foundTickets,
    requests,
    ...(isBlind && { hasNoCustomers: true }),
  };
}

function readsOf(client: Client, onRows: (rows: number) => void) {
  const all = async <Row>(pages: AsyncIterable<{ readonly rows: readonly Row[] }>) => {
    const found: Row[] = [];
    for await (const { rows } of pages) {
      onRows(rows.length);
      found.push(...rows);
    }
    return found;
  };
  const one = async <Row>(read: () => Promise<readonly Row[]>): Promise<readonly Row[]> => {
    const found = (await unlessRefused(read)) ?? [];
    onRows(found.length);
    return found;
  };
  return {
    order: (receipt: string) => one(() => client.call(orders.get, { receipt })),
    ticket: (id: string) => one(async () => [await client.call(tickets.get, { id })]),
    ticketsOf: (receipt: string) => all(client.pages(tickets.list, { receipt })),
    async ticketsOpened({ days: { first, last }, within }: Search) {
      const days = { createDateFrom: first, createDateTo: last };
      const opened = await all(client.pages(tickets.list, days));
      return opened.filter(
        (ticket) => !within || isWithin(ticket, { ...within, at: 'openedDate' }),
      );
    },
    async ordersOf({ query, days: { first, last }, within }: Search) {
      const isMatch = personMatcher(query);
      const lists = query.filters.map(({ by, value }) =>
        all(client.pages(orders.list, { startDate: first, endDate: last, [by]: value })),
      );
      const sold = (await Promise.all(lists)).flat();
      return sold.filter(
        (order) => isMatch(customerOf(order)) && (!within || isWithin(order, within)),
      );
    },
    async salesIn({ first, last }: Days) {
      const args = { startDate: first, endDate: last, role: 'VENDOR' } as const;
      const count = await client.call(orders.count, args);
      onRows(0);
      return Number(count);
    },
  };
}

function customerOf({ firstName, lastName, fullName, email }: FoundOrder): Person {
  return { firstName, lastName, fullName, emails: [email] };
}

function ownerOf(ticket: FoundTicket): Person {
  const { customerFirstName, customerLastName, email, emailAtOrderTime } = ticket;
  return {
    firstName: customerFirstName,
    lastName: customerLastName,
    emails: [email, emailAtOrderTime],
  };
}

/** The receipts whose tickets are read, without the suffixes of rebills: a sale also finds those. */
function receiptsOf({ receipt }: Query, found: readonly FoundOrder[]): string[] {
  const all = [receipt, ...found.map((order) => order.receipt)];
  return [...new Set(all.flatMap((one) => (one ? [saleOf(one)] : [])))];
}

function saleOf(receipt: string): string {
  return receipt.replace(/-B\d+$/, '');
}

/** The tickets of the period that belong to the person or to an order that was found. */
function ticketsOf(
  query: Query,
  found: readonly FoundOrder[],
  opened: readonly FoundTicket[],
): FoundTicket[] {
  const isMatch = personMatcher(query);
  const receipts = new Set(receiptsOf(query, found));
  return opened.filter(
    (ticket) => isMatch(ownerOf(ticket)) || receipts.has(saleOf(ticket.receipt ?? '')),
  );
}

function distinctOrders(found: readonly FoundOrder[]): FoundOrder[] {
  const byKey = new Map(found.map((order) => [keyOf(order, orders.list.returns.key), order]));
  return newestFirst([...byKey.values()], ({ transactionTime }) => transactionTime);
}

function distinctTickets(found: readonly FoundTicket[]): FoundTicket[] {
  const byKey = new Map(found.map((ticket) => [keyOf(ticket, tickets.list.returns.key), ticket]));
  return newestFirst([...byKey.values()], ({ openedDate }) => openedDate);
}

function newestFirst<T>(rows: readonly T[], timeOf: (row: T) => unknown): T[] {
  const instant = (row: T) => Date.parse(String(timeOf(row) ?? '')) || 0;
  return rows.toSorted((a, b) => instant(b) - instant(a));
}
