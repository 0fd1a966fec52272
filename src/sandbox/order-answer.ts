/** A stored transaction as orders answers it (section 2, order detail). */

import { pacificTime } from '../dates/pacific.ts';
import type { lineItem, order } from '../operations/orders.ts';
import type { Resource, Row } from '../operations/resource.ts';
import type { Sent } from './handlers.ts';
import { moneyText } from './money.ts';
import { refundBar } from './refundable.ts';
import type { LineItem, Transaction } from './store/transaction.ts';

export type SentOrder = Sent<Row<typeof order>>;
type SentLineItem = Sent<Row<typeof lineItem>>;

/** In which role an account of the caller took part. */
export type AccountRole = 'VENDOR' | 'AFFILIATE';

const isSale = (type: string) => type.endsWith('SALE');
const isFee = (type: string) => type.endsWith('FEE');
const isPayment = (type: string) => isSale(type) || type.endsWith('BILL');

/** The lines that a transaction concerns: its own one, or all that were in the cart. */
function linesOf(txn: Transaction, lines: readonly LineItem[]): LineItem[] {
  return lines.filter((line) =>
    txn.lineItemId === null ? line.replaces === null : line.id === txn.lineItemId,
  );
}

/** A transaction has the items that were paid with it, whatever a subscription became since. */
export function hasItem(txn: Transaction, lines: readonly LineItem[], sku: string): boolean {
  return linesOf(txn, lines).some((line) => line.itemNo === sku);
}

/** What the customer paid for a line, and what the account got, in a transaction. */
export function lineCents(txn: Transaction, line: LineItem, role: AccountRole) {
  if (txn.lineItemId !== null) {
    const account = role === 'VENDOR' ? txn.vendorCents : txn.affiliateCents;
    return { customer: txn.totalCents - txn.shippingCents - txn.taxCents, account };
  }
  const sign = txn.totalCents < 0 ? -1 : 1;
  const account = role === 'VENDOR' ? line.vendorCents : line.affiliateCents;
  return { customer: sign * line.customerCents, account: sign * account };
}

function answerLine(txn: Transaction, line: LineItem, role: AccountRole): SentLineItem {
  const { itemNo, title } = line;
  const cents = lineCents(txn, line, role);
  const fee = isFee(txn.type);
  return {
    itemNo,
    productTitle: title,
    recurring: line.recurring === 1,
    shippable: line.shippable === 1,
    customerAmount: fee ? null : moneyText(cents.customer),
    accountAmount: fee ? null : moneyText(cents.account),
    quantity: line.quantity,
    lineItemType: line.type,
    refundsBlocked: line.refundsBlocked === 1,
    rebillAmount: line.rebillCents === null ? null : moneyText(line.rebillCents),
    processedPayments: line.processed,
    futurePayments: line.future,
    nextPaymentDate: line.nextPayment === null ? null : pacificTime(line.nextPayment),
    status: line.status,
    role,
  };
}

function refundableState(
  txn: Transaction,
  lines: readonly LineItem[],
  today: string,
): string | null {
  if (isFee(txn.type)) return null;
  if (!isPayment(txn.type) || txn.reversed === 'CGBK') return 'UNREFUNDABLE';
  if (txn.reversed !== null) return 'ALREADY_REFUNDED';
  if (txn.refundPending === 1) return 'HAS_OPEN_REFUND';
  return refundBar(txn, lines, today) ?? 'REFUNDABLE';
}

/** Only the vendor sees who the customer is; an affiliate sees the country and the state. */
function customerOf(txn: Transaction, role: AccountRole) {
  const { lastName, firstName, email, postalCode, fullName } = txn;
  if (role === 'VENDOR') return { lastName, firstName, email, postalCode, fullName };
  return { lastName: null, firstName: null, email: null, postalCode: null, fullName: null };
}

/** Null where the vendor passed none. */
export function vendorVariablesOf({ vendorVariables }: Transaction) {
  const item = JSON.parse(vendorVariables) as { name: string; value: string }[];
  return item.length ? { item } : null;
}

/** JSON texts of the store as lists and objects; what isn't there isn't answered. */
function extrasOf(txn: Transaction, role: AccountRole) {
  const contactInfo = role === 'VENDOR' ? txn.contactInfo : '[]';
  return {
    customerContactInfo: JSON.parse(contactInfo) as { field: string; value: string }[],
    vendorVariables: vendorVariablesOf(txn),
    ...(txn.commonTracking && { commonTrackingParameters: JSON.parse(txn.commonTracking) }),
    ...(txn.affiliateTracking && {
      affiliateTrackingParameters: JSON.parse(txn.affiliateTracking),
    }),
  };
}

/** `lines` are all of the purchase, also replaced ones; `today` decides what is too old to be refunded. */
export function answerOrder(
  txn: Transaction,
  lines: readonly LineItem[],
  role: AccountRole,
  today: string,
): SentOrder {
  const mine = linesOf(txn, lines);
  return {
    transactionTime: pacificTime(txn.time),
    receipt: txn.receipt,
    trackingId: txn.trackingId,
    paytmentMethod: txn.paymentMethod,
    transactionType: txn.type,
    totalOrderAmount: moneyText(txn.totalCents),
    totalShippingAmount: moneyText(txn.shippingCents),
    totalTaxAmount: moneyText(txn.taxCents),
    vendor: txn.vendor,
    affiliate: txn.affiliate,
    country: txn.country,
    state: txn.state,
    currency: txn.currency,
    ...customerOf(txn, role),
    declinedConsent: txn.declinedConsent === null ? null : txn.declinedConsent === 1,
    role,
    customerRefundableState: refundableState(txn, mine, today),
    lineItemData: mine.map((line) => answerLine(txn, line, role)),
    ...extrasOf(txn, role),
  };
}

/** The same row with nil wherever the resource allows it, in its lists too. */
export function strip<T extends object>(resource: Resource, row: T): T {
  const values = Object.entries(row).map(([name, value]) => {
    const field = resource.fields[name];
    if (field?.nillable) return [name, null];
    const inner = field?.kind === 'list' ? field.resource : undefined;
    return [name, inner ? (value as object[]).map((one) => strip(inner, one)) : value];
  });
  return Object.fromEntries(values) as T;
}
