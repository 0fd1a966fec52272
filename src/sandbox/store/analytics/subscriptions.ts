/** Reads subscriptions with the sums of their payments, refunds, and chargebacks. */
import type { Database, Value } from '../../../storage/sqlite.ts';
import { given, joined, type Period, within } from '../statements.ts';
import type { AnalyticsRole } from './analytics.ts';

/** The subscriptions to read. */
export interface SubscriptionFilter {
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly status?: string;
  readonly started?: Period;
  readonly canceled?: Period;
  readonly nextPayment?: Period;
}

/**
 * A subscription with the field names of the resource; only fields used in calculations are declared.
 * Amounts are cents of the customer's currency, without shipping and tax; refunded amounts are positive.
 */
export interface SubscriptionRow extends Readonly<Record<string, Value>> {
  readonly status: string;
  readonly frequency: string;
  readonly anchorDay: number;
  readonly processedPaymentsCount: number;
  readonly futurePaymentsCount: number;
  readonly purchaseDate: number;
  readonly nextPaymentDate: number | null;
  /** When the next payment was first due, if it failed and is being retried. */
  readonly firstDue: number | null;
  readonly ended: number | null;
  readonly initialSaleAmount: number;
  readonly rebillSaleAmount: number;
  /** Refunds and chargebacks. */
  readonly returnAmount: number;
}

/** The part of a transaction for the line: all of it, or the line's price in a cart. */
const CENTS = `iif(t.line_item_id IS NULL, iif(t.total_cents < 0, -1, 1) * l.customer_cents,
  t.total_cents - t.shipping_cents - t.tax_cents)`;

const sumOf = (types: string, name: string, sign = '') => `
  sum(iif(t.type IN (${types}), ${sign}${CENTS}, 0)) ${name}Amount,
  sum(t.type IN (${types})) ${name}Count`;

/** Excludes test subscriptions, whose sale has another type. */
const SUBSCRIPTIONS = `SELECT p.receipt, s.status, c.item_no itemNo, p.vendor pubNickName,
  s.affiliate affNickName, p.full_name customerDisplayName, p.first_name customerFirstName,
  p.last_name customerLastName, p.email, p.country countryCode, p.state province,
  p.currency currencyCode, p.payment_method paymentMethod, s.frequency, s.anchor_day anchorDay,
  g.trial_days trialPeriod, s.processed processedPaymentsCount, s.future futurePaymentsCount,
  sale.time purchaseDate, s.next_payment nextPaymentDate, r.due firstDue, s.canceled subCancelDate,
  s.ended, sale.id ftxnId, iif(sum(t.type = 'BILL') > 0, 'BILL', 'SALE') txnType,
  ${sumOf("'SALE'", 'initialSale')}, ${sumOf("'BILL'", 'rebillSale')},
  ${sumOf("'RFND', 'CGBK'", 'return', '-')}
  FROM subscription s
    JOIN line_item l ON l.id = s.line_item_id
    JOIN line_item c ON c.id = s.current_item_id
    JOIN product g ON g.id = c.product_id
    LEFT JOIN billing_retry r ON r.line_item_id = s.line_item_id AND r.at = s.next_payment
    JOIN purchase p ON p.id = l.purchase_id
    JOIN txn sale ON sale.purchase_id = p.id AND sale.type = 'SALE'
    JOIN txn t ON t.purchase_id = p.id AND (t.line_item_id IS NULL OR t.line_item_id IN
      (SELECT o.id FROM line_item o
       WHERE o.purchase_id = p.id AND coalesce(o.replaces, o.id) = l.id))`;

const OWNERS = { VENDOR: 'p.vendor', AFFILIATE: 's.affiliate' } as const;

/** Returns the oldest subscriptions first. */
export function findSubscriptions(db: Database, filter: SubscriptionFilter): SubscriptionRow[] {
  const { sql, values } = joined([
    given(`${OWNERS[filter.role]} = ?`, filter.account),
    given('s.status = ?', filter.status),
    within('sale.time', filter.started),
    within('s.canceled', filter.canceled),
    within('s.next_payment', filter.nextPayment),
  ]);
  return db.all(
    `${SUBSCRIPTIONS} WHERE ${sql} GROUP BY s.line_item_id ORDER BY sale.time, s.line_item_id`,
    values,
  );
}
