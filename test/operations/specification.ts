/**
 * The specification of the service, transcribed by hand, for comparison with the catalogue of
 * operations. It shares no code with the catalogue, so that errors there are not repeated here.
 */

// The vocabulary: an operation as a row, a parameter as a cell

/** The words of a text. */
const words = (text: string) => text.trim().split(/\s+/);

type Type = 'string' | 'date' | 'integer' | 'decimal' | 'boolean' | 'enum';

export interface SpecifiedParam {
  readonly name: string;
  readonly where: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** Undefined if the specification names no type. */
  readonly type?: Type;
  /** The complete list of allowed values. */
  readonly values?: readonly string[];
  /** The meaning of an absent parameter, in words. */
  readonly default?: string;
  readonly repeatable?: true;
  readonly wildcard?: true;
}

export interface SpecifiedOperation {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly roles: readonly string[];
  readonly params: readonly SpecifiedParam[];
  readonly isSchema: boolean;
}

type More = Omit<SpecifiedParam, 'name' | 'where' | 'required' | 'type'>;

const query =
  (required: boolean) =>
  (name: string, type?: Type, more: More = {}): SpecifiedParam => ({
    ...{ name, where: 'query', required },
    ...(type && { type }),
    ...more,
  });
const must = query(true);
const may = query(false);

/** Several parameters of one type, by their names in one text. */
const mays = (names: string, type?: Type, more: More = {}): SpecifiedParam[] =>
  words(names).map((name) => may(name, type, more));

/** A path parameter; values make it an enumeration. */
const path = (name: string, values?: readonly string[]): SpecifiedParam => ({
  ...{ name, where: 'path', required: true },
  ...(values && { type: 'enum', values }),
});

const pageHeader: SpecifiedParam = {
  ...{ name: 'Page', where: 'header', required: false, type: 'integer', default: '1' },
};

type Method = SpecifiedOperation['method'];

const data =
  (...roles: readonly string[]) =>
  (method: Method, path: string, params: readonly SpecifiedParam[] = []): SpecifiedOperation => ({
    ...{ method, path, roles, params, isSchema: false },
  });

const schemaAt = (path: string): SpecifiedOperation => ({
  ...{ method: 'GET', path, roles: [], params: [], isSchema: true },
});

// 4.1 Analytics

const accountRole = ['AFFILIATE', 'VENDOR'];
const analyticsRoles = ['api_analytics_client', 'HAS_DEVELOPER_KEY'];
const analytics = data(...analyticsRoles);

const subscriptionOrder = words(`
  RECEIPT PURCHASE_DATE SUB_END_DATE SUB_CANCEL_DATE NEXT_PAYMENT_DATE SUB_VALUE STATUS
  ITEM_NUMBER PROCESSED_PAYMENTS_COUNT FUTURE_PAYMENTS_COUNT REFUND_COUNT REFUND_AMOUNT
  CHARGEBACK_COUNT CHARGEBACK_AMOUNT PUB_NICK_NAME AFFILIATE_NICK_NAME DURATION
  INITIAL_SALE_AMOUNT INITIAL_SALE_COUNT REBILL_SALE_AMOUNT REBILL_SALE_COUNT CUSTOMER_FIRST_NAME
  CUSTOMER_LAST_NAME CUSTOMER_DISPLAY_NAME CUSTOMER_EMAIL
`);

const detailsParams = [
  path('role', accountRole),
  must('account', 'string'),
  may('orderBy', 'enum', { values: subscriptionOrder }),
  may('sortDirection', 'enum', { values: ['ASC', 'DESC'], default: 'ASC' }),
];

const period = [must('startDate', 'date'), must('endDate', 'date')];

const subscriptionStatus = ['ACTIVE', 'COMPLETED', 'CANCELED', 'RETRY_PAYMENT', 'REQUEST_NEW_CARD'];

const details = '/1.3/analytics/{role}/subscription/details';

