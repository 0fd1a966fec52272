/**
 * The elements of every response, transcribed by hand from the schemas that ClickBank publishes and, with their types,
 * from the facts about the live service; and the elements of a schema to compare.
 */
import { XmlDocument, type XmlElement } from 'libxml2-wasm';

/**
 * For each path of elements, the elements inside in order, with a type: s text, d decimal, i integer, b boolean, t time, *
 * any fields. `!` is required, `[]` repeated, `~` nillable, `@` an attribute. An element with a type has only text.
 */
export type Elements = Readonly<Record<string, string>>;

const tickets: Elements = {
  ticketData: `ticketid:i!~ receipt,status,type:s~ comments[]~ openedDate,closedDate:t~
    description,refundType:s~ refundAmount:d~
    customerFirstName,customerLastName,email,emailAtOrderTime:s~ expirationDate:t~
    locale,note,productItemNo:s~ updateTime:t~ source:s~`,
  'ticketData/comments': 'commentId:i date:t~ comment,action,commentRole:s~',
  ticketCommentData: 'commentId:i date:t~ comment,action,commentRole:s~',
};

const vendorVariables = (row: string): Elements => ({
  [`${row}/vendorVariables`]: 'item[]~',
  [`${row}/vendorVariables/item`]: 'name,value:s',
});

const orders: Elements = {
  orderData: `transactionTime:t~ receipt,trackingId,paytmentMethod,transactionType:s~
    totalOrderAmount,totalShippingAmount,totalTaxAmount:d~
    vendor,affiliate,country,state,lastName,firstName,currency:s~ declinedConsent:b~
    email,postalCode:s~ customerContactInfo[]~ role,fullName,customerRefundableState:s~
    vendorVariables~ lineItemData[] commonTrackingParameters affiliateTrackingParameters`,
  'orderData/customerContactInfo': 'field,value:s~',
  ...vendorVariables('orderData'),
  'orderData/lineItemData': `itemNo:s productTitle:s~ recurring,shippable:b
    customerAmount,accountAmount:d~ quantity:i~ lineItemType:s~ refundsBlocked:b rebillAmount:d~
    processedPayments,futurePayments:i~ nextPaymentDate:t~ status,role:s~`,
  // Newer than the published schema, with any names inside.
  'orderData/commonTrackingParameters': '*',
  'orderData/affiliateTrackingParameters': '*',
};

const price = 'native_price,usd,usd_with_fees:d';
const recurring = `price frequency:s duration,trial_days:i pre_rebill_override:b!
  pre_rebill_leadtime:i recurringTitle,recurringDescription:s frequencyValue:i!`;
const commission = 'purchase,rebill:d no_rebill_commission,commission_tier_override:b!';
const image = 'id:i title,type:s approved:b path:s';
const contract = 'productId:i name,owner,partner:s @id:i @status:s';

const product = (row: string): Elements => ({
  [row]: `id:i status:s digital,physical,digitalRecurring,physicalRecurring:b!
    site,created,updated:s approval_status language,title,description,post_purchase_description:s
    image thank_you_pages pitch_pages commission pricings contracts categories
    disable_geo_currency,allow_currency_change,us_tax_exempt:b revenue_recognition:s
    reduced_upsell_markup,skip_confirmation_page:b admin_download_url,admin_mobile_download_url:s
    no_commission:b! sale_refund_days_limit,rebill_refund_days_limit:i
    admin_restrict_flexible_refund:b commission_tier_override:b! deliveryMethod,deliverySpeed:s
    maxQuantity:i isPartOfOrderBump,isInitialOfOrderBump,isProductOfOrderBump:b! @sku:s`,
  [`${row}/approval_status`]: 'ticket_id:i status,last_action_performed_by:s',
  [`${row}/image`]: image,
  [`${row}/thank_you_pages`]: 'desktop,mobile:s',
  [`${row}/pitch_pages`]: 'desktop,mobile:s',
  [`${row}/commission`]: commission,
  // The elements of these three are known from responses only.
  [`${row}/pricings`]: 'pricing[]',
  [`${row}/contracts`]: 'contract[]',
  [`${row}/categories`]: 'category:s[]',
  ...pricing(`${row}/pricings/pricing`),
  [`${row}/contracts/contract`]: contract,
});

