/** The service orders2 (section 4.3 of the specification). */

import { addDays } from '../dates/day.ts';
import { endOf, instantOf } from '../dates/pacific.ts';
import { order, type orders } from '../operations/orders.ts';
import type { Caller } from './access.ts';
import type { Context, Handlers, State } from './handlers.ts';
import { centsOf } from './money.ts';
import { type AccountRole, answerOrder, hasItem, type SentOrder, strip } from './order-answer.ts';
import { insist } from './refusal.ts';
import { countTransactions, findTransactions, type OrderFilter } from './store/order-search.ts';
import {
  findByReceipt,
  findLineItems,
  findRefundedLines,
  findUpsells,
  type Transaction,
} from './store/transaction.ts';
import {
  changeAddress,
  changeDate,
  changeProduct,
  extend,
  pause,
  reinstate,
} from './subscription-change.ts';

interface Search {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly type?: string | undefined;
  readonly vendor?: string | undefined;
  readonly affiliate?: string | undefined;
  readonly lastName?: string | undefined;
  readonly item?: string | undefined;
  readonly email?: string | undefined;
  readonly tid?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly role?: string | undefined;
  readonly amount?: string | undefined;
}

/**
 * Days are Pacific and inclusive; without any, yesterday and today. Count takes one of them alone
 * and then has no other end, which the documents leave open.
 */
function periodOf({ startDate, endDate }: Search, today: string) {
  const backwards = startDate !== undefined && endDate !== undefined && endDate < startDate;
  insist(!backwards, 400, 'The parameter endDate must not lie before startDate.');
  if (startDate === undefined && endDate === undefined) {
    return { from: instantOf(addDays(today, -1)), until: endOf(today) };
  }
  return {
    from: startDate === undefined ? undefined : instantOf(startDate),
    until: endDate === undefined ? undefined : endOf(endDate),
  };
}

function filterOf(search: Search, { caller, today }: Context): OrderFilter {
  const { from, until } = periodOf(search, today);
  const { type, vendor, affiliate, lastName, item, email, tid, postalCode, role, amount } = search;
  return {
    accounts: caller.accounts,
    from,
    until,
    type,
    vendor,
    affiliate: affiliate === 'none' ? null : affiliate,
    lastName,
    item,
    email,
    trackingId: tid,
    postalCode,
    role,
    totalCents: amount === undefined ? undefined : centsOf(amount),
  };
}

/** The asked role, else the vendor's before the affiliate's: one key may hold both accounts. */
function roleIn(txn: Transaction, caller: Caller, asked?: string): AccountRole {
  if (asked === 'VENDOR' || asked === 'AFFILIATE') return asked;
  return caller.accounts.includes(txn.vendor) ? 'VENDOR' : 'AFFILIATE';
}

interface View {
  readonly sku?: string | undefined;
  readonly role?: string | undefined;
}

function answerAll(
  { db }: State,
  txns: readonly Transaction[],
  { caller, today }: Context,
  { sku, role }: View = {},
): SentOrder[] {
  const lines = findLineItems(
    db,
    txns.map((txn) => txn.purchaseId),
  );
  const answers: SentOrder[] = [];
  for (const txn of txns) {
    const own = lines.get(txn.purchaseId) ?? [];
    if (sku !== undefined && !hasItem(txn, own, sku)) continue;
    const row = answerOrder(txn, own, roleIn(txn, caller, role), today);
    answers.push(txn.bare ? strip(order, row) : row);
  }
  return answers;
}

const NOT_FOUND = 'The order does not exist, or this key may not see it.';

function requireReceipt({ db }: State, receipt: string, { caller }: Context): Transaction[] {
  const txns = findByReceipt(db, receipt, caller.accounts);
  insist(txns.length > 0, 403, NOT_FOUND);
  return txns;
}

/** Without `sku` an order is active while one of its items is; a rebill's receipt stands for that rebill. */
function isActive({ db }: State, receipt: string, sku: string | undefined, context: Context) {
  const txns = findByReceipt(db, receipt, context.caller.accounts);
  const paid = txns.find((txn) => txn.receipt === receipt && txn.reverses === null);
  if (!paid || paid.reversed !== null) return false;
  const lines = findLineItems(db, [paid.purchaseId]).get(paid.purchaseId) ?? [];
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
    insist(!startDate === !endDate, 400, 'The parameters startDate and endDate go together.');
    const found = findTransactions(state.db, filterOf(args, context), page);
    return { rows: answerAll(state, found.rows, context, { role: args.role }), more: found.more };
  },

  count: (state, { args }, context) => countTransactions(state.db, filterOf(args, context)),

  get(state, { args }, context) {
    const txns = requireReceipt(state, args.receipt, context);
    return answerAll(state, txns, context, { sku: args.sku });
  },

  active: (state, { args }, context) => isActive(state, args.receipt, args.sku, context),

  upsells(state, { args }, context) {
    const [sale] = requireReceipt(state, args.receipt, context);
    const upsells = sale ? findUpsells(state.db, sale.purchaseId, context.caller.accounts) : [];
    insist(upsells.length > 0, 403, 'The order has no upsells.');
    return answerAll(state, upsells, context);
  },

  reinstate,
  pause,
  extend,
  changeProduct,
  changeAddress,
  changeDate,
  schema: () => order,
};
