/** The service orders2 (section 4.3 of the specification). */
import { addDays } from '../../dates/day.ts';
import { order, type orders } from '../../operations/orders.ts';
import type { Resource, Row } from '../../operations/resource.ts';
import { assertOr, assertValid, readDays } from '../http/arguments.ts';
import type { Call, Context, Handlers, Sent, State } from '../http/handlers.ts';
import { orderAmountsIn } from '../store/store.ts';
import {
  countTransactions,
  findByReceipt,
  findLineItems,
  findLinesOf,
  findRefundedLines,
  findTransactions,
  findUpsells,
  type LineItem,
  lineAmounts,
  linesOf,
  needsFields,
  type OrderFilter,
  type Transaction,
} from '../store/transaction.ts';
import { centsOf, convert } from './money.ts';
import { refundBar } from './refunds.ts';
import { subscriptionChanges } from './subscription-change.ts';

type Search = Call<typeof orders.list.params>['args'];

/**
 * Days are Pacific and inclusive; the default is yesterday and today. Count accepts a single day, which leaves the
 * other end open; this is not documented.
 */
function filterOf({ db }: State, search: Search, { caller, today }: Context): OrderFilter {
  const { startDate, endDate, amount, ...criteria } = search;
  const isOpen = startDate === undefined && endDate === undefined;
  const days = isOpen ? { startDate: addDays(today, -1), endDate: today } : { startDate, endDate };
  const totalCents = amount === undefined ? undefined : centsOf(amount);
  const isInDollars = orderAmountsIn(db) === 'dollars';
  return { ...criteria, ...readDays(days), accounts: caller.accounts, totalCents, isInDollars };
}

function orderRows(
  { db }: State,
  txns: readonly Transaction[],
  { caller, today }: Context,
  { sku, role }: { readonly sku?: string | undefined; readonly role?: string | undefined } = {},
): SentOrder[] {
  const purchases = txns.map(({ purchaseId }) => purchaseId);
  const allLines = findLineItems(db, purchases);
  const isInDollars = orderAmountsIn(db) === 'dollars';
  return txns.flatMap((txn) => {
    const lines = linesOf(txn, allLines.get(txn.purchaseId) ?? []);
    // Whether it paid for the item, regardless of later product changes.
    if (sku !== undefined && !lines.some(({ itemNo }) => itemNo === sku)) return [];
    // By default VENDOR if the key has the accounts of both roles.
    const own = caller.accounts.includes(txn.vendor) ? 'VENDOR' : 'AFFILIATE';
    const shown = role === 'VENDOR' || role === 'AFFILIATE' ? role : own;
    return [orderRow(txn, lines, { role: shown, today, isInDollars })];
  });
}

function requireReceipt({ db }: State, receipt: string, { caller }: Context): Transaction[] {
  const txns = findByReceipt(db, receipt, caller.accounts);
  assertOr(txns.length > 0, 403, 'The order does not exist, or this key may not see it.');
  return txns;
}

/** An order is active while one of its items is. The receipt of a rebill refers to that rebill only. */
function isActive({ db }: State, receipt: string, sku: string | undefined, context: Context) {
  const txns = findByReceipt(db, receipt, context.caller.accounts);
  const paid = txns.find((txn) => txn.receipt === receipt && txn.reverses === null);
  if (!paid || paid.reversed !== null) return false;
  const lines = findLinesOf(db, paid.purchaseId);
  const refunded = paid.lineItemId === null ? findRefundedLines(db, paid.id) : [];
  const isRebill = paid.receipt !== paid.parentReceipt;
  return lines
    .filter((line) => paid.lineItemId === null || line.id === paid.lineItemId)
    .filter((line) => sku === undefined || line.itemNo === sku)
    .filter((line) => !refunded.includes(line.replaces ?? line.id))
    .some((line) => isRebill || line.status !== 'CANCELED');
}

