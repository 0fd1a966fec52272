/**
 * The elements of every response in XML, transcribed by hand from the schemas that ClickBank publishes, and those of a
 * schema to compare.
 */
import { XmlDocument, type XmlElement } from 'libxml2-wasm';

/**
 * For each path of elements, the elements inside in order: `!` is required, `[]` repeated, `~` nillable, `@` an
 * attribute. An element without an entry has only text.
 */
export type Elements = Readonly<Record<string, string>>;

const tickets: Elements = {
  ticketData: `ticketid!~ receipt~ status~ type~ comments[]~ openedDate~ closedDate~ description~
    refundType~ refundAmount~ customerFirstName~ customerLastName~ email~ emailAtOrderTime~
    expirationDate~ locale~ note~ productItemNo~ updateTime~ source~`,
  'ticketData/comments': 'commentId date~ comment~ action~ commentRole~',
  ticketCommentData: 'commentId date~ comment~ action~ commentRole~',
};

const vendorVariables = (row: string): Elements => ({
  [`${row}/vendorVariables`]: 'item[]~',
  [`${row}/vendorVariables/item`]: 'name value',
});

const orders: Elements = {
  orderData: `transactionTime~ receipt~ trackingId~ paytmentMethod~ transactionType~
    totalOrderAmount~ totalShippingAmount~ totalTaxAmount~ vendor~ affiliate~ country~ state~
    lastName~ firstName~ currency~ declinedConsent~ email~ postalCode~ customerContactInfo[]~ role~
    fullName~ customerRefundableState~ vendorVariables~ lineItemData[]
    commonTrackingParameters affiliateTrackingParameters`,
  'orderData/customerContactInfo': 'field~ value~',
  ...vendorVariables('orderData'),
  'orderData/lineItemData': `itemNo productTitle~ recurring shippable customerAmount~
    accountAmount~ quantity~ lineItemType~ refundsBlocked rebillAmount~ processedPayments~
    futurePayments~ nextPaymentDate~ status~ role~`,
  // Newer than the published schema, with any names inside.
  'orderData/commonTrackingParameters': '*',
  'orderData/affiliateTrackingParameters': '*',
};

const price = 'native_price usd usd_with_fees';
const recurring = `price frequency duration trial_days pre_rebill_override! pre_rebill_leadtime
  recurringTitle recurringDescription frequencyValue!`;
const commission = 'purchase rebill no_rebill_commission! commission_tier_override!';
const image = 'id title type approved path';
const contract = 'productId name owner partner @id @status';

const product = (row: string): Elements => ({
  [row]: `id status digital! physical! digitalRecurring! physicalRecurring! site created updated
    approval_status language title description post_purchase_description image thank_you_pages
    pitch_pages commission pricings contracts categories disable_geo_currency allow_currency_change
    us_tax_exempt revenue_recognition reduced_upsell_markup skip_confirmation_page
    admin_download_url admin_mobile_download_url no_commission! sale_refund_days_limit
    rebill_refund_days_limit admin_restrict_flexible_refund commission_tier_override!
    deliveryMethod deliverySpeed maxQuantity isPartOfOrderBump! isInitialOfOrderBump!
    isProductOfOrderBump! @sku`,
  [`${row}/approval_status`]: 'ticket_id status last_action_performed_by',
  [`${row}/image`]: image,
  [`${row}/thank_you_pages`]: 'desktop mobile',
  [`${row}/pitch_pages`]: 'desktop mobile',
  [`${row}/commission`]: commission,
  // The elements of these three are known from responses only.
  [`${row}/pricings`]: 'pricing[]',
  [`${row}/contracts`]: 'contract[]',
  [`${row}/categories`]: 'category[]',
  ...pricing(`${row}/pricings/pricing`),
  [`${row}/contracts/contract`]: contract,
});

function pricing(at: string): Elements {
  return {
    [at]: 'standard recurring physical @currency',
    [`${at}/standard`]: 'price',
    [`${at}/standard/price`]: price,
    [`${at}/recurring`]: recurring,
    [`${at}/recurring/price`]: price,
    [`${at}/physical`]: 'shipping_profile',
  };
}

const products: Elements = {
  ...product('Product'),
  ...pricing('pricing'),
  Image: image,
  commission,
  contractBean: contract,
  physical: 'shipping_profile',
  pitch_pages: 'desktop mobile',
  thank_you_pages: 'desktop mobile',
  price,
  product_approval_status: 'ticket_id status last_action_performed_by',
  recurring,
  'recurring/price': price,
  standard: 'price',
  'standard/price': price,
};

const shipFlags = 'isRefundPending~ hasBeenRefunded~ hasBeenChargebacked~';

