/**
 * Shipping and ship notices: three generations of the same operations (sections 4.6 and 4.7 of the
 * specification; parameters and shapes of the live service).
 */
import {
  type Arguments,
  boolean,
  choice,
  countAsData,
  date,
  integer,
  list,
  one,
  operation,
  pages,
  required,
  schema,
  text,
  when,
} from './operation.ts';
import { vendorVariables } from './orders.ts';
import { inOrder } from './period.ts';
import { receiptOf } from './receipt.ts';
import * as field from './resource.ts';

const { headed, many, naming, nillable, object, resource } = field;

/** First generation: a row an item. */
const shipment1 = resource(
  'orderShipData',
  ['receipt', 'orderDate', 'productNo', 'displayName', 'firstname', 'lastname', 'city', 'country'],
  {
    receipt: naming('receipt', nillable(field.text)),
    firstname: nillable(field.text),
    lastname: nillable(field.text),
    email: nillable(field.text),
    addr1: nillable(field.text),
    addr2: nillable(field.text),
    city: nillable(field.text),
    state: nillable(field.text),
    country: nillable(field.text),
    zip: nillable(field.text),
    orderDate: nillable(field.time),
    displayName: nillable(field.text),
    productNo: naming('sku', nillable(field.text)),
    orderDetails: nillable(field.text),
    site: naming('account', nillable(field.text)),
    isTestTransaction: field.boolean,
    isRefundPending: field.boolean,
    hasBeenRefunded: field.boolean,
    hasBeenChargebacked: field.boolean,
  },
);

const shipItem = resource(
  'lineItemShipData',
  ['itemNo', 'productTitle', 'quantity', 'shippingMethod', 'hasBeenRefunded'],
  {
    itemNo: naming('sku', field.text),
    productTitle: nillable(field.text),
    customerAmount: nillable(field.decimal),
    accountAmount: nillable(field.decimal),
    quantity: nillable(field.integer),
    shippingMethod: nillable(field.text),
    isRefundPending: field.boolean,
    hasBeenRefunded: field.boolean,
    hasBeenChargebacked: field.boolean,
  },
);

const shipmentHeadline = [
  'receipt',
  'transactionTime',
  'fullName',
  'address1',
  'postalCode',
  'city',
  'country',
] as const;

const addressee = {
  receipt: naming('receipt', nillable(field.text)),
  firstName: nillable(field.text),
  lastName: nillable(field.text),
  email: nillable(field.text),
};

const order = {
  address1: nillable(field.text),
  address2: nillable(field.text),
  city: nillable(field.text),
  state: nillable(field.text),
  country: nillable(field.text),
  postalCode: nillable(field.text),
  transactionTime: headed('Time', nillable(field.time)),
  isTestTransaction: field.boolean,
  fullName: headed('Name', nillable(field.text)),
  vendor: naming('account', nillable(field.text)),
  vendorVariables: nillable(object(vendorVariables)),
  lineItemShipData: many(shipItem),
};

/** Second generation: a row an order, with its items. */
const shipment2 = resource('orderShipData', shipmentHeadline, { ...addressee, ...order });

/** Third generation: as the second, with a telephone number. */
const shipment3 = resource('orderShipData2', shipmentHeadline, {
  ...addressee,
  phoneNumber: nillable(field.text),
  ...order,
});

const noticeFields = {
  receipt: naming('receipt', nillable(field.text)),
  shipDate: nillable(field.time),
  carrier: nillable(field.text),
  trackingId: nillable(field.text),
  shippedTo: nillable(field.text),
  comments: nillable(field.text),
};

const notice1 = resource(
  'shippingNoticeData',
  ['receipt', 'shipDate', 'carrier', 'trackingId', 'comments'],
  noticeFields,
);

/** From the second generation on a notice names its item. */
const notice2 = resource(
  'shippingNoticeData',
  ['receipt', 'itemNo', 'shipDate', 'carrier', 'trackingId', 'comments'],
  { ...noticeFields, itemNo: naming('sku', nillable(field.text)) },
);

const search = {
  status: choice('Which orders', {
    shipped: 'with a ship notice',
    notshipped: 'without one',
    all: 'both',
  }),
  days: integer('Orders of so many last days; dates go before', { min: 1, fallback: '30' }),
  startDate: date('First day', { range: { name: 'period', end: 'first' } }),
  endDate: date('Last day', { range: { name: 'period', end: 'last' } }),
  receipt: text('Receipt; the other filters are then ignored', { names: 'receipt' }),
};

const dated = { by: 'period', first: 'earliest', unless: 'receipt' } as const;

const receipt = receiptOf('Receipt of the order');

const firstNotice = {
  receipt,
  date: required(date('Day of shipping: not before the purchase, not in the future')),
  carrier: required(text('Carrier, as in USPS')),
  tracking: text('Tracking id'),
  comments: text('Comments on the notice'),
  item: text('Item number, needed when the order has several physical items', { names: 'sku' }),
};

const notice = {
  ...firstNotice,
  fillOrder: boolean('Mark the whole order as shipped: create the other notices too', {
    off: 'Do not mark the whole order as shipped',
  }),
};

function notInTheFuture({ date }: { readonly date: string }, today: string) {
  return [when(date > today, 'date', 'must not lie in the future')];
}

const listing = {
  method: 'GET',
  summary: 'List physical orders that are to be shipped, or were',
  roles: ['api_order_read'],
  params: search,
  check: (args: Arguments<typeof search>) => [inOrder(args)],
} as const;

