/** Reads transactions with their purchase and line items. */
import type { Database } from '../../../storage/sqlite.ts';
import { groupBy, ONE_OF } from '../statements.ts';

/** A transaction with its purchase. Instants are seconds, amounts are cents. */
export interface Transaction {
  readonly id: number;
  readonly purchaseId: number;
  readonly lineItemId: number | null;
  readonly receipt: string;
  readonly type: string;
  readonly time: number;
  readonly totalCents: number;
  readonly shippingCents: number;
  readonly taxCents: number;
  readonly vendorCents: number;
  readonly affiliateCents: number;
  readonly vendor: string;
  readonly affiliate: string | null;
  readonly reverses: number | null;
  readonly reversed: string | null;
  /** Whether a ticket requests a refund that has not happened yet. */
  readonly refundPending: number;
  readonly parentReceipt: string;
  readonly trackingId: string | null;
  readonly paymentMethod: string | null;
  readonly currency: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fullName: string | null;
  readonly email: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly postalCode: string | null;
  readonly declinedConsent: number | null;
  /** JSON: lists of pairs, objects. */
  readonly contactInfo: string;
  readonly vendorVariables: string;
  readonly commonTracking: string | null;
  readonly affiliateTracking: string | null;
}

const AMOUNTS = [
  'totalCents',
  'shippingCents',
  'taxCents',
  'vendorCents',
  'affiliateCents',
] as const satisfies readonly (keyof Transaction)[];

/** Cents of the customer's currency; the shares of the accounts are cents of US dollars. */
export type Amounts = Pick<Transaction, (typeof AMOUNTS)[number]>;

export function mapAmounts(compute: (name: keyof Amounts) => number): Amounts {
  const amounts = AMOUNTS.map((name) => [name, compute(name)] as const);
  return Object.fromEntries(amounts) as Record<keyof Amounts, number>;
}

/** CROSS JOIN makes the transactions the outer loop, so that an index provides their order by time. */
export const TRANSACTION = `SELECT t.id, t.purchase_id purchaseId, t.line_item_id lineItemId,
  t.receipt, t.type, t.time, t.total_cents totalCents, t.shipping_cents shippingCents,
  t.tax_cents taxCents, t.vendor_cents vendorCents, t.affiliate_cents affiliateCents, t.vendor,
  t.affiliate, t.reverses, t.reversed,
  EXISTS (SELECT 1 FROM ticket k WHERE k.txn_id = t.id AND k.refund_state = 'PENDING')
    refundPending, p.receipt parentReceipt, p.tracking_id trackingId,
  p.payment_method paymentMethod, p.currency, p.first_name firstName, p.last_name lastName,
  p.full_name fullName, p.email, p.state, p.country, p.postal_code postalCode,
  p.declined_consent declinedConsent, p.contact_info contactInfo,
  p.vendor_variables vendorVariables, p.common_tracking commonTracking,
  p.affiliate_tracking affiliateTracking
  FROM txn t CROSS JOIN purchase p ON p.id = t.purchase_id`;

/** A line item with its subscription, if any, and the current item of that subscription. */
export interface LineItem {
  readonly id: number;
  readonly purchaseId: number;
  readonly replaces: number | null;
  readonly productId: number;
  readonly itemNo: string;
  readonly title: string | null;
  readonly recurring: number;
  readonly shippable: number;
  readonly customerCents: number;
  readonly vendorCents: number;
  readonly affiliateCents: number;
  readonly quantity: number;
  readonly type: string;
  readonly refundsBlocked: number;
  /** The original line of the subscription; null without a subscription. */
  readonly soldAs: number | null;
  readonly currentItemId: number | null;
  readonly frequency: string | null;
  readonly anchorDay: number | null;
  readonly rebillCents: number | null;
  readonly processed: number | null;
  readonly future: number | null;
  readonly nextPayment: number | null;
  readonly status: string | null;
  readonly canceled: number | null;
  /** Days in which a sale or a rebill can be refunded, by the current product. */
  readonly saleRefundDays: number | null;
  readonly rebillRefundDays: number | null;
  readonly shippingProfile: string | null;
}

