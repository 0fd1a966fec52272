/** A stored transaction as orders answers it (section 2, order detail). */

import type { lineItem, order } from '../operations/orders.ts';
import type { Resource, Row } from '../operations/resource.ts';
import type { Sent } from './handlers.ts';
import { refundBar } from './refundable.ts';
import { type LineItem, linesOf, type Transaction } from './store/transaction.ts';

export type SentOrder = Sent<Row<typeof order>>;
type SentLineItem = Sent<Row<typeof lineItem>>;

/** In which role an account of the caller took part. */
export type AccountRole = 'VENDOR' | 'AFFILIATE';

const isSale = (type: string) => type.endsWith('SALE');
const isFee = (type: string) => type.endsWith('FEE');
const isPayment = (type: string) => isSale(type) || type.endsWith('BILL');

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
  const cents = lineCents(txn, line, role);
  const fee = isFee(txn.type);
  return {
    ...line,
    productTitle: line.title,
    customerAmount: fee ? null : cents.customer,
    accountAmount: fee ? null : cents.account,
    lineItemType: line.type,
    rebillAmount: line.rebillCents,
    processedPayments: line.processed,
    futurePayments: line.future,
    nextPaymentDate: line.nextPayment,
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
const HIDDEN = { lastName: null, firstName: null, email: null, postalCode: null, fullName: null };

/** Null where the vendor passed none. */
export function vendorVariablesOf({ vendorVariables }: Transaction) {
  const item: readonly object[] = JSON.parse(vendorVariables);
  return item.length ? { item } : null;
}

/** JSON texts of the store as lists and objects; parameters that were never set are not sent. */
function extrasOf(txn: Transaction, role: AccountRole) {
  const { commonTracking, affiliateTracking } = txn;
  const contactInfo: readonly object[] = role === 'VENDOR' ? JSON.parse(txn.contactInfo) : [];
  return {
    customerContactInfo: contactInfo,
    vendorVariables: vendorVariablesOf(txn),
    ...(commonTracking && { commonTrackingParameters: JSON.parse(commonTracking) }),
    ...(affiliateTracking && { affiliateTrackingParameters: JSON.parse(affiliateTracking) }),
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
    ...txn,
    ...(role !== 'VENDOR' && HIDDEN),
    transactionTime: txn.time,
    paytmentMethod: txn.paymentMethod,
    transactionType: txn.type,
    totalOrderAmount: txn.totalCents,
    totalShippingAmount: txn.shippingCents,
    totalTaxAmount: txn.taxCents,
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
