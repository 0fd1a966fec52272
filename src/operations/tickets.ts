/** Tickets: /1.3/tickets (section 4.2 of the specification; shapes of the live service). */
import type { Remark } from './finding.ts';
import type { Arguments } from './operation.ts';
import * as op from './operation.ts';
import type { Row } from './resource.ts';
import * as field from './resource.ts';
import { followingValues } from './validate.ts';

const { boolean, choice, constant, date, decimal, receiptOf, required, several, text } = op;
const { countReply, nothing, one, operation, pages, schemaOf } = op;
const { bothOrNeither, isSameId, needed, note, when } = op;
const { alike, headed, many, naming, nillable, oneOf, resource } = field;

const comment = resource(
  'comments',
  ['date', 'action', 'commentRole', 'comment'],
  {
    commentId: field.integer,
    date: nillable(field.time),
    comment: nillable(field.text),
    action: nillable(
      oneOf(
        'OPENED COMMENTED CHANGED CLOSED REOPENED REFUND_ACKED ASSIGNED EXPIRED APPROVED',
        'DISAPPROVED ATTACHMENT ADMIN_CHANGE NEW_PHOTO_ID',
      ),
    ),
    commentRole: nillable(oneOf('VENDOR CUSTOMER CBCSR CBSYSTEM USER')),
  },
  { root: 'ticketCommentData' },
);

/** A customer's request. Responses use other words than requests: REFUND is sent as rfnd. */
export const ticket = resource(
  'ticketData',
  ['ticketid', 'receipt', 'type', 'status', 'openedDate', 'refundType', 'refundAmount', 'email'],
  {
    ticketid: naming('ticket', field.required(nillable(field.integer))),
    receipt: naming('receipt', nillable(field.text)),
    status: nillable(oneOf('OPEN REOPENED CLOSED')),
    type: nillable(
      oneOf(
        'REFUND CANCEL TECH_SUPPORT PRODUCT_CHANGE ORDER_LOOKUP ESCALATED SPAM ACCOUNT_ABUSE SECURITY_CONCERN',
      ),
    ),
    ...alike(nillable(field.text), 'description', 'customerFirstName', 'customerLastName', 'email'),
    ...alike(nillable(field.text), 'emailAtOrderTime', 'locale', 'note'),
    productItemNo: naming('sku', nillable(field.text)),
    openedDate: headed('Opened', nillable(field.time)),
    closedDate: headed('Closed', nillable(field.time)),
    expirationDate: headed('Expires', nillable(field.time)),
    updateTime: headed('Updated', nillable(field.time)),
    refundType: headed(
      'Refund',
      nillable(oneOf('FULL PARTIAL_PERCENT PARTIAL_AMOUNT PARTIAL_QUANTITY TAX')),
    ),
    refundAmount: headed('Amount', nillable(field.decimal)),
    source: nillable(
      oneOf('API CUSTOMER_WAM VENDOR_WAM VENDOR_ADMIN RNFDS_EMAIL CNCLS_EMAIL CSR_ADMIN UNKNOWN'),
    ),
    comments: nillable(many(comment)),
  },
  {
    noun: 'ticket',
    order: `ticketid receipt status type comments openedDate closedDate description refundType
      refundAmount customerFirstName customerLastName email emailAtOrderTime expirationDate locale
      note productItemNo updateTime source`,
  },
);

/** What a refund would pay back, in the currencies involved. */
export const partialRefund = resource(
  'partialRefundData',
  ['customerAmount', 'customerCurrency', 'usdAmount', 'productAmount', 'productCurrency'],
  {
    ...alike(field.decimal, 'usdAmount', 'customerAmount'),
    customerCurrency: field.text,
    productAmount: field.decimal,
    productCurrency: field.text,
  },
);

const reading = { method: 'GET', roles: ['api_order_read'] } as const;

const receipt = receiptOf('Receipt of the sale');

const id = required(
  text('Ticket ID', {
    pattern: { matches: /^\d{1,18}$/, says: 'a ticket ID, which has only digits' },
    names: 'ticket',
  }),
);

const sku = text('SKU of the line item, if the order has several', { names: 'sku' });

