/** The screens of a ticket: itself with its conversation, its order, and everything else that is known about the customer. */
import { accountCurrency, kindOf, youEarn } from '../../workflows/earnings/transaction.ts';
import { distance, outlookOf } from '../../workflows/queue/outlook.ts';
import { instantOf } from '../../workflows/queue/queued-tickets.ts';
import {
  itemOf,
  type OtherRecords,
  type TicketDetails,
} from '../../workflows/queue/ticket-details.ts';
import { paymentsOf } from '../../workflows/refund/refund.ts';
import { hasEnded } from '../../workflows/refund/refundable.ts';
import type { LineItem, Ticket, Transaction } from '../../workflows/safe-write/reads.ts';
import { customerOf, dayOf, money, titlesOf } from '../../workflows/safe-write/sentence.ts';
import { cardOf } from '../refund/sale.ts';
import { type Line, labeled, twoSided, wrapped } from './screen.ts';
import { idOf, subjectKey, timeOf, type WorkContext } from './work-context.ts';

const types: Readonly<Record<string, string>> = {
  REFUND: 'refund',
  CANCEL: 'cancellation',
  TECH_SUPPORT: 'technical support',
};

export function typeOf({ type }: Ticket): string {
  return types[type ?? ''] ?? (type ?? 'unknown').toLowerCase().replaceAll('_', ' ');
}

interface Place {
  /** From 0. */
  readonly position: number;
  /** Lines that the screen may have. */
  readonly room: number;
  /** Undefined while they are being read. */
  readonly others: OtherRecords | undefined;
}

export function ticketScreen(
  context: WorkContext,
  details: TicketDetails,
  { position, room, others }: Place,
): Line[] {
  const drawn = linesOf(context, details, position, others, 2);
  // A crowded screen keeps room for the conversation.
  const isCrowded = room - drawn.top.length - drawn.below.length < leastConversation;
  const { top, below } = isCrowded ? linesOf(context, details, position, others, 1) : drawn;
  const left = room - top.length - below.length - 1;
  const talk = conversationLines(context, details.ticket, Math.max(3, left));
  return [...top, ...talk, { text: '' }, ...below];
}

/** Lines of a conversation that are worth more than second lines of facts. */
const leastConversation = 6;

function linesOf(
  context: WorkContext,
  details: TicketDetails,
  position: number,
  others: OtherRecords | undefined,
  most: number,
) {
  const top: Line[] = [
    { text: titleOf(context, details, position), color: 'cyan' },
    ...outlookLines(context, details),
    ...markLines(context, details),
    { text: '' },
    ...labeled(context, factsOf(context, details), most),
    { text: '' },
  ];
  return { top, below: otherLines(context, others, most) };
}

function titleOf(context: WorkContext, { ticket }: TicketDetails, position: number): string {
  const opened = instantOf(ticket.openedDate);
  const now = context.sender.now().getTime();
  const age = opened === undefined ? '' : `opened ${distance(Math.max(0, now - opened))} ago`;
  const status = (ticket.status ?? '').toLowerCase();
  const left = `${position + 1} of ${context.queue.length}   Ticket ${ticket.ticketid}   ${typeOf(ticket)}, ${status}`;
  return twoSided(context, left, age);
}

function outlookLines(context: WorkContext, details: TicketDetails): Line[] {
  const now = context.sender.now().getTime();
  const outlook = outlookOf(details, now, (time) => timeOf(context, time));
  const color = outlook.isAutomatic ? ({ color: 'yellow' } as const) : {};
  return wrapped(context, `${outlook.sentence}.`, { most: 2, ...color });
}

/** What this session has done about the ticket, and whether something is unknown. */
function markLines(context: WorkContext, details: TicketDetails): Line[] {
  const { records, unknown } = context.done;
  const own = records.filter(({ ticketId }) => ticketId === idOf(details));
  const words = own.map(({ action, outcome }) => `${action} ${outcome}`).join(', ');
  const open = unknown.get(subjectKey(details))?.open;
  const text = open && `The outcome of '${open.action}' on ${open.receipt} is unknown.`;
  return [
    ...(words ? wrapped(context, `In this session: ${words}.`, { most: 1, color: 'dim' }) : []),
    ...(text ? wrapped(context, text, { color: 'red' }) : []),
  ];
}

