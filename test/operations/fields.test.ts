/** The fields of every response and their types, transcribed by hand from the facts about the live service. */
import { expect, test } from 'vitest';
import { analytics, answerOnlyFigures } from '../../src/operations/analytics.ts';
import { catalogue } from '../../src/operations/index.ts';
import type { Field, Resource } from '../../src/operations/resource.ts';

/** s text, d decimal, i integer, b boolean, t time, * open. [] is a list, @ an attribute in XML. */
const letters: Readonly<Record<string, string>> = {
  text: 's',
  decimal: 'd',
  integer: 'i',
  boolean: 'b',
  time: 't',
  day: 't',
};

function fieldsOf({ fields }: Resource, at = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    linesOf(field, at + nameOf(name, field)),
  );
}

function nameOf(name: string, field: Field): string {
  return `${field.attribute ? '@' : ''}${name}${field.kind === 'list' ? '[]' : ''}`;
}

function linesOf({ kind, resource }: Field, path: string): string[] {
  if (resource && Object.keys(resource.fields).length === 0) return [`${path} *`];
  if (resource) return fieldsOf(resource, `${path}.`);
  return [`${path} ${kind === 'list' ? 's' : (letters[kind] ?? kind)}`];
}

/** `a,b:s c:i` below a prefix. */
function under(prefix: string, fields: string): string[] {
  return fields
    .trim()
    .split(/\s+/)
    .flatMap((group) => {
      const [names = '', type] = group.split(':');
      return names.split(',').map((name) => `${prefix}${name} ${type}`);
    });
}

const shipFlags = 'isRefundPending,hasBeenRefunded,hasBeenChargebacked:b';
const notice = 'shipDate:t carrier,trackingId,shippedTo,comments,receipt:s';
const shipOrder = [
  ...under(
    '',
    `receipt,firstName,lastName,email,address1,address2,city,state,country,postalCode:s
     transactionTime:t isTestTransaction:b fullName,vendor:s`,
  ),
  ...under('vendorVariables.item[].', 'name,value:s'),
  ...under(
    'lineItemShipData[].',
    `itemNo,productTitle,shippingMethod:s customerAmount,accountAmount:d quantity:i ${shipFlags}`,
  ),
];
const price = 'native_price,usd,usd_with_fees:d';
const figures = 'attribute:s value:d';

