/** The tools `list_tickets` and `get_ticket`. */
import { ticket, tickets } from '../../operations/tickets.ts';
import { outlookOf } from '../../workflows/queue/outlook.ts';
import { actionNames, whyNot } from '../../workflows/queue/possible-actions.ts';
import { queued } from '../../workflows/queue/queued-tickets.ts';
import { readDetails } from '../../workflows/queue/ticket-details.ts';
import { operationArguments } from '../rows/arguments.ts';
import { type Paging, pagingArguments, readPart } from '../rows/paging.ts';
import { linesOf } from '../rows/pick.ts';
import { argumentsFor, inputOf, listOf, outputOf, rowOf, text, yesNo } from '../rows/schemas.ts';
import type { Tool } from '../tool.ts';
import { listOutput, listResult } from './lists.ts';
import { orderColumns, orderRow, orderSchema, orderTexts } from './order-rows.ts';
import { commentRows, ticketFields, ticketRow, ticketTexts } from './ticket-rows.ts';

const { list, get } = tickets;

const filters = ['type', 'status', 'receipt', 'createDateFrom', 'createDateTo'] as const;

export const listTickets: Tool = {
  name: 'list_tickets',
  title: 'List tickets',
  description:
    'List refund, cancellation and support tickets of customers, newest first. Without filters: the open ones. A refund ticket that expires is paid automatically. refundAmount is in the currency of the order.',
  writes: false,
  writtenByOthers: ticketTexts,
  input: inputOf({ ...argumentsFor(list.params, ...filters), ...pagingArguments }),
  output: listOutput(rowOf(ticket, ticketFields)),
  async run(args, { client, today }) {
    const { limit, cursor, ...given } = args as Paging & Record<string, unknown>;
    const isOpen = Object.keys(given).length === 0;
    const asked = operationArguments(list, isOpen ? { status: 'open' } : given, today);
    const { rows, next } = await readPart(client, list, asked, { limit, cursor });
    const part = { rows: rows.map(ticketRow), next };
    return listResult('ticket', ticketFields, part, isOpen ? ' with status open' : '');
  },
};

export const getTicket: Tool = {
  name: 'get_ticket',
  title: 'Read a ticket',
  description:
    'Read a ticket with its conversation and its order, what happens if nobody acts, and which actions are possible (whyNot says why one is not).',
  writes: false,
  writtenByOthers: [...ticketTexts, 'comments with by CUSTOMER', ...orderTexts],
  input: inputOf(argumentsFor(get.params), ['id']),
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
    const asked = operationArguments(get, args, today);
    const found = await client.call(get, asked);
    const details = await readDetails(client, queued(found), () => now().getTime());
    const { sentence, isAutomatic } = outlookOf(details, now().getTime(), (time) => time);
    const actions = actionNames.map((action) => {
      const reason = whyNot(action, details, new Set());
      return { action, ...(reason !== undefined && { whyNot: reason }) };
    });
    const comments = commentRows(details.ticket);
    const order = (details.sale?.transactions ?? []).map(orderRow);
    const shown = ticketRow(details.ticket);
    return {
      summary: `Ticket ${asked.id}. ${sentence}.`,
      data: { ticket: shown, comments, outlook: `${sentence}.`, isAutomatic, actions, order },
      lines: [
        ...linesOf(ticketFields, [shown]),
        ...linesOf(['date', 'action', 'by', 'text'], comments),
        ...linesOf(['action', 'whyNot'], actions),
        ...linesOf(orderColumns, order),
      ],
    };
  },
};
