/** Searches orders and tickets by email address, name, receipt or ticket ID. */

import type { Client } from '../../client/client.ts';
import { keyOf } from '../../client/paging/pages.ts';
import { badInput } from '../../client/workflow-error.ts';
import { type Bounds, type Days, isWithin } from '../../client/zoned-period.ts';
import { type Reply, saleOf } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import { unlessRefused } from '../../safe-write/verifier.ts';

export type FoundOrder = Reply<typeof orders.list.returns>[number];
export type FoundTicket = Reply<typeof tickets.list.returns>[number];

export interface Found {
  /** Newest first, each once. */
  readonly orders: readonly FoundOrder[];
  readonly tickets: readonly FoundTicket[];
}

interface Search {
  readonly query: Query;
  /** Names and email addresses are searched in these days; receipts and ticket IDs always. */
  readonly days: Days;
  /** The moments of the days in another time zone. */
  readonly within?: Bounds | undefined;
  /** Called for each page of a list, with the number of its rows. */
  onRows?(rows: number): void;
}

/** More receipts are searched for only among the tickets of the period. */
const mostReceipts = 10;

/** Requests run in parallel, within the pace of the client. */
export async function findAll(client: Client, search: Search): Promise<Found> {
  const { query, days, within, onRows } = search;
  const { filters, receipt, ticketId } = query;
  const orderOf = async (one: string) =>
    (await unlessRefused(() => client.call(orders.get, { receipt: one }))) ?? [];
  const ticketOf = async (id: string) =>
    (await unlessRefused(async () => [await client.call(tickets.get, { id })])) ?? [];
  const opened = { createDateFrom: days.first, createDateTo: days.last };
  const [byReceipt, [named], ofPeriod, byPerson] = await Promise.all([
    receipt === undefined ? [] : orderOf(receipt),
    ticketId === undefined ? [] : ticketOf(ticketId),
    filters.length === 0 ? [] : rowsOf(client.pages(tickets.list, opened), onRows),
    findOrders(client, search),
  ]);
  const isMatch = personMatcher(query);
  const bought = byPerson.filter((order) => !within || isWithin(order, within));
  const ordered = named?.receipt ? await orderOf(named.receipt) : [];
  const foundOrders = distinct(
    [...byReceipt, ...ordered, ...bought],
    orders.list.returns.key,
    (order) => order.transactionTime,
  );
  // Without the suffixes of rebills: a sale also finds their tickets.
  const all = [receipt, ...foundOrders.map((order) => order.receipt)];
  const receipts = [...new Set(all.flatMap((one) => (one ? [saleOf(one)] : [])))];
  const ofBought = new Set(receipts);
  const asked = receipts
    .slice(0, mostReceipts)
    .map((one) => rowsOf(client.pages(tickets.list, { receipt: one }), onRows));
  const byReceipts = (await Promise.all(asked)).flat();
  const matching = ofPeriod
    .filter((ticket) => !within || isWithin(ticket, { ...within, at: 'openedDate' }))
    .filter((ticket) => {
      const { customerFirstName: firstName, customerLastName: lastName, receipt } = ticket;
      const emails = [ticket.email, ticket.emailAtOrderTime];
      return isMatch({ firstName, lastName, emails }) || ofBought.has(saleOf(receipt ?? ''));
    });
  const foundTickets = distinct(
    [...(named ? [named] : []), ...matching, ...byReceipts],
    tickets.list.returns.key,
    (ticket) => ticket.openedDate,
  );
  return { orders: foundOrders, tickets: foundTickets };
}

/** The orders of a person, whom the query names. */
async function findOrders(client: Client, { query, days, onRows }: Search): Promise<FoundOrder[]> {
  const isMatch = personMatcher(query);
  const period = { startDate: days.first, endDate: days.last };
  const lists = query.filters.map(({ by, value }) =>
    rowsOf(client.pages(orders.list, { ...period, [by]: value }), onRows),
  );
  const found = (await Promise.all(lists)).flat();
  return found.filter((order) => isMatch({ ...order, emails: [order.email] }));
}

async function rowsOf<Row>(
  pages: AsyncIterable<{ readonly rows: readonly Row[] }>,
  onRows: Search['onRows'],
): Promise<Row[]> {
  const found: Row[] = [];
  for await (const { rows } of pages) {
    onRows?.(rows.length);
    found.push(...rows);
  }
  return found;
}

/** Each row once, the newest first. */
function distinct<T>(rows: readonly T[], key: readonly string[], timeOf: (row: T) => unknown): T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row, key), row]));
  const instant = (row: T) => Date.parse(String(timeOf(row) ?? '')) || 0;
  return [...byKey.values()].sort((a, b) => instant(b) - instant(a));
}

