/** Converts stored transactions to the order details of orders2 (section 2 of the specification). */
import type { lineItem, order } from '../../operations/orders.ts';
import type { Resource, Row } from '../../operations/resource.ts';
import { convert } from '../money/money.ts';
import type { Sent } from '../request/handlers.ts';
import {
  type LineItem,
  lineAmounts,
  linesOf,
  type Transaction,
} from '../store/orders/transaction.ts';
import type { OrderAmounts } from '../store/setting.ts';
import { refundBar } from './refundable.ts';

export type SentOrder = Sent<Row<typeof order>>;
type SentLineItem = Sent<Row<typeof lineItem>>;

/** The role of the caller's account in a transaction. */
export type AccountRole = 'VENDOR' | 'AFFILIATE';

const isSale = (type: string) => type.endsWith('SALE');
const isFee = (type: string) => type.endsWith('FEE');
const isPayment = (type: string) => isSale(type) || type.endsWith('BILL');

/** Whether a transaction paid for an item, regardless of later product changes. */
export function hasItem(txn: Transaction, lines: readonly LineItem[], sku: string): boolean {
  return linesOf(txn, lines).some((line) => line.itemNo === sku);
}

function lineRow(txn: Transaction, line: LineItem, { role, amounts }: OrderView): SentLineItem {
  const shown = amountIn(txn, amounts);
  const { customerCents, vendorCents, affiliateCents } = lineAmounts(txn, line);
  const fee = isFee(txn.type);
  return {
    ...line,
    productTitle: line.title,
    customerAmount: fee ? null : shown(customerCents),
    accountAmount: fee ? null : role === 'VENDOR' ? vendorCents : affiliateCents,
    lineItemType: line.type,
    rebillAmount: line.rebillCents === null ? null : shown(line.rebillCents),
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

/** Fields of the customer that only the vendor sees. */
const HIDDEN = { lastName: null, firstName: null, email: null, postalCode: null, fullName: null };

export function vendorVariablesOf({ vendorVariables }: Transaction) {
  const item: readonly object[] = JSON.parse(vendorVariables);
  return item.length ? { item } : null;
}

/** Parses the fields that are stored as JSON; tracking parameters that were never set are omitted. */
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

interface OrderView {
  readonly role: AccountRole;
  /** Determines what is too old to refund. */
  readonly today: string;
  readonly amounts: OrderAmounts;
}

function amountIn({ currency }: Transaction, amounts: OrderAmounts): (cents: number) => number {
  return (cents) => (amounts === 'dollars' ? convert(cents, currency, 'USD') : cents);
}

/** `lines` are all lines of the purchase, including replaced ones. */
export function orderRow(txn: Transaction, lines: readonly LineItem[], view: OrderView): SentOrder {
  const { role, today, amounts } = view;
  const shown = amountIn(txn, amounts);
  const mine = linesOf(txn, lines);
  return {
    ...txn,
    ...(role !== 'VENDOR' && HIDDEN),
    transactionTime: txn.time,
    paytmentMethod: txn.paymentMethod,
    transactionType: txn.type,
    totalOrderAmount: shown(txn.totalCents),
    totalShippingAmount: shown(txn.shippingCents),
    totalTaxAmount: shown(txn.taxCents),
    role,
    customerRefundableState: refundableState(txn, mine, today),
    lineItemData: mine.map((line) => lineRow(txn, line, view)),
    ...extrasOf(txn, role),
  };
}

/** Returns the row with nil in every nillable field, also in nested lists. */
export function strip<T extends object>(resource: Resource, row: T): T {
  const values = Object.entries(row).map(([name, value]) => {
    const field = resource.fields[name];
    const inner = field?.kind === 'list' ? field.resource : undefined;
    if (field?.nillable && !inner) return [name, null];
    return [name, inner ? (value as object[]).map((one) => strip(inner, one)) : value];
  });
  return Object.fromEntries(values) as T;
}
