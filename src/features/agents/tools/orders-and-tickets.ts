/** The tools `find_orders`, `order_timeline`, `list_tickets` and `get_ticket`. */

import type { Days } from '../../../client/zoned-period.ts';
import { countOf } from '../../../decimals/decimals.ts';
import { saleOf } from '../../../operations/operation.ts';
import { lineItem, order, orders } from '../../../operations/orders.ts';
import { ticket, tickets } from '../../../operations/tickets.ts';
import { type Transaction, ticketsOf } from '../../../safe-write/reads.ts';
import { obstacleTo } from '../../../safe-write/refundable.ts';
import { unlessRefused } from '../../../safe-write/verifier.ts';
import { youEarn } from '../../earnings/transaction.ts';
import { findAll, readQuery } from '../../find/find.ts';
import { actionNames, outlookOf, whyNot } from '../../tickets/queue/possible-actions.ts';
import { queued, readDetails } from '../../tickets/queue/ticket-details.ts';
import { paymentsOf } from '../../tickets/refund/refund.ts';
import {
  argumentsFor,
  inputOf,
  listOf,
  operationArguments,
  outputOf,
  periodFrom,
  rowOf,
  text,
  yesNo,
} from '../arguments.ts';
import {
  listOutput,
  listResult,
  type Paging,
  type Part,
  pagingArguments,
  partOf,
  pick,
  present,
  readList,
  type ToolRow,
} from '../rows.ts';
import { type Tool, type ToolArguments, type ToolCall, ToolError } from '../tool.ts';

/** The fields of a transaction that most questions need. */
const orderFields = [
  ...(['receipt', 'transactionTime', 'transactionType', 'totalOrderAmount', 'currency'] as const),
  ...(['fullName', 'email', 'country', 'vendor', 'affiliate', 'trackingId', 'role'] as const),
] as const;

/** Those that a customer or an affiliate wrote. */
const orderTexts = ['fullName', 'email', 'trackingId'] as const;

const lineFields = ['itemNo', 'productTitle', 'quantity', 'status'] as const;

/** `youEarnUsd` is the share of the account in the transaction. */
const orderSchema = rowOf(order, orderFields, {
  youEarnUsd: text(),
  items: listOf(rowOf(lineItem, lineFields)),
});

function orderRow(row: object): ToolRow {
  const { lineItemData } = row as { lineItemData?: readonly object[] | null };
  const items = (lineItemData ?? []).map((one) => pick(lineItem, lineFields, one));
  const youEarnUsd = youEarn({ lineItemData });
  return present({ ...pick(order, orderFields, row), youEarnUsd, items });
}

const ticketFields = [
  ...(['ticketid', 'receipt', 'type', 'status', 'openedDate', 'expirationDate'] as const),
  ...(['updateTime', 'refundType', 'refundAmount', 'customerFirstName'] as const),
  ...(['customerLastName', 'email', 'description'] as const),
] as const;

const ticketTexts = [
  ...(['customerFirstName', 'customerLastName', 'email', 'description'] as const),
];

function ticketRow(row: object): ToolRow {
  return pick(ticket, ticketFields, row);
}

export const findOrders: Tool = {
  name: 'find_orders',
  title: 'Find orders',
  description:
    'Find transactions (sales, rebills, refunds, chargebacks), newest first: those of a customer in the last 90 days, or by filters in the last 7 days. totalOrderAmount is what the customer paid, in US dollars or in currency, which is disputed; youEarnUsd is what the account earns. A sale between two own accounts is listed with the role VENDOR; role AFFILIATE lists the other share.',
  writtenByOthers: orderTexts,
  input: inputOf({
    customer: text('Email address, name or receipt; goes with dates, not with filters'),
    startDate: text(
      'First day, in all tools: YYYY-MM-DD, yesterday or -7d; or a period such as last-month or 2026-10',
    ),
    ...argumentsFor(orders.list.params, 'endDate', 'type', 'role', 'affiliate', 'item'),
    ...pagingArguments,
  }),
  output: listOutput(orderSchema),
  async run(args, call) {
    const { first, last, ...found } = await search(args, call);
    const part = { ...found, rows: found.rows.map(orderRow) };
    return listResult('transaction', part, ` from ${first} to ${last}`);
  },
};

async function search(args: ToolArguments, call: ToolCall): Promise<Part<object> & Days> {
  const { customer, limit, cursor, startDate, endDate, ...filters } = args as Paging &
    ToolArguments;
  const isSearch = typeof customer === 'string';
  const usual = [isSearch ? '-89d' : '-6d', 'today'] as const;
  const days = periodFrom({ startDate, endDate }, call.today, usual);
  if (!isSearch) {
    const given = { ...filters, limit, cursor, startDate: days.first, endDate: days.last };
    return { ...days, ...(await readList(orders.list, given, call)) };
  }
  const [filter] = Object.keys(filters);
  if (filter !== undefined) throw new ToolError(`Use customer or ${filter}, not both.`);
  const query = readQuery(customer.trim().split(/\s+/));
  const { orders: found } = await findAll(call.client, { query, days });
  return { ...days, ...partOf(found, [customer, days], { limit, cursor }) };
}

