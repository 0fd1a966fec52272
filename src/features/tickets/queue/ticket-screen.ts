/** The screens of a ticket: itself with its conversation, its order, and what else is known about the customer. */
import type { Ticket, Transaction } from '../../../safe-write/reads.ts';
import {
  customerOf,
  dayOf,
  money,
  ticketTypeNames,
  titlesOf,
} from '../../../safe-write/sentence.ts';
import { accountCurrency, kindOf, youEarn } from '../../earnings/transaction.ts';
import { cardOf, listed, natureOf, oldestFirst, paymentsOf } from '../refund/refund.ts';
import { distance, outlookOf } from './possible-actions.ts';
import { type Line, labeled, twoSided, wrapped } from './screen.ts';
import { instantOf, itemOf, type OtherRecords, type TicketDetails } from './ticket-details.ts';
import { idOf, subjectKey, timeOf, type WorkContext } from './work-context.ts';

function typeOf({ type }: Ticket): string {
  return ticketTypeNames[type ?? ''] ?? (type ?? 'unknown').toLowerCase().replaceAll('_', ' ');
}

function statusOf({ status }: Ticket): string {
  return (status ?? '').toLowerCase();
}

/** Lines of a conversation that are worth more than second lines of facts. */
const leastConversation = 6;

/** At most `room` lines. `position` counts from 0; `others` is undefined while they are being read. */
export function ticketScreen(
  context: WorkContext,
  details: TicketDetails,
  position: number,
  room: number,
  others: OtherRecords | undefined,
): Line[] {
  const linesWith = (most: number) => ({
    top: [
      ...headLines(context, details, position),
      { text: '' },
      ...labeled(context, factsOf(context, details), most),
      { text: '' },
    ],
    below: otherLines(context, others, most),
  });
  const drawn = linesWith(2);
  // A crowded screen keeps room for the conversation.
  const isCrowded = room - drawn.top.length - drawn.below.length < leastConversation;
  const { top, below } = isCrowded ? linesWith(1) : drawn;
  const left = room - top.length - below.length - 1;
  const talk = conversationLines(context, details.ticket, Math.max(3, left));
  return [...top, ...talk, { text: '' }, ...below];
}

/** The title, what happens if nobody acts, what this session has done about the ticket, and what is unknown. */
function headLines(context: WorkContext, details: TicketDetails, position: number): Line[] {
  const { ticket } = details;
  const { records, unknown } = context.done;
  const now = context.sender.now().getTime();
  const opened = instantOf(ticket.openedDate);
  const age = opened === undefined ? '' : `opened ${distance(Math.max(0, now - opened))} ago`;
  const filter = context.filter ? ` (${context.filter.toLowerCase()})` : '';
  const place = `${position + 1} of ${context.queue.length}${filter}`;
  const title = `${place}   Ticket ${ticket.ticketid}   ${typeOf(ticket)}, ${statusOf(ticket)}`;
  const { sentence, isAutomatic } = outlookOf(details, now, (time) => timeOf(context, time));
  const own = records.filter(({ ticketId }) => ticketId === idOf(details));
  const words = own.map(({ action, outcome }) => `${action} ${outcome}`).join(', ');
  const open = unknown.get(subjectKey(details))?.open;
  const text = open && `The outcome of '${open.action}' on ${open.about} is unknown.`;
  return [
    { text: twoSided(context, title, age), color: 'cyan' },
    ...wrapped(context, `${sentence}.`, { most: 2, ...(isAutomatic && { color: 'yellow' }) }),
    ...(words ? wrapped(context, `In this session: ${words}.`, { most: 1, color: 'dim' }) : []),
    ...(text ? wrapped(context, text, { color: 'red' }) : []),
  ];
}