export const ordersHandlers: Handlers<typeof orders> = {
  list(state, { args, page }, context) {
    const { startDate, endDate } = args;
    assertValid(!startDate === !endDate, 'The parameters startDate and endDate go together.');
    const filter = filterOf(state, args, context);
    const found = findTransactions(state.db, filter, page);
    const rows = orderRows(state, found.rows, context, { role: args.role });
    if (needsFields(filter) || !state.hasNullRows()) return { content: rows, more: found.more };
    // The fault null-row: a test fee, which no figure contains, loses its values.
    const content = rows.map((row) =>
      row.transactionType === 'TEST_FEE' ? strip(order, row) : row,
    );
    return { content, more: found.more };
  },

  count: (state, { args }, context) => countTransactions(state.db, filterOf(state, args, context)),

  get(state, { args }, context) {
    const txns = requireReceipt(state, args.receipt, context);
    return orderRows(state, txns, context, { sku: args.sku });
  },

  active: (state, { args }, context) => isActive(state, args.receipt, args.sku, context),

  upsells(state, { args }, context) {
    const [sale] = requireReceipt(state, args.receipt, context);
    const upsells = sale ? findUpsells(state.db, sale.purchaseId, context.caller.accounts) : [];
    assertOr(upsells.length > 0, 403, 'The order has no upsells.');
    return orderRows(state, upsells, context);
  },

  ...subscriptionChanges,
  schema: () => order,
};

type SentOrder = Sent<Row<typeof order>>;

function refundableState(
  txn: Transaction,
  lines: readonly LineItem[],
  today: string,
): string | null {
  if (txn.type.endsWith('FEE')) return null;
  if (!/(SALE|BILL)$/.test(txn.type) || txn.reversed === 'CGBK') return 'UNREFUNDABLE';
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

interface OrderView {
  readonly role: 'VENDOR' | 'AFFILIATE';
  /** Determines what is too old to refund. */
  readonly today: string;
  readonly isInDollars: boolean;
}

/** Converts a transaction to the order details of section 2; `lines` are those that it concerns. */
function orderRow(
  txn: Transaction,
  lines: readonly LineItem[],
  { role, today, isInDollars }: OrderView,
): SentOrder {
  const { currency, commonTracking, affiliateTracking } = txn;
  const isVendor = role === 'VENDOR';
  const isFee = txn.type.endsWith('FEE');
  const shown = (cents: number) => (isInDollars ? convert(cents, currency, 'USD') : cents);
  return {
    ...txn,
    ...(!isVendor && HIDDEN),
    ...{ transactionTime: txn.time, transactionType: txn.type, role },
    paytmentMethod: txn.paymentMethod,
    totalOrderAmount: shown(txn.totalCents),
    totalShippingAmount: shown(txn.shippingCents),
    totalTaxAmount: shown(txn.taxCents),
    customerRefundableState: refundableState(txn, lines, today),
    lineItemData: lines.map((line) => {
      const { customerCents, vendorCents, affiliateCents } = lineAmounts(txn, line);
      return {
        ...{ ...line, productTitle: line.title, lineItemType: line.type, role },
        customerAmount: isFee ? null : shown(customerCents),
        accountAmount: isFee ? null : isVendor ? vendorCents : affiliateCents,
        rebillAmount: line.rebillCents === null ? null : shown(line.rebillCents),
        ...{ processedPayments: line.processed, futurePayments: line.future },
        nextPaymentDate: line.nextPayment,
      };
    }),
    customerContactInfo: isVendor ? JSON.parse(txn.contactInfo) : [],
    vendorVariables: vendorVariablesOf(txn),
    // Tracking parameters that were never set are omitted.
    ...(commonTracking && { commonTrackingParameters: JSON.parse(commonTracking) }),
    ...(affiliateTracking && { affiliateTrackingParameters: JSON.parse(affiliateTracking) }),
  };
}

/** Returns the row with nil in every nillable field, also in nested lists. */
function strip<T extends object>(resource: Resource, row: T): T {
  const values = Object.entries(row).map(([name, value]) => {
    const field = resource.fields[name];
    const inner = field?.kind === 'list' ? field.resource : undefined;
    if (field?.nillable && !inner) return [name, null];
    return [name, inner ? (value as object[]).map((one) => strip(inner, one)) : value];
  });
  return Object.fromEntries(values) as T;
}