function pricing(at: string): Elements {
  return {
    [at]: 'standard recurring physical @currency:s',
    [`${at}/standard`]: 'price',
    [`${at}/standard/price`]: price,
    [`${at}/recurring`]: recurring,
    [`${at}/recurring/price`]: price,
    [`${at}/physical`]: 'shipping_profile:s',
  };
}

const products: Elements = {
  ...product('Product'),
  ...pricing('pricing'),
  Image: image,
  commission,
  contractBean: contract,
  physical: 'shipping_profile:s',
  pitch_pages: 'desktop,mobile:s',
  thank_you_pages: 'desktop,mobile:s',
  price,
  product_approval_status: 'ticket_id:i status,last_action_performed_by:s',
  recurring,
  'recurring/price': price,
  standard: 'price',
  'standard/price': price,
};

const shipFlags = 'isRefundPending,hasBeenRefunded,hasBeenChargebacked:b~';

const shipments = (row: string, phone: string): Elements => ({
  [row]: `receipt,firstName,lastName,email:s~ ${phone}
    address1,address2,city,state,country,postalCode:s~ transactionTime:t~ isTestTransaction:b~
    fullName,vendor:s~ vendorVariables~ lineItemShipData[]~`,
  ...vendorVariables(row),
  [`${row}/lineItemShipData`]: `itemNo,productTitle:s~ customerAmount,accountAmount:d~ quantity:i~
    shippingMethod:s~ ${shipFlags}`,
});

const notice = 'shipDate:t~ carrier,trackingId,shippedTo,comments,receipt:s~';

const subscription = `affNickName:s cancelled:b! chargebackAmount:d chargebackCount:i!
  countryCode,currencyCode,customerDisplayName,customerFirstName,customerLastName:s duration:i!
  email,frequency:s ftxnId,futurePaymentsCount:i! initialSaleAmount:d initialSaleCount:i! itemNo:s
  nextPaymentDate:t~ paymentMethod:s processedPaymentsCount:i! province,pubNickName:s
  purchaseDate:t rebillSaleAmount:d rebillSaleCount:i! receipt:s refundAmount:d refundCount:i!
  status:s subCancelDate,subEndDate:t subValue:d timeStr,trialPeriod,txnType:s`;

/** By the path of the schema. */
export const officialElements: Readonly<Record<string, Elements>> = {
  'analytics/schema/AnalyticsResult': {
    analyticsResult: 'rows totals',
    'analyticsResult/rows': 'row[]',
    'analyticsResult/rows/row': 'dimensionIdentifier,dimensionValue,accountNickName:s data[]',
    'analyticsResult/rows/row/data': 'attribute:s value:d~',
    'analyticsResult/totals': 'total[]',
    'analyticsResult/totals/total': 'attribute:s value:d~',
  },
  'analytics/schema/AnalyticsStatus': { AnalyticsStatus: 'status:s! lastUpdateTime:t!' },
  'analytics/schema/SubscriptionDetailResult': {
    subscriptionDetailResult: 'totalCount:i! data',
    'subscriptionDetailResult/data': 'row[]',
    'subscriptionDetailResult/data/row': subscription,
  },
  'analytics/schema/SubscriptionDetailResultRow': { subscriptionDetailResultRow: subscription },
  'analytics/schema/SubscriptionTrendsData': {
    SubscriptionTrendsData: 'totalCount:i! data',
    'SubscriptionTrendsData/data': 'row[]',
    'SubscriptionTrendsData/data/row': `avgActiveSubCnt,avgSubAge,avgSubValue:d businessDate:t
      cancelSubCnt:d description:s duration:i! frequency:s
      grossSales,initialSaleAmt,initialSaleCnt:d itemNo:s netSales:d nickname:s productId:i!
      recurringSaleAmt,recurringSaleCnt:d title:s totalSalesCnt:d trialPeriod:s`,
  },
  'images/schema': { Image: 'imageid:i title,type:s approved:b' },
  'orders2/schema': orders,
  'products/schema': products,
  'quickstats/schema': {
    accountData: 'nickName:s~ quickStats[]~',
    'accountData/quickStats': 'quickStatDate:t~ sale,refund,chargeback:d~',
    quickstatsData: 'quickStatDate:t~ sale,refund,chargeback:d~',
  },
  'shipping/schema': {
    orderShipData: `receipt,firstname,lastname,email,addr1,addr2,city,state,country,zip:s~
      orderDate:t~ ${shipFlags} isTestTransaction:b~ displayName,productNo,orderDetails,site:s~`,
  },
  'shipping2/schema': shipments('orderShipData', ''),
  'shipping3/schema': shipments('orderShipData2', 'phoneNumber:s~'),
  'shipping/shipnotice/schema': { shippingNoticeData: notice },
  'shipping2/shipnotice/schema': { shippingNoticeData: `${notice} itemNo:s~` },
  'shipping3/shipnotice/schema': { shippingNoticeData: `${notice} itemNo:s~` },
  'tickets/schema': tickets,
  'tickets/partialRefundDataSchema': {
    partialRefundData: `usdAmount,customerAmount:d customerCurrency:s productAmount:d
      productCurrency:s`,
  },
};