const ticketType = choice(
  'Ticket type',
  {
    rfnd: 'refund; also ends a subscription',
    cncl: 'cancellation; refunds a one-time sale',
    tech: 'technical support',
  },
  { inWords: 'refund, cancel or tech' },
);

const status = choice('Ticket status', {
  open: '',
  reopened: 'closed and opened again',
  closed: '',
});

const refundType = choice(
  'How much to refund',
  {
    FULL: 'full remaining amount',
    PARTIAL_PERCENT: '1 to 80 percent',
    PARTIAL_AMOUNT: 'in the currency of the customer',
  },
  { inWords: 'full, partial or amount' },
);

const refundAmount = decimal('Percentage or amount of a partial refund');

/** Ticket types in responses, by their names in requests. */
export const ticketTypes: Readonly<Record<string, string>> = {
  rfnd: 'REFUND',
  cncl: 'CANCEL',
  tech: 'TECH_SUPPORT',
};

const reasonPrefixes = Object.fromEntries(
  Object.entries(ticketTypes).map(([type, name]) => [type, `ticket.type.${name.toLowerCase()}.`]),
);

const reason = choice(
  'Reason code or words',
  {
    'ticket.type.cancel.1': 'no additional value for recurring payments',
    'ticket.type.cancel.2': 'not satisfied, or did not meet expectations',
    'ticket.type.cancel.3': 'no vendor support',
    'ticket.type.cancel.4': 'not compatible with computer',
    'ticket.type.cancel.5': 'cannot afford continuing payments',
    'ticket.type.cancel.6': 'did not realize terms for continuing payments were accepted',
    'ticket.type.cancel.7': 'other',
    'ticket.type.cancel.not.mobile': 'not compatible with mobile device',
    'ticket.type.refund.1': 'product never received',
    'ticket.type.refund.2': 'not satisfied, or did not meet expectations',
    'ticket.type.refund.3': 'not compatible with computer',
    'ticket.type.refund.4': 'no technical support',
    'ticket.type.refund.5': 'purchase not authorized',
    'ticket.type.refund.6': 'purchase not recognized',
    'ticket.type.refund.7': 'duplicate, or already purchased',
    'ticket.type.refund.returned': 'product returned',
    'ticket.type.refund.8': 'other',
    'ticket.type.refund.not.mobile': 'not compatible with mobile device',
    'ticket.type.tech_support.1': 'cannot log in',
    'ticket.type.tech_support.2': 'download problems',
    'ticket.type.tech_support.3': 'no valid registration code received',
    'ticket.type.tech_support.4': 'product does not work',
    'ticket.type.tech_support.9': 'other',
    'ticket.type.tech_support.10': 'product never received',
    'ticket.type.tech_support.12': 'return request',
  },
  { topic: 'reasons', coded: true, follows: { param: 'type', prefixes: reasonPrefixes } },
);

/** The reasons of a type of ticket, with their meanings. */
export const reasonsOf = (type: string) => followingValues(reason, { type });

/** Section 8: a percentage is from 1 to 80 and has at most two decimal digits. */
function refundRules({ refundType, refundAmount }: op.Given): (Remark | false)[] {
  const isPercent = refundType === 'PARTIAL_PERCENT';
  const isPartial = isPercent || refundType === 'PARTIAL_AMOUNT';
  const value = Number(refundAmount);
  const given = refundAmount !== undefined;
  const isTooLong = /\.\d{3,}$/.test(String(refundAmount));
  const wrong = (broken: boolean, says: string) => when(broken, 'refundAmount', says);
  return [
    needed(isPartial && !given, 'refundAmount', 'is required for a partial refund'),
    wrong(isPercent && given && !(value >= 1 && value <= 80), 'must be from 1 to 80 percent'),
    wrong(isPercent && isTooLong, 'must have at most two decimal digits'),
    wrong(refundType === 'PARTIAL_AMOUNT' && given && value <= 0, 'must be more than 0'),
  ];
}

/** The first and last day of a period. The service accepts at most 7 days in one request. */
function period<const N extends string>(which: N, of: string, at: string) {
  const name = `${which}Period`;
  const first = date(`First day on which it was ${of}`, {
    range: { name, end: 'first', maxDays: 7, summary: `Period in which it was ${of}`, at },
  });
  const last = date(`Last day on which it was ${of}`, { range: { name, end: 'last', maxDays: 7 } });
  const days = { [`${which}DateFrom`]: first, [`${which}DateTo`]: last };
  return days as Readonly<Record<`${N}DateFrom` | `${N}DateTo`, typeof first>>;
}

