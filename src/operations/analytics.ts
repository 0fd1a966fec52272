/** Analytics: /1.3/analytics (section 4.1 of the specification; shapes of the live service). */
import type { Params } from './operation.ts';
import * as op from './operation.ts';
import * as field from './resource.ts';

const { boolean, choice, date, plain, repeated, required, text } = op;
const { beginsInTime, list, note, operation, pages, schemaOf, when } = op;
const { alike, headed, many, naming, nillable, object, oneOf, resource, typed, words } = field;

export const analyticsStatus = resource('AnalyticsStatus', ['status', 'lastUpdateTime'], {
  status: field.required(oneOf('GREEN YELLOW RED')),
  lastUpdateTime: field.required(field.time),
});

/** One figure: the name is a data field of section 2. */
const figureFields = { attribute: field.text, value: nillable(typed(field.decimal)) };
const figure = resource('data', ['attribute', 'value'], figureFields);

const dimensionRow = resource('row', ['dimensionValue', 'accountNickName', 'data'], {
  dimensionIdentifier: field.text,
  dimensionValue: field.text,
  accountNickName: naming('account', field.text),
  data: many(figure),
});

const total = resource('total', ['attribute', 'value'], figureFields);

export const analyticsResult = resource('analyticsResult', [], {
  rows: object(resource('rows', [], { row: many(dimensionRow) })),
  totals: object(resource('totals', [], { total: many(total) })),
});

const count = field.required(field.integer);

const subscription = resource(
  'row',
  [
    ...words('receipt status itemNo customerDisplayName purchaseDate nextPaymentDate'),
    ...words('subValue currencyCode frequency'),
  ],
  {
    receipt: naming('receipt', field.text),
    status: field.text,
    itemNo: naming('sku', field.text),
    pubNickName: naming('account', field.text),
    affNickName: field.text,
    customerDisplayName: headed('Customer', field.text),
    ...alike(field.text, 'customerFirstName', 'customerLastName', 'email'),
    ...alike(field.text, 'countryCode', 'province'),
    currencyCode: headed('Currency', field.text),
    ...alike(field.text, 'paymentMethod', 'frequency'),
    // 999 stands for a subscription without an end.
    duration: count,
    // A number of days, or a text such as `14 DAYS`.
    trialPeriod: field.text,
    purchaseDate: headed('Purchased', field.time),
    nextPaymentDate: headed('Next payment', nillable(field.time)),
    subCancelDate: headed('Canceled on', field.time),
    subEndDate: headed('Ends', field.time),
    cancelled: field.required(field.boolean),
    ...alike(count, 'processedPaymentsCount', 'futurePaymentsCount'),
    subValue: headed('Value', field.decimal),
    initialSaleAmount: field.decimal,
    initialSaleCount: count,
    rebillSaleAmount: field.decimal,
    rebillSaleCount: count,
    refundAmount: field.decimal,
    refundCount: count,
    chargebackAmount: field.decimal,
    chargebackCount: count,
    returnAmount: nillable(field.decimal),
    returnCount: nillable(field.integer),
    ftxnId: count,
    ...alike(field.text, 'txnType', 'timeStr'),
  },
  { noun: 'subscription', amount: 'subValue', currency: 'currencyCode', order: 'alphabetical' },
);

export const subscriptionDetailResult = resource('subscriptionDetailResult', [], {
  totalCount: field.required(field.integer),
  data: object(resource('subscriptionData', [], { row: many(subscription) })),
});

const subscriptionTrend = resource(
  'row',
  [
    ...words('businessDate nickname itemNo title totalSalesCnt grossSales netSales'),
    ...words('cancelSubCnt avgActiveSubCnt'),
  ],
  {
    // Only rows by day have it.
    businessDate: field.time,
    nickname: naming('account', field.text),
    productId: count,
    itemNo: naming('sku', field.text),
    ...alike(field.text, 'title', 'description', 'frequency'),
    duration: count,
    trialPeriod: field.text,
    totalSalesCnt: headed('Sales', field.decimal),
    ...alike(field.decimal, 'grossSales', 'netSales', 'initialSaleAmt'),
    ...alike(field.decimal, 'initialSaleCnt', 'recurringSaleAmt', 'recurringSaleCnt'),
    cancelSubCnt: headed('Canceled', field.decimal),
    avgActiveSubCnt: headed('Active', field.decimal),
    ...alike(field.decimal, 'avgSubAge', 'avgSubValue'),
  },
  { order: 'alphabetical' },
);

export const subscriptionTrendsData = resource('SubscriptionTrendsData', [], {
  totalCount: field.required(field.integer),
  data: object(resource('trendData', [], { row: many(subscriptionTrend) })),
});

