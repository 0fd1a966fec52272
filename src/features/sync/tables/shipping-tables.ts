/** shipments and shipment_items: orders of physical goods (section 4.6 of the specification). */

import { notices3, shipping3 } from '../../../operations/shipping.ts';
import {
  column,
  type DatedSource,
  elementsOf,
  ofRow,
  pacificDayOf,
  type Table,
  withTexts,
} from './table.ts';

const { boolean, day, integer, moment, numeric, personal, text } = column;

const dayColumn = 'transaction_day';

const shared = [
  text('receipt', 'Receipt of the payment', ({ id }) => id),
  day(dayColumn, 'Pacific day of the payment', (facts) => facts.day),
  text('vendor', 'Nickname of the vendor', ofRow('vendor')),
];

const shipmentsTable: Table = {
  name: 'shipments',
  comment: 'Payments for physical goods with the address they go to',
  key: ['receipt'],
  day: dayColumn,
  columns: [
    ...shared,
    moment('transaction_time', 'Time of the payment'),
    boolean('is_test_transaction', 'A test order'),
    personal('first_name', 'First name of the customer'),
    personal('last_name', 'Last name of the customer'),
    personal('full_name', 'Full name of the customer'),
    personal('email', 'Email address of the customer'),
    personal('phone_number', 'Phone number of the customer'),
    personal('address1', 'First line of the address'),
    personal('address2', 'Second line of the address'),
    personal('city', 'City of the address'),
    personal('postal_code', 'Postal code of the address'),
    text('state', 'State or province of the address'),
    text('country', 'Country of the address'),
  ],
  indexes: { shipments_by_day: ['account', dayColumn] },
};

const itemsTable: Table = {
  name: 'shipment_items',
  comment: 'Physical items of shipments',
  key: ['receipt', 'position'],
  day: dayColumn,
  items: elementsOf('lineItemShipData'),
  columns: [
    ...shared,
    integer('position', 'Position in the shipment, from 1', ({ position }) => position),
    text('item_no', 'SKU of the product'),
    text('product_title', 'Title of the product'),
    integer('quantity', 'Quantity'),
    numeric(
      'customer_amount',
      'What the customer paid for it: in US dollars or in the currency of the order, which is disputed',
    ),
    numeric('account_amount', 'What the vendor earns, in US dollars'),
    text('shipping_method', 'Shipping method'),
    boolean('is_refund_pending', 'A refund was requested'),
    boolean('has_been_refunded', 'It was refunded'),
    boolean('has_been_chargebacked', 'It was charged back'),
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
    yield* client.pages(shipping3.list, args, options);
  },
  count: ({ client, signal }, { first, last }) =>
    client.call(shipping3.count, { status: 'all', startDate: first, endDate: last }, { signal }),
  idOf: ({ receipt }) => String(receipt ?? ''),
};

const noticesTable: Table = {
  name: 'ship_notices',
  comment: 'Ship notices of payments; read only if the table is named',
  key: ['receipt', 'position'],
  day: dayColumn,
  columns: [
    text('receipt', 'Receipt of the payment'),
    day(dayColumn, 'Pacific day of the payment', (facts) => facts.day),
    integer('position', 'Position among the notices of the receipt, from 1'),
    text('item_no', 'SKU of the product that was shipped'),
    moment('ship_time', 'When it was shipped: the start of a Pacific day', 'shipDate'),
    text('carrier', 'Carrier, such as USPS'),
    text('tracking_id', 'Tracking number of the carrier'),
    personal('shipped_to', 'Name and address it went to'),
    personal('comments', 'Comments on the notice'),
  ],
  indexes: { ship_notices_by_day: ['account', dayColumn] },
};

/**
 * A hundred parcels a day would be a hundred requests a day and thousands at first. So the table is read only if the user
 * names it, only for orders of the last 60 days, and of those that were read before, only about 200 in a run.
 */
export const noticeSource: DatedSource = {
  name: 'ship_notices',
  kind: 'days',
  tables: [noticesTable],
  identity: 'receipt',
  // These three are not in a notice: they tell whose it is.
  resource: withTexts(
    notices3.list.returns.resource,
    ...['receipt', 'position', 'transactionTime'],
  ),
  isDaily: true,
  isJoined: true,
  keeps: 60,
  againRows: 200,
  windowDays: 7,
  requestsOf: (rows) => 1 + rows,
  dayOf: ({ transactionTime }) => pacificDayOf(transactionTime),
  /** There is no list of notices: each receipt is a request. Only orders that ClickBank lists as shipped are asked about. */
  async *read({ client, signal }, { days }) {
    const args = { status: 'shipped', startDate: days.first, endDate: days.last } as const;
    for await (const { rows: shipments } of client.pages(shipping3.list, args, { signal })) {
      for (const { receipt, transactionTime } of shipments) {
        if (typeof receipt !== 'string') continue;
        const notices = await client.call(notices3.list, { receipt }, { signal });
        const facts = (i: number) => ({ receipt, position: i + 1, transactionTime });
        yield { rows: notices.map((notice, i) => ({ ...notice, ...facts(i) })) };
      }
    }
  },
  idOf: ({ receipt, position }) => `${receipt}.${position}`,
};