const statisticsFields = words(`
  CHARGEBACK_AMOUNT CHARGEBACK_COUNT CHARGEBACK_RATE DIMENSION_VALUE EARNINGS_PER_HOP
  GROSS_SALE_COUNT GROSS_SALE_AMOUNT HOP_COUNT HOPS_PER_SALE HOPS_PER_ORDER_FORM_IMPRESSION
  NET_SALE_AMOUNT NET_SALE_COUNT ORDER_FORM_SALE_CONVERSION ORDER_IMPRESSION ORDER_SUBMISSION
  REBILL_AMOUNT REBILL_COUNT REFUND_AMOUNT REFUND_COUNT REFUND_RATE SALE_AMOUNT SALE_COUNT
  UPSELL_AMOUNT UPSELL_COUNT
`);

const dimensions = words(`
  AFFILIATE CUSTOMER_CURRENCY CUSTOMER_COUNTRY CUSTOMER_PROVINCE CUSTOMER_LANGUAGE PRODUCT_SKU
  TRACKING_ID VENDOR VENDOR_CATEGORY VENDOR_PRODUCT_SKU
`);

const dimensionParams = [
  path('role', accountRole),
  path('dimension', dimensions),
  pageHeader,
  must('account', 'string'),
  may('startDate', 'date', { default: 'the previous day' }),
  may('endDate', 'date', { default: 'the current day' }),
  may('dimensionFilter', 'string'),
  may('select', 'enum', { values: statisticsFields, repeatable: true, default: 'all fields' }),
  may('orderBy', 'enum', { values: statisticsFields }),
  may('sortAscending', 'boolean', { default: 'descending' }),
];

const analyticsOperations = [
  analytics('GET', '/1.3/analytics/status'),
  ...['compthirty', 'compsixty', 'cancelthirty', 'cancelsixty'].map((kind) =>
    analytics('GET', `${details}/${kind}`, detailsParams),
  ),
  ...['startdate', 'canceldate', 'nextpmtdate'].map((kind) =>
    analytics('GET', `${details}/${kind}`, [...detailsParams, ...period]),
  ),
  analytics('GET', `${details}/status`, [
    ...detailsParams,
    must('status', 'enum', { values: subscriptionStatus }),
  ]),
  analytics('GET', details, detailsParams),
  analytics('GET', '/1.3/analytics/{role}/subscription/trends', [
    path('role', accountRole),
    pageHeader,
    must('account', 'string'),
    may('groupBy', 'enum', { values: ['DATE'] }),
    may('productId', 'string', { repeatable: true }),
    ...period,
  ]),
  analytics('GET', '/1.3/analytics/{role}/{dimension}', dimensionParams),
  analytics('GET', '/1.3/analytics/{role}/{dimension}/summary', [
    ...dimensionParams,
    must('summaryType', 'enum', { values: ['VENDOR_ONLY', 'AFFILIATE_ONLY'] }),
  ]),
  ...words(`
    AnalyticsStatus SubscriptionDetailResult SubscriptionDetailResultRow SubscriptionTrendsData
    AnalyticsResult
  `).map((type) => schemaAt(`/1.3/analytics/schema/${type}`)),
];

// 4.2 Tickets

const ticketType = ['rfnd', 'cncl', 'tech'];
const ticketStatus = ['open', 'reopened', 'closed'];
const refundType = ['FULL', 'PARTIAL_PERCENT', 'PARTIAL_AMOUNT'];
const ticketReason = words(`
  ticket.type.cancel.1 ticket.type.cancel.2 ticket.type.cancel.3 ticket.type.cancel.4
  ticket.type.cancel.5 ticket.type.cancel.6 ticket.type.cancel.7 ticket.type.cancel.not.mobile
  ticket.type.refund.1 ticket.type.refund.2 ticket.type.refund.3 ticket.type.refund.4
  ticket.type.refund.5 ticket.type.refund.6 ticket.type.refund.7 ticket.type.refund.returned
  ticket.type.refund.8 ticket.type.refund.not.mobile ticket.type.tech_support.1
  ticket.type.tech_support.2 ticket.type.tech_support.3 ticket.type.tech_support.4
  ticket.type.tech_support.9 ticket.type.tech_support.10 ticket.type.tech_support.12
`);

const readsOrders = data('api_order_read');
const writesOrders = data('api_order_write');
const readsAndWritesOrders = data('api_order_read', 'api_order_write');

