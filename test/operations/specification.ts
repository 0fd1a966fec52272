/**
 * The specification of the service, transcribed by hand, for comparison with the catalogue of
 * operations. It shares no code with the catalogue, so that errors there are not repeated here.
 */

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
  readonly method: string;
  readonly path: string;
  readonly roles: readonly string[];
  readonly params: readonly SpecifiedParam[];
  readonly isSchema: boolean;
}

/** The words of a text. */
const words = (text: string) => text.trim().split(/\s+/);

/** Names with their marks, then their type or values, and in parentheses the default of all of them. */
function paramsIn(text: string, path: string): SpecifiedParam[] {
  const [, start = '', absent] = /^([^(]*)(?:\((.*)\))?$/.exec(text) ?? [];
  const names = words(start);
  const isTyped = /^(?:string|date|integer|decimal|boolean|.*\|.*)$/.test(names.at(-1) ?? '');
  const [type = ''] = isTyped ? names.splice(-1) : [];
  const values = type.includes('|') ? type.split('|').filter(Boolean) : undefined;
  return names.map((marked) => {
    const name = marked.replace(/\W+$/, '');
    const where = path.includes(`{${name}}`) ? 'path' : name === 'Page' ? 'header' : 'query';
    return {
      ...{ name, where, required: where === 'path' || marked.includes('!') },
      ...(type && { type: values ? 'enum' : (type as Type) }),
      ...(values && { values }),
      ...(absent && { default: absent }),
      ...(marked.includes('*') && { repeatable: true }),
      ...(marked.includes('%') && { wildcard: true }),
    };
  });
}

/** All that a pattern such as `a<b|c>` stands for. */
function alternatives(pattern: string): string[] {
  const [, start = '', each = '', end = ''] = /^(.*)<(.*)>(.*)$/.exec(pattern) ?? [];
  return each ? each.split('|').map((one) => start + one + end) : [pattern];
}

/**
 * A line for methods, paths and roles; below it the parameters, separated by commas: `!` is required, `*` repeatable, `%` a
 * wildcard. A parameter of the path without a type may be left out.
 */
function operationsIn(text: string): SpecifiedOperation[] {
  return text
    .trim()
    .split(/\n(?=\w)/)
    .flatMap((block) => {
      const [line = '', ...more] = block.split('\n');
      const [methods = '', paths = '', ...roles] = words(line);
      const typed = more
        .join(' ')
        .split(',')
        .filter((one) => one.trim());
      return alternatives(paths).flatMap((path) => {
        const params = typed.flatMap((one) => paramsIn(one.trim(), path));
        const others = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const missing = others.filter((name) => !params.some((param) => param.name === name));
        const all = [...missing.flatMap((name) => paramsIn(name, path)), ...params];
        return methods
          .split('|')
          .map((method) => ({ method, path, roles, params: all, isSchema: false }));
      });
    });
}

const oneOf = (text: string) => words(text).join('|');

const subscriptionOrder = oneOf(`
  RECEIPT PURCHASE_DATE SUB_END_DATE SUB_CANCEL_DATE NEXT_PAYMENT_DATE SUB_VALUE STATUS
  ITEM_NUMBER PROCESSED_PAYMENTS_COUNT FUTURE_PAYMENTS_COUNT REFUND_COUNT REFUND_AMOUNT
  CHARGEBACK_COUNT CHARGEBACK_AMOUNT PUB_NICK_NAME AFFILIATE_NICK_NAME DURATION
  INITIAL_SALE_AMOUNT INITIAL_SALE_COUNT REBILL_SALE_AMOUNT REBILL_SALE_COUNT CUSTOMER_FIRST_NAME
  CUSTOMER_LAST_NAME CUSTOMER_DISPLAY_NAME CUSTOMER_EMAIL
`);

const statisticsFields = oneOf(`
  CHARGEBACK_AMOUNT CHARGEBACK_COUNT CHARGEBACK_RATE DIMENSION_VALUE EARNINGS_PER_HOP
  GROSS_SALE_COUNT GROSS_SALE_AMOUNT HOP_COUNT HOPS_PER_SALE HOPS_PER_ORDER_FORM_IMPRESSION
  NET_SALE_AMOUNT NET_SALE_COUNT ORDER_FORM_SALE_CONVERSION ORDER_IMPRESSION ORDER_SUBMISSION
  REBILL_AMOUNT REBILL_COUNT REFUND_AMOUNT REFUND_COUNT REFUND_RATE SALE_AMOUNT SALE_COUNT
  UPSELL_AMOUNT UPSELL_COUNT
`);

const dimensions = oneOf(`
  AFFILIATE CUSTOMER_CURRENCY CUSTOMER_COUNTRY CUSTOMER_PROVINCE CUSTOMER_LANGUAGE PRODUCT_SKU
  TRACKING_ID VENDOR VENDOR_CATEGORY VENDOR_PRODUCT_SKU
`);

const ticketReason = oneOf(`
  ticket.type.cancel.1 ticket.type.cancel.2 ticket.type.cancel.3 ticket.type.cancel.4
  ticket.type.cancel.5 ticket.type.cancel.6 ticket.type.cancel.7 ticket.type.cancel.not.mobile
  ticket.type.refund.1 ticket.type.refund.2 ticket.type.refund.3 ticket.type.refund.4
  ticket.type.refund.5 ticket.type.refund.6 ticket.type.refund.7 ticket.type.refund.returned
  ticket.type.refund.8 ticket.type.refund.not.mobile ticket.type.tech_support.1
  ticket.type.tech_support.2 ticket.type.tech_support.3 ticket.type.tech_support.4
  ticket.type.tech_support.9 ticket.type.tech_support.10 ticket.type.tech_support.12
`);

const analytics = 'api_analytics_client HAS_DEVELOPER_KEY';
const account = 'role AFFILIATE|VENDOR, account! string';
const details = `${account}, orderBy ${subscriptionOrder}, sortDirection ASC|DESC (ASC)`;
const detailsPath = '/1.3/analytics/{role}/subscription/details';
const statistics = `${account}, Page integer (1), dimension ${dimensions}, dimensionFilter string,
  startDate date (the previous day), endDate date (the current day),
  select* ${statisticsFields} (all fields), orderBy ${statisticsFields}, sortAscending boolean (descending)`;

const orderSearch = `startDate endDate date, vendor% affiliate% lastName% email% postalCode% string,
  type SALE|RFND|CGBK|FEE|BILL|TEST_SALE|TEST_BILL|TEST_RFND|TEST_FEE (all types), item tid string,
  role VENDOR|AFFILIATE`;

const shipping = `status shipped|notshipped|all, days integer (30), startDate endDate date, receipt string`;
const notice = 'date! date, carrier! string, tracking comments item string';

const types = 'type rfnd|cncl|tech';
const statuses = 'status open|reopened|closed';
const refundTypes = 'FULL|PARTIAL_PERCENT|PARTIAL_AMOUNT';

const schemas = words(`
  analytics/schema/AnalyticsStatus analytics/schema/SubscriptionDetailResult
  analytics/schema/SubscriptionDetailResultRow analytics/schema/SubscriptionTrendsData
  analytics/schema/AnalyticsResult tickets/schema tickets/partialRefundDataSchema orders2/schema
  products/schema quickstats/schema shipping/schema shipping2/schema shipping3/schema
  shipping/shipnotice/schema shipping2/shipnotice/schema shipping3/shipnotice/schema
`);

const schemaAt = (path: string): SpecifiedOperation => ({
  ...{ method: 'GET', path: `/1.3/${path}`, roles: [], params: [], isSchema: true },
});

/** Every operation of section 4. Programs leave `refundAmount` out with FULL, although the specification requires it. */
export const specification: readonly SpecifiedOperation[] = [
  ...schemas.map(schemaAt),
  ...operationsIn(`
GET /1.3/analytics/status ${analytics}
GET ${detailsPath}<|/compthirty|/compsixty|/cancelthirty|/cancelsixty> ${analytics}
  ${details}
GET ${detailsPath}/<startdate|canceldate|nextpmtdate> ${analytics}
  ${details}, startDate! endDate! date
GET ${detailsPath}/status ${analytics}
  ${details}, status! ACTIVE|COMPLETED|CANCELED|RETRY_PAYMENT|REQUEST_NEW_CARD
GET /1.3/analytics/{role}/subscription/trends ${analytics}
  ${account}, Page integer (1), groupBy |DATE, productId* string, startDate! endDate! date
GET /1.3/analytics/{role}/{dimension} ${analytics}
  ${statistics}
GET /1.3/analytics/{role}/{dimension}/summary ${analytics}
  ${statistics}, summaryType! VENDOR_ONLY|AFFILIATE_ONLY

POST /1.3/tickets/{receipt} api_order_write
  sku comment string, type! rfnd|cncl|tech, reason! ${ticketReason}, refundType ${refundTypes},
  refundAmount decimal, retainSubscription boolean
GET /1.3/tickets/refundAmounts/{receipt} api_order_read
  sku string, refundType! ${refundTypes}, refundAmount decimal
GET /1.3/tickets/{id} api_order_read
PUT /1.3/tickets/{id} api_order_write
  action change|close|reopen, comment string, ${types}
POST /1.3/tickets/{id}/returned api_order_read api_order_write
GET /1.3/tickets/list api_order_read
  Page integer (1), ${types}, ${statuses}, receipt% string,
  createDateFrom createDateTo updateDateFrom updateDateTo closeDateFrom closeDateTo date
GET /1.3/tickets/count api_order_read
  ${types}, ${statuses}, receipt string

POST /1.3/orders2/{receipt}/reinstate api_subscription_modifications
  sku string
POST /1.3/orders2/{receipt}/pause api_subscription_modifications
  sku string, restartDate! date
POST /1.3/orders2/{receipt}/extend api_subscription_modifications
  sku string, numPeriods! integer
POST /1.3/orders2/{receipt}/changeProduct api_order_write api_subscription_modifications
  oldSku! newSku! string, carryAffiliate boolean, applyProratedRefund boolean (TRUE),
  nextRebillDate date (the day after the product change)
POST /1.3/orders2/{receipt}/changeAddress api_order_write
  address1! city! countryCode! firstName lastName address2 county province postalCode string
POST /1.3/orders2/{receipt}/changeDate api_subscription_modifications
  sku string, changeDate! date
GET /1.3/orders2/count api_order_read
  ${orderSearch}
GET /1.3/orders2/list api_order_read
  Page integer (1), ${orderSearch}, amount decimal
HEAD|GET /1.3/orders2/{receipt} api_order_read
  sku string
GET /1.3/orders2/{receipt}/upsells api_order_read

PUT /1.3/products/{sku} api_products_client
  site! currency! price! title!, language! DE|EN|ES|FR|IT|PT, trialPeriod integer,
  digital physical digitalRecurring physicalRecurring skipConfirmationPage thankYouPage,
  mobileThankYouPage rebillPrice rebillCommission duration shippingProfile description image pitchPage,
  mobilePitchPage saleRefundDaysLimit rebillRefundDaysLimit deliveryMethod deliverySpeed,
  preRebillNotificationOverride preRebillNotificationLeadTime, purchaseCommission (the rate of the site),
  categories* EBOOK|SOFTWARE|GAMES|AUDIO|VIDEO|MEMBER_SITE,
  frequency WEEKLY|BI_WEEKLY|MONTHLY|QUARTERLY|HALF_YEARLY|YEARLY
DELETE|GET /1.3/products/{sku} api_products_client
  site!
GET /1.3/products/list api_products_client
  site!, type STANDARD|RECURRING (all types)

GET /1.3/quickstats/<count|list> api_order_read
  startDate date (45 days ago), endDate date (today), account string (all accounts)
GET /1.3/quickstats/accounts api_order_read

GET /1.3/shipping<|2|3>/count api_order_read
  ${shipping}
GET /1.3/shipping<|2|3>/list api_order_read
  Page integer (1), ${shipping}
GET /1.3/shipping<|2>/shipnotice/{receipt} api_order_read
GET /1.3/shipping3/shipnotice/{receipt} api_order_read HAS_DEVELOPER_KEY
POST /1.3/shipping/shipnotice/{receipt} api_order_read api_order_write
  ${notice}
POST /1.3/shipping2/shipnotice/{receipt} api_order_read api_order_write
  ${notice}, fillOrder boolean
POST /1.3/shipping3/shipnotice/{receipt} api_order_read api_order_write HAS_DEVELOPER_KEY
  ${notice}, fillOrder boolean
`),
];

/** Outside the specification: the live service has these two, according to its public documentation. */
export const outsideTheSpecification: readonly SpecifiedOperation[] = [
  schemaAt('images/schema'),
  ...operationsIn(`
GET /1.3/images/list api_products_client
  site! string, type PRODUCT|BANNER|BANNER_BG (all types), approvedOnly boolean (true)
`),
];
