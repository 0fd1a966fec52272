/** All sources, in the order in which a sync reads them: what is asked about most comes first. */

import { ApiError } from '../../../client/errors.ts';
import { addDays, type Day } from '../../../dates/day.ts';
import { analytics } from '../../../operations/analytics.ts';
import type { Arguments, Operation, Params } from '../../../operations/operation.ts';
import { resource } from '../../../operations/resource.ts';
import { ticket, tickets } from '../../../operations/tickets.ts';
import { analyticsSource, quickstatSource, trendSource } from './analytics-tables.ts';
import { orderSource } from './order-tables.ts';
import { productSource } from './product-tables.ts';
import { noticeSource, shipmentSource } from './shipping-tables.ts';
import {
  type AccountReader,
  column,
  type DatedSource,
  type Days,
  elementsOf,
  halvesOf,
  ofRow,
  ownerByRole,
  pacificDayOf,
  type RowPages,
  type ServiceRow,
  type Source,
  type Table,
  type WholeSource,
} from './table.ts';

const since = 2;
const personal = { personal: true } as const;

const subscriptionsTable: Table = {
  name: 'subscriptions',
  comment:
    'Subscriptions as they are now; amounts are in currency, as the customer paid, without shipping and tax',
  since,
  key: ['subscription_id'],
  columns: [
    column('subscription_id', 'text', 'Receipt, SKU and role, with dots between', ({ id }) => id),
    column('role', 'text', 'Role of the account: VENDOR or AFFILIATE', 'role'),
    column('receipt', 'text', 'Receipt of the first sale', 'receipt'),
    column('item_no', 'text', 'SKU of the current product', 'itemNo'),
    column('vendor', 'text', 'Nickname of the vendor', 'pubNickName'),
    column('affiliate', 'text', 'Nickname of the affiliate; null without one', 'affNickName'),
    column(
      'status',
      'text',
      'ACTIVE, COMPLETED, CANCELED, RETRY_PAYMENT or REQUEST_NEW_CARD',
      'status',
    ),
    column('cancelled', 'boolean', 'It was canceled', 'cancelled'),
    column('currency', 'text', 'Currency of the amounts', 'currencyCode'),
    column('frequency', 'text', 'Billing frequency, such as EVERY MONTH', 'frequency'),
    column('duration', 'integer', 'Number of rebills; 999 for no end', 'duration'),
    column('trial_period', 'text', 'Trial period: a number of days, or a text', 'trialPeriod'),
    column('purchase_time', 'timestamp', 'When it began', 'purchaseDate'),
    column('next_payment_time', 'timestamp', 'When the next payment is due', 'nextPaymentDate'),
    column('cancel_time', 'timestamp', 'When it was canceled', 'subCancelDate'),
    column('end_time', 'timestamp', 'When it ended or will end', 'subEndDate'),
    column('start_day', 'day', 'Pacific day on which it began, after a trial', ({ row }) =>
      startDay(row),
    ),
    column('stop_day', 'day', 'Pacific day on which it was canceled or completed', ({ row }) =>
      stopDay(row),
    ),
    column(
      'mrr',
      'numeric',
      'Price of a payment by month, in currency; null if price or frequency is not known',
      ({ row }) => recurringRevenue(row),
    ),
    column('processed_payments', 'integer', 'Payments made so far', 'processedPaymentsCount'),
    column('future_payments', 'integer', 'Payments to come; 999 for no end', 'futurePaymentsCount'),
    column('value', 'numeric', 'What was paid so far minus what was returned', 'subValue'),
    column('initial_sale_amount', 'numeric', 'Amount of the first payment', 'initialSaleAmount'),
    column('initial_sale_count', 'integer', 'Number of first payments', 'initialSaleCount'),
    column('rebill_sale_amount', 'numeric', 'Amount of all rebills', 'rebillSaleAmount'),
    column('rebill_sale_count', 'integer', 'Number of rebills', 'rebillSaleCount'),
    column(
      'refund_amount',
      'numeric',
      'Refunds; always 0 since December 2022, see return_amount',
      'refundAmount',
    ),
    column('refund_count', 'integer', 'Number of refunds; always 0, too', 'refundCount'),
    column(
      'chargeback_amount',
      'numeric',
      'Chargebacks; always 0 since December 2022, see return_amount',
      'chargebackAmount',
    ),
    column(
      'chargeback_count',
      'integer',
      'Number of chargebacks; always 0, too',
      'chargebackCount',
    ),
    column('return_amount', 'numeric', 'Refunds and chargebacks together', 'returnAmount'),
    column('return_count', 'integer', 'Number of refunds and chargebacks', 'returnCount'),
    column('payment_method', 'text', 'How the customer pays', 'paymentMethod'),
    column('country', 'text', 'Country of the customer', 'countryCode'),
    column('province', 'text', 'State or province of the customer', 'province'),
    column('first_name', 'text', 'First name of the customer', 'customerFirstName', personal),
    column('last_name', 'text', 'Last name of the customer', 'customerLastName', personal),
    column('display_name', 'text', 'Name of the customer', 'customerDisplayName', personal),
    column('email', 'text', 'Email address of the customer', 'email', personal),
  ],
  indexes: [{ name: 'subscriptions_by_receipt', columns: ['receipt'], since }],
};

const idOf = ({ receipt, itemNo, role }: ServiceRow) => [receipt, itemNo, role].join('.');

/** Larger bodies need too much memory. */
const largestBody = 32 * 1024 * 1024;

/** Rows that are handed on at once, which bounds memory. */
const rowsAtOnce = 1000;