const shipments = (row: string, phone: string): Elements => ({
  [row]: `receipt~ firstName~ lastName~ email~ ${phone} address1~ address2~ city~ state~ country~
    postalCode~ transactionTime~ isTestTransaction~ fullName~ vendor~ vendorVariables~
    lineItemShipData[]~`,
  ...vendorVariables(row),
  [`${row}/lineItemShipData`]: `itemNo~ productTitle~ customerAmount~ accountAmount~ quantity~
    shippingMethod~ ${shipFlags}`,
});

const notice = 'shipDate~ carrier~ trackingId~ shippedTo~ comments~ receipt~';

const subscription = `affNickName cancelled! chargebackAmount chargebackCount! countryCode
  currencyCode customerDisplayName customerFirstName customerLastName duration! email frequency
  ftxnId! futurePaymentsCount! initialSaleAmount initialSaleCount! itemNo nextPaymentDate~
  paymentMethod processedPaymentsCount! province pubNickName purchaseDate rebillSaleAmount
  rebillSaleCount! receipt refundAmount refundCount! status subCancelDate subEndDate subValue
  timeStr trialPeriod txnType`;

/** By the path of the schema. */
export const officialElements: Readonly<Record<string, Elements>> = {
  'analytics/schema/AnalyticsResult': {
    analyticsResult: 'rows totals',
    'analyticsResult/rows': 'row[]',
    'analyticsResult/rows/row': 'dimensionIdentifier dimensionValue accountNickName data[]',
    'analyticsResult/rows/row/data': 'attribute value~',
    'analyticsResult/totals': 'total[]',
    'analyticsResult/totals/total': 'attribute value~',
  },
  'analytics/schema/AnalyticsStatus': { AnalyticsStatus: 'status! lastUpdateTime!' },
  'analytics/schema/SubscriptionDetailResult': {
    subscriptionDetailResult: 'totalCount! data',
    'subscriptionDetailResult/data': 'row[]',
    'subscriptionDetailResult/data/row': subscription,
  },
  'analytics/schema/SubscriptionDetailResultRow': { subscriptionDetailResultRow: subscription },
  'analytics/schema/SubscriptionTrendsData': {
    SubscriptionTrendsData: 'totalCount! data',
    'SubscriptionTrendsData/data': 'row[]',
    'SubscriptionTrendsData/data/row': `avgActiveSubCnt avgSubAge avgSubValue businessDate
      cancelSubCnt description duration! frequency grossSales initialSaleAmt initialSaleCnt itemNo
      netSales nickname productId! recurringSaleAmt recurringSaleCnt title totalSalesCnt
      trialPeriod`,
  },
  'images/schema': { Image: 'imageid title type approved' },
  'orders2/schema': orders,
  'products/schema': products,
  'quickstats/schema': {
    accountData: 'nickName~ quickStats[]~',
    'accountData/quickStats': 'quickStatDate~ sale~ refund~ chargeback~',
    quickstatsData: 'quickStatDate~ sale~ refund~ chargeback~',
  },
  'shipping/schema': {
    orderShipData: `receipt~ firstname~ lastname~ email~ addr1~ addr2~ city~ state~ country~ zip~
      orderDate~ ${shipFlags} isTestTransaction~ displayName~ productNo~ orderDetails~ site~`,
  },
  'shipping2/schema': shipments('orderShipData', ''),
  'shipping3/schema': shipments('orderShipData2', 'phoneNumber~'),
  'shipping/shipnotice/schema': { shippingNoticeData: notice },
  'shipping2/shipnotice/schema': { shippingNoticeData: `${notice} itemNo~` },
  'shipping3/shipnotice/schema': { shippingNoticeData: `${notice} itemNo~` },
  'tickets/schema': tickets,
  'tickets/partialRefundDataSchema': {
    partialRefundData: 'usdAmount customerAmount customerCurrency productAmount productCurrency',
  },
};

/** Elements of responses that the published schemas do not have. */
const newer = ['returnAmount', 'returnCount'];

/** The elements of each path in a schema, in the form of the transcription, without the newer ones. */
export function elementsOf(schema: string, roots: readonly string[]): Elements {
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
      return name + marks.join('');
    });
    const known = sequence.filter((one) => !newer.includes(one.replace('~', '')));
    found[path] = [...known, ...attributes.map((one) => `@${of(one, 'name')}`)].join(' ');
    for (const child of children) describe(`${path}/${of(child, 'name')}`, of(child, 'type') ?? '');
  };
  for (const root of roots) {
    const [declared] = document.find(`/*/*[local-name()="element"][@name="${root}"]`);
    describe(root, (declared && of(declared as XmlElement, 'type')) ?? root);
  }
  return found;
}

/** The transcription of one schema in the form of `elementsOf`. */
export function transcribed(schema: string): Elements {
  const entries = Object.entries(officialElements[schema] ?? {});
  return Object.fromEntries(
    entries.map(([path, text]) => [path, text.trim().replaceAll(/\s+/g, ' ')]),
  );
}

/** The paths without a parent. */
export function rootsOf(schema: string): string[] {
  return Object.keys(officialElements[schema] ?? {}).filter((path) => !path.includes('/'));
}
