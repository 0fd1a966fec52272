/** ship_notices: what was sent, when and how (section 4.7 of the specification). */
import { resource } from '../../../operations/resource.ts';
import { notices3, shipping3 } from '../../../operations/shipping.ts';
import { pacificDayOf } from './cells.ts';
import type { AccountReader, DatedSource, Reading, RowPages } from './source.ts';
import { column, type Table } from './table.ts';

const since = 2;
const day = 'transaction_day';
const personal = { personal: true } as const;

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