/** ClickBank began in 1998. */
const firstYear = 1998;

interface Asked {
  readonly account: string;
  readonly role: 'VENDOR' | 'AFFILIATE';
}

/** One body, or, if that is too large, a body for each year in which subscriptions started. */
async function* readSubscriptions(reader: AccountReader, asked: Asked): RowPages {
  try {
    yield* readBody(reader, analytics.subscriptions, asked);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    // A subscription in its trial may start next year.
    for (let year = Number(reader.today.slice(0, 4)) + 1; year >= firstYear; year--) {
      yield* readStarted(reader, asked, { first: `${year}-01-01`, last: `${year}-12-31` });
    }
  }
}

/** The subscriptions that started in some days; halves the days until each body is small enough. */
async function* readStarted(reader: AccountReader, asked: Asked, days: Days): RowPages {
  const { first, last } = days;
  try {
    yield* readBody(reader, analytics.byStartDate, { ...asked, startDate: first, endDate: last });
  } catch (error) {
    if (!isTooLarge(error) || first === last) throw error;
    for (const half of halvesOf(days)) yield* readStarted(reader, asked, half);
  }
}

/** A body is read to its end before its first row is handed on. */
async function* readBody<P extends Params>(
  { client, signal }: AccountReader,
  operation: Operation<P, (typeof analytics.subscriptions)['returns']>,
  args: Arguments<P> & Asked,
): RowPages {
  const { role } = args;
  for await (const { rows } of client.pages(operation, args, { signal, largestBody })) {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      yield { rows: rows.slice(at, at + rowsAtOnce).map((row) => ({ role, ...row })) };
    }
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'too-large';
}

export const subscriptionSource: WholeSource = {
  name: 'subscriptions',
  kind: 'whole',
  tables: [subscriptionsTable],
  identity: 'subscription_id',
  owner: ownerByRole,
  resource: resource('row', [], {
    ...analytics.subscriptions.returns.resource.fields,
    // The list does not repeat the role that it was asked for.
    role: { kind: 'text', nillable: false },
  }),
  partsOf: (nickname) => [
    { nickname, role: 'VENDOR' },
    { nickname, role: 'AFFILIATE' },
  ],
  read: (reader, { nickname, role = 'VENDOR' }) =>
    readSubscriptions(reader, { account: nickname, role }),
  idOf,
};

const fixed: Readonly<Record<string, number>> = {
  DAILY: 12 / 365,
  WEEKLY: 12 / 52,
  BI_WEEKLY: 24 / 52,
  MONTHLY: 1,
  QUARTERLY: 3,
  HALF_YEARLY: 6,
  YEARLY: 12,
};

const units: Readonly<Record<string, number>> = {
  DAY: 12 / 365,
  WEEK: 12 / 52,
  MONTH: 1,
  QUARTER: 3,
  YEAR: 12,
};

/** How many months a payment is for, by words such as `EVERY 3 MONTHS`; undefined for words that cb does not know. */
export function monthsPerPayment(frequency: unknown): number | undefined {
  const words = String(frequency ?? '')
    .trim()
    .toUpperCase();
  if (Object.hasOwn(fixed, words)) return fixed[words];
  const [, count = '1', unit = ''] =
    /^(?:EVERY )?(?:([1-9]\d{0,3}) )?(DAY|WEEK|MONTH|QUARTER|YEAR)S?$/.exec(words) ?? [];
  const months = units[unit];
  return months === undefined ? undefined : Number(count) * months;
}

/**
 * The price of a payment for each month that it is for, with two decimals: the average rebill, or the first payment of
 * a subscription without a trial. Undefined if one of them is not known.
 */
export function recurringRevenue(row: ServiceRow): string | undefined {
  const months = monthsPerPayment(row.frequency);
  const price =
    average(row.rebillSaleAmount, row.rebillSaleCount) ??
    (trialDays(row) === 0 ? average(row.initialSaleAmount, row.initialSaleCount) : undefined);
  return months === undefined || price === undefined ? undefined : (price / months).toFixed(2);
}

function average(amount: unknown, count: unknown): number | undefined {
  const value = Number(amount ?? Number.NaN) / Number(count ?? 0);
  return Number.isFinite(value) ? value : undefined;
}

/** ClickBank sends a number of days, or a text such as `14 DAYS`. */
function trialDays({ trialPeriod }: ServiceRow): number {
  const [days = '0'] = /^\d{1,4}/.exec(String(trialPeriod ?? '')) ?? [];
  return Number(days);
}

/** The first Pacific day after the trial. */
export function startDay(row: ServiceRow): Day | undefined {
  const day = pacificDayOf(row.purchaseDate);
  return day && addDays(day, trialDays(row));
}

/** The Pacific day on which it was canceled or completed; undefined while it is active. */
export function stopDay(row: ServiceRow): Day | undefined {
  const hasEnded = row.status === 'COMPLETED' || row.status === 'CANCELED';
  return pacificDayOf(row.subCancelDate) ?? (hasEnded ? pacificDayOf(row.subEndDate) : undefined);
}

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

const ticketSource: DatedSource = {
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

export const sources: readonly Source[] = [
  orderSource,
  ticketSource,
  productSource,
  quickstatSource,
  subscriptionSource,
  shipmentSource,
  trendSource,
  analyticsSource,
  noticeSource,
];

/** The sources that a sync reads unless the user names others: ship notices cost many requests. */
export const usualSources: readonly Source[] = sources.filter((one) => one !== noticeSource);
