/** The JSON of a notification, from an order and its items (versions 6, 7 and 8), and its encryption. */
import { createCipheriv, createHash } from 'node:crypto';
import { LosslessNumber, parse, stringify } from 'lossless-json';
import { pacificTime } from '../../dates/day.ts';
import { type EventVersion, eventIn } from '../../operations/notification-versions.ts';
import { words } from '../../operations/resource.ts';
import type { Database } from '../../storage/sqlite.ts';
import { hash } from '../seed/random.ts';
import { moneyText } from '../services/money.ts';
import type { Attempt, Delivery, InsUrl, NewNotification } from '../store/notification.ts';
import { getProduct } from '../store/product.ts';
import { type Stored, select } from '../store/schema.ts';
import { getRow } from '../store/statements.ts';
import { type LineItem, lineAmounts, lineExtras, type Transaction } from '../store/transaction.ts';

/** What a notification is about: the amounts are those of `txn`, which is a payment or a reversal. */
export interface Event {
  readonly type: string;
  readonly time: number;
  readonly receipt: string;
  readonly txn: Transaction;
  /** The items that it concerns. */
  readonly lines: readonly LineItem[];
}

function lineItem(db: Database, { txn, lines }: Event, line: LineItem) {
  const isDigital = line.shippable === 0;
  const { vendorCents, customerCents, affiliateCents } = lineAmounts(txn, line);
  const { taxCents, shippingCents } = lineExtras(txn, lines, line);
  const paymentPlan = {
    rebillStatus: line.status,
    rebillFrequency: line.frequency,
    rebillAmount: amount(line.rebillCents ?? 0),
    paymentsProcessed: line.processed,
    paymentsRemaining: line.future,
    nextPaymentDate: line.nextPayment === null ? undefined : pacificTime(line.nextPayment),
  };
  return {
    itemNo: line.itemNo,
    productTitle: line.title,
    shippable: !isDigital,
    recurring: line.recurring === 1,
    accountAmount: amount(vendorCents),
    quantity: line.quantity,
    lineItemType: line.type === 'STANDARD' ? 'ORIGINAL' : line.type,
    downloadUrl: isDigital ? getProduct(db, line.productId).thankYouPage : undefined,
    productPrice: amount(customerCents),
    productDiscount: amount(0),
    taxAmount: amount(taxCents),
    shippingAmount: amount(shippingCents),
    shippingLiable: !isDigital,
    affiliatePayout: amount(affiliateCents),
    paymentPlan: line.soldAs === null ? undefined : paymentPlan,
  };
}

const DETAILS = words('language phone address1 address2 city county upsellOf');

/** What a notification tells about a purchase beyond its transactions. */
interface PurchaseDetails extends Pick<Stored<'purchase'>, (typeof DETAILS)[number]> {
  /** The receipt of the purchase that this one is an upsell of. */
  readonly upsellReceipt: string | null;
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

export function notificationOf(db: Database, event: Event): NewNotification {
  const { type, time, receipt, txn, lines } = event;
  const details = getRow<PurchaseDetails>(
    db,
    `SELECT ${select('p', 'purchase', DETAILS)}, o.receipt upsellReceipt
     FROM purchase p LEFT JOIN purchase o ON o.id = p.upsell_of WHERE p.id = ?`,
    [txn.purchaseId],
  );
  const parsed = (json: string | null) => (json === null ? undefined : JSON.parse(json));
  const variables: readonly { name: string; value: string }[] = JSON.parse(txn.vendorVariables);
  const pairs = variables.map(({ name, value }) => [name, value] as const);
  const upsell = {
    upsellOriginalReceipt: details.upsellReceipt,
    upsellFlowId: details.upsellOf,
    upsellSession: hash(txn.parentReceipt).toString(36).toUpperCase(),
    upsellPath: 'upsell',
  };
  const body = {
    transactionTime: pacificTime(time),
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
    lineItems: lines.map((line) => lineItem(db, event, line)),
    customer: customer(txn, details),
    upsell: details.upsellOf === null ? undefined : upsell,
    // Identifies the click that led to an order; orders without tracking have none.
    hopfeedClickId: parsed(txn.commonTracking)?.clickId,
    vendorVariables: pairs.length > 0 ? Object.fromEntries(pairs) : undefined,
    commonTrackingParameters: parsed(txn.commonTracking),
    affiliateTrackingParameters: parsed(txn.affiliateTracking),
  };
  return { time, type, receipt, purchaseId: txn.purchaseId, body: jsonOf(body) };
}

/** The JSON of an event without what is null or undefined. */
const jsonOf = (event: object) => stringify(event, (_, value) => value ?? undefined) ?? '';

/** The text to encrypt; `body` is the event as it is stored. */
export function textOf(body: string, version: EventVersion, attemptCount: number): string {
  const event = eventIn(version, parse(body) as Readonly<Record<string, unknown>>);
  return jsonOf({ ...event, version: new LosslessNumber(`${version}.0`), attemptCount });
}

/** The secret key of the fault wrong-key. */
const WRONG_SECRET = 'NOTYOURSECRETKEY';

/** The body of the request of an attempt. */
export function sentBody(
  { body }: Pick<Delivery, 'body'>,
  { secret, version }: InsUrl,
  { number, iv, fault }: Pick<Attempt, 'number' | 'iv' | 'fault'>,
): string {
  const key = fault?.split('+').includes('wrong-key') ? WRONG_SECRET : secret;
  return encryptNotification(textOf(body, version, number), key, iv);
}

/** Returns the body of the request: JSON with the encrypted text and the IV, both in Base64. */
function encryptNotification(text: string, secret: string, iv: string): string {
  const ivBytes = Buffer.from(iv, 'ascii');
  // The first 32 hexadecimal digits of the SHA-1 of the secret key, as ASCII bytes.
  const key = createHash('sha1').update(secret).digest('hex').slice(0, 32);
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'ascii'), ivBytes);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return JSON.stringify({
    notification: encrypted.toString('base64'),
    iv: ivBytes.toString('base64'),
  });
}

