/** orders and order_items: all transactions of the account (section 4.3 of the specification). */
import { order, orders } from '../../../operations/orders.ts';
import { youEarn } from '../../earnings/transaction.ts';
import {
  type AccountReader,
  column,
  type DatedSource,
  elementsOf,
  ofRow,
  ownerByRole,
  pacificDayOf,
  type Reading,
  type RowPages,
  type ServiceRow,
  type Table,
} from './table.ts';

const day = 'transaction_day';

/** What identifies the transaction of an item, repeated so that questions about products need no join. */
const shared = [
  column('transaction_id', 'text', 'Identifies the transaction', ({ id }) => id),
  column(day, 'day', 'Pacific day of the transaction', (facts) => facts.day),
  column(
    'transaction_type',
    'text',
    'SALE, BILL, RFND, CGBK, FEE or TEST_…',
    ofRow('transactionType'),
  ),
  column('receipt', 'text', 'Receipt; a rebill ends in a suffix such as -B002', ofRow('receipt')),
  column('vendor', 'text', 'Nickname of the vendor', ofRow('vendor')),
  column('affiliate', 'text', 'Nickname of the affiliate; null without one', ofRow('affiliate')),
  column('role', 'text', 'Role of the account in the transaction, such as VENDOR', ofRow('role')),
  column('currency', 'text', 'Currency that the customer paid in', ofRow('currency')),
  column('tracking_id', 'text', 'Tracking ID (promo code)', ofRow('trackingId')),
  column(
    'transaction_month',
    'day',
    'First day of the Pacific month of the transaction',
    (facts) => `${facts.day.slice(0, 'yyyy-mm'.length)}-01`,
    { since: 2 },
  ),
];

const ordersTable: Table = {
  name: 'orders',
  comment:
    'Transactions: a row for each sale, rebill, refund, chargeback and fee, and for each role of the account in it',
  since: 1,
  key: ['transaction_id'],
  day,
  columns: [
    ...shared,
    column('transaction_time', 'timestamp', 'Time of the transaction', 'transactionTime'),
    column('payment_method', 'text', 'How the customer paid', 'paytmentMethod'),
    column(
      'total_order_amount',
      'numeric',
      'What the customer paid, as sent: in US dollars or in currency, which is disputed',
      'totalOrderAmount',
    ),
    column(
      'total_shipping_amount',
      'numeric',
      'Shipping in it, as total_order_amount',
      'totalShippingAmount',
    ),
    column('total_tax_amount', 'numeric', 'Tax in it, as total_order_amount', 'totalTaxAmount'),
    column('country', 'text', 'Country of the customer', 'country'),
    column('state', 'text', 'State or province of the customer', 'state'),
    column('first_name', 'text', 'First name of the customer', 'firstName', { personal: true }),
    column('last_name', 'text', 'Last name of the customer', 'lastName', { personal: true }),
    column('full_name', 'text', 'Full name of the customer', 'fullName', { personal: true }),
    column('email', 'text', 'Email address of the customer', 'email', { personal: true }),
    column('postal_code', 'text', 'Postal code of the customer', 'postalCode', { personal: true }),
    column(
      'declined_consent',
      'boolean',
      'The customer declined to be contacted',
      'declinedConsent',
    ),
    column(
      'customer_refundable_state',
      'text',
      'Whether the customer can be refunded, such as REFUNDABLE',
      'customerRefundableState',
    ),
    column(
      'customer',
      'text',
      'Email address of the customer in lower case',
      ({ row }) => (typeof row.email === 'string' ? row.email.trim().toLowerCase() : null),
      { personal: true, since: 2 },
    ),
    column(
      'account_amount',
      'numeric',
      'What the account earns by all items, in US dollars; negative in refunds',
      ({ row }) => youEarn(row),
      { since: 2 },
    ),
  ],
  indexes: [
    { name: 'orders_by_day', columns: ['account', day], since: 1 },
    { name: 'orders_by_receipt', columns: ['receipt'], since: 3 },
    { name: 'orders_by_transaction_day', columns: [day], since: 3 },
    { name: 'orders_by_customer', columns: ['customer'], since: 3 },
  ],
};

const items = elementsOf('lineItemData');

const itemsTable: Table = {
  name: 'order_items',
  comment: 'Line items of orders',
  since: 1,
  key: ['transaction_id', 'position'],
  day,
  items,
  columns: [
    ...shared,
    column('position', 'integer', 'Position in the order, from 1', ({ position }) => position),
    column('item_no', 'text', 'SKU of the product', 'itemNo'),
    column('product_title', 'text', 'Title of the product', 'productTitle'),
    column(
      'line_item_type',
      'text',
      'ORIGINAL, BUMP, CART, STANDARD, TOKEN or UPSELL',
      'lineItemType',
    ),
    column('quantity', 'integer', 'Quantity', 'quantity'),
    column(
      'customer_amount',
      'numeric',
      'What the customer paid for it, as total_order_amount',
      'customerAmount',
    ),
    column(
      'account_amount',
      'numeric',
      'What the account earns, in US dollars; negative in refunds',
      'accountAmount',
    ),
    column('recurring', 'boolean', 'Part of a subscription', 'recurring'),
    column('shippable', 'boolean', 'A physical product', 'shippable'),
    column('refunds_blocked', 'boolean', 'Refunds are blocked', 'refundsBlocked'),
    column(
      'rebill_amount',
      'numeric',
      'Amount of each rebill, as total_order_amount',
      'rebillAmount',
    ),
    column('processed_payments', 'integer', 'Payments made so far', 'processedPayments'),
    column('future_payments', 'integer', 'Payments still to come', 'futurePayments'),
    column('next_payment_time', 'timestamp', 'Time of the next payment', 'nextPaymentDate'),
    column('status', 'text', 'Status of the subscription, such as ACTIVE or CANCELED', 'status'),
    column(
      'first_of_product',
      'boolean',
      'No earlier item of the transaction has the same SKU',
      ({ row, item, position }) =>
        !items(row)
          .slice(0, position - 1)
          .some(({ itemNo }) => itemNo === item.itemNo),
      { since: 2 },
    ),
  ],
  indexes: [
    { name: 'order_items_by_day', columns: ['account', day], since: 1 },
    { name: 'order_items_by_receipt', columns: ['receipt'], since: 3 },
  ],
};

/**
 * A key can read several accounts. If one sold and another referred a transaction, ClickBank lists it only for the vendor;
 * the shares of such affiliates are in a second list.
 */
async function* read(reader: AccountReader, { days, expected }: Reading): RowPages {
  const { client, today, signal, nicknames } = reader;
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
}

/** `receipt.type.time.role`: a receipt has several transactions, and an account can have several roles in one. */
function idOf({ receipt, transactionType, transactionTime, role }: ServiceRow): string {
  return [
    receipt,
    transactionType,
    String(transactionTime).replaceAll(/\D/g, '').slice(0, 14),
    role,
  ]
    .map((part) => part ?? '')
    .join('.');
}

export const orderSource: DatedSource = {
  name: 'orders',
  kind: 'days',
  tables: [ordersTable, itemsTable],
  identity: 'transaction_id',
  owner: ownerByRole,
  resource: order,
  dayOf: ({ transactionTime }) => pacificDayOf(transactionTime),
  read,
  count: ({ client, signal }, { first, last }) =>
    client.call(orders.count, { startDate: first, endDate: last }, { signal }),
  idOf,
};
