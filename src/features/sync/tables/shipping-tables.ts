/** shipments and shipment_items: orders of physical goods (section 4.6 of the specification). */

import { resource } from '../../../operations/resource.ts';
import { notices3, shipping3 } from '../../../operations/shipping.ts';
import {
  type AccountReader,
  column,
  type DatedSource,
  elementsOf,
  ofRow,
  pacificDayOf,
  type Reading,
  type RowPages,
  type Table,
} from './table.ts';

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

const noticesTable: Table = {
  name: 'ship_notices',
  comment: 'Ship notices of payments; read only if the table is named',
  since,
  key: ['receipt', 'position'],
  day,
  columns: [
    column('receipt', 'text', 'Receipt of the payment', 'receipt'),
    column(day, 'day', 'Pacific day of the payment', (facts) => facts.day),
    column('position', 'integer', 'Position among the notices of the receipt, from 1', 'position'),
    column('item_no', 'text', 'SKU of the product that was shipped', 'itemNo'),
    column('ship_time', 'timestamp', 'When it was shipped: the start of a Pacific day', 'shipDate'),
    column('carrier', 'text', 'Carrier, such as USPS', 'carrier'),
    column('tracking_id', 'text', 'Tracking number of the carrier', 'trackingId'),
    column('shipped_to', 'text', 'Name and address it went to', 'shippedTo', personal),
    column('comments', 'text', 'Comments on the notice', 'comments', personal),
  ],
  indexes: [{ name: 'ship_notices_by_day', columns: ['account', day], since }],
};

/**
 * There is no list of notices: each receipt is a request. Only orders that ClickBank lists as shipped are asked about.
 */
async function* read({ client, signal }: AccountReader, { days }: Reading): RowPages {
  const args = { status: 'shipped', startDate: days.first, endDate: days.last } as const;
  for await (const { rows: shipments } of client.pages(shipping3.list, args, { signal })) {
    for (const { receipt, transactionTime } of shipments) {
      if (typeof receipt !== 'string') continue;
      const notices = await client.call(notices3.list, { receipt }, { signal });
      yield {
        rows: notices.map((notice, i) => ({
          ...notice,
          receipt,
          position: i + 1,
          transactionTime,
        })),
      };
    }
  }
}

/**
 * A hundred parcels a day would be a hundred requests a day and thousands at first. So the table is read only if the user
 * names it, only for orders of the last 60 days, and of those that were read before, only about 200 in a run.
 */
export const noticeSource: DatedSource = {
  name: 'ship_notices',
  kind: 'days',
  tables: [noticesTable],
  identity: 'receipt',
  resource: resource('shippingNoticeData', [], {
    ...notices3.list.returns.resource.fields,
    // These three are not in a notice: they tell whose it is.
    receipt: { kind: 'text', nillable: false },
    position: { kind: 'integer', nillable: false },
    transactionTime: { kind: 'time', nillable: false },
  }),
  isDaily: true,
  isJoined: true,
  keeps: 60,
  againRows: 200,
  windowDays: 7,
  requestsOf: (rows) => 1 + rows,
  dayOf: ({ transactionTime }) => pacificDayOf(transactionTime),
  read,
  idOf: ({ receipt, position }) => `${receipt}.${position}`,
};
