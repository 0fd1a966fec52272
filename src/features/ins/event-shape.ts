/** The kinds of the fields of an event, as `event.ts` types them. */

/** `free`: an object whose names other people choose. A list has the shape of its elements. */
export type Kind = 'text' | 'decimal' | 'integer' | 'boolean' | 'free' | Shape | readonly [Kind];

export interface Shape {
  readonly [field: string]: Kind;
}

const address: Shape = {
  address1: 'text',
  address2: 'text',
  city: 'text',
  county: 'text',
  state: 'text',
  postalCode: 'text',
  country: 'text',
};

const contact: Shape = {
  firstName: 'text',
  lastName: 'text',
  fullName: 'text',
  email: 'text',
  phoneNumber: 'text',
  address,
};

const paymentPlan: Shape = {
  rebillStatus: 'text',
  rebillFrequency: 'text',
  rebillAmount: 'decimal',
  paymentsProcessed: 'integer',
  paymentsRemaining: 'integer',
  nextPaymentDate: 'text',
};

const lineItem: Shape = {
  itemNo: 'text',
  productTitle: 'text',
  shippable: 'boolean',
  recurring: 'boolean',
  accountAmount: 'decimal',
  quantity: 'integer',
  lineItemType: 'text',
  downloadUrl: 'text',
  productPrice: 'decimal',
  productDiscount: 'decimal',
  taxAmount: 'decimal',
  shippingAmount: 'decimal',
  shippingLiable: 'boolean',
  affiliatePayout: 'decimal',
  paymentPlan,
};

const upsell: Shape = {
  upsellOriginalReceipt: 'text',
  upsellFlowId: 'integer',
  upsellSession: 'text',
  upsellPath: 'text',
};

function texts(...names: readonly string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, 'text'] as const));
}

/** In the order in which the service sends the fields. */
export const eventShape: Shape = {
  transactionTime: 'text',
  receipt: 'text',
  transactionType: 'text',
  vendor: 'text',
  affiliate: 'text',
  role: 'text',
  totalAccountAmount: 'decimal',
  paymentMethod: 'text',
  totalOrderAmount: 'decimal',
  totalTaxAmount: 'decimal',
  totalShippingAmount: 'decimal',
  currency: 'text',
  orderLanguage: 'text',
  trackingCodes: ['text'],
  lineItems: [lineItem],
  customer: { shipping: contact, billing: contact },
  upsell,
  hopfeedClickId: 'text',
  version: 'integer',
  attemptCount: 'integer',
  vendorVariables: 'free',
  commonTrackingParameters: texts('clickTimestamp', 'clickId', 'deviceType', 'extclid'),
  affiliateTrackingParameters: texts(
    ...['affSub1', 'affSub2', 'affSub3', 'affSub4', 'affSub5', 'trafficType', 'trafficSource'],
    ...['offer', 'campaign', 'adgroup', 'ad', 'creative'],
  ),
};

/** Whether a field with this kind is a list, given by its only element. */
export function isListKind(kind: Kind | undefined): kind is readonly [Kind] {
  return Array.isArray(kind);
}

export function isShape(kind: Kind | undefined): kind is Shape {
  return typeof kind === 'object' && !isListKind(kind);
}
