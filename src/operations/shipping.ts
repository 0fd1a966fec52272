/** Shipping and ship notices, three generations (sections 4.6 and 4.7 of the specification; live parameters and shapes). */
import type { Given, Params, Role } from './operation.ts';
import * as op from './operation.ts';
import { vendorVariables } from './orders.ts';
import type { Resource } from './resource.ts';
import * as field from './resource.ts';

const { boolean, choice, date, integer, receiptOf, required, text } = op;
const { isSameId, isSameItem, list, note, one, operation, pages, schemaOf, when } = op;
const { alike, headed, many, naming, nillable, object, resource, words } = field;

const shipFlags = alike(
  nillable(field.boolean),
  'isRefundPending',
  'hasBeenRefunded',
  'hasBeenChargebacked',
);

/** First generation: one row for each item. */
const shipment1 = resource(
  'orderShipData',
  ['receipt', 'orderDate', 'productNo', 'displayName', 'firstname', 'lastname', 'city', 'country'],
  {
    receipt: naming('receipt', nillable(field.text)),
    ...alike(nillable(field.text), 'firstname', 'lastname', 'email', 'addr1', 'addr2', 'city'),
    ...alike(nillable(field.text), 'state', 'country', 'zip'),
    orderDate: nillable(field.time),
    displayName: nillable(field.text),
    productNo: naming('sku', nillable(field.text)),
    orderDetails: nillable(field.text),
    site: naming('account', nillable(field.text)),
    isTestTransaction: nillable(field.boolean),
    ...shipFlags,
  },
  {
    noun: 'item',
    order: `receipt firstname lastname email addr1 addr2 city state country zip orderDate
      isRefundPending hasBeenRefunded hasBeenChargebacked isTestTransaction
      displayName productNo orderDetails site`,
  },
);

const shipItem = resource(
  'lineItemShipData',
  ['itemNo', 'productTitle', 'quantity', 'shippingMethod', 'hasBeenRefunded'],
  {
    itemNo: naming('sku', nillable(field.text)),
    productTitle: nillable(field.text),
    ...alike(nillable(field.decimal), 'customerAmount', 'accountAmount'),
    quantity: nillable(field.integer),
    shippingMethod: nillable(field.text),
    ...shipFlags,
  },
);

const shipmentHeadline = words('receipt transactionTime fullName address1 postalCode city country');

const addressee = {
  receipt: naming('receipt', nillable(field.text)),
  ...alike(nillable(field.text), 'firstName', 'lastName', 'email'),
};

const order = {
  ...alike(nillable(field.text), 'address1', 'address2', 'city', 'state', 'country', 'postalCode'),
  transactionTime: headed('Time', nillable(field.time)),
  isTestTransaction: nillable(field.boolean),
  fullName: headed('Customer', nillable(field.text)),
  vendor: naming('account', nillable(field.text)),
  vendorVariables: nillable(object(vendorVariables)),
  lineItemShipData: nillable(many(shipItem)),
};

/** Second generation: one row for each order, with its items. */
const shipment2 = resource(
  'orderShipData',
  shipmentHeadline,
  { ...addressee, ...order },
  { noun: 'order' },
);

/** Third generation: like the second, with a phone number. */
const shipment3 = resource(
  'orderShipData2',
  shipmentHeadline,
  { ...addressee, phoneNumber: nillable(field.text), ...order },
  { noun: 'order' },
);

const noticeOrder = 'shipDate carrier trackingId shippedTo comments receipt';

const noticeFields = {
  receipt: naming('receipt', nillable(field.text)),
  shipDate: nillable(field.time),
  ...alike(nillable(field.text), 'carrier', 'trackingId', 'shippedTo', 'comments'),
};

const notice1 = resource(
  'shippingNoticeData',
  ['receipt', 'shipDate', 'carrier', 'trackingId', 'comments'],
  noticeFields,
  { noun: 'ship notice', order: noticeOrder },
);

/** From the second generation on, a notice names its item. */
const notice2 = resource(
  'shippingNoticeData',
  ['receipt', 'itemNo', 'shipDate', 'carrier', 'trackingId', 'comments'],
  { ...noticeFields, itemNo: naming('sku', nillable(field.text)) },
  { noun: 'ship notice', order: `${noticeOrder} itemNo` },
);

/** `at` is the field that holds the time of an order. */
const searchBy = (at: string) => ({
  status: choice('Orders to list', {
    shipped: 'with a ship notice',
    notshipped: 'without one',
    all: '',
  }),
  days: integer('Number of days up to today, if no dates are given', {
    min: 1,
    fallback: '30',
    daysBack: true,
  }),
  startDate: date('First day', { range: { name: 'period', end: 'first', at } }),
  endDate: date('Last day', { range: { name: 'period', end: 'last' } }),
  receipt: text('Receipt; ClickBank then ignores the other filters', { names: 'receipt' }),
});