const ticketOperations = [
  schemaAt('/1.3/tickets/schema'),
  writesOrders('POST', '/1.3/tickets/{receipt}', [
    path('receipt'),
    may('sku', 'string'),
    must('type', 'enum', { values: ticketType }),
    may('comment', 'string'),
    must('reason', 'enum', { values: ticketReason }),
    may('refundType', 'enum', { values: refundType }),
    may('refundAmount', 'decimal'),
    may('retainSubscription', 'boolean'),
  ]),
  readsOrders('GET', '/1.3/tickets/refundAmounts/{receipt}', [
    path('receipt'),
    may('sku', 'string'),
    must('refundType', 'enum', { values: refundType }),
    // Programs leave it out with FULL, although the specification requires it.
    may('refundAmount', 'decimal'),
  ]),
  readsOrders('GET', '/1.3/tickets/{id}', [path('id')]),
  writesOrders('PUT', '/1.3/tickets/{id}', [
    path('id'),
    may('action', 'enum', { values: ['change', 'close', 'reopen'] }),
    may('comment', 'string'),
    may('type', 'enum', { values: ticketType }),
  ]),
  readsAndWritesOrders('POST', '/1.3/tickets/{id}/returned', [path('id')]),
  readsOrders('GET', '/1.3/tickets/list', [
    pageHeader,
    may('type', 'enum', { values: ticketType }),
    may('status', 'enum', { values: ticketStatus }),
    may('receipt', 'string', { wildcard: true }),
    ...mays('createDateFrom createDateTo updateDateFrom updateDateTo', 'date'),
    ...mays('closeDateFrom closeDateTo', 'date'),
  ]),
  readsOrders('GET', '/1.3/tickets/count', [
    may('type', 'enum', { values: ticketType }),
    may('status', 'enum', { values: ticketStatus }),
    may('receipt', 'string'),
  ]),
  schemaAt('/1.3/tickets/partialRefundDataSchema'),
];

// 4.3 Orders

const changesSubscriptions = data('api_subscription_modifications');
const order = '/1.3/orders2/{receipt}';
const item = [path('receipt'), may('sku', 'string')];

const orderSearch = [
  ...mays('startDate endDate', 'date'),
  may('type', 'enum', {
    values: words('SALE RFND CGBK FEE BILL TEST_SALE TEST_BILL TEST_RFND TEST_FEE'),
    default: 'all types',
  }),
  ...mays('vendor affiliate lastName email postalCode', 'string', { wildcard: true }),
  ...mays('item tid', 'string'),
  may('role', 'enum', { values: ['VENDOR', 'AFFILIATE'] }),
];

const orderOperations = [
  schemaAt('/1.3/orders2/schema'),
  changesSubscriptions('POST', `${order}/reinstate`, item),
  changesSubscriptions('POST', `${order}/pause`, [...item, must('restartDate', 'date')]),
  changesSubscriptions('POST', `${order}/extend`, [...item, must('numPeriods', 'integer')]),
  data('api_order_write', 'api_subscription_modifications')('POST', `${order}/changeProduct`, [
    path('receipt'),
    must('oldSku', 'string'),
    must('newSku', 'string'),
    may('carryAffiliate', 'boolean'),
    may('applyProratedRefund', 'boolean', { default: 'TRUE' }),
    may('nextRebillDate', 'date', { default: 'the day after the product change' }),
  ]),
  writesOrders('POST', `${order}/changeAddress`, [
    path('receipt'),
    must('address1', 'string'),
    must('city', 'string'),
    must('countryCode', 'string'),
    ...mays('firstName lastName address2 county province postalCode', 'string'),
  ]),
  changesSubscriptions('POST', `${order}/changeDate`, [...item, must('changeDate', 'date')]),
  readsOrders('GET', '/1.3/orders2/count', orderSearch),
  readsOrders('GET', '/1.3/orders2/list', [pageHeader, ...orderSearch, may('amount', 'decimal')]),
  readsOrders('HEAD', order, item),
  readsOrders('GET', order, item),
  readsOrders('GET', `${order}/upsells`, [path('receipt')]),
];

// 4.4 Products

const products = data('api_products_client');
const product = '/1.3/products/{sku}';

