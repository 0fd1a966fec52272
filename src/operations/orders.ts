/** Orders: /1.3/orders2 (section 4.3 of the specification; shapes and rules of the live service). */
import { addDays, daysBetween } from '../dates/day.ts';
import * as op from './operation.ts';
import * as field from './resource.ts';

const { boolean, choice, date, decimal, integer, plain, receiptOf, required, several, text } = op;
const { countReply, list, nothing, operation, pages, schemaOf } = op;
const { bothOrNeither, note, saleOf, when } = op;
const { alike, headed, many, naming, nillable, object, oneOf, pairs, resource } = field;
const { words } = field;

const contactInfo = resource('customerContactInfo', ['field', 'value'], {
  field: nillable(field.text),
  value: nillable(field.text),
});

const vendorVariable = resource('item', ['name', 'value'], { name: field.text, value: field.text });

export const vendorVariables = resource('vendorVariables', ['item'], {
  item: nillable(many(vendorVariable)),
});

const trackingParameters = resource('trackingParameters', [], {});

/** The number of future payments that ClickBank writes for a subscription without an end. */
export const endless = 999;

export const lineItem = resource(
  'lineItemData',
  words('itemNo productTitle quantity customerAmount accountAmount status nextPaymentDate'),
  {
    itemNo: naming('sku', field.text),
    productTitle: nillable(field.text),
    ...alike(field.boolean, 'recurring', 'shippable'),
    customerAmount: headed('Customer paid', nillable(field.decimal)),
    accountAmount: headed('You earn', nillable(field.decimal)),
    quantity: nillable(field.integer),
    lineItemType: nillable(oneOf('ORIGINAL BUMP CART STANDARD TOKEN UPSELL')),
    refundsBlocked: field.boolean,
    rebillAmount: nillable(field.decimal),
    ...alike(nillable(field.integer), 'processedPayments', 'futurePayments'),
    nextPaymentDate: headed('Next payment', nillable(field.time)),
    status: nillable(oneOf('ACTIVE AUTHORIZATION_FAILURE CANCELED COMPLETED VALIDATION_FAILURE')),
    role: nillable(field.text),
  },
);

/** One transaction of a receipt: a sale, a refund, a rebill, a chargeback, a fee. */
export const order = resource(
  'orderData',
  [
    ...words('receipt transactionTime transactionType totalOrderAmount currency fullName'),
    ...words('vendor affiliate country email trackingId'),
  ],
  {
    transactionTime: headed('Time', nillable(field.time)),
    receipt: naming('receipt', nillable(field.text)),
    trackingId: nillable(field.text),
    // The service misspells the name.
    paytmentMethod: { ...nillable(field.text), spelling: 'paymentMethod' },
    transactionType: headed(
      'Type',
      nillable(oneOf('SALE BILL RFND CGBK FEE TEST_SALE TEST_BILL TEST_RFND TEST_FEE')),
    ),
    totalOrderAmount: headed('Amount', nillable(field.decimal)),
    ...alike(nillable(field.decimal), 'totalShippingAmount', 'totalTaxAmount'),
    vendor: naming('account', nillable(field.text)),
    ...alike(nillable(field.text), 'affiliate', 'country', 'state', 'lastName', 'firstName'),
    currency: nillable(field.text),
    declinedConsent: nillable(field.boolean),
    ...alike(nillable(field.text), 'email', 'postalCode'),
    customerContactInfo: nillable(many(contactInfo)),
    role: nillable(field.text),
    fullName: headed('Customer', nillable(field.text)),
    customerRefundableState: nillable(
      oneOf(
        'REFUNDABLE SUGGESTED_REFUND_BLOCK UNREFUNDABLE ALREADY_REFUNDED TOO_OLD REFUND_BLOCKED',
        'HAS_OPEN_REFUND OVER_ELV_LIMIT PROVIDER_DISCONNECTED',
      ),
    ),
    vendorVariables: nillable(object(vendorVariables)),
    lineItemData: many(lineItem),
    commonTrackingParameters: pairs(
      trackingParameters,
      'clickTimestamp clickId deviceType extclid',
    ),
    affiliateTrackingParameters: pairs(
      trackingParameters,
      'affSub1 affSub2 affSub3 affSub4 affSub5 trafficType trafficSource offer campaign adgroup ad creative',
    ),
  },
  { noun: 'order' },
);

const reading = { method: 'GET', roles: ['api_order_read'] } as const;