const notYours = 'the ticket does not exist, or your account may not act on it';

/** The reply to a change of a ticket: that ticket, in a state after the change. */
function changed(isAfter: (ticket: TicketRow, args: Arguments) => boolean = () => true) {
  return one(ticket, (reply, args) => {
    const row = reply as TicketRow;
    return isSameId(row.ticketid, args.id) && isAfter(row, args);
  });
}

type TicketRow = Row<typeof ticket>;

/** A ticket of a subscription whose product has changed may have the earlier SKU. */
const created = one(ticket, (reply, { receipt, type }) => {
  const row = reply as TicketRow;
  return row.type === ticketTypes[String(type)] && isSameId(row.receipt, receipt);
});

const acting = {
  method: 'PUT',
  path: '/1.3/tickets/{id}',
  roles: ['api_order_write'],
  refusals: { 403: notYours },
} as const;

const search = { type: { ...ticketType, ...several }, status: { ...status, ...several } };

const count = operation({
  ...reading,
  path: '/1.3/tickets/count',
  command: 'tickets count',
  summary: 'Count tickets',
  params: {
    ...search,
    receipt: text('Receipt, including its rebills', { names: 'receipt' }),
  },
  returns: countReply,
  examples: ['cb tickets count --status open --type rfnd'],
});