/** The data fields that can be selected, sorted by and returned (section 2). */
const dataFields = {
  ...plain('CHARGEBACK_AMOUNT CHARGEBACK_COUNT CHARGEBACK_RATE DIMENSION_VALUE'),
  ...plain('EARNINGS_PER_HOP GROSS_SALE_COUNT GROSS_SALE_AMOUNT HOP_COUNT'),
  ...plain('HOPS_PER_SALE HOPS_PER_ORDER_FORM_IMPRESSION NET_SALE_AMOUNT NET_SALE_COUNT'),
  ...plain('ORDER_FORM_SALE_CONVERSION ORDER_IMPRESSION ORDER_SUBMISSION REBILL_AMOUNT'),
  ...plain('REBILL_COUNT REFUND_AMOUNT REFUND_COUNT REFUND_RATE SALE_AMOUNT'),
  ...plain('SALE_COUNT UPSELL_AMOUNT UPSELL_COUNT'),
} as const;

/** Figures that the service may return although they can't be selected. */
export const answerOnlyFigures = [
  'INITIAL_ORDER_IMPRESSION',
  'UPSELL_ORDER_IMPRESSION',
  'TOTAL_ORDER_IMPRESSION',
  'EARNINGS_PER_CLICK',
] as const;

const reading = {
  method: 'GET',
  roles: ['api_analytics_client', 'HAS_DEVELOPER_KEY'],
  isPacific: true,
} as const;

const sides = { AFFILIATE: 'you refer', VENDOR: 'you sell' } as const;

const role = required(choice('Your role', sides, { asFlag: true }));

const account = required(text('Nickname of the account', { names: 'account' }));

const dimension = required(
  choice('Dimension to group by', {
    ...plain('AFFILIATE CUSTOMER_CURRENCY CUSTOMER_COUNTRY CUSTOMER_PROVINCE CUSTOMER_LANGUAGE'),
    PRODUCT_SKU: 'role VENDOR only',
    ...plain('TRACKING_ID VENDOR VENDOR_CATEGORY'),
    VENDOR_PRODUCT_SKU: 'role AFFILIATE only',
  }),
);

const statistics = {
  dimension,
  role,
  account,
  startDate: date('First day', { range: { name: 'period', end: 'first' }, fallback: 'yesterday' }),
  endDate: date('Last day', { range: { name: 'period', end: 'last' }, fallback: 'today' }),
  dimensionFilter: text('Only rows with this dimension ID, case-sensitive'),
  select: repeated(
    choice('Metrics to show, separated by commas', dataFields, { fallback: 'all', commas: true }),
  ),
  orderBy: choice('Metric to sort by', dataFields),
  sortAscending: boolean('Sort the lowest value first', {
    fallback: 'highest first',
    lenient: true,
    off: 'Sort the highest value first',
  }),
};

/** Dimensions that only one role has. */
export const roleOfDimension: Readonly<Partial<Record<string, keyof typeof sides>>> = {
  PRODUCT_SKU: 'VENDOR',
  VENDOR_PRODUCT_SKU: 'AFFILIATE',
};

function statisticsRules(args: op.Given, today: string) {
  const { role, dimension, orderBy, sortAscending } = args;
  const only = roleOfDimension[String(dimension)] ?? role;
  return [
    beginsInTime(args, today, 1),
    when(only !== role, 'role', `must be ${only} for the dimension ${dimension}`),
    note(
      sortAscending !== undefined && !orderBy,
      '{sortAscending} has no effect without {orderBy}',
    ),
  ];
}

/** An affiliate does not see the customer. */
const vendorOnly = 'role VENDOR only';

const details = {
  role,
  account,
  orderBy: choice('Field to sort by', {
    ...plain('RECEIPT PURCHASE_DATE SUB_END_DATE SUB_CANCEL_DATE NEXT_PAYMENT_DATE'),
    ...plain('SUB_VALUE STATUS ITEM_NUMBER PROCESSED_PAYMENTS_COUNT'),
    ...plain('FUTURE_PAYMENTS_COUNT REFUND_COUNT REFUND_AMOUNT CHARGEBACK_COUNT'),
    ...plain('CHARGEBACK_AMOUNT PUB_NICK_NAME AFFILIATE_NICK_NAME DURATION'),
    ...plain('INITIAL_SALE_AMOUNT INITIAL_SALE_COUNT REBILL_SALE_AMOUNT REBILL_SALE_COUNT'),
    CUSTOMER_FIRST_NAME: vendorOnly,
    CUSTOMER_LAST_NAME: vendorOnly,
    CUSTOMER_DISPLAY_NAME: vendorOnly,
    CUSTOMER_EMAIL: vendorOnly,
  }),
  sortDirection: choice(
    'Sort direction',
    { ASC: 'lowest first', DESC: 'highest first' },
    { fallback: 'ASC' },
  ),
};

const days = {
  startDate: required(date('First day', { range: { name: 'period', end: 'first' } })),
  endDate: required(date('Last day', { range: { name: 'period', end: 'last' } })),
};

function detailsRules({ role, orderBy = '' }: op.Given) {
  return [
    when(
      details.orderBy.values?.[String(orderBy)] === vendorOnly && role !== 'VENDOR',
      'orderBy',
      `${orderBy} requires {role} VENDOR`,
    ),
  ];
}

const as = '--role VENDOR --account GREENLEAF';