const receipt = receiptOf('Receipt of the order; a rebill has a suffix such as -B002');

const sku = text('SKU of the line item, if the order has several', { names: 'sku' });

const search = {
  startDate: date('First day', {
    range: { name: 'period', end: 'first', at: 'transactionTime', isRecent: true },
  }),
  endDate: date('Last day', { range: { name: 'period', end: 'last' } }),
  type: {
    ...choice(
      'Transaction type',
      {
        SALE: '',
        RFND: 'refund',
        CGBK: 'chargeback',
        FEE: '',
        BILL: 'rebill',
        ...plain('TEST_SALE TEST_BILL TEST_RFND TEST_FEE'),
      },
      { fallback: 'all' },
    ),
    ...several,
  },
  vendor: text('Nickname of the vendor', { wildcard: true, names: 'account' }),
  affiliate: text("Nickname of the affiliate, or 'none'", { wildcard: true }),
  lastName: text('Last name of the customer', { wildcard: true }),
  item: text('SKU of a line item', { names: 'sku' }),
  email: text('Email address of the customer', { wildcard: true }),
  tid: text('Tracking ID or promo code of the vendor or affiliate'),
  postalCode: text('Postal code of the customer', { wildcard: true }),
  role: choice('Role of your account in the transaction', {
    VENDOR: 'you sold it',
    AFFILIATE: 'you referred it',
  }),
};

function periodNote({ startDate, endDate }: op.Given, today: string) {
  return note(
    !startDate && !endDate,
    `Without dates, ClickBank returns only yesterday and today: ${addDays(today, -1)} and ${today}. Use {period} for more.`,
  );
}

const changing = {
  method: 'POST',
  roles: ['api_subscription_modifications'],
  returns: nothing,
  refusals: { 403: 'the subscription does not exist, or your account may not change it' },
} as const;

const count = operation({
  ...reading,
  path: '/1.3/orders2/count',
  command: 'orders count',
  summary: 'Count transactions',
  params: search,
  returns: countReply,
  check: (args, today) => [periodNote(args, today)],
  examples: ['cb orders count --period this-year --type SALE'],
});