function searchRules({ receipt, ...others }: Given) {
  const isGiven = (name: string) => others[name] !== undefined;
  const isDated = isGiven('startDate') || isGiven('endDate');
  return [
    note(
      receipt !== undefined && Object.keys(others).some(isGiven),
      'ClickBank ignores the other filters with {receipt}',
    ),
    note(isGiven('days') && isDated, 'ClickBank ignores {days} with {startDate} or {endDate}'),
    note(
      receipt === undefined && !isGiven('days') && !isDated,
      'Without dates, ClickBank returns only the last 30 days. Use {period} for more.',
    ),
  ];
}

const dated = { by: 'period', first: 'earliest', unless: 'receipt' } as const;

const receipt = receiptOf('Receipt of the order');

const firstNotice = {
  receipt,
  date: required(date('Shipping date: not before the purchase, not in the future')),
  carrier: required(text('Carrier, such as USPS')),
  tracking: text('Tracking number'),
  comments: text('Comments on the notice'),
  item: text('SKU of the line item, if the order has several physical ones', { names: 'sku' }),
};

const notice = {
  ...firstNotice,
  fillOrder: boolean('Mark the whole order as shipped', {
    off: 'Do not mark the whole order as shipped',
  }),
};

/** The option for the generation, which only the newest, the default, does not need. */
function flagFor(generation: string): string {
  return generation === '3' ? '' : ` --generation ${generation}`;
}

/** The orders of one generation; `service` is its part of the path. */
function ordersOf<const G extends string, const T extends Resource>(
  generation: G,
  service: string,
  shipment: T,
  key: readonly string[],
) {
  const flag = flagFor(generation);
  const search = searchBy('orderDate' in shipment.fields ? 'orderDate' : 'transactionTime');
  const count = operation({
    method: 'GET',
    path: `/1.3/${service}/count`,
    command: `ship count --generation ${generation}`,
    summary: 'Count orders of physical goods, shipped or not',
    roles: ['api_order_read'],
    params: search,
    returns: { kind: 'count', asData: true },
    check: searchRules,
    examples: [`cb ship count${flag} --status notshipped --period last-90-days`],
  });
  return {
    list: operation({
      method: 'GET',
      path: `/1.3/${service}/list`,
      command: `ship list --generation ${generation}`,
      summary: 'List orders of physical goods, shipped or not',
      roles: ['api_order_read'],
      params: search,
      returns: pages(shipment, { key, dated, count }),
      check: searchRules,
      examples: [`cb ship list${flag} --status notshipped`],
    }),
    count,
    schema: schemaOf(
      `/1.3/${service}/schema`,
      `ship schema --generation ${generation}`,
      'a shippable order',
      `cb ship schema${flag}`,
    ),
  };
}

interface NoticeFacts<P extends Params, T extends Resource> {
  readonly params: P;
  readonly resource: T;
  readonly roles?: readonly Role[];
  readonly example?: string;
}

function noticesOf<const G extends string, const P extends Params, const T extends Resource>(
  generation: G,
  service: string,
  { params, resource, roles = [], example = '' }: NoticeFacts<P, T>,
) {
  const flag = flagFor(generation);
  return {
    add: operation({
      method: 'POST',
      path: `/1.3/${service}/shipnotice/{receipt}`,
      command: `ship notice add --generation ${generation}`,
      summary: 'Create a ship notice for an order',
      roles: ['api_order_read', 'api_order_write', ...roles],
      params,
      returns: one(resource, (reply, { receipt, item }) => {
        const notice = reply as Given;
        return isSameId(notice.receipt, receipt) && isSameItem(notice.itemNo, item);
      }),
      check: ({ date }: Given, today) => [
        when(String(date) > today, 'date', 'must not be in the future'),
      ],
      examples: [`cb ship notice add PARCEL01 --date today --carrier USPS${flag}${example} --yes`],
      refusals: {
        400: 'the date or the item does not match the order',
        403: 'the order does not exist, or your account may not act on it',
      },
    }),
    list: operation({
      method: 'GET',
      path: `/1.3/${service}/shipnotice/{receipt}`,
      command: `ship notice list --generation ${generation}`,
      summary: 'List the ship notices of a receipt',
      roles: ['api_order_read', ...roles],
      params: { receipt },
      returns: list(resource),
      examples: [`cb ship notice list PARCEL01${flag}`],
    }),
    schema: schemaOf(
      `/1.3/${service}/shipnotice/schema`,
      `ship notice schema --generation ${generation}`,
      'a ship notice',
      `cb ship notice schema${flag}`,
    ),
  };
}

export const shipping = ordersOf('1', 'shipping', shipment1, ['receipt', 'productNo']);
export const shipping2 = ordersOf('2', 'shipping2', shipment2, ['receipt']);
export const shipping3 = ordersOf('3', 'shipping3', shipment3, ['receipt']);

export const notices = noticesOf('1', 'shipping', { params: firstNotice, resource: notice1 });
export const notices2 = noticesOf('2', 'shipping2', { params: notice, resource: notice2 });
export const notices3 = noticesOf('3', 'shipping3', {
  params: notice,
  resource: notice2,
  roles: ['HAS_DEVELOPER_KEY'],
  example: ' --tracking 9400111899223100001 --fill-order',
});