/** Finds the subscription of a line by its original line and by its current one. */
const LINE_ITEM = `SELECT l.id, l.purchase_id purchaseId, l.replaces, l.product_id productId,
  l.item_no itemNo, l.title, l.recurring, l.shippable, l.customer_cents customerCents,
  l.vendor_cents vendorCents, l.affiliate_cents affiliateCents, l.quantity, l.type,
  l.refunds_blocked refundsBlocked, s.line_item_id soldAs, s.current_item_id currentItemId,
  s.frequency, s.anchor_day anchorDay, s.rebill_cents rebillCents, s.processed, s.future,
  s.next_payment nextPayment, s.status, s.canceled,
  g.sale_refund_days saleRefundDays, g.rebill_refund_days rebillRefundDays,
  g.shipping_profile shippingProfile
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
  return groupBy(lines, ({ purchaseId }) => purchaseId);
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

/** Selects the lines of the cart paid with `payment` that were refunded line by line, each completely. */
export const refundedLinesOf = (payment: string) => `SELECT r.line_item_id line
  FROM txn r JOIN line_item l ON l.id = r.line_item_id
  WHERE r.reverses = ${payment}
  GROUP BY r.line_item_id
  HAVING sum(r.total_cents - r.shipping_cents - r.tax_cents) + l.customer_cents <= 0`;

/** The IDs of the completely refunded lines of a cart; `paymentId` is that of its sale. */
export function findRefundedLines(db: Database, paymentId: number): number[] {
  return db.all<{ line: number }>(refundedLinesOf('?'), [paymentId]).map(({ line }) => line);
}

export function getTransaction(db: Database, id: number): Transaction {
  const txn = db.first<Transaction>(`${TRANSACTION} WHERE t.id = ?`, [id]);
  if (!txn) throw new Error(`Transaction ${id} does not exist.`);
  return txn;
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
  const payment = db.first<Transaction>(
    `${TRANSACTION} WHERE t.purchase_id = ?1 AND t.reverses IS NULL AND t.type NOT LIKE '%FEE'
       AND (?2 IS NULL OR t.line_item_id IS NULL OR t.line_item_id IN (SELECT o.id FROM line_item o
         WHERE o.purchase_id = ?1 AND coalesce(o.replaces, o.id) = ?2))
     ORDER BY t.time ${order}, t.id ${order} LIMIT 1`,
    [purchaseId, soldAs ?? null],
  );
  if (!payment) throw new Error(`Purchase ${purchaseId} has no payment.`);
  return payment;
}

const VISIBLE = `(t.vendor ${ONE_OF} OR t.affiliate ${ONE_OF})`;

/**
 * The transactions of a receipt that these accounts may see, in chronological order. The
 * receipt of a sale includes its rebills; the receipt of a rebill includes only that rebill's transactions.
 */
export function findByReceipt(
  db: Database,
  receipt: string,
  accounts: readonly string[],
): Transaction[] {
  const mine = JSON.stringify(accounts);
  return db.all<Transaction>(
    `${TRANSACTION} WHERE (t.purchase_id = (SELECT id FROM purchase WHERE receipt = ?)
      OR t.receipt = ?) AND ${VISIBLE} ORDER BY t.time, t.id`,
    [receipt, receipt, mine, mine],
  );
}

/** The transactions of the upsells of a purchase, in chronological order. */
export function findUpsells(
  db: Database,
  purchaseId: number,
  accounts: readonly string[],
): Transaction[] {
  const mine = JSON.stringify(accounts);
  return db.all<Transaction>(
    `${TRANSACTION} WHERE t.purchase_id IN (SELECT id FROM purchase WHERE upsell_of = ?)
      AND ${VISIBLE} ORDER BY t.time, t.id`,
    [purchaseId, mine, mine],
  );
}