const counting = {
  method: 'GET',
  summary: 'Count physical orders that are to be shipped, or were',
  roles: ['api_order_read'],
  params: search,
  returns: countAsData,
  check: (args: Arguments<typeof search>) => [inOrder(args)],
} as const;

const describing = {
  method: 'GET',
  summary: 'Print the XML Schema of a shippable order',
  roles: [],
  params: {},
  returns: schema,
} as const;

const noticeListing = {
  method: 'GET',
  summary: 'List the ship notices of a receipt',
  roles: ['api_order_read'],
  params: { receipt },
} as const;

const noticeCreating = {
  method: 'POST',
  summary: 'Tell that an order was shipped; each call adds a notice',
  roles: ['api_order_read', 'api_order_write'],
  check: notInTheFuture,
  refusals: {
    400: 'the date or the item does not fit the order',
    403: 'the order does not exist, or your account may not act on it',
  },
} as const;

const noticeDescribing = {
  method: 'GET',
  summary: 'Print the XML Schema of a ship notice',
  roles: [],
  params: {},
  returns: schema,
} as const;

const add = 'cb ship notice add PARCEL01 --date today --carrier USPS';

export const shipping = {
  list: operation({
    ...listing,
    path: '/1.3/shipping/list',
    command: 'ship list --generation 1',
    returns: pages(shipment1, { key: ['receipt', 'productNo'], dated }),
    examples: ['cb ship list --generation 1 --status notshipped'],
  }),
  count: operation({
    ...counting,
    path: '/1.3/shipping/count',
    command: 'ship count --generation 1',
    examples: ['cb ship count --generation 1 --status notshipped --days 90'],
  }),
  schema: operation({
    ...describing,
    path: '/1.3/shipping/schema',
    command: 'ship schema --generation 1',
    examples: ['cb ship schema --generation 1'],
  }),
};

export const shipping2 = {
  list: operation({
    ...listing,
    path: '/1.3/shipping2/list',
    command: 'ship list --generation 2',
    returns: pages(shipment2, { key: ['receipt'], dated }),
    examples: ['cb ship list --generation 2 --status notshipped'],
  }),
  count: operation({
    ...counting,
    path: '/1.3/shipping2/count',
    command: 'ship count --generation 2',
    examples: ['cb ship count --generation 2 --status notshipped --days 90'],
  }),
  schema: operation({
    ...describing,
    path: '/1.3/shipping2/schema',
    command: 'ship schema --generation 2',
    examples: ['cb ship schema --generation 2'],
  }),
};

export const shipping3 = {
  list: operation({
    ...listing,
    path: '/1.3/shipping3/list',
    command: 'ship list --generation 3',
    returns: pages(shipment3, { key: ['receipt'], dated }),
    examples: [
      'cb ship list --status notshipped',
      'cb ship list --period last-30-days --expand lineItemShipData -o csv',
    ],
  }),
  count: operation({
    ...counting,
    path: '/1.3/shipping3/count',
    command: 'ship count --generation 3',
    examples: ['cb ship count --status notshipped --days 90'],
  }),
  schema: operation({
    ...describing,
    path: '/1.3/shipping3/schema',
    command: 'ship schema --generation 3',
    examples: ['cb ship schema'],
  }),
};

export const notices = {
  list: operation({
    ...noticeListing,
    path: '/1.3/shipping/shipnotice/{receipt}',
    command: 'ship notice list --generation 1',
    returns: list(notice1),
    examples: ['cb ship notice list PARCEL01 --generation 1'],
  }),
  add: operation({
    ...noticeCreating,
    path: '/1.3/shipping/shipnotice/{receipt}',
    command: 'ship notice add --generation 1',
    params: firstNotice,
    returns: one(notice1),
    examples: [`${add} --generation 1 --yes`],
  }),
  schema: operation({
    ...noticeDescribing,
    path: '/1.3/shipping/shipnotice/schema',
    command: 'ship notice schema --generation 1',
    examples: ['cb ship notice schema --generation 1'],
  }),
};

export const notices2 = {
  list: operation({
    ...noticeListing,
    path: '/1.3/shipping2/shipnotice/{receipt}',
    command: 'ship notice list --generation 2',
    returns: list(notice2),
    examples: ['cb ship notice list PARCEL01 --generation 2'],
  }),
  add: operation({
    ...noticeCreating,
    path: '/1.3/shipping2/shipnotice/{receipt}',
    command: 'ship notice add --generation 2',
    params: notice,
    returns: one(notice2),
    examples: [`${add} --generation 2 --yes`],
  }),
  schema: operation({
    ...noticeDescribing,
    path: '/1.3/shipping2/shipnotice/schema',
    command: 'ship notice schema --generation 2',
    examples: ['cb ship notice schema --generation 2'],
  }),
};

export const notices3 = {
  list: operation({
    ...noticeListing,
    path: '/1.3/shipping3/shipnotice/{receipt}',
    command: 'ship notice list --generation 3',
    roles: ['api_order_read', 'HAS_DEVELOPER_KEY'],
    returns: list(notice2),
    examples: ['cb ship notice list PARCEL01'],
  }),
  add: operation({
    ...noticeCreating,
    path: '/1.3/shipping3/shipnotice/{receipt}',
    command: 'ship notice add --generation 3',
    roles: ['api_order_read', 'api_order_write', 'HAS_DEVELOPER_KEY'],
    params: notice,
    returns: one(notice2),
    examples: [`${add} --tracking 9400111899223100001 --fill-order --yes`],
  }),
  schema: operation({
    ...noticeDescribing,
    path: '/1.3/shipping3/shipnotice/schema',
    command: 'ship notice schema --generation 3',
    examples: ['cb ship notice schema'],
  }),
};
