/** shipments and shipment_items: orders of physical goods (section 4.6 of the specification). */
import { shipping3 } from '../../../operations/shipping.ts';
import { pacificDayOf } from './cells.ts';
import type { DatedSource } from './source.ts';
import { column, elementsOf, ofRow, type Table } from './table.ts';

const since = 2;
const day = 'transaction_day';
const personal = { personal: true } as const;

const shared = [
  column('receipt', 'text', 'Receipt of the payment', ({ id }) => id),
  column(day, 'day', 'Pacific day of the payment', (facts) => facts.day),
  column('vendor', 'text', 'Nickname of the vendor', ofRow('vendor')),
];

const shipmentsTable: Table = {
  name: 'shipments',
  comment: 'Payments for physical goods with the address they go to',
  since,
  key: ['receipt'],
  day,
  columns: [
    ...shared,
    column('transaction_time', 'timestamp', 'Time of the payment', 'transactionTime'),
    column('is_test_transaction', 'boolean', 'A test order', 'isTestTransaction'),
    column('first_name', 'text', 'First name of the customer', 'firstName', personal),
    column('last_name', 'text', 'Last name of the customer', 'lastName', personal),
    column('full_name', 'text', 'Full name of the customer', 'fullName', personal),
    column('email', 'text', 'Email address of the customer', 'email', personal),
    column('phone_number', 'text', 'Phone number of the customer', 'phoneNumber', personal),
    column('address1', 'text', 'First line of the address', 'address1', personal),
    column('address2', 'text', 'Second line of the address', 'address2', personal),
    column('city', 'text', 'City of the address', 'city', personal),
    column('postal_code', 'text', 'Postal code of the address', 'postalCode', personal),
    column('state', 'text', 'State or province of the address', 'state'),
    column('country', 'text', 'Country of the address', 'country'),
  ],
  indexes: [{ name: 'shipments_by_day', columns: ['account', day], since }],
};

const itemsTable: Table = {
  name: 'shipment_items',
  comment: 'Physical items of shipments',
  since,
  key: ['receipt', 'position'],
  day,
  items: elementsOf('lineItemShipData'),
  columns: [
    ...shared,
    column('position', 'integer', 'Position in the shipment, from 1', ({ position }) => position),
    column('item_no', 'text', 'SKU of the product', 'itemNo'),
    column('product_title', 'text', 'Title of the product', 'productTitle'),
    column('quantity', 'integer', 'Quantity', 'quantity'),
    column(
      'customer_amount',
      'numeric',
      'What the customer paid for it: in US dollars or in the currency of the order, which is disputed',
      'customerAmount',
    ),
    column('account_amount', 'numeric', 'What the vendor earns, in US dollars', 'accountAmount'),
    column('shipping_method', 'text', 'Shipping method', 'shippingMethod'),
    column('is_refund_pending', 'boolean', 'A refund was requested', 'isRefundPending'),
    column('has_been_refunded', 'boolean', 'It was refunded', 'hasBeenRefunded'),
    column('has_been_chargebacked', 'boolean', 'It was charged back', 'hasBeenChargebacked'),
  ],
};

/**
 * A refund changes a shipment for as long as it changes its order. The order tells about the refund at once, so up to
 * 500 shipments of the look-back are read again in a run: all of them for up to eight parcels a day.
 */
export const shipmentSource: DatedSource = {
  name: 'shipments',
  kind: 'days',
  tables: [shipmentsTable, itemsTable],
  identity: 'receipt',
  owner: 'vendor',
  resource: shipping3.list.returns.resource,
  isDaily: true,
  isJoined: true,
  againRows: 500,
  dayOf: ({ transactionTime }) => pacificDayOf(transactionTime),
  async *read({ client, signal }, { days: { first, last }, expected }) {
    const args = { status: 'all', startDate: first, endDate: last } as const;
    const options = { signal, expectedRows: expected };
    for await (const { rows } of client.pages(shipping3.list, args, options)) yield { rows };
  },
  count: ({ client, signal }, { first, last }) =>
    client.call(shipping3.count, { status: 'all', startDate: first, endDate: last }, { signal }),
  idOf: ({ receipt }) => String(receipt ?? ''),
};
