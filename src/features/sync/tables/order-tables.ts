/** orders and order_items: all transactions of the account (section 4.3 of the specification). */
import { order, orders } from '../../../operations/orders.ts';
import { youEarn } from '../../earnings/transaction.ts';
import {
  column,
  type DatedSource,
  elementsOf,
  ofRow,
  ownerByRole,
  pacificDayOf,
  type ServiceRow,
  type Table,
} from './table.ts';

const { boolean, day, integer, moment, numeric, personal, text } = column;

const dayColumn = 'transaction_day';

/** What identifies the transaction of an item, repeated so that questions about products need no join. */
const shared = [
  text('transaction_id', 'Identifies the transaction', ({ id }) => id),
  day(dayColumn, 'Pacific day of the transaction', (facts) => facts.day),
  text('transaction_type', 'SALE, BILL, RFND, CGBK, FEE or TEST_…', ofRow('transactionType')),
  text('receipt', 'Receipt; a rebill ends in a suffix such as -B002', ofRow('receipt')),
  text('vendor', 'Nickname of the vendor', ofRow('vendor')),
  text('affiliate', 'Nickname of the affiliate; null without one', ofRow('affiliate')),
  text('role', 'Role of the account in the transaction, such as VENDOR', ofRow('role')),
  text('currency', 'Currency that the customer paid in', ofRow('currency')),
  text('tracking_id', 'Tracking ID (promo code)', ofRow('trackingId')),
  day(
    'transaction_month',
    'First day of the Pacific month of the transaction',
    (facts) => `${facts.day.slice(0, 'yyyy-mm'.length)}-01`,
  ),
];

const ordersTable: Table = {
  name: 'orders',
  comment:
    'Transactions: a row for each sale, rebill, refund, chargeback and fee, and for each role of the account in it',
  key: ['transaction_id'],
  day: dayColumn,
  rawApart: true,
  columns: [
    ...shared,
    moment('transaction_time', 'Time of the transaction'),
    text('payment_method', 'How the customer paid', 'paytmentMethod'),
    numeric(
      'total_order_amount',
      'What the customer paid, as sent: in US dollars or in currency, which is disputed',
    ),
    numeric('total_shipping_amount', 'Shipping in it, as total_order_amount'),
    numeric('total_tax_amount', 'Tax in it, as total_order_amount'),
    text('country', 'Country of the customer'),
    text('state', 'State or province of the customer'),
    personal('first_name', 'First name of the customer'),
    personal('last_name', 'Last name of the customer'),
    personal('full_name', 'Full name of the customer'),
    personal('email', 'Email address of the customer'),
    personal('postal_code', 'Postal code of the customer'),
    boolean('declined_consent', 'The customer declined to be contacted'),
    text('customer_refundable_state', 'Whether the customer can be refunded, such as REFUNDABLE'),
    personal('customer', 'Email address of the customer in lower case', ({ row }) =>
      typeof row.email === 'string' ? row.email.trim().toLowerCase() : null,
    ),
    numeric(
      'account_amount',
      'What the account earns by all items, in US dollars; negative in refunds',
      ({ row }) => youEarn(row),
    ),
  ],
  indexes: {
    orders_by_day: ['account', dayColumn],
    orders_by_receipt: ['receipt'],
    orders_by_transaction_day: [dayColumn],
    orders_by_customer: ['customer'],
  },
};

const items = elementsOf('lineItemData');

const itemsTable: Table = {
  name: 'order_items',
  comment: 'Line items of orders',
  key: ['transaction_id', 'position'],
  day: dayColumn,
  items,
  columns: [
    ...shared,
    integer('position', 'Position in the order, from 1', ({ position }) => position),
    text('item_no', 'SKU of the product'),
    text('product_title', 'Title of the product'),
    text('line_item_type', 'ORIGINAL, BUMP, CART, STANDARD, TOKEN or UPSELL'),
    integer('quantity', 'Quantity'),
    numeric('customer_amount', 'What the customer paid for it, as total_order_amount'),
    numeric('account_amount', 'What the account earns, in US dollars; negative in refunds'),
    boolean('recurring', 'Part of a subscription'),
    boolean('shippable', 'A physical product'),
    boolean('refunds_blocked', 'Refunds are blocked'),
    numeric('rebill_amount', 'Amount of each rebill, as total_order_amount'),
    integer('processed_payments', 'Payments made so far'),
    integer('future_payments', 'Payments still to come'),
    moment('next_payment_time', 'Time of the next payment', 'nextPaymentDate'),
    text('status', 'Status of the subscription, such as ACTIVE or CANCELED'),
    boolean(
      'first_of_product',
      'No earlier item of the transaction has the same SKU',
      ({ row, item, position }) =>
        !items(row)
          .slice(0, position - 1)
          .some(({ itemNo }) => itemNo === item.itemNo),
    ),
  ],
  indexes: { order_items_by_day: ['account', dayColumn], order_items_by_receipt: ['receipt'] },
};

/** `receipt.type.time.role`: a receipt has several transactions, and an account can have several roles in one. */
function idOf({ receipt, transactionType, transactionTime, role }: ServiceRow): string {
  const time = String(transactionTime).replaceAll(/\D/g, '').slice(0, 14);
  return [receipt, transactionType, time, role].join('.');
}

export const orderSource: DatedSource = {
  name: 'orders',
  kind: 'days',
  tables: [ordersTable, itemsTable],
  identity: 'transaction_id',
  owner: ownerByRole,
  isAnnounced: true,
  resource: order,
  dayOf: ({ transactionTime }) => pacificDayOf(transactionTime),
  /**
   * A key can read several accounts. If one sold and another referred a transaction, ClickBank lists it only for the
   * vendor; the shares of such affiliates are in a second list.
   */
  async *read({ client, today, signal, nicknames }, { days, expected }) {
    const args = { startDate: days.first, endDate: days.last };
    const options = { signal, cut: { today } };
    const referred = new Set<string>();
    let isShared = false;
    const counted = { ...options, expectedRows: expected };
    for await (const { rows } of client.pages(orders.list, args, counted)) {
      for (const row of rows) {
        if (row.role === 'AFFILIATE') referred.add(idOf(row));
        else isShared ||= nicknames.includes(row.affiliate ?? '');
      }
      yield { rows };
    }
    if (!isShared) return;
    const again = { ...args, role: 'AFFILIATE' } as const;
    for await (const { rows } of client.pages(orders.list, again, options)) {
      yield { rows: rows.filter((row) => !referred.has(idOf(row))), isExtra: true };
    }
  },
  count: ({ client, signal }, { first, last }) =>
    client.call(orders.count, { startDate: first, endDate: last }, { signal }),
  idOf,
};
