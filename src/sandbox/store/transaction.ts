/** Transactions with their purchase and line items: reads and adds them. */
import { group } from 'd3-array';
import { words } from '../../operations/resource.ts';
import type { Database } from '../../storage/sqlite.ts';
import { CHARGEBACK_FEE, convert, roundIn } from '../services/money.ts';
import { columnOf, type Stored, select } from './schema.ts';
import { getRow, insertRow, type NewRow, ONE_OF, updateRow } from './statements.ts';

const PURCHASE = [
  ...words('trackingId paymentMethod currency firstName lastName fullName email state country'),
  ...words('postalCode declinedConsent contactInfo vendorVariables commonTracking'),
  ...words('affiliateTracking'),
];

type Purchase = Pick<Stored<'purchase'>, (typeof PURCHASE)[number]>;

export interface Transaction extends Stored<'txn'>, Purchase {
  /** Whether a ticket requests a refund that has not happened yet. */
  readonly refundPending: number;
  readonly parentReceipt: string;
}

const AMOUNTS = words('totalCents shippingCents taxCents vendorCents affiliateCents');

/** Cents of the customer's currency; the shares of the accounts are cents of US dollars. */
export type Amounts = Pick<Transaction, (typeof AMOUNTS)[number]>;

export function mapAmounts(compute: (name: keyof Amounts) => number): Amounts {
  const amounts = AMOUNTS.map((name) => [name, compute(name)] as const);
  return Object.fromEntries(amounts) as Record<keyof Amounts, number>;
}

/** No money moves. */
export const NO_AMOUNTS: Amounts = mapAmounts(() => 0);

export function scaled(
  amounts: Amounts,
  currency: string,
  scale: (cents: number) => number,
): Amounts {
  return mapAmounts((name) => {
    const isShare = name === 'vendorCents' || name === 'affiliateCents';
    return roundIn(isShare ? 'USD' : currency, scale(amounts[name]));
  });
}

/** Never -0. */
export const negated = (amounts: Amounts) => mapAmounts((name) => -amounts[name] || 0);

export function feeOf(currency: string): Amounts {
  const totalCents = -convert(CHARGEBACK_FEE, 'USD', currency);
  return { ...NO_AMOUNTS, totalCents, vendorCents: -CHARGEBACK_FEE };
}

/** CROSS JOIN makes the transactions the outer loop, so that an index provides their order by time. */
export const TRANSACTION = `SELECT ${select('t', 'txn')}, ${select('p', 'purchase', PURCHASE)},
  EXISTS (SELECT 1 FROM ticket k WHERE k.txn_id = t.id AND k.refund_state = 'PENDING')
    refundPending, p.receipt parentReceipt
  FROM txn t CROSS JOIN purchase p ON p.id = t.purchase_id`;

const BILLING = [
  ...words('currentItemId frequency anchorDay rebillCents processed future nextPayment status'),
  ...words('canceled'),
];

type Billing = Pick<Stored<'subscription'>, (typeof BILLING)[number]>;

export interface LineItem
  extends Stored<'line_item'>,
    Readonly<{ [Name in keyof Billing]: Billing[Name] | null }> {
  /** The original line of the subscription; null without a subscription. */
  readonly soldAs: number | null;
  /** Days in which a sale or a rebill can be refunded, by the current product. */
  readonly saleRefundDays: number | null;
  readonly rebillRefundDays: number | null;
  readonly shippingProfile: string | null;
}

/** Finds the subscription of a line by its original line and by its current one. */
const LINE_ITEM = `SELECT ${select('l', 'line_item')}, ${select('s', 'subscription', BILLING)},
  s.line_item_id soldAs,
  ${select('g', 'product', ['saleRefundDays', 'rebillRefundDays', 'shippingProfile'])}
  FROM line_item l JOIN product g ON g.id = l.product_id
  LEFT JOIN subscription s ON s.line_item_id = coalesce(l.replaces, l.id)`;

/** Every line of these purchases by purchase, including replaced ones, in the order of the cart. */
export function findLineItems(
  db: Database,
  purchaseIds: readonly number[],
): ReadonlyMap<number, readonly LineItem[]> {
  const lines = db.all<LineItem>(`${LINE_ITEM} WHERE l.purchase_id ${ONE_OF} ORDER BY l.id`, [
    JSON.stringify([...new Set(purchaseIds)]),
  ]);
  return group(lines, ({ purchaseId }) => purchaseId);
}

export function findLinesOf(db: Database, purchaseId: number): readonly LineItem[] {
  return findLineItems(db, [purchaseId]).get(purchaseId) ?? [];
}

/** The lines of a transaction: its own line, or all lines of the cart. */
export function linesOf(
  { lineItemId }: Pick<Transaction, 'lineItemId'>,
  lines: readonly LineItem[],
): LineItem[] {
  return lines.filter((line) =>
    lineItemId === null ? line.replaces === null : line.id === lineItemId,
  );
}

/** Returns the amounts of one line in a transaction, without shipping and tax. */
export function lineAmounts(
  txn: Transaction,
  line: LineItem,
): Pick<LineItem, 'customerCents' | 'vendorCents' | 'affiliateCents'> {
  const { totalCents, vendorCents, affiliateCents } = txn;
  if (txn.lineItemId !== null) {
    const customerCents = totalCents - txn.shippingCents - txn.taxCents;
    return { customerCents, vendorCents, affiliateCents };
  }
  const sign = totalCents < 0 ? -1 : 1;
  return {
    customerCents: sign * line.customerCents,
    vendorCents: sign * line.vendorCents,
    affiliateCents: sign * line.affiliateCents,
  };
}