function factsOf(
  { zone }: WorkContext,
  details: TicketDetails,
): (readonly [label: string, text: string])[] {
  const { ticket, payment } = details;
  const { email, emailAtOrderTime } = ticket;
  const addresses = [...new Set([email, emailAtOrderTime].filter(Boolean))].join(', earlier ');
  const customer = [customerOf(ticket) || payment?.fullName, addresses, payment?.country];
  const requested = ticket.refundType
    ? [ticket.refundType === 'FULL' ? 'full' : 'partial', refundWords(ticket, payment)]
    : [];
  return [
    ['Customer', customer.filter(Boolean).join(', ')],
    ['Order', orderWords({ zone }, ticket, payment)],
    ...(payment ? ([['Product', productWords(details)]] as const) : []),
    ...(payment ? ([['Paid', paidWords(payment)]] as const) : []),
    ...(requested.length > 0 ? ([['Refund', requested.filter(Boolean).join(', ')]] as const) : []),
    ...(ticket.description ? ([['Reason', ticket.description]] as const) : []),
    ...(ticket.note ? ([['Note', ticket.note]] as const) : []),
  ];
}

function refundWords({ refundAmount }: Ticket, payment: Transaction | undefined): string {
  return money(refundAmount, payment?.currency);
}

function orderWords(
  zone: Pick<WorkContext, 'zone'>,
  { receipt }: Ticket,
  payment: Transaction | undefined,
): string {
  if (!payment) return `${receipt ?? 'no receipt'} (the order could not be read)`;
  const { transactionTime, transactionType, vendor } = payment;
  const kind = kindOf(transactionType);
  const words = [receipt, timeOf(zone, transactionTime), kind, vendor && `sold by ${vendor}`];
  return words.filter(Boolean).join(', ');
}

function productWords(details: TicketDetails): string {
  const item = itemOf(details);
  const items = details.payment?.lineItemData ?? [];
  if (!item) return titlesOf(items).join(', ');
  const { productTitle, itemNo } = item;
  const others = items.length > 1 ? `, +${items.length - 1} more` : '';
  return `${[productTitle, itemNo && `(${itemNo})`].filter(Boolean).join(' ')}, ${natureOf(item)}${others}`;
}

function natureOf(item: LineItem): string {
  const next = item.nextPaymentDate && `next payment ${dayOf(item.nextPaymentDate)}`;
  const state = hasEnded(item) ? 'ended' : next;
  const billing = item.recurring ? ['subscription', state].filter(Boolean).join(', ') : 'one-time';
  return item.shippable ? `${billing}, ships` : billing;
}

function paidWords(payment: Transaction): string {
  const earned = youEarn(payment);
  const paid = money(payment.totalOrderAmount, payment.currency);
  return [paid, earned && `you earn ${money(earned, accountCurrency)}`].filter(Boolean).join(', ');
}

function otherLines(context: WorkContext, others: OtherRecords | undefined, most: number): Line[] {
  if (!others) return [{ text: 'Other orders and tickets: reading …', color: 'dim' }];
  const orders = others.orders.map(({ receipt, transactionTime, totalOrderAmount, currency }) =>
    [receipt, dayOf(transactionTime), money(totalOrderAmount, currency)].join(' '),
  );
  const tickets = others.tickets.map((ticket) =>
    [ticket.ticketid, typeOf(ticket), (ticket.status ?? '').toLowerCase()].join(' '),
  );
  const unread = others.problem === undefined ? undefined : 'could not be read';
  const pairs = [
    ['Other orders', unread ?? listOf(orders, 'none in the last year', others.hasMoreOrders)],
    ['Other tickets', listOf(tickets, 'none')],
  ] as const;
  return labeled(context, pairs, most);
}

function listOf(words: readonly string[], none: string, hasMore = false): string {
  if (words.length === 0) return none;
  const shown = words.slice(0, 3).join('; ');
  const left = words.length - 3;
  return left > 0 ? `${shown}; +${left}${hasMore ? ' or more' : ''}, press m` : shown;
}

type Entry = NonNullable<Ticket['comments']>[number];

const roles: Readonly<Record<string, string>> = {
  VENDOR: 'you',
  CUSTOMER: 'customer',
  CBCSR: 'ClickBank',
  CBSYSTEM: 'ClickBank',
};

/** The newest entries, at most `room` lines; the first line says if some are left out. */
export function conversationLines(context: WorkContext, ticket: Ticket, room: number): Line[] {
  const entries = entriesOf(ticket);
  if (entries.length === 0) return [{ text: 'No conversation yet.', color: 'dim' }];
  const all = entries.map((entry) => entryLines(context, entry));
  if (all.flat().length <= room) return all.flat();
  const shown: Line[] = [];
  let left = all.length;
  for (const lines of all.toReversed()) {
    if (shown.length + lines.length > room - 1) break;
    shown.unshift(...lines);
    left -= 1;
  }
  if (shown.length === 0) {
    const newest = entries.at(-1);
    if (newest) shown.push(...entryLines(context, newest, Math.max(1, room - 1)));
    left -= 1;
  }
  const text = left > 0 ? `… ${left} earlier, press m for all` : '… cut, press m for all';
  return [{ text, color: 'dim' }, ...shown];
}

