/** The service orders2 (section 4.3 of the specification). */
import { addDays } from '../../dates/day.ts';
import { order, type orders } from '../../operations/orders.ts';
import { centsOf } from '../money/money.ts';
import { readDays } from '../request/arguments.ts';
import type { Call, Context, Handlers, State } from '../request/handlers.ts';
import type { Caller } from '../request/keys.ts';
import { assertOr } from '../request/refusal.ts';
import {
  countTransactions,
  findTransactions,
  needsFields,
  type OrderFilter,
} from '../store/orders/order-search.ts';
import {
  findByReceipt,
  findLineItems,
  findLinesOf,
  findRefundedLines,
  findUpsells,
  type Transaction,
} from '../store/orders/transaction.ts';
import { orderAmountsIn } from '../store/setting.ts';
import { subscriptionChanges } from '../subscriptions/subscription-change.ts';
import { type AccountRole, hasItem, orderRow, type SentOrder, strip } from './order-row.ts';

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

/** Returns the requested role, by default VENDOR if the key has the accounts of both. */
function roleIn(txn: Transaction, caller: Caller, requested?: string): AccountRole {
  if (requested === 'VENDOR' || requested === 'AFFILIATE') return requested;
  return caller.accounts.includes(txn.vendor) ? 'VENDOR' : 'AFFILIATE';
}

interface View {
  readonly sku?: string | undefined;
  readonly role?: string | undefined;
}

function orderRows(
  { db }: State,
  txns: readonly Transaction[],
  { caller, today }: Context,
  { sku, role }: View = {},
): SentOrder[] {
  const lines = findLineItems(
    db,
    txns.map((txn) => txn.purchaseId),
  );
  const amounts = orderAmountsIn(db);
  const rows: SentOrder[] = [];
  for (const txn of txns) {
    const own = lines.get(txn.purchaseId) ?? [];
    if (sku !== undefined && !hasItem(txn, own, sku)) continue;
    const row = orderRow(txn, own, { role: roleIn(txn, caller, role), today, amounts });
    rows.push(row);
  }
  return rows;
}

/** What the fault null-row makes of a row: a test fee, which no figure contains, loses its values. */
function withoutValues(row: SentOrder): SentOrder {
  return row.transactionType === 'TEST_FEE' ? strip(order, row) : row;
}

const NOT_FOUND = 'The order does not exist, or this key may not see it.';

function requireReceipt({ db }: State, receipt: string, { caller }: Context): Transaction[] {
  const txns = findByReceipt(db, receipt, caller.accounts);
  assertOr(txns.length > 0, 403, NOT_FOUND);
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
    assertOr(!startDate === !endDate, 400, 'The parameters startDate and endDate go together.');
    const filter = filterOf(state, args, context);
    const found = findTransactions(state.db, filter, page);
    const rows = orderRows(state, found.rows, context, { role: args.role });
    const hasNullRows = !needsFields(filter) && state.hasNullRows();
    const content = hasNullRows ? rows.map(withoutValues) : rows;
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
