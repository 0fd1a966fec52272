/** All sources, in the order in which a sync reads them: what is asked about most comes first. */

import { ApiError } from '../../../client/errors.ts';
import { addDays, type Day } from '../../../dates/day.ts';
import { analytics } from '../../../operations/analytics.ts';
import { ticket, tickets } from '../../../operations/tickets.ts';
import { analyticsSource, quickstatSource, trendSource } from './analytics-tables.ts';
import { orderSource } from './order-tables.ts';
import { productSource } from './product-tables.ts';
import { noticeSource, shipmentSource } from './shipping-tables.ts';
import {
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
  withTexts,
} from './table.ts';

const { boolean, day, integer, moment, numeric, personal, text } = column;

const subscriptionsTable: Table = {
  name: 'subscriptions',
  comment:
    'Subscriptions as they are now; amounts are in currency, as the customer paid, without shipping and tax',
  key: ['subscription_id'],
  columns: [
    text('subscription_id', 'Receipt, SKU and role, with dots between', ({ id }) => id),
    text('role', 'Role of the account: VENDOR or AFFILIATE'),
    text('receipt', 'Receipt of the first sale'),
    text('item_no', 'SKU of the current product'),
    text('vendor', 'Nickname of the vendor', 'pubNickName'),
    text('affiliate', 'Nickname of the affiliate; null without one', 'affNickName'),
    text('status', 'ACTIVE, COMPLETED, CANCELED, RETRY_PAYMENT or REQUEST_NEW_CARD'),
    boolean('cancelled', 'It was canceled'),
    text('currency', 'Currency of the amounts', 'currencyCode'),
    text('frequency', 'Billing frequency, such as EVERY MONTH'),
    integer('duration', 'Number of rebills; 999 for no end'),
    text('trial_period', 'Trial period: a number of days, or a text'),
    moment('purchase_time', 'When it began', 'purchaseDate'),
    moment('next_payment_time', 'When the next payment is due', 'nextPaymentDate'),
    moment('cancel_time', 'When it was canceled', 'subCancelDate'),
    moment('end_time', 'When it ended or will end', 'subEndDate'),
    day('start_day', 'Pacific day on which it began, after a trial', ({ row }) => startDay(row)),
    day('stop_day', 'Pacific day on which it was canceled or completed', ({ row }) => stopDay(row)),
    numeric(
      'mrr',
      'Price of a payment by month, in currency; null if price or frequency is not known',
      ({ row }) => recurringRevenue(row),
    ),
    numeric(
      'payment_months',
      'Months that a payment is for; null if frequency is not known',
      ({ row }) => monthsPerPayment(row.frequency),
    ),
    integer('processed_payments', 'Payments made so far', 'processedPaymentsCount'),
    integer('future_payments', 'Payments to come; 999 for no end', 'futurePaymentsCount'),
    numeric('value', 'What was paid so far minus what was returned', 'subValue'),
    numeric('initial_sale_amount', 'Amount of the first payment'),
    integer('initial_sale_count', 'Number of first payments'),
    numeric('rebill_sale_amount', 'Amount of all rebills'),
    integer('rebill_sale_count', 'Number of rebills'),
    numeric('refund_amount', 'Refunds; always 0 since December 2022, see return_amount'),
    integer('refund_count', 'Number of refunds; always 0, too'),
    numeric('chargeback_amount', 'Chargebacks; always 0 since December 2022, see return_amount'),
    integer('chargeback_count', 'Number of chargebacks; always 0, too'),
    numeric('return_amount', 'Refunds and chargebacks together'),
    integer('return_count', 'Number of refunds and chargebacks'),
    text('payment_method', 'How the customer pays'),
    text('country', 'Country of the customer', 'countryCode'),
    text('province', 'State or province of the customer'),
    personal('first_name', 'First name of the customer', 'customerFirstName'),
    personal('last_name', 'Last name of the customer', 'customerLastName'),
    personal('display_name', 'Name of the customer', 'customerDisplayName'),
    personal('email', 'Email address of the customer'),
  ],
  indexes: { subscriptions_by_receipt: ['receipt'] },
};

const idOf = ({ receipt, itemNo, role }: ServiceRow) => [receipt, itemNo, role].join('.');

/** Larger bodies need too much memory. */
const largestBody = 32 * 1024 * 1024;

/** Rows that are handed on at once, which bounds memory. */
const rowsAtOnce = 1000;

/** ClickBank began in 1998. */
const firstYear = 1998;