/** Fields of subscriptions that the published schemas do not have. */
const newer = ['returnAmount:d~', 'returnCount:i~'];

/** The letters of the types of a schema; a value that names its own type is a number. */
const letters: Readonly<Record<string, string>> = {
  ...{ 'xs:string': ':s', 'xs:int': ':i', 'xs:decimal': ':d', 'xs:boolean': ':b' },
  ...{ 'xs:dateTime': ':t', 'xs:anySimpleType': ':d' },
};

/** The fields of one object, each with its type and its marks. */
function fieldsIn(text: string): string[] {
  const groups = text.trim().split(/\s+/);
  return groups.flatMap((group) => {
    const [, names = '', rest = ''] = /^([^:!~[\]]*)(.*)$/.exec(group) ?? [];
    return names.split(',').map((name) => name + rest);
  });
}

/** The elements of each path in a schema, in the form of its transcription, without the newer ones. */
export function elementsOf(schema: string, at: string): Elements {
  using document = XmlDocument.fromString(schema);
  const found: Record<string, string> = {};
  const inside = (type: string, what: string) =>
    document.find(`/*/*[local-name()="complexType"][@name="${type}"]${what}`) as XmlElement[];
  const of = (element: XmlElement, name: string) => element.attr(name)?.value;
  const describe = (path: string, type: string) => {
    const children = inside(type, '/*[local-name()="sequence"]/*');
    const attributes = inside(type, '/*[local-name()="attribute"]');
    if (children.length + attributes.length === 0) return;
    const sequence = children.map((child) => {
      const name = of(child, 'name');
      if (name === undefined) return '*';
      const marks = [
        of(child, 'minOccurs') === '0' ? '' : '!',
        of(child, 'maxOccurs') === 'unbounded' ? '[]' : '',
        of(child, 'nillable') === 'true' ? '~' : '',
      ];
      return name + (letters[of(child, 'type') ?? ''] ?? '') + marks.join('');
    });
    const known = sequence.filter((one) => !newer.includes(one));
    const named = attributes.map((one) => `@${of(one, 'name')}${letters[of(one, 'type') ?? '']}`);
    found[path] = [...known, ...named].join(' ');
    for (const child of children) describe(`${path}/${of(child, 'name')}`, of(child, 'type') ?? '');
  };
  for (const root of Object.keys(officialElements[at] ?? {})) {
    if (root.includes('/')) continue;
    const [declared] = document.find(`/*/*[local-name()="element"][@name="${root}"]`);
    describe(root, (declared && of(declared as XmlElement, 'type')) ?? root);
  }
  return found;
}

/** The transcription of one schema in the form of `elementsOf`. */
export function transcribed(path: string): Elements {
  const entries = Object.entries(officialElements[path] ?? {});
  return Object.fromEntries(entries.map(([inside, text]) => [inside, fieldsIn(text).join(' ')]));
}