/** The whole conversation, with an empty line between entries. */
export function wholeConversation(context: WorkContext, ticket: Ticket): Line[] {
  const entries = entriesOf(ticket);
  if (entries.length === 0) return [{ text: 'No conversation yet.' }];
  return entries.flatMap((entry, i) => [
    ...(i === 0 ? [] : [{ text: '' }]),
    ...entryLines(context, entry),
  ]);
}

/** In order of their time; entries without one keep their place. */
function entriesOf({ comments }: Ticket): readonly Entry[] {
  return (comments ?? []).toSorted(
    (a, b) => (Date.parse(a.date ?? '') || 0) - (Date.parse(b.date ?? '') || 0),
  );
}

/** "2026-03-18 08:28 customer: It is not what I had in mind." */
function entryLines(context: WorkContext, entry: Entry, most?: number): Line[] {
  const { date, commentRole, action, comment } = entry;
  const who = roles[commentRole ?? ''] ?? (commentRole ?? 'unknown').toLowerCase();
  const what =
    action === 'COMMENTED' || !action ? '' : ` ${action.toLowerCase().replaceAll('_', ' ')}`;
  const lead = `${timeOf(context, date)} ${who}${what}${comment ? ': ' : ''}`;
  const limit = most === undefined ? {} : { most };
  const lines = wrapped(context, `${lead}${comment ?? ''}`, { lead: '  ', ...limit });
  return lines.map((line, i) => (i === 0 ? { ...line, text: line.text.trimStart() } : line));
}

export function orderLines(context: WorkContext, { sale }: TicketDetails): Line[] {
  if (!sale) return [{ text: 'The order of this ticket could not be read.' }];
  const transactions = sale.transactions.toSorted(byTime);
  return [
    { text: `Transactions of ${sale.receipt}`, color: 'cyan' },
    ...transactions.flatMap((one) => transactionLines(context, one)),
    ...paymentsOf(sale).flatMap((payment) => [
      { text: '' },
      ...labeled(context, cardOf(sale, payment), Number.POSITIVE_INFINITY),
    ]),
  ];
}

function byTime(a: Transaction, b: Transaction): number {
  return (Date.parse(a.transactionTime ?? '') || 0) - (Date.parse(b.transactionTime ?? '') || 0);
}

function transactionLines(context: WorkContext, one: Transaction): Line[] {
  const { receipt, transactionTime, transactionType, totalOrderAmount, currency } = one;
  const earned = youEarn(one);
  const words = [
    timeOf(context, transactionTime),
    receipt,
    kindOf(transactionType),
    money(totalOrderAmount, currency),
    earned && `you earn ${money(earned, accountCurrency)}`,
  ];
  return wrapped(context, words.filter(Boolean).join('  '), { lead: '  ' });
}

/** The whole conversation, and all other orders and tickets that were read. */
export function moreLines(
  context: WorkContext,
  { ticket }: TicketDetails,
  others: OtherRecords,
): Line[] {
  const orders = others.orders.map((payment) => {
    const { receipt, transactionTime, totalOrderAmount, currency, lineItemData } = payment;
    const titles = titlesOf(lineItemData);
    const paid = money(totalOrderAmount, currency);
    return [receipt, dayOf(transactionTime), paid, ...titles].filter(Boolean).join('  ');
  });
  const tickets = others.tickets.map((one) =>
    [one.ticketid, one.receipt, typeOf(one), (one.status ?? '').toLowerCase(), one.description]
      .filter(Boolean)
      .join('  '),
  );
  const more = others.hasMoreOrders ? ['and more'] : [];
  return [
    ...wholeConversation(context, ticket),
    ...section(context, 'Other orders in the last year', [...orders, ...more]),
    ...section(context, 'Other tickets', tickets),
    ...(others.problem ? wrapped(context, `Not all could be read: ${others.problem}`) : []),
  ];
}

function section(context: WorkContext, title: string, texts: readonly string[]): Line[] {
  const lines = texts.flatMap((text) => wrapped(context, text, { lead: '  ' }));
  const none = [{ text: '  none' }];
  return [{ text: '' }, { text: title, color: 'cyan' }, ...(lines.length > 0 ? lines : none)];
}