const transcribed: Readonly<Record<string, readonly string[]>> = {
  'GET /1.3/orders2/list': [
    ...under(
      '',
      `transactionTime:t receipt,trackingId,paytmentMethod,transactionType:s
       totalOrderAmount,totalShippingAmount,totalTaxAmount:d vendor,affiliate:s
       country,state,lastName,firstName,currency:s declinedConsent:b email,postalCode:s
       role,fullName,customerRefundableState:s
       commonTrackingParameters,affiliateTrackingParameters:*`,
    ),
    ...under('customerContactInfo[].', 'field,value:s'),
    ...under('vendorVariables.item[].', 'name,value:s'),
    ...under(
      'lineItemData[].',
      `itemNo,productTitle:s recurring,shippable:b customerAmount,accountAmount:d quantity:i
       lineItemType:s refundsBlocked:b rebillAmount:d processedPayments,futurePayments:i
       nextPaymentDate:t status,role:s`,
    ),
  ],
  'GET /1.3/tickets/list': [
    ...under(
      '',
      `ticketid:i receipt,description,customerFirstName,customerLastName,email,emailAtOrderTime:s
       locale,note,productItemNo,status,type:s openedDate,closedDate,expirationDate,updateTime:t
       refundType:s refundAmount:d source:s`,
    ),
    ...under('comments[].', 'commentId:i date:t comment,action,commentRole:s'),
  ],
  'GET /1.3/tickets/refundAmounts/{receipt}': under(
    '',
    'usdAmount,customerAmount,productAmount:d customerCurrency,productCurrency:s',
  ),
  'GET /1.3/products/list': [
    ...under(
      '',
      `@sku:s id:i status:s digital,physical,digitalRecurring,physicalRecurring:b
       site,created,updated,language,title,description,post_purchase_description:s
       disable_geo_currency,allow_currency_change,us_tax_exempt,reduced_upsell_markup:b
       skip_confirmation_page,no_commission,admin_restrict_flexible_refund:b
       commission_tier_override,isPartOfOrderBump,isInitialOfOrderBump,isProductOfOrderBump:b
       revenue_recognition,admin_download_url,admin_mobile_download_url:s
       sale_refund_days_limit,rebill_refund_days_limit:i deliveryMethod,deliverySpeed:s
       maxQuantity:i categories.category[]:s`,
    ),
    ...under('approval_status.', 'ticket_id:i status,last_action_performed_by:s'),
    ...under('image.', 'id:i title,type,path:s approved:b'),
    ...under('thank_you_pages.', 'desktop,mobile:s'),
    ...under('pitch_pages.', 'desktop,mobile:s'),
    ...under('commission.', 'purchase,rebill:d no_rebill_commission,commission_tier_override:b'),
    ...under('pricings.pricing[].', '@currency:s physical.shipping_profile:s'),
    ...under('pricings.pricing[].standard.price.', price),
    ...under('pricings.pricing[].recurring.price.', price),
    ...under(
      'pricings.pricing[].recurring.',
      `frequency:s frequencyValue,duration,trial_days:i pre_rebill_override:b
       pre_rebill_leadtime:i recurringTitle,recurringDescription:s`,
    ),
    ...under('contracts.contract[].', '@id:i @status:s productId:i name,owner,partner:s'),
  ],
  'GET /1.3/quickstats/list': [
    ...under('', 'nickName:s'),
    ...under('quickStats[].', 'quickStatDate:t sale,refund,chargeback:d'),
  ],
  'GET /1.3/quickstats/accounts': under('', 'nickName:s'),
  'GET /1.3/shipping/list': under(
    '',
    `receipt,firstname,lastname,email,addr1,addr2,city,state,country,zip:s orderDate:t
     displayName,productNo,orderDetails,site:s isTestTransaction:b ${shipFlags}`,
  ),
  'GET /1.3/shipping2/list': shipOrder,
  'GET /1.3/shipping3/list': [...shipOrder, 'phoneNumber s'],
  'GET /1.3/shipping/shipnotice/{receipt}': under('', notice),
  'GET /1.3/shipping2/shipnotice/{receipt}': under('', `${notice} itemNo:s`),
  'GET /1.3/shipping3/shipnotice/{receipt}': under('', `${notice} itemNo:s`),
  'GET /1.3/analytics/status': under('', 'status:s lastUpdateTime:t'),
  'GET /1.3/analytics/{role}/{dimension}': [
    ...under('', 'dimensionIdentifier,dimensionValue,accountNickName:s'),
    ...under('data[].', figures),
  ],
  'GET /1.3/analytics/{role}/subscription/details': under(
    '',
    `affNickName:s cancelled:b chargebackAmount:d chargebackCount:i countryCode,currencyCode:s
     customerDisplayName,customerFirstName,customerLastName:s duration:i email,frequency:s
     ftxnId,futurePaymentsCount:i initialSaleAmount:d initialSaleCount:i itemNo:s nextPaymentDate:t
     paymentMethod:s processedPaymentsCount:i province,pubNickName:s purchaseDate:t
     rebillSaleAmount:d rebillSaleCount:i receipt:s refundAmount:d refundCount:i status:s
     subCancelDate,subEndDate:t subValue:d timeStr,trialPeriod,txnType:s
     returnAmount:d returnCount:i`,
  ),
  'GET /1.3/analytics/{role}/subscription/trends': under(
    '',
    `avgActiveSubCnt,avgSubAge,avgSubValue:d businessDate:t cancelSubCnt:d description:s duration:i
     frequency:s grossSales,initialSaleAmt,initialSaleCnt:d itemNo:s netSales:d nickname:s
     productId:i recurringSaleAmt,recurringSaleCnt:d title:s totalSalesCnt:d trialPeriod:s`,
  ),
  'GET /1.3/images/list': under('', 'imageid:i title,type:s approved:b'),
};

const answers = catalogue.flatMap(({ method, path, returns }) =>
  'resource' in returns ? [{ name: `${method} ${path}`, resource: returns.resource }] : [],
);

test.each(Object.entries(transcribed))(
  '%s returns the documented fields and types',
  (name, fields) => {
    const [answer] = answers.filter((one) => one.name === name);
    expect(answer && fieldsOf(answer.resource).sort()).toEqual([...fields].sort());
  },
);

test('returns the fields of a transcribed response in every other response', () => {
  const known = Object.keys(transcribed).map((name) => {
    const [answer] = answers.filter((one) => one.name === name);
    return answer ? fieldsOf(answer.resource).join('\n') : name;
  });
  for (const { name, resource } of answers) {
    expect(known, name).toContain(fieldsOf(resource).join('\n'));
  }
});

test('lists all figures of the schema for analytics, including those that cannot be selected', () => {
  const selected = Object.keys(analytics.dimension.params.select.values ?? {});
  const schema = `DIMENSION_VALUE HOP_COUNT ORDER_IMPRESSION INITIAL_ORDER_IMPRESSION UPSELL_ORDER_IMPRESSION
    TOTAL_ORDER_IMPRESSION ORDER_SUBMISSION SALE_COUNT SALE_AMOUNT REFUND_COUNT REFUND_AMOUNT
    CHARGEBACK_COUNT CHARGEBACK_AMOUNT REBILL_COUNT REBILL_AMOUNT UPSELL_COUNT UPSELL_AMOUNT
    GROSS_SALE_COUNT GROSS_SALE_AMOUNT NET_SALE_COUNT NET_SALE_AMOUNT EARNINGS_PER_HOP
    EARNINGS_PER_CLICK HOPS_PER_SALE HOPS_PER_ORDER_FORM_IMPRESSION ORDER_FORM_SALE_CONVERSION
    REFUND_RATE CHARGEBACK_RATE`;
  expect([...selected, ...answerOnlyFigures].sort()).toEqual(schema.split(/\s+/).sort());
});