function factsOf(
  { zone }: WorkContext,
  details: TicketDetails,
): (readonly [label: string, text: string])[] {
  const { ticket, payment } = details;
  const { email, emailAtOrderTime, receipt, refundType, refundAmount, description, note } = ticket;
  const { transactionTime, transactionType, vendor, totalOrderAmount, currency } = payment ?? {};
  const addresses = [...new Set([email, emailAtOrderTime].filter(Boolean))].join(', earlier ');
  const kind = kindOf(transactionType);
  const earned = payment && youEarn(payment);
  const facts: [label: string, words: readonly (string | null | undefined | false)[]][] = [
    ['Customer', [customerOf(ticket) || payment?.fullName, addresses, payment?.country]],
    [
      'Order',
      payment
        ? [receipt, timeOf({ zone }, transactionTime), kind, vendor && `sold by ${vendor}`]
        : [`${receipt ?? 'no receipt'} (the order could not be read)`],
    ],
    ['Product', [productWords(details)]],
    [
      'Paid',
      [money(totalOrderAmount, currency), earned && `you earn ${money(earned, accountCurrency)}`],
    ],
    [
      'Refund',
      refundType ? [refundType === 'FULL' ? 'full' : 'partial', money(refundAmount, currency)] : [],
    ],
    ['Reason', [description]],
    ['Note', [note]],
  ];
  return facts.flatMap(([label, words]) => {
    const text = listed(...words);
    return text === '' ? [] : [[label, text] as const];
  });
}

function productWords(details: TicketDetails): string {
  const item = itemOf(details);
  const items = details.payment?.lineItemData ?? [];
  if (!item) return titlesOf(items).join(', ');
  const { productTitle, itemNo } = item;
  const name = [productTitle, itemNo && `(${itemNo})`].filter(Boolean).join(' ');
  return listed(name, natureOf(item), items.length > 1 && `+${items.length - 1} more`);
}

function otherLines(context: WorkContext, others: OtherRecords | undefined, most: number): Line[] {
  if (!others) return [{ text: 'Other orders and tickets: reading …', color: 'dim' }];
  const orders = others.orders.map(({ receipt, transactionTime, totalOrderAmount, currency }) =>
    [receipt, dayOf(transactionTime), money(totalOrderAmount, currency)].join(' '),
  );
  const tickets = others.tickets.map((ticket) =>
    [ticket.ticketid, typeOf(ticket), statusOf(ticket)].join(' '),
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
function conversationLines(context: WorkContext, ticket: Ticket, room: number): Line[] {
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
  const newest = entries.at(-1);
  if (newest && shown.length === 0) {
    shown.push(...entryLines(context, newest, Math.max(1, room - 1)));
    left -= 1;
  }
  const text = left > 0 ? `… ${left} earlier, press m for all` : '… cut, press m for all';
  return [{ text, color: 'dim' }, ...shown];
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
  return [
    { text: `Transactions of ${sale.receipt}`, color: 'cyan' },
    ...oldestFirst(sale.transactions).flatMap((one) => transactionLines(context, one)),
    ...paymentsOf(sale).flatMap((payment) => [
      { text: '' },
      ...labeled(context, cardOf(sale, payment), Number.POSITIVE_INFINITY),
    ]),
  ];
}

function transactionLines(context: WorkContext, one: Transaction): Line[] {
  const { receipt, transactionTime, transactionType, totalOrderAmount, currency } = one;
  const earned = youEarn(one);
  const words = [
    ...[timeOf(context, transactionTime), receipt, kindOf(transactionType)],
    ...[money(totalOrderAmount, currency), earned && `you earn ${money(earned, accountCurrency)}`],
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
  const tickets = others.tickets.map((one) => {
    const words = [one.ticketid, one.receipt, typeOf(one), statusOf(one), one.description];
    return words.filter(Boolean).join('  ');
  });
  const more = others.hasMoreOrders ? ['and more'] : [];
  const talk = entriesOf(ticket).flatMap((entry, i) => [
    ...(i === 0 ? [] : [{ text: '' }]),
    ...entryLines(context, entry),
  ]);
  return [
    ...(talk.length > 0 ? talk : [{ text: 'No conversation yet.' }]),
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