/** The latest first. A subscription in its trial may start next year. */
function yearsUntil(today: Day): readonly Days[] {
  const last = Number(today.slice(0, 4)) + 1;
  const years = Array.from({ length: last - firstYear + 1 }, (_, i) => last - i);
  return years.map((year) => ({ first: `${year}-01-01`, last: `${year}-12-31` }));
}

export const subscriptionSource: WholeSource = {
  name: 'subscriptions',
  kind: 'whole',
  tables: [subscriptionsTable],
  identity: 'subscription_id',
  owner: ownerByRole,
  // The list does not repeat the role that it was asked for.
  resource: withTexts(analytics.subscriptions.returns.resource, 'role'),
  partsOf: (nickname) => [
    { nickname, role: 'VENDOR' },
    { nickname, role: 'AFFILIATE' },
  ],
  /**
   * One body, or, if that is too large, a body for each year in which subscriptions started, and then for half of the
   * days, until each is small enough. A body is read to its end before its first row is handed on.
   */
  read({ client, signal, today }, { nickname: account, role = 'VENDOR' }) {
    const options = { signal, largestBody };
    const list = ({ first: startDate, last: endDate }: Days) =>
      client.pages(analytics.byStartDate, { account, role, startDate, endDate }, options);
    async function* readIn(days?: Days): RowPages {
      const all = () => client.pages(analytics.subscriptions, { account, role }, options);
      try {
        for await (const { rows } of days ? list(days) : all()) {
          for (let at = 0; at < rows.length; at += rowsAtOnce) {
            yield { rows: rows.slice(at, at + rowsAtOnce).map((row) => ({ role, ...row })) };
          }
        }
      } catch (error) {
        const isTooLarge = error instanceof ApiError && error.code === 'too-large';
        if (!isTooLarge || (days && days.first === days.last)) throw error;
        for (const some of days ? halvesOf(days) : yearsUntil(today)) yield* readIn(some);
      }
    }
    return readIn();
  },
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
  text('ticket_id', 'Identifies the ticket', ({ id }) => id),
  day('opened_day', 'Pacific day on which the ticket was opened', ({ day }) => day),
];

const ticketsTable: Table = {
  name: 'tickets',
  comment: 'Customer requests: refunds, cancellations and support',
  key: ['ticket_id'],
  day: 'opened_day',
  columns: [
    ...shared,
    text('receipt', 'Receipt that the ticket is about'),
    text('type', 'REFUND, CANCEL, TECH_SUPPORT and others'),
    text('status', 'OPEN, REOPENED or CLOSED'),
    moment('opened_time', 'When it was opened', 'openedDate'),
    moment('updated_time', 'When it last changed', 'updateTime'),
    moment('closed_time', 'When it was closed; null while it is open', 'closedDate'),
    moment('expiration_time', 'When ClickBank acts if nobody does', 'expirationDate'),
    text('refund_type', 'FULL, PARTIAL_PERCENT or PARTIAL_AMOUNT'),
    numeric('refund_amount', 'Percentage or amount of a partial refund'),
    text('product_item_no', 'SKU of the product'),
    text('source', 'Where it was opened, such as API'),
    text('locale', 'Language of the customer'),
    personal('first_name', 'First name of the customer', 'customerFirstName'),
    personal('last_name', 'Last name of the customer', 'customerLastName'),
    personal('email', 'Email address of the customer'),
    personal('email_at_order_time', 'Email address when the order was placed'),
    personal('description', 'What the customer wrote'),
    personal('note', 'Note on the ticket'),
  ],
  indexes: { tickets_by_day: ['account', 'opened_day'], tickets_by_receipt: ['receipt'] },
};

const commentsTable: Table = {
  name: 'ticket_comments',
  comment: 'Comments and events of tickets',
  key: ['ticket_id', 'position'],
  day: 'opened_day',
  items: elementsOf('comments'),
  columns: [
    ...shared,
    integer('position', 'Position in the ticket, from 1', ({ position }) => position),
    text('comment_id', 'ID of the comment'),
    text('receipt', 'Receipt that the ticket is about', ofRow('receipt')),
    moment('comment_time', 'When it was written', 'date'),
    text('action', 'What happened, such as COMMENTED or CLOSED'),
    text('comment_role', 'Who wrote it: VENDOR, CUSTOMER, CBCSR, CBSYSTEM or USER'),
    personal('comment', 'Text of the comment'),
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
  read: ({ client, signal }, { days: { first, last } }) =>
    client.pages(tickets.list, { createDateFrom: first, createDateTo: last }, { signal }),
  readChanges: ({ client, signal }, { first, last }) =>
    client.pages(tickets.list, { updateDateFrom: first, updateDateTo: last }, { signal }),
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
