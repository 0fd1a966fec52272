/** The types of notifications, and what each means. */

export interface EventMeaning {
  readonly meaning: string;
  /** What a receiver that grants access to a product does about it. */
  readonly access: 'grant' | 'revoke' | 'none';
  /** A test transaction. Such notifications go to the seller only, not to affiliates. */
  readonly isTest: boolean;
}

function meaning(access: EventMeaning['access'], text: string): EventMeaning {
  return { meaning: text, access, isTest: false };
}

function test(text: string): EventMeaning {
  return { meaning: text, access: 'none', isTest: true };
}

/** In the order in which help pages list them. */
export const eventTypes = {
  SALE: meaning(
    'grant',
    'A customer bought something, or made the first payment of a subscription',
  ),
  BILL: meaning('grant', 'A subscription was charged again'),
  RFND: meaning('revoke', 'A payment was refunded, in full or in part'),
  CGBK: meaning('revoke', 'The bank of the customer took a payment back'),
  INSF: meaning(
    'revoke',
    'An electronic check was returned because the account had too little money',
  ),
  'CANCEL-REBILL': meaning('none', 'A subscription was canceled; what was paid for stays paid'),
  'UNCANCEL-REBILL': meaning('grant', 'A canceled subscription was reinstated'),
  'SUBSCRIPTION-CHG': meaning('none', 'A subscription was changed, for example to another product'),
  ABANDONED_ORDER: meaning('none', 'A customer left the order form without buying'),
  CUSTOMER_AUTH_FAILURE: meaning('none', 'A payment of a subscription was declined'),
  CUSTOMER_EMAIL_UPDATE: meaning('none', 'A customer changed the email address of an order'),
  CUSTOMER_UPDATE_CC_NOTIFICATION: meaning('none', 'A customer is asked for a valid payment card'),
  PURCHASE_DETAILS_EMAIL_RESPONSE: meaning(
    'none',
    'A customer answered the email about a purchase',
  ),
  TEST: test('The test button on the website of ClickBank; the receipt is ********'),
  TEST_SALE: test('A sale with a test card'),
  TEST_BILL: test('A payment of a test subscription'),
  TEST_RFND: test('A refund of a test payment'),
  'CANCEL-TEST-REBILL': test('A test subscription was canceled'),
  'UNCANCEL-TEST-REBILL': test('A canceled test subscription was reinstated'),
} as const satisfies Readonly<Record<string, EventMeaning>>;

export type EventType = keyof typeof eventTypes;

export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[];

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text);
}
