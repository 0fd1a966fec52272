/** tickets and ticket_comments (section 4.2 of the specification). */
import { ticket, tickets } from '../../../operations/tickets.ts';
import { column, type DatedSource, elementsOf, ofRow, pacificDayOf, type Table } from './table.ts';

const shared = [
  column('ticket_id', 'text', 'Identifies the ticket', ({ id }) => id),
  column('opened_day', 'day', 'Pacific day on which the ticket was opened', ({ day }) => day),
];

const ticketsTable: Table = {
  name: 'tickets',
  comment: 'Requests of customers: refunds, cancellations and support',
  since: 1,
  key: ['ticket_id'],
  day: 'opened_day',
  columns: [
    ...shared,
    column('receipt', 'text', 'Receipt that the ticket is about', 'receipt'),
    column('type', 'text', 'REFUND, CANCEL, TECH_SUPPORT and others', 'type'),
    column('status', 'text', 'OPEN, REOPENED or CLOSED', 'status'),
    column('opened_time', 'timestamp', 'When it was opened', 'openedDate'),
    column('updated_time', 'timestamp', 'When it last changed', 'updateTime'),
    column('closed_time', 'timestamp', 'When it was closed; null while it is open', 'closedDate'),
    column('expiration_time', 'timestamp', 'When ClickBank acts if nobody does', 'expirationDate'),
    column('refund_type', 'text', 'FULL, PARTIAL_PERCENT or PARTIAL_AMOUNT', 'refundType'),
    column('refund_amount', 'numeric', 'Percentage or amount of a partial refund', 'refundAmount'),
    column('product_item_no', 'text', 'SKU of the product', 'productItemNo'),
    column('source', 'text', 'Where it was opened, such as API', 'source'),
    column('locale', 'text', 'Language of the customer', 'locale'),
    column('first_name', 'text', 'First name of the customer', 'customerFirstName', {
      personal: true,
    }),
    column('last_name', 'text', 'Last name of the customer', 'customerLastName', {
      personal: true,
    }),
    column('email', 'text', 'Email address of the customer', 'email', { personal: true }),
    column(
      'email_at_order_time',
      'text',
      'Email address when the order was placed',
      'emailAtOrderTime',
      { personal: true },
    ),
    column('description', 'text', 'What the customer wrote', 'description', { personal: true }),
    column('note', 'text', 'Note on the ticket', 'note', { personal: true }),
  ],
  indexes: [
    { name: 'tickets_by_day', columns: ['account', 'opened_day'], since: 1 },
    { name: 'tickets_by_receipt', columns: ['receipt'], since: 1 },
  ],
};

const commentsTable: Table = {
  name: 'ticket_comments',
  comment: 'Comments and events of tickets',
  since: 1,
  key: ['ticket_id', 'position'],
  day: 'opened_day',
  items: elementsOf('comments'),
  columns: [
    ...shared,
    column('position', 'integer', 'Position in the ticket, from 1', ({ position }) => position),
    column('comment_id', 'text', 'ID of the comment', 'commentId'),
    column('receipt', 'text', 'Receipt that the ticket is about', ofRow('receipt')),
    column('comment_time', 'timestamp', 'When it was written', 'date'),
    column('action', 'text', 'What happened, such as COMMENTED or CLOSED', 'action'),
    column(
      'comment_role',
      'text',
      'Who wrote it: VENDOR, CUSTOMER, CBCSR, CBSYSTEM or USER',
      'commentRole',
    ),
    column('comment', 'text', 'Text of the comment', 'comment', { personal: true }),
  ],
};

/** Days that ClickBank lists in one request, by any of the dates of a ticket. */
const daysOfList = 7;

export const ticketSource: DatedSource = {
  name: 'tickets',
  kind: 'days',
  tables: [ticketsTable, commentsTable],
  identity: 'ticket_id',
  resource: ticket,
  isJoined: true,
  // Their changes are listed, so this is only for changes that leave the time of the update as it was.
  againRows: 200,
  requestsOf: (rows, days) => Math.ceil(days / daysOfList) + Math.floor(rows / 100),
  dayOf: ({ openedDate }) => pacificDayOf(openedDate),
  async *read({ client, signal }, { days: { first, last } }) {
    const args = { createDateFrom: first, createDateTo: last };
    for await (const { rows } of client.pages(tickets.list, args, { signal })) yield { rows };
  },
  async *readChanges({ client, signal }, { first, last }) {
    const args = { updateDateFrom: first, updateDateTo: last };
    for await (const { rows } of client.pages(tickets.list, args, { signal })) yield { rows };
  },
  idOf: ({ ticketid }) => String(ticketid),
};