const productOperations = [
  schemaAt('/1.3/products/schema'),
  products('PUT', product, [
    path('sku'),
    must('site'),
    must('currency'),
    must('price'),
    must('language', 'enum', { values: ['DE', 'EN', 'ES', 'FR', 'IT', 'PT'] }),
    must('title'),
    ...mays('digital physical digitalRecurring physicalRecurring'),
    may('categories', 'enum', {
      values: ['EBOOK', 'SOFTWARE', 'GAMES', 'AUDIO', 'VIDEO', 'MEMBER_SITE'],
      repeatable: true,
    }),
    ...mays('skipConfirmationPage thankYouPage mobileThankYouPage rebillPrice rebillCommission'),
    may('trialPeriod', 'integer'),
    may('frequency', 'enum', {
      values: ['WEEKLY', 'BI_WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'],
    }),
    may('purchaseCommission', undefined, { default: 'the rate of the site' }),
    ...mays('duration shippingProfile description image pitchPage mobilePitchPage'),
    ...mays('saleRefundDaysLimit rebillRefundDaysLimit deliveryMethod deliverySpeed'),
    ...mays('preRebillNotificationOverride preRebillNotificationLeadTime'),
  ]),
  products('DELETE', product, [path('sku'), must('site')]),
  products('GET', product, [path('sku'), must('site')]),
  products('GET', '/1.3/products/list', [
    must('site'),
    may('type', 'enum', { values: ['STANDARD', 'RECURRING'], default: 'all types' }),
  ]),
];

// 4.5 Quickstats

const quickstatsParams = [
  may('startDate', 'date', { default: '45 days ago' }),
  may('endDate', 'date', { default: 'today' }),
  may('account', 'string', { default: 'all accounts' }),
];

const quickstatsOperations = [
  schemaAt('/1.3/quickstats/schema'),
  readsOrders('GET', '/1.3/quickstats/count', quickstatsParams),
  readsOrders('GET', '/1.3/quickstats/list', quickstatsParams),
  readsOrders('GET', '/1.3/quickstats/accounts'),
];

// 4.6 Shipping, three generations of the same operations

const shippingParams = [
  may('status', 'enum', { values: ['shipped', 'notshipped', 'all'] }),
  may('days', 'integer', { default: '30' }),
  ...mays('startDate endDate', 'date'),
  may('receipt', 'string'),
];

const shippingOperations = ['shipping', 'shipping2', 'shipping3'].flatMap((service) => [
  schemaAt(`/1.3/${service}/schema`),
  readsOrders('GET', `/1.3/${service}/count`, shippingParams),
  readsOrders('GET', `/1.3/${service}/list`, [pageHeader, ...shippingParams]),
]);

// 4.7 Ship notices

const firstNotice = [
  must('date', 'date'),
  must('carrier', 'string'),
  ...mays('tracking comments item', 'string'),
];
const notice = [...firstNotice, may('fillOrder', 'boolean')];
const noticeOperations = ['shipping', 'shipping2', 'shipping3'].flatMap((service) => {
  const key = service === 'shipping3' ? ['HAS_DEVELOPER_KEY'] : [];
  const params = service === 'shipping' ? firstNotice : notice;
  const at = `/1.3/${service}/shipnotice/{receipt}`;
  return [
    schemaAt(`/1.3/${service}/shipnotice/schema`),
    data('api_order_read', ...key)('GET', at, [path('receipt')]),
    data('api_order_read', 'api_order_write', ...key)('POST', at, [path('receipt'), ...params]),
  ];
});

// Outside the specification: the live service has these two, according to its public documentation.

export const outsideTheSpecification: readonly SpecifiedOperation[] = [
  schemaAt('/1.3/images/schema'),
  products('GET', '/1.3/images/list', [
    must('site', 'string'),
    may('type', 'enum', { values: ['PRODUCT', 'BANNER', 'BANNER_BG'], default: 'all types' }),
    may('approvedOnly', 'boolean', { default: 'true' }),
  ]),
];

/** Every operation of section 4, in its order. */
export const specification: readonly SpecifiedOperation[] = [
  ...[...analyticsOperations, ...ticketOperations, ...orderOperations, ...productOperations],
  ...[...quickstatsOperations, ...shippingOperations, ...noticeOperations],
];
