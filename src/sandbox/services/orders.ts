/** The service orders2 (section 4.3 of the specification). */
import { addDays } from '../../dates/day.ts';
import { order, type orders } from '../../operations/orders.ts';
import type { Resource, Row } from '../../operations/resource.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertOr, assertValid, readDays } from '../http/arguments.ts';
import type { Call, Context, Handlers, Sent, State } from '../http/handlers.ts';
import {
  type Condition,
  countRows,
  findPage,
  given,
  joined,
  like,
  ONE_OF,
} from '../store/statements.ts';
import { orderAmountsIn } from '../store/store.ts';
import {
  findByReceipt,
  findLineItems,
  findLinesOf,
  findVisible,
  type LineItem,
  lineAmounts,
  linesOf,
  refundedLinesOf,
  TRANSACTION,
  type Transaction,
} from '../store/transaction.ts';
import { centsOf, convert, dollarsSql } from './money.ts';
import { refundBar } from './refunds.ts';
import { subscriptionChanges } from './subscription-change.ts';

type Search = Call<typeof orders.list.params>['args'];

const NOTHING: Condition = { sql: '0', values: [] };

/** A sale has the items sold with it, a rebill its own item. */
const HAS_ITEM = `EXISTS (SELECT 1 FROM line_item l
  WHERE l.purchase_id = t.purchase_id AND l.item_no = ?
    AND iif(t.line_item_id IS NULL, l.replaces IS NULL, t.line_item_id = l.id))`;

/**
 * Days are Pacific and inclusive; the default is yesterday and today. Count accepts a single day, which leaves the
 * other end open; this is not documented. Patterns can contain `%`, and the affiliate `none` finds transactions without
 * one. SQLite omits a LEFT JOIN that no filter needs.
 */
function conditionOf({ db }: State, search: Search, { caller, today }: Context): Condition {
  const { startDate, endDate, amount, role, affiliate } = search;
  const isOpen = startDate === undefined && endDate === undefined;
  const { from, until } = isOpen
    ? readDays(addDays(today, -1), today)
    : readDays(startDate, endDate);
  const mine = JSON.stringify(caller.accounts);
  const isVendor = given(`t.vendor ${ONE_OF}`, mine);
  const isAffiliate = given(`t.affiliate ${ONE_OF}`, mine);
  // The accounts in the given role, or in either role; an unknown role matches nothing.
  const byRole = new Map([
    [undefined, joined([isVendor, isAffiliate], 'OR')],
    ['VENDOR', isVendor],
    ['AFFILIATE', isAffiliate],
  ]);
  // Only the vendor sees the customer, so only the vendor can search by the customer's fields.
  const isHidden = role !== undefined && role !== 'VENDOR';
  const customerLike = (column: string, pattern: string | undefined) => {
    if (pattern === undefined) return undefined;
    return isHidden ? NOTHING : joined([isVendor, like(column, pattern)]);
  };
  const isInDollars = orderAmountsIn(db) === 'dollars';
  const cents = isInDollars ? dollarsSql('t.total_cents', 'p.currency') : 't.total_cents';
  const { sql, values } = joined([
    byRole.get(role) ?? NOTHING,
    given('t.time >= ?', from),
    given('t.time < ?', until),
    given('t.type = ?', search.type),
    like('t.vendor', search.vendor),
    affiliate === 'none' ? given('t.affiliate IS NULL') : like('t.affiliate', affiliate),
    customerLike('p.last_name', search.lastName),
    given(HAS_ITEM, search.item),
    customerLike('p.email', search.email),
    given('p.tracking_id = ?', search.tid),
    customerLike('p.postal_code', search.postalCode),
    given(`${cents} = ?`, amount && centsOf(amount)),
  ]);
  return { sql: `FROM txn t LEFT JOIN purchase p ON p.id = t.purchase_id WHERE ${sql}`, values };
}

/** Whether the filters need a field of the rows besides time and item, so that they find no row of nulls. */
const needsFields = (search: Search) =>
  Object.keys(search).some((name) => !/^(startDate|endDate|item|role)$/.test(name));

/** Newest first. Reads complete rows only for the page itself. */
function findTransactions(db: Database, { sql, values }: Condition, page: number) {
  const order = 'ORDER BY t.time DESC, t.id DESC';
  const ids = { sql: `SELECT t.id ${sql} ${order}`, values };
  const { rows, more } = findPage<{ id: number }>(db, ids, page);
  const found = db.all<Transaction>(`${TRANSACTION} WHERE t.id ${ONE_OF} ${order}`, [
    JSON.stringify(rows.map(({ id }) => id)),
  ]);
  return { rows: found, more };
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
  const lost = db.all<{ line: number }>(refundedLinesOf('?'), [paid.id]).map(({ line }) => line);
  const refunded = paid.lineItemId === null ? lost : [];
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
    const found = findTransactions(state.db, conditionOf(state, args, context), page);
    const rows = orderRows(state, found.rows, context, { role: args.role });
    if (needsFields(args) || !state.hasNullRows()) return { content: rows, more: found.more };
    // The fault null-row: a test fee, which no figure contains, loses its values.
    const content = rows.map((row) =>
      row.transactionType === 'TEST_FEE' ? strip(order, row) : row,
    );
    return { content, more: found.more };
  },

  count: (state, { args }, context) => countRows(state.db, conditionOf(state, args, context)),

  get(state, { args }, context) {
    const txns = requireReceipt(state, args.receipt, context);
    return orderRows(state, txns, context, { sku: args.sku });
  },

  active: (state, { args }, context) => isActive(state, args.receipt, args.sku, context),

  upsells(state, { args }, context) {
    const [sale] = requireReceipt(state, args.receipt, context);
    const which = 't.purchase_id IN (SELECT id FROM purchase WHERE upsell_of = ?)';
    const parent = [sale?.purchaseId ?? 0];
    const upsells = findVisible(state.db, which, parent, context.caller.accounts);
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
