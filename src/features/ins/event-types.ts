/** The types of notifications, and what each means. */

export interface EventMeaning {
  readonly meaning: string;
  /** A test transaction. Such notifications go to the seller only, not to affiliates. */
  readonly isTest: boolean;
}

const real = (meaning: string): EventMeaning => ({ meaning, isTest: false });
const tests = (meaning: string): EventMeaning => ({ meaning, isTest: true });

/** The best known types first. */
export const eventTypes = {
  SALE: real('A customer bought something, or made the first payment of a subscription'),
  BILL: real('A subscription was charged again'),
  RFND: real('A payment was refunded, in full or in part'),
  CGBK: real('The bank of the customer took a payment back'),
  INSF: real('An electronic check was returned because the account had too little money'),
  'CANCEL-REBILL': real('A subscription was canceled; what was paid for stays paid'),
  'UNCANCEL-REBILL': real('A canceled subscription was reinstated'),
  'SUBSCRIPTION-CHG': real('A subscription was changed, for example to another product'),
  ABANDONED_ORDER: real('A customer left the order form without buying'),
  CUSTOMER_AUTH_FAILURE: real('A payment of a subscription was declined'),
  CUSTOMER_EMAIL_UPDATE: real('A customer changed the email address of an order'),
  CUSTOMER_UPDATE_CC_NOTIFICATION: real('A customer is asked for a valid payment card'),
  PURCHASE_DETAILS_EMAIL_RESPONSE: real('A customer answered the email about a purchase'),
  TEST: tests('The test button on the website of ClickBank; the receipt is ********'),
  TEST_SALE: tests('A sale with a test card'),
  TEST_BILL: tests('A payment of a test subscription'),
  TEST_RFND: tests('A refund of a test payment'),
  'CANCEL-TEST-REBILL': tests('A test subscription was canceled'),
  'UNCANCEL-TEST-REBILL': tests('A canceled test subscription was reinstated'),
} as const satisfies Readonly<Record<string, EventMeaning>>;

export type EventType = keyof typeof eventTypes;

export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[];

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text);
}