/**
 * The tax and shipping of one of the lines that a transaction paid for. The tax is in proportion to the price, and the
 * last line takes the rounding difference; shipping of a cart belongs to its first physical item.
 */
export function lineExtras(txn: Transaction, lines: readonly LineItem[], line: LineItem) {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  const net = sum(lines.map((each) => each.customerCents)) || 1;
  const tax = (each: LineItem) => roundIn(txn.currency, (txn.taxCents * each.customerCents) / net);
  const others = line === lines.at(-1) ? lines.slice(0, -1) : undefined;
  const ships = line === lines.find((each) => each.shippable === 1);
  return {
    taxCents: others ? txn.taxCents - sum(others.map(tax)) : tax(line),
    shippingCents: ships ? txn.shippingCents : 0,
  };
}

/** Selects the lines of the cart paid with `payment` that were refunded line by line, each completely. */
export const refundedLinesOf = (payment: string) => `SELECT r.line_item_id line
  FROM txn r JOIN line_item l ON l.id = r.line_item_id
  WHERE r.reverses = ${payment}
  GROUP BY r.line_item_id
  HAVING sum(r.total_cents - r.shipping_cents - r.tax_cents) + l.customer_cents <= 0`;

export function getTransaction(db: Database, id: number): Transaction {
  return getRow<Transaction>(db, `${TRANSACTION} WHERE t.id = ?`, [id]);
}

/**
 * Returns the sale or the latest payment of a purchase. With `soldAs`, the original line item of a
 * subscription, only payments of that subscription count.
 */
export function getPayment(
  db: Database,
  purchaseId: number,
  which: 'sale' | 'latest',
  soldAs?: number,
): Transaction {
  const order = which === 'sale' ? 'ASC' : 'DESC';
  return getRow<Transaction>(
    db,
    `${TRANSACTION} WHERE t.purchase_id = ?1 AND t.reverses IS NULL AND t.type NOT LIKE '%FEE'
       AND (?2 IS NULL OR t.line_item_id IS NULL OR t.line_item_id IN (SELECT o.id FROM line_item o
         WHERE o.purchase_id = ?1 AND coalesce(o.replaces, o.id) = ?2))
     ORDER BY t.time ${order}, t.id ${order} LIMIT 1`,
    [purchaseId, soldAs ?? null],
  );
}

/** The transactions that these accounts may see, in chronological order. */
export function findVisible(
  db: Database,
  which: string,
  values: readonly (string | number)[],
  accounts: readonly string[],
): Transaction[] {
  const mine = JSON.stringify(accounts);
  return db.all<Transaction>(
    `${TRANSACTION} WHERE (${which}) AND (t.vendor ${ONE_OF} OR t.affiliate ${ONE_OF})
     ORDER BY t.time, t.id`,
    [...values, mine, mine],
  );
}

/** The receipt of a sale includes its rebills; the receipt of a rebill includes only that rebill's transactions. */
export function findByReceipt(db: Database, receipt: string, accounts: readonly string[]) {
  const which = 't.purchase_id = (SELECT id FROM purchase WHERE receipt = ?) OR t.receipt = ?';
  return findVisible(db, which, [receipt, receipt], accounts);
}

interface NewTransaction
  extends Pick<Transaction, 'type' | 'time'>,
    Partial<Pick<Transaction, 'lineItemId' | 'reverses'>> {
  readonly amounts: Amounts;
}

type Order = Pick<Transaction, 'purchaseId' | 'receipt' | 'vendor' | 'affiliate'>;

/** Returns the ID of the transaction, as the functions below do. */
export function insertTransaction(
  db: Database,
  { purchaseId, receipt, vendor, affiliate }: Order,
  { amounts, ...txn }: NewTransaction,
): number {
  const cents = mapAmounts((name) => amounts[name]);
  return insertRow(db, 'txn', { purchaseId, receipt, vendor, affiliate, ...txn, ...cents });
}

/** Positive amounts to refund and the time; without a line, they concern every line of the payment. */
export interface Reversal {
  readonly type: 'RFND' | 'CGBK';
  readonly lineItemId: number | null;
  readonly amounts: Amounts;
  readonly time: number;
}

/** Adds a refund or a chargeback with the receipt of the payment, which is marked as reversed if nothing remains. */
export function addReversal(db: Database, payment: Transaction, reversal: Reversal): number {
  const { type, amounts } = reversal;
  const id = insertTransaction(db, payment, {
    ...reversal,
    type: payment.type.startsWith('TEST_') ? `TEST_${type}` : type,
    amounts: negated(amounts),
    reverses: payment.id,
  });
  if (payment.totalCents + sumReversals(db, payment.id, null).totalCents > 0) return id;
  db.run('UPDATE txn SET reversed = ? WHERE id = ?', [type, payment.id]);
  return id;
}

/** Returns the sum of the refunds of a payment or one of its lines, which is never positive. */
export function sumReversals(db: Database, txnId: number, lineItemId: number | null): Amounts {
  return getRow<Amounts>(
    db,
    `SELECT ${AMOUNTS.map((name) => `coalesce(sum(${columnOf(name)}), 0) ${name}`).join(', ')}
     FROM txn WHERE reverses = ? AND (?2 IS NULL OR line_item_id = ?2)`,
    [txnId, lineItemId],
  );
}

/** Changes a subscription, identified by its original line item. */
export function updateSubscription(
  db: Database,
  soldAs: number,
  change: NewRow<'subscription'>,
): void {
  updateRow(db, ['subscription', 'line_item_id', soldAs], change);
}

export function forgetFailures(db: Database, soldAs: number): void {
  db.run('DELETE FROM billing_retry WHERE line_item_id = ?', [soldAs]);
}