/** `%` stands for any text; without it, a whole value has to match, in any case. */
export interface Query {
  /** The words, each separated by one space. */
  readonly text: string;
  readonly words: readonly string[];
  /** The words contain `%`. */
  readonly isPattern: boolean;
  /** Set if the text can be a ticket ID. */
  readonly ticketId?: string | undefined;
  /** Set if the text can be a receipt; in upper case. */
  readonly receipt?: string | undefined;
  /** What orders are searched for; none for a number or a receipt. */
  readonly filters: readonly Filter[];
}

/** A filter of the list of orders. */
interface Filter {
  readonly by: 'email' | 'lastName';
  readonly value: string;
}

/** A search with less text would read every order. */
const leastText = 2;

/** Each word of a name adds requests: it may begin the last name. */
const mostWords = 6;

/** Throws a WorkflowError for words that would match nearly everything. */
export function readQuery(typed: readonly string[]): Query {
  const words = typed.flatMap((word) => word.normalize('NFC').split(/\s+/)).filter(Boolean);
  const text = words.join(' ');
  if ([...text.replaceAll(/[%\s]/g, '')].length < leastText) {
    throw badInput(`Invalid search '${text}'.`, {
      hint: `Use at least ${leastText} characters besides %, such as a name, an email address or a receipt.`,
    });
  }
  if (words.length > mostWords) {
    throw badInput(`A search has at most ${mostWords} words, but ${words.length} were typed.`, {
      hint: 'Search for one name, email address, receipt or ticket ID.',
    });
  }
  const isPattern = text.includes('%');
  const isOne = words.length === 1 && !isPattern;
  // Eight letters and digits, and the suffix of a rebill. A name of eight letters can be one.
  const isReceipt = isOne && /^[a-z0-9]{8}(?:-B\d{3,})?$/i.test(text);
  const receipt = isReceipt ? text.toUpperCase() : undefined;
  const ticketId = isOne && /^\d{1,18}$/.test(text) ? text : undefined;
  // Names have no digits, so a receipt such as MONTHLY1 is nothing else.
  const isCode = ticketId !== undefined || (receipt !== undefined && /\d/.test(receipt));
  return { text, words, isPattern, ticketId, receipt, filters: isCode ? [] : filtersOf(words) };
}

function filtersOf(words: readonly string[]): Filter[] {
  const [first = '', ...others] = words;
  if (others.length === 0 && first.includes('@')) return inAnyCase('email', first);
  // A word without `@` also stands for the part of an email address before it.
  const address = first.includes('%') ? first : `${first}@%`;
  const byAddress = others.length === 0 ? inAnyCase('email', address) : [];
  return [...byAddress, ...lastNamesIn(words).flatMap((name) => inAnyCase('lastName', name))];
}

/** A last name can have several words, and people also write it first: Van Dyke, Doe Jane. */
function lastNamesIn(words: readonly string[]): string[] {
  const endings = words.map((_, at) => words.slice(at).join(' '));
  return [...new Set([...endings, ...words.slice(0, 1)])];
}

/** ClickBank does not document whether its filters ignore case. */
function inAnyCase(by: Filter['by'], value: string): Filter[] {
  const small = value.toLowerCase();
  const title = small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
  const forms = by === 'email' ? [small] : [title];
  const all = new Set([value, ...forms, small, value.toUpperCase()]);
  return [...all].map((form) => ({ by, value: form }));
}

/** Whether a whole value matches a text, in any case. Only `%` is a wildcard. */
function matcherOf(text: string): (value: unknown) => boolean {
  const parts = text
    .normalize('NFC')
    .split(/%+/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'isu');
  return (value) => {
    const whole = String(value ?? '')
      .normalize('NFC')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return whole !== '' && pattern.test(whole);
  };
}

interface Person {
  readonly firstName?: unknown;
  readonly lastName?: unknown;
  readonly fullName?: unknown;
  readonly emails: readonly unknown[];
}

/** Whether the words are the email address or the name of a person. Orders and tickets use the same rule. */
export function personMatcher({ text, words, isPattern }: Query): (person: Person) => boolean {
  const matches = matcherOf(text);
  const matchesAddress = matcherOf(isPattern || text.includes('@') ? text : `${text}@%`);
  const matchesReversed = matcherOf([...words.slice(1), words[0]].join(' '));
  const isOne = words.length === 1;
  return ({ firstName, lastName, fullName, emails }) => {
    if (isOne && emails.some(matchesAddress)) return true;
    const joined = [firstName, lastName].map((name) => String(name ?? '')).join(' ');
    const names = [joined, fullName, lastName, ...(isOne ? [firstName] : [])];
    return names.some(matches) || (!isOne && [joined, fullName].some(matchesReversed));
  };
}
