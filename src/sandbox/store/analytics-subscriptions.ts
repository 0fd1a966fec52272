/** Reading subscriptions with everything that was paid for them and went back. */
import type { AnalyticsRole } from './analytics.ts';
import type { Database, Value } from './driver.ts';

/** Which subscriptions; instants, ends exclusive. */
export interface SubscriptionFilter {
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly status?: string;
  readonly started?: Between;
  readonly canceled?: Between;
  readonly nextPayment?: Between;
}

interface Between {
  readonly from: number;
  readonly until: number;
}

/** Amounts are cents of the customer's currency, without shipping and tax; what went back is positive. */
export interface SubscriptionSums {
  readonly receipt: string;
  readonly status: string;
  readonly itemNo: string;
  readonly vendor: string;
  readonly affiliate: string | null;
  readonly fullName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly country: string | null;
  readonly state: string | null;
  readonly currency: string;
  readonly paymentMethod: string | null;
  readonly frequency: string;
  readonly anchorDay: number;
  readonly trialDays: number | null;
  readonly processed: number;
  readonly future: number;
  readonly started: number;
  readonly nextPayment: number | null;
  /** When the next payment was first due, if it failed since and is being retried. */
  readonly firstDue: number | null;
  readonly canceled: number | null;
  readonly ended: number | null;
  readonly saleId: number;
  readonly lastType: string;
  readonly initialCents: number;
  readonly initialCount: number;
  readonly rebillCents: number;
  readonly rebillCount: number;
  /** Refunds and chargebacks. */
  readonly returnCents: number;
  readonly returnCount: number;
}

/** A sale is kept under the line it was sold as; its refund, too, when it concerns the whole cart. */
const CENTS = `iif(t.line_item_id IS NULL, iif(t.total_cents < 0, -1, 1) * l.customer_cents,
  t.total_cents - t.shipping_cents - t.tax_cents)`;

const sumOf = (types: string, name: string, sign = '') => `
  sum(iif(t.type IN (${types}), ${sign}${CENTS}, 0)) ${name}Cents,
  sum(t.type IN (${types})) ${name}Count`;

/** The sale leaves tests out: theirs is of another type. */
const SUBSCRIPTIONS = `SELECT p.receipt, s.status, c.item_no itemNo, p.vendor, s.affiliate,
  p.full_name fullName, p.first_name firstName, p.last_name lastName, p.email, p.country, p.state,
  p.currency, p.payment_method paymentMethod, s.frequency, s.anchor_day anchorDay,
  g.trial_days trialDays, s.processed, s.future, sale.time started, s.next_payment nextPayment,
  r.due firstDue, s.canceled, s.ended, sale.id saleId,
  iif(sum(t.type = 'BILL') > 0, 'BILL', 'SALE') lastType,
  ${sumOf("'SALE'", 'initial')}, ${sumOf("'BILL'", 'rebill')},
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

function conditionsOf(filter: SubscriptionFilter): { sql: string; values: Value[] } {
  const parts: string[] = [`${OWNERS[filter.role]} = ?`];
  const values: Value[] = [filter.account];
  const between = (column: string, span: Between | undefined) => {
    if (!span) return;
    parts.push(`${column} >= ? AND ${column} < ?`);
    values.push(span.from, span.until);
  };
  if (filter.status !== undefined) {
    parts.push('s.status = ?');
    values.push(filter.status);
  }
  between('sale.time', filter.started);
  between('s.canceled', filter.canceled);
  between('s.next_payment', filter.nextPayment);
  return { sql: parts.join(' AND '), values };
}

/** The oldest first. */
export function findSubscriptions(db: Database, filter: SubscriptionFilter): SubscriptionSums[] {
  const { sql, values } = conditionsOf(filter);
  return db.all<SubscriptionSums>(
    `${SUBSCRIPTIONS} WHERE ${sql} GROUP BY s.line_item_id ORDER BY sale.time, s.line_item_id`,
    values,
  );
}