export const orders = {
  list: operation({
    ...reading,
    path: '/1.3/orders2/list',
    command: 'orders list',
    summary: 'List sales, rebills, refunds and chargebacks',
    params: { ...search, amount: decimal('Total amount of the transaction') },
    returns: pages(order, {
      // A receipt has several transactions, even at one time, and an account can have several roles in one.
      key: [
        ...(['receipt', 'transactionType', 'transactionTime', 'totalOrderAmount'] as const),
        ...(['role', 'lineItemData.itemNo'] as const),
      ],
      dated: { by: 'period', first: 'latest' },
      count,
    }),
    check: (args, today) => [
      ...bothOrNeither(args, 'startDate', 'endDate'),
      periodNote(args, today),
    ],
    examples: [
      'cb orders list --period last-7-days',
      'cb orders list --type RFND --period last-month -o csv',
      "cb orders list --since -30d --until today --email '%@example.com'",
      'cb orders list --affiliate none --fields receipt,totalOrderAmount',
    ],
  }),

  count,

  get: operation({
    ...reading,
    path: '/1.3/orders2/{receipt}',
    command: 'orders get',
    summary: 'Show the transactions of a receipt',
    params: { receipt, sku },
    returns: list(order),
    examples: ['cb orders get MONTHLY1', 'cb orders get CART0003 --sku KIT-03 -o json'],
    refusals: { 403: 'the receipt does not exist, or your account may not see it' },
  }),

  active: operation({
    method: 'HEAD',
    path: '/1.3/orders2/{receipt}',
    command: 'orders active',
    summary: 'Check if an order is active (exit code 0) or not (9)',
    roles: ['api_order_read'],
    params: { receipt, sku },
    returns: { kind: 'answer', yes: 'active', no: 'inactive', noStatus: 403 },
    check: ({ receipt }) => [
      note(
        saleOf(receipt) !== receipt,
        'For a rebill, ClickBank reports on that rebill only. Use the receipt of the sale to check the subscription.',
      ),
    ],
    examples: ['cb orders active MONTHLY1', 'cb orders active MONTHLY1 && echo still subscribed'],
    refusals: {
      403: 'the order was refunded, charged back or canceled, does not exist, or is not yours',
    },
  }),

  upsells: operation({
    ...reading,
    path: '/1.3/orders2/{receipt}/upsells',
    command: 'orders upsells',
    summary: 'List the upsells of an order',
    params: { receipt },
    returns: list(order),
    examples: ['cb orders upsells UPSELL01'],
    refusals: { 403: 'the order does not exist, has no upsells, or your account may not see it' },
  }),

  reinstate: operation({
    ...changing,
    path: '/1.3/orders2/{receipt}/reinstate',
    command: 'orders reinstate',
    summary: 'Restart a canceled subscription (beta)',
    params: { receipt, sku },
    examples: ['cb orders reinstate CANCEL01 --yes'],
    refusals: {
      403: 'the subscription does not exist, was canceled more than 60 days ago, or is not yours',
    },
  }),

  pause: operation({
    ...changing,
    path: '/1.3/orders2/{receipt}/pause',
    command: 'orders pause',
    summary: 'Pause a subscription until a given day (beta)',
    params: {
      receipt,
      restartDate: required(
        date('Day to resume, at most 60 days ahead and not before the next payment', {
          future: true,
        }),
      ),
      sku,
    },
    check: ({ restartDate }, today) => [
      when(restartDate <= today, 'restartDate', 'must be in the future'),
      when(daysBetween(today, restartDate) > 60, 'restartDate', 'must be at most 60 days ahead'),
    ],
    examples: ['cb orders pause MONTHLY1 --restart-date +45d --yes'],
  }),

  extend: operation({
    ...changing,
    path: '/1.3/orders2/{receipt}/extend',
    command: 'orders extend',
    summary: 'Add billing periods to a subscription (beta)',
    params: {
      receipt,
      numPeriods: required(integer('Number of billing periods to add', { min: 1 })),
      sku,
    },
    examples: ['cb orders extend LIMITED1 --num-periods 2 --yes'],
  }),

  changeProduct: operation({
    ...changing,
    path: '/1.3/orders2/{receipt}/changeProduct',
    command: 'orders change-product',
    summary: 'Move a subscription to another product (beta)',
    roles: ['api_order_write', 'api_subscription_modifications'],
    params: {
      receipt,
      oldSku: required(text('SKU of the current product', { names: 'sku' })),
      newSku: required(text('SKU of the new product, in the same currency', { names: 'sku' })),
      carryAffiliate: boolean('Keep the affiliate of the old subscription', {
        off: 'Do not keep the affiliate of the old subscription',
      }),
      applyProratedRefund: boolean('Refund the unused part of the billing period', {
        fallback: 'true',
        off: 'Do not refund the unused part of the billing period',
      }),
      nextRebillDate: date('Date of the next rebill', {
        fallback: 'the day after the product change',
        future: true,
      }),
    },
    check: ({ oldSku, newSku, nextRebillDate }, today) => [
      when(oldSku === newSku, 'newSku', 'must differ from {oldSku}'),
      when(!!nextRebillDate && nextRebillDate <= today, 'nextRebillDate', 'must be in the future'),
    ],
    examples: [
      'cb orders change-product MONTHLY1 --old-sku CLUB-M --new-sku CLUB-PLUS-M --no-apply-prorated-refund --yes',
    ],
  }),

  changeAddress: operation({
    ...changing,
    path: '/1.3/orders2/{receipt}/changeAddress',
    command: 'orders change-address',
    summary: 'Change the shipping address of a subscription',
    roles: ['api_order_write'],
    params: {
      receipt,
      firstName: text('First name of the customer'),
      lastName: text('Last name of the customer'),
      address1: required(text('First line of the address')),
      address2: text('Second line of the address'),
      city: required(text('City')),
      county: text('County'),
      province: text('State or province'),
      countryCode: required(text('Country code, such as US')),
      postalCode: text('Postal code'),
    },
    examples: [
      "cb orders change-address SHIPBOX1 --address1 '1 Main St' --city Boise --province ID --country-code US --postal-code 83702 --yes",
    ],
  }),

  changeDate: operation({
    ...changing,
    path: '/1.3/orders2/{receipt}/changeDate',
    command: 'orders change-date',
    summary: 'Change the next billing date (beta)',
    params: {
      receipt,
      changeDate: required(date('Date of the next payment', { future: true })),
      sku,
    },
    check: ({ changeDate }, today) => [
      when(changeDate <= today, 'changeDate', 'must be in the future'),
    ],
    examples: ['cb orders change-date MONTHLY1 --change-date +10d --yes'],
  }),

  schema: schemaOf('/1.3/orders2/schema', 'orders schema', 'an order'),
};
