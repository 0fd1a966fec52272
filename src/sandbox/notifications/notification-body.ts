/** The JSON of a notification, from an order and its items (versions 6, 7 and 8). */
import { pacificTime } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { hash } from '../seed/random.ts';
import type { NewNotification } from '../store/notifications/delivery.ts';
import { getDetails, type PurchaseDetails } from '../store/notifications/purchase-details.ts';
import { type LineItem, lineAmounts, type Transaction } from '../store/orders/transaction.ts';
import { getProduct } from '../store/products/product.ts';
import { lineExtras } from '../tickets/ticket-refund.ts';
import { amount, Digits, membersText } from './json-text.ts';

/** What a notification is about: the amounts are those of `txn`, which is a payment or a reversal. */
export interface Event {
  readonly type: string;
  readonly time: number;
  readonly receipt: string;
  readonly txn: Transaction;
  /** The items that it concerns. */
  readonly lines: readonly LineItem[];
}

/** On the Pacific wall clock: `2026-02-18T15:11:38-08:00` in version 6, `20260218T151138-0800` in later ones. */
export function timeIn(version: number, instant: number): string {
  const text = pacificTime(instant);
  if (version === 6) return text;
  return text.slice(0, 10).replaceAll('-', '') + text.slice(10).replaceAll(':', '');
}

function paymentPlan(line: LineItem, version: number) {
  if (line.soldAs === null) return undefined;
  return {
    rebillStatus: line.status,
    rebillFrequency: line.frequency,
    rebillAmount: amount(line.rebillCents ?? 0),
    paymentsProcessed: line.processed,
    paymentsRemaining: line.future,
    nextPaymentDate: line.nextPayment === null ? undefined : timeIn(version, line.nextPayment),
  };
}

/** Fields of line items that version 6 does not have. */
function lineDetails({ txn, lines }: Event, line: LineItem) {
  const { customerCents, affiliateCents } = lineAmounts(txn, line);
  const { taxCents, shippingCents } = lineExtras({ txn, lines, line });
  return {
    productPrice: amount(customerCents),
    productDiscount: amount(0),
    taxAmount: amount(taxCents),
    shippingAmount: amount(shippingCents),
    shippingLiable: line.shippable === 1,
    affiliatePayout: amount(affiliateCents),
  };
}

function lineItem(db: Database, event: Event, line: LineItem, version: number) {
  const isDigital = line.shippable === 0;
  return {
    itemNo: line.itemNo,
    productTitle: line.title,
    shippable: !isDigital,
    recurring: line.recurring === 1,
    accountAmount: amount(lineAmounts(event.txn, line).vendorCents),
    quantity: line.quantity,
    lineItemType: line.type === 'STANDARD' ? 'ORIGINAL' : line.type,
    downloadUrl: isDigital ? getProduct(db, line.productId).thank_you_page : undefined,
    ...(version === 6 ? {} : lineDetails(event, line)),
    paymentPlan: paymentPlan(line, version),
  };
}

function customer(txn: Transaction, details: PurchaseDetails) {
  const { firstName, lastName, fullName, email, state, postalCode, country } = txn;
  const { phone: phoneNumber, address1, address2, city, county } = details;
  const address = { address1, address2, city, county, state, postalCode, country };
  const person = { firstName, lastName, fullName, email, phoneNumber };
  // Only a parcel has an address to be sent to.
  const shipping = { ...person, address: address1 === null ? {} : address };
  return { shipping, billing: { ...person, address } };
}

function upsell({ parentReceipt }: Transaction, { upsellOf, upsellReceipt }: PurchaseDetails) {
  if (upsellOf === null) return undefined;
  return {
    upsellOriginalReceipt: upsellReceipt,
    upsellFlowId: upsellOf,
    upsellSession: hash(parentReceipt).toString(36).toUpperCase(),
    upsellPath: 'upsell',
  };
}

/** The stored list of names and values as an object; undefined if it is empty. */
function vendorVariables(txn: Transaction) {
  const list = JSON.parse(txn.vendorVariables) as readonly { name: string; value: string }[];
  const pairs = list.map(({ name, value }) => [name, value] as const);
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** Identifies the click that led to an order; orders without tracking have none. */
function clickOf({ commonTracking }: Transaction): string | undefined {
  return commonTracking === null ? undefined : JSON.parse(commonTracking).clickId;
}

export function notificationOf(db: Database, event: Event): NewNotification {
  const { type, time, receipt, txn } = event;
  const tracking = trackingText(txn.commonTracking, txn.affiliateTracking);
  const bodies = { body6: bodyIn(6, db, event), body: bodyIn(7, db, event) };
  return { time, type, receipt, purchaseId: txn.purchaseId, ...bodies, tracking };
}

function bodyIn(version: number, db: Database, event: Event): string {
  const { type, time, receipt, txn, lines } = event;
  const details = getDetails(db, txn.purchaseId);
  return membersText({
    transactionTime: timeIn(version, time),
    receipt,
    transactionType: type,
    // Unlike the list of orders, notifications have nicknames in lower case.
    vendor: txn.vendor.toLowerCase(),
    affiliate: txn.affiliate?.toLowerCase(),
    role: 'VENDOR',
    totalAccountAmount: amount(txn.vendorCents),
    paymentMethod: txn.paymentMethod,
    totalOrderAmount: amount(txn.totalCents),
    totalTaxAmount: amount(txn.taxCents),
    totalShippingAmount: amount(txn.shippingCents),
    currency: txn.currency,
    orderLanguage: details.language,
    trackingCodes: txn.trackingId === null ? undefined : [txn.trackingId],
    lineItems: lines.map((line) => lineItem(db, event, line, version)),
    customer: customer(txn, details),
    upsell: upsell(txn, details),
    hopfeedClickId: clickOf(txn),
    vendorVariables: vendorVariables(txn),
  });
}

function trackingText(common: string | null, affiliate: string | null): string {
  return membersText({
    commonTrackingParameters: common === null ? undefined : JSON.parse(common),
    affiliateTrackingParameters: affiliate === null ? undefined : JSON.parse(affiliate),
  });
}

export type Texts = Pick<NewNotification, 'body6' | 'body' | 'tracking'>;

/** The text to encrypt: with the tracking parameters in version 8 only. */
export function textOf(
  { body6, body, tracking }: Texts,
  version: number,
  attemptCount: number,
): string {
  const own = membersText({ version: new Digits(`${version}.0`), attemptCount });
  const parts = version >= 8 ? [body, tracking, own] : [version === 6 ? body6 : body, own];
  return `{${parts.filter((part) => part !== '').join(',')}}`;
}
