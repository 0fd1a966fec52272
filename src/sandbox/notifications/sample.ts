/** The notification that the test button of the service's website sends: every field, with sample values. */
import type { NewNotification } from '../store/notifications/delivery.ts';
import { amount, membersText } from './json-text.ts';
import { timeIn } from './notification-body.ts';

const RECEIPT = '********';

const address = {
  address1: '12 Test Lane',
  address2: 'Suite 100',
  city: 'LAS VEGAS',
  county: 'LAS VEGAS',
  state: 'NV',
  postalCode: '89101',
  country: 'US',
};

const person = {
  firstName: 'Test',
  lastName: 'User',
  fullName: 'Test User',
  email: 'test@example.com',
  phoneNumber: '+1-208-555-0100',
  address,
};

const one = amount(100);

const tracking = membersText({
  commonTrackingParameters: { clickId: 'test-click', deviceType: 'DESKTOP', extclid: 'test' },
  affiliateTrackingParameters: { affSub1: 'test', trafficType: 'PAID', campaign: 'test' },
});

const detailsOfLine = {
  productPrice: one,
  productDiscount: amount(0),
  taxAmount: one,
  shippingAmount: one,
  shippingLiable: true,
  affiliatePayout: one,
};

function lineItemAt(time: number, version: number) {
  return {
    itemNo: '1',
    productTitle: 'A passed in title',
    shippable: true,
    recurring: true,
    accountAmount: one,
    quantity: 1,
    lineItemType: 'ORIGINAL',
    downloadUrl: 'https://example.com/download',
    ...(version === 6 ? {} : detailsOfLine),
    paymentPlan: {
      rebillStatus: 'ACTIVE',
      rebillFrequency: 'MONTHLY',
      rebillAmount: one,
      paymentsProcessed: 1,
      paymentsRemaining: 11,
      nextPaymentDate: timeIn(version, time + 30 * 86_400),
    },
  };
}

export function sampleNotification(vendor: string, time: number): NewNotification {
  const bodies = { body6: bodyIn(6, vendor, time), body: bodyIn(7, vendor, time) };
  return { time, type: 'TEST', receipt: RECEIPT, purchaseId: null, ...bodies, tracking };
}

function bodyIn(version: number, vendor: string, time: number): string {
  return membersText({
    transactionTime: timeIn(version, time),
    receipt: RECEIPT,
    transactionType: 'TEST',
    vendor: vendor.toLowerCase(),
    affiliate: 'testaff',
    role: 'VENDOR',
    totalAccountAmount: one,
    paymentMethod: 'VISA',
    totalOrderAmount: one,
    totalTaxAmount: one,
    totalShippingAmount: one,
    currency: 'USD',
    orderLanguage: 'EN',
    trackingCodes: ['tracking_code'],
    lineItems: [lineItemAt(time, version)],
    customer: { shipping: person, billing: person },
    upsell: {
      upsellOriginalReceipt: RECEIPT,
      upsellFlowId: 55,
      upsellSession: 'TESTSESSION',
      upsellPath: 'upsell',
    },
    hopfeedClickId: 'hopfeed_click',
    vendorVariables: { v1: 'variable1', v2: 'variable2' },
  });
}
