/** The tools `find_orders`, `order_timeline`, `list_tickets` and `get_ticket`. */

import { countOf } from '../../../decimals/decimals.ts';
import { saleOf } from '../../../operations/operation.ts';
import { lineItem, order, orders } from '../../../operations/orders.ts';
import { words } from '../../../operations/resource.ts';
import { ticket, tickets } from '../../../operations/tickets.ts';
import { obstacleTo } from '../../../safe-write/refundable.ts';
import { youEarn } from '../../earnings/transaction.ts';
import { findAll, readQuery } from '../../find/find.ts';
import { actionNames, outlookOf, whyNot } from '../../tickets/queue/possible-actions.ts';
import { queued, readDetails } from '../../tickets/queue/ticket-details.ts';
import { oldestFirst, paymentsOf, readHistory } from '../../tickets/refund/refund.ts';
import { operationArguments, periodFrom } from '../arguments.ts';
import { listResult, type Paging, partOf, present, readList, type ToolRow } from '../rows.ts';
import * as schema from '../schema.ts';
import { type Tool, type ToolArguments, type ToolCall, ToolError } from '../tool.ts';

/** The fields of a transaction that most questions need. */
const transaction = schema.rowsWith(
  order,
  words(
    'receipt transactionTime transactionType totalOrderAmount currency fullName email country vendor affiliate trackingId role',
  ),
);

/** Those that a customer or an affiliate wrote. */
const orderTexts = ['fullName', 'email', 'trackingId'];

const item = schema.rowsWith(lineItem, words('itemNo productTitle quantity status'));

/** `youEarnUsd` is the share of the account in the transaction. */
const orderSchema = {
  type: 'object',
  properties: {
    ...transaction.schema.properties,
    ...{ youEarnUsd: schema.text(), items: schema.listOf(item.schema) },
  },
};

function orderRow(row: object): ToolRow {
  const { lineItemData } = row as { lineItemData?: readonly object[] | null };
  const items = (lineItemData ?? []).map(item.pick);
  return present({ ...transaction.pick(row), youEarnUsd: youEarn({ lineItemData }), items });
}

const ticketTexts = words('customerFirstName customerLastName email description');

const ticketRow = schema.rowsWith(ticket, [
  ...words('ticketid receipt type status openedDate expirationDate updateTime'),
  ...words('refundType refundAmount'),
  ...ticketTexts,
]);

export const findOrders: Tool = {
  name: 'find_orders',
  title: 'Find orders',
  description:
    'Find transactions (sales, rebills, refunds, chargebacks), newest first: those of a customer in the last 90 days, or by filters in the last 7 days. totalOrderAmount is what the customer paid, in US dollars or in currency, which is disputed; youEarnUsd is what the account earns. A sale between two own accounts is listed with the role VENDOR; role AFFILIATE lists the other share.',
  writtenByOthers: orderTexts,
  input: schema.listInput({
    customer: schema.text(
      'Email address, last or full name, or receipt; % matches any text. Goes with dates, not with filters',
    ),
    startDate: schema.text(
      'First day, in all tools: YYYY-MM-DD, yesterday or -7d; or a period such as last-month or 2026-10',
    ),
    ...schema.argumentsFor(orders.list.params, 'endDate', 'type', 'role', 'affiliate', 'item'),
  }),
  output: schema.listOutput(orderSchema),
  async run(args, call) {
    const { first, last, ...found } = await search(args, call);
    const part = { ...found, rows: found.rows.map(orderRow) };
    return listResult('transaction', part, ` from ${first} to ${last}`);
  },
};

async function search(args: ToolArguments, call: ToolCall) {
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
  input: schema.inputOf(schema.argumentsFor(orders.get.params, 'receipt'), ['receipt']),
  output: schema.outputOf(
    {
      receipt: schema.text(),
      rows: schema.listOf({
        ...orderSchema,
        properties: { ...orderSchema.properties, refund: schema.text() },
      }),
      tickets: schema.listOf({ type: 'object' }),
      ticketsProblem: schema.text(),
    },
    ['receipt', 'rows'],
  ),
  async run(args, { client, today }) {
    const asked = operationArguments(orders.get, args, today);
    const receipt = saleOf(asked.receipt);
    const sale = await readHistory(client, receipt);
    const payments = paymentsOf(sale);
    const rows = oldestFirst(sale.transactions).map((one) => {
      const obstacle = obstacleTo(sale, one);
      const refund = obstacle ? `not possible: ${obstacle.clause}` : 'possible';
      return { ...orderRow(one), ...(payments.includes(one) && { refund }) };
    });
    const found = sale.tickets?.map(ticketRow.pick);
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
    'List refund, cancellation and support tickets of customers, newest first. Without filters: those that are open or were reopened. A refund ticket that expires is paid automatically. refundAmount is in the currency of the order.',
  writtenByOthers: ticketTexts,
  input: schema.listInput(schema.argumentsFor(tickets.list.params, ...ticketFilters)),
  output: schema.listOutput(ticketRow.schema),
  async run(args, call) {
    const isOpen = ticketFilters.every((name) => args[name] === undefined);
    const given = isOpen ? { ...args, status: ['open', 'reopened'] } : args;
    const part = await readList(tickets.list, given, call);
    const rows = part.rows.map(ticketRow.pick);
    const more = isOpen ? ' with status open or reopened' : '';
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
  input: schema.inputOf(schema.argumentsFor(tickets.get.params), ['id']),
  output: schema.outputOf(
    {
      ticket: ticketRow.schema,
      comments: schema.listOf({
        type: 'object',
        properties: {
          date: schema.text(),
          action: schema.text(),
          by: schema.text(),
          text: schema.text(),
        },
      }),
      outlook: schema.text(),
      isAutomatic: { type: 'boolean' },
      actions: schema.listOf({
        type: 'object',
        properties: { action: schema.text(), whyNot: schema.text() },
      }),
      order: schema.listOf(orderSchema),
    },
    ['ticket', 'comments', 'outlook', 'actions'],
  ),
  async run(args, { client, today, now }) {
    const asked = operationArguments(tickets.get, args, today);
    const found = await client.call(tickets.get, asked);
    const details = await readDetails(client, queued(found), () => now.getTime());
    const { sentence, isAutomatic } = outlookOf(details, now.getTime(), (time) => time);
    const actions = actionNames.map((action) => {
      const reason = whyNot[action](details, new Set());
      return { action, ...(reason !== undefined && { whyNot: reason }) };
    });
    const written = details.ticket.comments ?? [];
    const left = written.length - mostComments;
    const comments = written
      .slice(-mostComments)
      .map(({ date, action, commentRole, comment }) =>
        present({ date, action, by: commentRole, text: comment }),
      );
    const order = (details.sale?.transactions ?? []).map(orderRow);
    const shown = ticketRow.pick(details.ticket);
    return {
      summary: `Ticket ${asked.id}. ${sentence}.${left > 0 ? ` Without the oldest ${left} comments.` : ''}`,
      data: { ticket: shown, comments, outlook: `${sentence}.`, isAutomatic, actions, order },
    };
  },
};
