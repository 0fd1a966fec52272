/** One believable event of each type, for tests of receivers. */
import { LosslessNumber } from 'lossless-json';
import { pacificTime } from '../../dates/day.ts';
import { negated } from '../../decimals/decimals.ts';
import { type EventVersion, eventIn } from '../../operations/notification-versions.ts';
import { type ExactObject, eventShape, exactEvent, isPlainObject } from './event-text.ts';
import { type EventType, eventTypes } from './event-types.ts';

export interface SampleOptions {
  /** Default: 8. */
  readonly version?: EventVersion | undefined;
  /** Default: that of the order, or SAMPLE01. */
  readonly receipt?: string | undefined;
  /** The time of the event, unless the order has a transaction of this type. */
  readonly now: Date;
  /** The transactions of a receipt as orders2 returns them, at least one: the event is about one of them. */
  readonly from?: readonly OrderRow[] | undefined;
}

/** Returns an event for `encryptNotification`. With `from`, it has what the order has, and nothing else. */
export function eventOf(type: EventType, options: SampleOptions): ExactObject {
  const { version = 8, receipt, now, from } = options;
  // The type that a test imitates.
  const kind = type === 'TEST' ? 'SALE' : (type.replace(/TEST[-_]/, '') as EventType);
  const fields: ExactObject = {
    transactionTime: pacificTime(Math.floor(now.getTime() / 1000)),
    ...(from ? fieldsOfOrder(type, kind, from) : sampleFields(kind, now)),
    ...(type === 'TEST' && { receipt: '********' }),
    ...(receipt !== undefined && { receipt }),
    // Only the seller is told about tests.
    ...(eventTypes[type].isTest && { role: 'VENDOR', affiliate: undefined }),
    transactionType: type,
    // The service writes versions with a decimal, which tells receivers that expect digits only.
    version: new LosslessNumber(`${version}.0`),
    attemptCount: 1,
  };
  const inOrder = Object.keys(eventShape).map((name) => [name, fields[name]] as const);
  return exactEvent(eventIn(version, Object.fromEntries(inOrder)));
}

/** A transaction of orders2, decoded by the client with numbers as texts. */
export type OrderRow = Readonly<Record<string, unknown>>;

/** About the last transaction of this type or of the `kind` that it imitates, or else about the first payment. */
function fieldsOfOrder(type: EventType, kind: EventType, rows: readonly OrderRow[]): ExactObject {
  const listed: readonly unknown[] = [type, kind === 'INSF' ? 'CGBK' : kind];
  const same = rows.filter(({ transactionType }) => listed.includes(transactionType)).at(-1);
  const row = same ?? rows.find(({ transactionType }) => transactionType === 'SALE') ?? rows[0];
  if (!row) throw new RangeError('An event needs at least one transaction.');
  const isReturned = !same && returned.includes(kind);
  const money = (value: unknown) =>
    !same && !paid.includes(kind) ? '0.00' : amountOf(value, isReturned);
  const items = listOf(row.lineItemData);
  const { firstName, lastName, fullName, email, state, postalCode, country } = row;
  return {
    ...(same && { transactionTime: row.transactionTime }),
    receipt: row.receipt,
    vendor: lowerCase(row.vendor),
    affiliate: lowerCase(row.affiliate),
    role: row.role,
    totalAccountAmount: items.length === 1 ? money(items[0]?.accountAmount) : undefined,
    paymentMethod: row.paytmentMethod,
    totalOrderAmount: money(row.totalOrderAmount),
    totalTaxAmount: money(row.totalTaxAmount),
    totalShippingAmount: money(row.totalShippingAmount),
    currency: row.currency,
    trackingCodes: row.trackingId ? [row.trackingId] : [],
    lineItems: items.map((item) => lineItemOf(item, money)),
    customer: {
      billing: { firstName, lastName, fullName, email, address: { state, postalCode, country } },
    },
    vendorVariables: variablesOf(row.vendorVariables),
    commonTrackingParameters: row.commonTrackingParameters,
    affiliateTrackingParameters: row.affiliateTrackingParameters,
  };
}

