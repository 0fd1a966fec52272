/** The sample order behind sample events: a monthly subscription, referred by an affiliate. */
import { LosslessNumber } from 'lossless-json';
import { pacificTime } from '../../dates/pacific.ts';
import type { ExactObject } from '../event-text.ts';
import type { EventType } from '../event-types.ts';

const amount = (digits: string) => new LosslessNumber(digits);

const address = {
  address1: '12 Sample Street',
  city: 'Boise',
  county: 'Ada',
  state: 'ID',
  postalCode: '83702',
  country: 'US',
};

const person = {
  firstName: 'ZOË',
  lastName: 'SAMPLE',
  fullName: 'Zoë Sample',
  email: 'zoe.sample@example.com',
  phoneNumber: '2085550123',
};

const common = {
  receipt: 'SAMPLE01',
  vendor: 'greenleaf',
  affiliate: 'topaff1',
  role: 'VENDOR',
  orderLanguage: 'EN',
  currency: 'USD',
};

const tracking = {
  trackingCodes: ['spring'],
  hopfeedClickId: 'hop-sample',
  vendorVariables: { campaign: 'spring sale' },
  commonTrackingParameters: { clickId: 'sample-click', deviceType: 'MOBILE' },
  affiliateTrackingParameters: { affSub1: 'newsletter' },
};

/** Without money: nothing was paid in this event. */
const unpaid: readonly EventType[] = [
  'CANCEL-REBILL',
  'UNCANCEL-REBILL',
  'SUBSCRIPTION-CHG',
  'ABANDONED_ORDER',
  'CUSTOMER_AUTH_FAILURE',
  'CUSTOMER_EMAIL_UPDATE',
  'CUSTOMER_UPDATE_CC_NOTIFICATION',
  'PURCHASE_DETAILS_EMAIL_RESPONSE',
];

const returned: readonly EventType[] = ['RFND', 'CGBK', 'INSF'];

/** Times are as in orders. */
export function sampleFields(kind: EventType, now: Date): ExactObject {
  const money = (digits: string) => {
    if (unpaid.includes(kind)) return amount('0.00');
    return amount(returned.includes(kind) ? `-${digits}` : digits);
  };
  return {
    ...common,
    ...(kind === 'BILL' && { receipt: 'SAMPLE01-B002' }),
    totalAccountAmount: money('12.91'),
    ...(kind !== 'ABANDONED_ORDER' && { paymentMethod: kind === 'INSF' ? 'CHECK' : 'VISA' }),
    totalOrderAmount: money('30.74'),
    totalTaxAmount: money('1.74'),
    totalShippingAmount: amount('0.00'),
    ...tracking,
    lineItems: [lineItem(kind, now, money)],
    customer: { shipping: { ...person, address }, billing: { ...person, address: billing(kind) } },
    ...(kind === 'SALE' && {
      upsell: { upsellFlowId: 55, upsellSession: 'SAMPLESESSION1', upsellPath: 'sample' },
    }),
  };
}

/** An abandoned order has no address yet: the object is empty. */
function billing(kind: EventType): ExactObject {
  const { state, postalCode, country } = address;
  return kind === 'ABANDONED_ORDER' ? {} : { state, postalCode, country };
}

function lineItem(
  kind: EventType,
  now: Date,
  money: (digits: string) => LosslessNumber,
): ExactObject {
  return {
    itemNo: kind === 'SUBSCRIPTION-CHG' ? 'CLUB-Y' : 'CLUB-M',
    productTitle: `Garden Club, ${kind === 'SUBSCRIPTION-CHG' ? 'yearly' : 'monthly'}`,
    shippable: false,
    recurring: true,
    accountAmount: money('12.91'),
    quantity: 1,
    lineItemType: 'ORIGINAL',
    ...(kind === 'SALE' && { downloadUrl: 'https://example.com/thank-you?item=CLUB-M' }),
    productPrice: money('29.00'),
    productDiscount: amount('0.00'),
    taxAmount: money('1.74'),
    shippingAmount: amount('0.00'),
    shippingLiable: false,
    affiliatePayout: money('13.00'),
    ...(kind !== 'ABANDONED_ORDER' && { paymentPlan: paymentPlan(kind, now) }),
  };
}

function paymentPlan(kind: EventType, now: Date): ExactObject {
  const hasEnded = ['CANCEL-REBILL', ...returned].includes(kind);
  const isYearly = kind === 'SUBSCRIPTION-CHG';
  const inThirtyDays = Math.floor(now.getTime() / 1000) + 30 * 86_400;
  return {
    rebillStatus: hasEnded ? 'CANCELED' : 'ACTIVE',
    rebillFrequency: isYearly ? 'YEARLY' : 'MONTHLY',
    rebillAmount: amount(isYearly ? '290.00' : '29.00'),
    paymentsProcessed: kind === 'SALE' ? 1 : 2,
    paymentsRemaining: kind === 'SALE' ? 11 : 10,
    ...(!hasEnded && { nextPaymentDate: pacificTime(inThirtyDays) }),
  };
}