/** An amount with two decimals. */
const amount = (cents: number) => new LosslessNumber(moneyText(cents));

/** The test notification has every field. */
export function sampleNotification(vendor: string, time: number): NewNotification {
  const receipt = '********';
  const person = `{
    "firstName": "Test", "lastName": "User", "fullName": "Test User", "email": "test@example.com",
    "phoneNumber": "+1-208-555-0100",
    "address": {
      "address1": "12 Test Lane", "address2": "Suite 100", "city": "LAS VEGAS", "county": "LAS VEGAS",
      "state": "NV", "postalCode": "89101", "country": "US"
    }
  }`;
  const event = `{
    "transactionTime": "${pacificTime(time)}", "receipt": "${receipt}", "transactionType": "TEST",
    "vendor": "${vendor.toLowerCase()}", "affiliate": "testaff", "role": "VENDOR",
    "totalAccountAmount": 1.00, "paymentMethod": "VISA", "totalOrderAmount": 1.00,
    "totalTaxAmount": 1.00, "totalShippingAmount": 1.00, "currency": "USD", "orderLanguage": "EN",
    "trackingCodes": ["tracking_code"],
    "lineItems": [{
      "itemNo": "1", "productTitle": "A passed in title", "shippable": true, "recurring": true,
      "accountAmount": 1.00, "quantity": 1, "lineItemType": "ORIGINAL",
      "downloadUrl": "https://example.com/download", "productPrice": 1.00, "productDiscount": 0.00,
      "taxAmount": 1.00, "shippingAmount": 1.00, "shippingLiable": true, "affiliatePayout": 1.00,
      "paymentPlan": {
        "rebillStatus": "ACTIVE", "rebillFrequency": "MONTHLY", "rebillAmount": 1.00,
        "paymentsProcessed": 1, "paymentsRemaining": 11,
        "nextPaymentDate": "${pacificTime(time + 30 * 86_400)}"
      }
    }],
    "customer": { "shipping": ${person}, "billing": ${person} },
    "upsell": {
      "upsellOriginalReceipt": "${receipt}", "upsellFlowId": 55, "upsellSession": "TESTSESSION",
      "upsellPath": "upsell"
    },
    "hopfeedClickId": "hopfeed_click",
    "vendorVariables": { "v1": "variable1", "v2": "variable2" },
    "commonTrackingParameters": { "clickId": "test-click", "deviceType": "DESKTOP", "extclid": "test" },
    "affiliateTrackingParameters": { "affSub1": "test", "trafficType": "PAID", "campaign": "test" }
  }`;
  const body = jsonOf(parse(event) as object);
  return { time, type: 'TEST', receipt, purchaseId: null, body };
}
