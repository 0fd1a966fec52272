/** The rows that `cb find` shows: orders and tickets as tables, or both in one list. */
import {
  decimal,
  headed,
  integer,
  naming,
  resource,
  text,
  time,
} from '../../operations/resource.ts';
import type { Row } from '../../output/rows/rows.ts';
import { customerPaid, kindOf, youEarn } from '../../workflows/earnings/transaction.ts';
import type { FoundOrder, FoundTicket } from '../../workflows/find/find.ts';
import { customerOf, money, titlesOf } from '../../workflows/safe-write/sentence.ts';

const orderTable = resource(
  'foundOrder',
  ['time', 'receipt', 'what', 'customer', 'paid', 'youEarn', 'email'],
  {
    time,
    receipt: naming('receipt', text),
    what: text,
    customer: text,
    paid: headed('Customer paid', text),
    youEarn: headed('You earn', decimal),
    email: text,
  },
);

const ticketTable = resource(
  'foundTicket',
  ['opened', 'ticket', 'receipt', 'what', 'status', 'customer', 'email'],
  {
    opened: time,
    ticket: naming('ticket', integer),
    receipt: naming('receipt', text),
    what: text,
    status: text,
    customer: text,
    email: text,
  },
);

/** The columns of csv, tsv and ndjson, which are a contract. */
const list = resource('match', [], {
  kind: text,
  time,
  receipt: naming('receipt', text),
  ticketid: naming('ticket', integer),
  type: text,
  status: text,
  product: text,
  customer: text,
  email: text,
  customerPaid: decimal,
  currency: text,
  youEarn: decimal,
});

export const shapes = { orders: orderTable, tickets: ticketTable, list };

export function orderRow(order: FoundOrder): Row {
  const { transactionTime, receipt, fullName, email, totalOrderAmount, currency } = order;
  const kind = kindOf(order.transactionType);
  const product = productOf(order);
  const fee = kind === 'fee' ? ` of ${money(totalOrderAmount, currency).replace('-', '')}` : '';
  const amount = customerPaid(order);
  return {
    time: transactionTime,
    receipt,
    what: kind === 'sale' ? product : `${kind}${fee}: ${product}`,
    customer: fullName,
    paid: amount === undefined ? undefined : money(amount, currency),
    youEarn: youEarn(order),
    email,
  };
}

export function ticketRow(ticket: FoundTicket): Row {
  const { openedDate, ticketid, receipt, type, status, description, email } = ticket;
  return {
    opened: openedDate,
    ticket: ticketid,
    receipt,
    what: [typeWords(type), description].filter(Boolean).join(': '),
    status: typeWords(status),
    customer: customerOf(ticket),
    email,
  };
}

/** As in `tech support`. */
function typeWords(word: string | null | undefined): string {
  return (word ?? '').toLowerCase().replaceAll('_', ' ');
}

export function listRows(orders: readonly FoundOrder[], tickets: readonly FoundTicket[]): Row[] {
  return [...orders.map(listedOrder), ...tickets.map(listedTicket)];
}

function listedOrder(order: FoundOrder): Row {
  return {
    kind: 'order',
    time: order.transactionTime,
    receipt: order.receipt,
    ticketid: null,
    type: order.transactionType,
    status: null,
    product: productOf(order),
    customer: order.fullName,
    email: order.email,
    customerPaid: customerPaid(order),
    currency: order.currency,
    youEarn: youEarn(order),
  };
}

function listedTicket(ticket: FoundTicket): Row {
  return {
    kind: 'ticket',
    time: ticket.openedDate,
    receipt: ticket.receipt,
    ticketid: ticket.ticketid,
    type: ticket.type,
    status: ticket.status,
    product: ticket.productItemNo,
    customer: customerOf(ticket),
    email: ticket.email,
    customerPaid: null,
    currency: null,
    youEarn: null,
  };
}

function productOf({ lineItemData }: FoundOrder): string {
  return titlesOf(lineItemData).join(' + ');
}