export const tickets = {
  list: operation({
    ...reading,
    path: '/1.3/tickets/list',
    command: 'tickets list',
    summary: 'List customer tickets, such as refunds',
    params: {
      ...search,
      receipt: text('Receipt, including its rebills', {
        names: 'receipt',
        wildcard: true,
        pattern: {
          matches: /^(?!%)(?:[^%]%*){4,}$/,
          says: 'at least 4 characters besides %, not starting with %',
        },
      }),
      ...period('create', 'opened', 'openedDate'),
      ...period('update', 'updated', 'updateTime'),
      ...period('close', 'closed', 'closedDate'),
    },
    returns: pages(ticket, {
      key: ['ticketid'],
      dated: { by: 'createPeriod', first: 'latest' },
      count,
    }),
    check: (args) =>
      ['create', 'update', 'close'].flatMap((which) =>
        bothOrNeither(args, `${which}DateFrom`, `${which}DateTo`),
      ),
    examples: [
      'cb tickets list --status open',
      'cb tickets list --type rfnd --period last-30-days -o csv',
      'cb tickets list --receipt MONTH%',
    ],
  }),

  count,

  get: operation({
    ...reading,
    path: '/1.3/tickets/{id}',
    command: 'tickets get',
    summary: 'Show a ticket with its comments',
    params: { id },
    returns: one(ticket),
    examples: ['cb tickets get 1001'],
    refusals: { 403: notYours },
  }),

  create: operation({
    method: 'POST',
    path: '/1.3/tickets/{receipt}',
    command: 'tickets create',
    summary: 'Create a ticket, such as a refund',
    roles: ['api_order_write'],
    params: {
      receipt,
      type: required(ticketType),
      reason: required(reason),
      refundType,
      refundAmount,
      sku,
      comment: text('Comment on the ticket'),
      retainSubscription: boolean('Keep the subscription active after the refund', {
        off: 'End the subscription with the refund',
      }),
    },
    returns: created,
    check: (args) => [
      needed(args.type === 'rfnd' && !args.refundType, 'refundType', 'is required for a refund'),
      // ClickBank would ignore them, and refund or end more than was asked for.
      when(
        args.refundAmount !== undefined && (args.type !== 'rfnd' || args.refundType === 'FULL'),
        'refundAmount',
        `can't be used with ${args.type === 'rfnd' ? '{refundType} FULL' : `{type} ${args.type}`}`,
      ),
      when(
        args.retainSubscription === true && args.type !== 'rfnd',
        'retainSubscription',
        `can't be used with {type} ${args.type}`,
      ),
      note(
        args.type !== 'rfnd' && !!args.refundType,
        `ClickBank ignores {refundType} with {type} ${args.type}`,
      ),
      when(
        !args.reason.startsWith(reasonPrefixes[args.type] ?? ''),
        'reason',
        `must match {type} ${args.type}`,
        `one of ${reasonsOf(args.type)
          .map(([value, meaning]) => `${value} (${meaning})`)
          .join(', ')}`,
      ),
      ...(args.type === 'rfnd' ? refundRules(args) : []),
    ],
    examples: [
      'cb tickets create DIGITAL1 --type refund --reason 2 --refund-type full --yes',
      'cb tickets create PARCEL01 --type refund --reason 2 --refund-amount 50% --yes',
      "cb tickets create MONTHLY1 --type cancel --reason 'cannot afford' --yes",
      'cb tickets create PARCEL01 --type tech --reason ticket.type.tech_support.10 --yes',
    ],
    refusals: { 403: 'the vendor may not make partial refunds, or the receipt is not yours' },
  }),

  refundAmounts: operation({
    ...reading,
    path: '/1.3/tickets/refundAmounts/{receipt}',
    command: 'tickets refund-amounts',
    summary: 'Show the amount of a refund in advance',
    params: {
      receipt,
      sku,
      refundType: required(refundType),
      // The specification requires it; programs leave it out for a full refund.
      refundAmount,
    },
    returns: one(partialRefund),
    check: (args) => [
      ...refundRules(args),
      note(
        args.refundType === 'FULL' && args.refundAmount !== undefined,
        'ClickBank ignores {refundAmount} with {refundType} FULL',
      ),
    ],
    examples: [
      'cb tickets refund-amounts MONTHLY1 --refund-type full',
      'cb tickets refund-amounts MONTHLY1 --refund-type partial --refund-amount 50%',
    ],
    refusals: { 403: 'the vendor may not make partial refunds, or the receipt is not yours' },
  }),

  close: operation({
    ...acting,
    command: 'tickets close',
    summary: 'Close tickets, which cancels an open refund',
    params: { id, action: constant('close'), comment: text('Comment on the ticket') },
    returns: changed(({ status }) => status === 'CLOSED'),
    examples: ["cb tickets close 1001 --comment 'Solved by email' --yes"],
  }),

  reopen: operation({
    ...acting,
    command: 'tickets reopen',
    summary: 'Reopen closed tickets',
    params: {
      id,
      action: constant('reopen'),
      comment: required(text('Why the ticket is reopened')),
    },
    returns: changed(({ status }) => status !== 'CLOSED'),
    examples: ["cb tickets reopen 1002 --comment 'The problem is back' --yes"],
    refusals: { ...acting.refusals, 400: 'the ticket is not closed' },
  }),

  change: operation({
    ...acting,
    command: 'tickets change',
    summary: 'Change the type of tickets',
    params: {
      id,
      action: constant('change'),
      type: required({ ...ticketType, summary: 'New type (a refund is in full)' }),
      comment: text('Comment on the ticket'),
    },
    returns: changed(({ type }, args) => type === ticketTypes[String(args.type)]),
    examples: ['cb tickets change 1003 --type cncl --yes'],
  }),

  comment: operation({
    ...acting,
    command: 'tickets comment',
    summary: 'Add a comment to tickets',
    params: { id, comment: required(text('Text of the comment', { lenient: true })) },
    returns: changed(),
    examples: ["cb tickets comment 1001 --comment 'We are working on it' --yes"],
  }),

  returned: operation({
    method: 'POST',
    path: '/1.3/tickets/{id}/returned',
    command: 'tickets returned',
    summary: 'Confirm a return, which completes the refund',
    roles: ['api_order_read', 'api_order_write'],
    params: { id },
    returns: nothing,
    examples: ['cb tickets returned 1004 --yes'],
    refusals: {
      400: 'the ticket does not exist or is not for physical goods',
      403: 'your account may not act on it',
    },
  }),

  schema: schemaOf('/1.3/tickets/schema', 'tickets schema', 'a ticket'),

  partialRefundSchema: schemaOf(
    '/1.3/tickets/partialRefundDataSchema',
    'tickets partial-refund-schema',
    'refund amounts',
  ),
};