function lineItemOf(item: OrderRow, money: (value: unknown) => unknown): ExactObject {
  const { itemNo, productTitle, shippable, recurring, quantity, lineItemType } = item;
  const paymentPlan = {
    rebillStatus: item.status,
    rebillAmount: amountOf(item.rebillAmount, false),
    paymentsProcessed: item.processedPayments,
    paymentsRemaining: item.futurePayments,
    nextPaymentDate: item.nextPaymentDate,
  };
  return {
    ...{ itemNo, productTitle, shippable, recurring },
    accountAmount: money(item.accountAmount),
    quantity,
    lineItemType: lineItemType === 'STANDARD' ? 'ORIGINAL' : lineItemType,
    productPrice: money(item.customerAmount),
    ...(recurring === true && { paymentPlan }),
  };
}

/** Notifications have nicknames in lower case, the list of orders in upper case. */
function lowerCase(nickname: unknown): unknown {
  return typeof nickname === 'string' ? nickname.toLowerCase() : nickname;
}

/** `{item: [{name, value}]}` as `{name: value}`. */
function variablesOf(variables: unknown): ExactObject | undefined {
  if (!isPlainObject(variables)) return undefined;
  return Object.fromEntries(listOf(variables.item).map(({ name, value }) => [name, value]));
}

function listOf(value: unknown): readonly OrderRow[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

/** A refund that has not happened yet returns what was paid. */
function amountOf(value: unknown, isReturned: boolean): string | undefined {
  if (typeof value !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(value)) return undefined;
  return isReturned && /[1-9]/.test(value) ? negated(value) : value;
}

const region = { state: 'ID', postalCode: '83702', country: 'US' };

const address = { address1: '12 Sample Street', city: 'Boise', county: 'Ada', ...region };

const person = {
  ...{ firstName: 'ZOË', lastName: 'SAMPLE', fullName: 'Zoë Sample' },
  ...{ email: 'zoe.sample@example.com', phoneNumber: '2085550123' },
};

const returned: readonly EventType[] = ['RFND', 'CGBK', 'INSF'];

/** Money moves only in these events. */
const paid: readonly EventType[] = ['SALE', 'BILL', ...returned];

/** Times are as in orders. */
function sampleFields(kind: EventType, now: Date): ExactObject {
  const money = (digits: string) => {
    if (!paid.includes(kind)) return '0.00';
    return returned.includes(kind) ? `-${digits}` : digits;
  };
  return {
    receipt: kind === 'BILL' ? 'SAMPLE01-B002' : 'SAMPLE01',
    vendor: 'greenleaf',
    affiliate: 'topaff1',
    role: 'VENDOR',
    orderLanguage: 'EN',
    currency: 'USD',
    totalAccountAmount: money('12.91'),
    ...(kind !== 'ABANDONED_ORDER' && { paymentMethod: kind === 'INSF' ? 'CHECK' : 'VISA' }),
    totalOrderAmount: money('30.74'),
    totalTaxAmount: money('1.74'),
    totalShippingAmount: '0.00',
    trackingCodes: ['spring'],
    hopfeedClickId: 'hop-sample',
    vendorVariables: { campaign: 'spring sale' },
    commonTrackingParameters: { clickId: 'sample-click', deviceType: 'MOBILE' },
    affiliateTrackingParameters: { affSub1: 'newsletter' },
    lineItems: [lineItem(kind, now, money)],
    customer: {
      shipping: { ...person, address },
      // An abandoned order has no address yet: the object is empty.
      billing: { ...person, address: kind === 'ABANDONED_ORDER' ? {} : region },
    },
    ...(kind === 'SALE' && {
      upsell: { upsellFlowId: 55, upsellSession: 'SAMPLESESSION1', upsellPath: 'sample' },
    }),
  };
}

function lineItem(kind: EventType, now: Date, money: (digits: string) => string): ExactObject {
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
    productDiscount: '0.00',
    taxAmount: money('1.74'),
    shippingAmount: '0.00',
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
    rebillAmount: isYearly ? '290.00' : '29.00',
    paymentsProcessed: kind === 'SALE' ? 1 : 2,
    paymentsRemaining: kind === 'SALE' ? 11 : 10,
    ...(!hasEnded && { nextPaymentDate: pacificTime(inThirtyDays) }),
  };
}
