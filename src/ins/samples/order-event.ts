/** An event made of an order: what orders2 returns, with the names and numbers of a notification. */
import { LosslessNumber } from 'lossless-json';
import { negated } from '../../decimals/decimals.ts';
import { type ExactObject, isPlainObject } from '../event-text.ts';
import type { EventType } from '../event-types.ts';

/** A transaction of orders2, decoded by the client with numbers as texts. */
export type OrderRow = Readonly<Record<string, unknown>>;

const jsonNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * With the times as the order has them. Uses the last transaction of this type, or of the type `kind` that it imitates. If there is none, the event is about
 * the first payment.
 */
export function fieldsOfOrder(
  type: EventType,
  kind: EventType,
  rows: readonly OrderRow[],
): ExactObject {
  const listed: readonly unknown[] = [type, kind === 'INSF' ? 'CGBK' : kind];
  const same = rows.filter(({ transactionType }) => listed.includes(transactionType)).at(-1);
  const row = same ?? rows.find(({ transactionType }) => transactionType === 'SALE') ?? rows[0];
  if (!row) throw new RangeError('An event needs at least one transaction.');
  const isReturned = !same && ['RFND', 'CGBK', 'INSF'].includes(kind);
  const money = (value: unknown) => amountOf(value, isReturned);
  const items = listOf(row.lineItemData);
  return withoutGaps({
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
    customer: { billing: billingOf(row) },
    vendorVariables: variablesOf(row.vendorVariables),
    commonTrackingParameters: objectOf(row.commonTrackingParameters),
    affiliateTrackingParameters: objectOf(row.affiliateTrackingParameters),
  });
}

function lineItemOf(item: OrderRow, money: (value: unknown) => unknown): ExactObject {
  return withoutGaps({
    itemNo: item.itemNo,
    productTitle: item.productTitle,
    shippable: item.shippable,
    recurring: item.recurring,
    accountAmount: money(item.accountAmount),
    quantity: item.quantity,
    lineItemType: item.lineItemType === 'STANDARD' ? 'ORIGINAL' : item.lineItemType,
    productPrice: money(item.customerAmount),
    paymentPlan: item.recurring === true ? paymentPlanOf(item) : undefined,
  });
}

function paymentPlanOf(item: OrderRow): ExactObject {
  return withoutGaps({
    rebillStatus: item.status,
    rebillAmount: amountOf(item.rebillAmount, false),
    paymentsProcessed: item.processedPayments,
    paymentsRemaining: item.futurePayments,
    nextPaymentDate: item.nextPaymentDate,
  });
}

function billingOf(row: OrderRow): ExactObject {
  const { firstName, lastName, fullName, email, state, postalCode, country } = row;
  const address = withoutGaps({ state, postalCode, country });
  return withoutGaps({ firstName, lastName, fullName, email, address });
}

/** Notifications have nicknames in lower case, the list of orders in upper case. */
function lowerCase(nickname: unknown): unknown {
  return typeof nickname === 'string' ? nickname.toLowerCase() : nickname;
}

/** `{item: [{name, value}]}` as `{name: value}`. */
function variablesOf(variables: unknown): ExactObject | undefined {
  if (!isPlainObject(variables)) return undefined;
  const pairs = listOf(variables.item).map(({ name, value }) => [String(name), value] as const);
  return Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'));
}

function objectOf(value: unknown): ExactObject | undefined {
  return isPlainObject(value) ? value : undefined;
}

function listOf(value: unknown): readonly OrderRow[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

/** A refund that has not happened yet returns what was paid. */
function amountOf(value: unknown, isReturned: boolean): LosslessNumber | undefined {
  if (typeof value !== 'string' || !jsonNumber.test(value)) return undefined;
  const isZero = !/[1-9]/.test(value);
  return new LosslessNumber(isReturned && !isZero ? negated(value) : value);
}

function withoutGaps(fields: ExactObject): ExactObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given);
}