export const orderTimeline: Tool = {
  name: 'order_timeline',
  title: 'Order timeline',
  description:
    'Show what happened to an order: its sale, rebills, refunds and chargebacks, oldest first, and its tickets. refund of a payment says if it can be refunded.',
  writtenByOthers: [...orderTexts, ...ticketTexts],
  input: inputOf(argumentsFor(orders.get.params, 'receipt'), ['receipt']),
  output: outputOf(
    {
      receipt: text(),
      rows: listOf({
        ...orderSchema,
        properties: { ...orderSchema.properties, refund: text() },
      }),
      tickets: listOf({ type: 'object' }),
      ticketsProblem: text(),
    },
    ['receipt', 'rows'],
  ),
  async run(args, { client, today }) {
    const asked = operationArguments(orders.get, args, today);
    const receipt = saleOf(asked.receipt.toUpperCase());
    const [transactions, opened] = await Promise.all([
      client.call(orders.get, { receipt }),
      unlessRefused(() => ticketsOf(client, receipt)),
    ]);
    const sale = { receipt, transactions, tickets: opened };
    const payments = paymentsOf(sale);
    const instant = ({ transactionTime }: Transaction) => Date.parse(transactionTime ?? '') || 0;
    const rows = transactions
      .toSorted((one, other) => instant(one) - instant(other))
      .map((one) => {
        const obstacle = obstacleTo(sale, one);
        const refund = obstacle ? `not possible: ${obstacle.clause}` : 'possible';
        return { ...orderRow(one), ...(payments.includes(one) && { refund }) };
      });
    const found = opened?.map(ticketRow);
    const problem = 'The tickets of the order could not be read with this key.';
    return {
      summary: `${receipt}: ${countOf(rows.length, 'transaction')}, ${found ? countOf(found.length, 'ticket') : 'tickets unknown'}.`,
      data: { receipt, rows, ...(found ? { tickets: found } : { ticketsProblem: problem }) },
      ownLines: found ? [] : [problem],
    };
  },
};

const ticketFilters = ['type', 'status', 'receipt', 'createDateFrom', 'createDateTo'] as const;

export const listTickets: Tool = {
  name: 'list_tickets',
  title: 'List tickets',
  description:
    'List refund, cancellation and support tickets of customers, newest first. Without filters: the open ones. A refund ticket that expires is paid automatically. refundAmount is in the currency of the order.',
  writtenByOthers: ticketTexts,
  input: inputOf({ ...argumentsFor(tickets.list.params, ...ticketFilters), ...pagingArguments }),
  output: listOutput(rowOf(ticket, ticketFields)),
  async run(args, call) {
    const isOpen = ticketFilters.every((name) => args[name] === undefined);
    const given = isOpen ? { ...args, status: 'open' } : args;
    const part = await readList(tickets.list, given, call);
    const rows = part.rows.map(ticketRow);
    const more = isOpen ? ' with status open' : '';
    return listResult('ticket', { ...part, rows }, more);
  },
};

/** More entries of a conversation than these are left out, the oldest first. */
const mostComments = 30;

export const getTicket: Tool = {
  name: 'get_ticket',
  title: 'Read a ticket',
  description:
    'Read a ticket with its conversation and its order, what happens if nobody acts, and which actions are possible (whyNot says why one is not).',
  writtenByOthers: [...ticketTexts, 'comments with by CUSTOMER', ...orderTexts],
  input: inputOf(argumentsFor(tickets.get.params), ['id']),
  output: outputOf(
    {
      ticket: rowOf(ticket, ticketFields),
      comments: listOf({
        type: 'object',
        properties: { date: text(), action: text(), by: text(), text: text() },
      }),
      outlook: text(),
      isAutomatic: yesNo,
      actions: listOf({ type: 'object', properties: { action: text(), whyNot: text() } }),
      order: listOf(orderSchema),
    },
    ['ticket', 'comments', 'outlook', 'actions'],
  ),
  async run(args, { client, today, now }) {
    const asked = operationArguments(tickets.get, args, today);
    const found = await client.call(tickets.get, asked);
    const details = await readDetails(client, queued(found), () => now().getTime());
    const { sentence, isAutomatic } = outlookOf(details, now().getTime(), (time) => time);
    const actions = actionNames.map((action) => {
      const reason = whyNot(action, details, new Set());
      return { action, ...(reason !== undefined && { whyNot: reason }) };
    });
    const comments = (details.ticket.comments ?? [])
      .slice(-mostComments)
      .map(({ date, action, commentRole, comment }) =>
        present({ date, action, by: commentRole, text: comment }),
      );
    const order = (details.sale?.transactions ?? []).map(orderRow);
    const shown = ticketRow(details.ticket);
    return {
      summary: `Ticket ${asked.id}. ${sentence}.`,
      data: { ticket: shown, comments, outlook: `${sentence}.`, isAutomatic, actions, order },
    };
  },
};