const metrics = {
  status: operation({
    ...reading,
    path: '/1.3/analytics/status',
    command: 'analytics status',
    summary: 'Show if analytics data is current',
    params: {},
    returns: { kind: 'one', resource: analyticsStatus, csv: true },
    examples: ['cb analytics status'],
  }),

  dimension: operation({
    ...reading,
    path: '/1.3/analytics/{role}/{dimension}',
    command: 'analytics dimension',
    summary: 'Show metrics by affiliate, country or tracking ID',
    params: statistics,
    returns: pages(dimensionRow, { inside: analyticsResult, totals: total }),
    check: statisticsRules,
    examples: [
      `cb analytics dimension TRACKING_ID ${as} --period last-month`,
      `cb analytics dimension CUSTOMER_COUNTRY ${as} --period last-month --select SALE_COUNT,SALE_AMOUNT --order-by SALE_AMOUNT`,
    ],
  }),

  summary: operation({
    ...reading,
    path: '/1.3/analytics/{role}/{dimension}/summary',
    command: 'analytics summary',
    summary: 'Show total metrics of a dimension',
    params: {
      ...statistics,
      summaryType: required(
        choice('Accounts to include', {
          VENDOR_ONLY: 'only your account',
          AFFILIATE_ONLY: 'all other accounts',
        }),
      ),
    },
    returns: pages(dimensionRow, { inside: analyticsResult, totals: total }),
    check: statisticsRules,
    examples: [
      `cb analytics summary TRACKING_ID ${as} --summary-type VENDOR_ONLY --period last-month`,
    ],
  }),

  trends: operation({
    ...reading,
    path: '/1.3/analytics/{role}/subscription/trends',
    command: 'analytics trends',
    summary: 'Show subscription totals by product or day',
    params: {
      role,
      account,
      groupBy: choice('Group by', { DATE: 'business day' }),
      productId: repeated(text('Product IDs, separated by commas')),
      ...days,
    },
    returns: pages(subscriptionTrend, { inside: subscriptionTrendsData }),
    examples: [`cb analytics trends ${as} --period last-month --group-by DATE`],
  }),
};

const subscriptionLists = {
  completing30: subscriptions('/compthirty', 'completing-30', 'that end within 30 days'),
  completing60: subscriptions('/compsixty', 'completing-60', 'that end within 60 days'),
  canceled30: subscriptions('/cancelthirty', 'canceled-30', 'canceled in the last 30 days'),
  canceled60: subscriptions('/cancelsixty', 'canceled-60', 'canceled in the last 60 days'),
  byStartDate: subscriptionsIn('/startdate', 'by-start-date', 'that started in a period'),
  byCancelDate: subscriptionsIn('/canceldate', 'by-cancel-date', 'canceled in a period'),
  byNextPaymentDate: subscriptionsIn(
    '/nextpmtdate',
    'by-next-payment-date',
    'with a payment due in a period',
    ' --since today --until +30d',
  ),
  byStatus: subscriptionsBy(
    '/status',
    'by-status',
    'List subscriptions by status',
    {
      ...details,
      status: required(
        choice('Subscription status', {
          ...plain('ACTIVE COMPLETED CANCELED'),
          RETRY_PAYMENT: 'a failed payment is retried',
          REQUEST_NEW_CARD: 'the customer must provide another card',
        }),
      ),
    },
    ' --status ACTIVE',
  ),
};

const schemas = {
  statusSchema: schemaNamed('AnalyticsStatus', 'the analytics status'),
  resultSchema: schemaNamed('AnalyticsResult', 'metrics by dimension'),
  subscriptionsSchema: schemaNamed('SubscriptionDetailResult', 'lists of subscriptions'),
  subscriptionSchema: schemaNamed('SubscriptionDetailResultRow', 'one subscription'),
  trendsSchema: schemaNamed('SubscriptionTrendsData', 'subscription trends'),
};

export const analytics = {
  ...metrics,
  subscriptions: subscriptionsBy('', 'list', 'List all subscriptions', details),
  ...subscriptionLists,
  ...schemas,
};

/** The same, with the lists of subscriptions as a group. */
export const groupedAnalytics = {
  ...metrics,
  ...schemas,
  subscriptions: { list: analytics.subscriptions, ...subscriptionLists },
};

function subscriptionsBy<const C extends string, const P extends Params>(
  path: string,
  command: C,
  summary: string,
  params: P,
  flags = '',
) {
  return operation({
    ...reading,
    path: `/1.3/analytics/{role}/subscription/details${path}`,
    command: `analytics subscriptions ${command}`,
    summary,
    params,
    returns: list(subscription, { inside: subscriptionDetailResult }),
    check: detailsRules,
    examples: [`cb analytics subscriptions ${command} ${as}${flags}`],
  });
}

function subscriptions<const C extends string>(path: string, command: C, what: string) {
  return subscriptionsBy(path, command, `List subscriptions ${what}`, details);
}

function subscriptionsIn<const C extends string>(
  path: string,
  command: C,
  what: string,
  flags = ' --period last-month',
) {
  const params = { ...details, ...days };
  return subscriptionsBy(path, command, `List subscriptions ${what}`, params, flags);
}

function schemaNamed<const N extends string>(name: N, what: string) {
  return schemaOf(`/1.3/analytics/schema/${name}`, `analytics schema ${name}`, what);
}
