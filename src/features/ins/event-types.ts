/** The types of notifications, and what each means. */

export interface EventMeaning {
  readonly meaning: string;
  /** What a receiver that grants access to a product does about it. */
  readonly access: 'grant' | 'revoke' | 'none';
  /** A test transaction. Such notifications go to the seller only, not to affiliates. */
  readonly isTest: boolean;
}

const meaning =
  (access: EventMeaning['access'], isTest = false) =>
  (text: string): EventMeaning => ({ meaning: text, access, isTest });

const grants = meaning('grant');
const revokes = meaning('revoke');
const informs = meaning('none');
const tests = meaning('none', true);

/** The best known types first. */
export const eventTypes = {
  SALE: grants('A customer bought something, or made the first payment of a subscription'),
  BILL: grants('A subscription was charged again'),
  RFND: revokes('A payment was refunded, in full or in part'),
  CGBK: revokes('The bank of the customer took a payment back'),
  INSF: revokes('An electronic check was returned because the account had too little money'),
  'CANCEL-REBILL': informs('A subscription was canceled; what was paid for stays paid'),
  'UNCANCEL-REBILL': grants('A canceled subscription was reinstated'),
  'SUBSCRIPTION-CHG': informs('A subscription was changed, for example to another product'),
  ABANDONED_ORDER: informs('A customer left the order form without buying'),
  CUSTOMER_AUTH_FAILURE: informs('A payment of a subscription was declined'),
  CUSTOMER_EMAIL_UPDATE: informs('A customer changed the email address of an order'),
  CUSTOMER_UPDATE_CC_NOTIFICATION: informs('A customer is asked for a valid payment card'),
  PURCHASE_DETAILS_EMAIL_RESPONSE: informs('A customer answered the email about a purchase'),
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
