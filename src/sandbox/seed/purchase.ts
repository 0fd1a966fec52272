/** A generated purchase and all later events until now, as rows of the store: its sale, rebills, and reversals. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay, secondOfDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { VENDORS } from '../http/keys.ts';
import { addPeriods } from '../services/billing-date.ts';
import { CHARGEBACK_FEE, convert, roundIn, shareOf, shippingOf, taxOf } from '../services/money.ts';
import type { Columns } from '../store/schema.ts';
import { insertRows, type Row } from '../store/statements.ts';
import type { NextIds } from '../store/store.ts';
import type { Customer } from './customer.ts';
import type { Plan, SeedProduct } from './products.ts';

export interface Item {
  readonly product: SeedProduct;
  readonly type: string;
  readonly quantity: number;
  readonly refundsBlocked?: boolean;
}

/** A purchase and its later events; instants are seconds. */
export interface Story {
  readonly receipt: string;
  readonly upsellOf: number | null;
  readonly at: number;
  readonly items: readonly Item[];
  readonly customer: Customer;
  readonly affiliate: string | null;
  readonly trackingId: string | null;
  readonly paymentMethod: string | null;
  readonly test: boolean;
  readonly canceledAt?: number;
  /** The status of a running subscription, if it is not ACTIVE. */
  readonly status?: string;
  /** `after` this number of seconds since the sale, the last payment until then is reversed. */
  readonly reversal?: { readonly type: 'RFND' | 'CGBK'; readonly after: number };
  /** The other columns of `purchase`: JSON, and whether the customer declined to be contacted. */
  readonly extras: Pick<
    Columns<'purchase'>,
    | 'declined_consent'
    | 'contact_info'
    | 'vendor_variables'
    | 'common_tracking'
    | 'affiliate_tracking'
  >;
}

type LineRow = Columns<'line_item'>;
type Txn = Columns<'txn'>;

const TABLES = ['purchase', 'line_item', 'subscription', 'txn', 'customer_event'] as const;

export type Rows = {
  readonly [T in (typeof TABLES)[number]]: readonly (T extends 'customer_event'
    ? Omit<Columns<T>, 'id'>
    : Columns<T>)[];
};

export function insertPurchases(db: Database, purchases: readonly Rows[]): void {
  for (const table of TABLES) {
    const rows = purchases.flatMap((one): readonly Row[] => one[table]);
    insertRows(db, table, rows);
  }
}

export function idsAfter(ids: NextIds, rows: Rows): NextIds {
  return {
    purchase: ids.purchase + rows.purchase.length,
    line: ids.line + rows.line_item.length,
    txn: ids.txn + rows.txn.length,
  };
}

/** The vendor that is not enabled for partial refunds. */
export const [, , , , WITHOUT_PARTIAL_REFUNDS] = VENDORS;

/** Of a partial refund. */
export const REFUNDED_PERCENT = 50;

/** One in this number of refunds is partial. */
const PARTIAL = 6;

/** A cart is refunded as a whole. */
export function isPartialRefund(purchaseId: number, vendor: string, items: number): boolean {
  return purchaseId % PARTIAL === 1 && items === 1 && vendor !== WITHOUT_PARTIAL_REFUNDS;
}

/** Returns the rows of a purchase. Everything after `now` becomes events. */
export function rowsOf(story: Story, ids: NextIds, now: number): Rows {
  const { items, customer, reversal, canceledAt } = story;
  const vendor = items[0]?.product.site ?? '';
  const lines = lineRows(story, ids);
  const isPartial =
    reversal?.type === 'RFND' && isPartialRefund(ids.purchase, vendor, items.length);
  const reversedAt = reversal ? story.at + reversal.after : Number.POSITIVE_INFINITY;
  // A partial refund leaves a subscription running.
  const ended = canceledAt ?? (isPartial ? Number.POSITIVE_INFINITY : reversedAt);

  const sale = saleOf(story, ids, lines);
  const payments = [sale];
  const subscription: Columns<'subscription'>[] = [];
  // At most one item of a purchase is a subscription.
  const index = items.findIndex(({ product }) => product.plan);
  const [item, line] = [items[index], lines[index]];
  const plan = item?.product.plan;
  if (plan && line) {
    const { currency } = customer.columns;
    const { product, quantity } = item;
    const { billed, next, anchor } = dueDates(story.at, plan, Math.min(now + 1, ended));
    const rebillCents = convert(plan.price, product.currency, currency) * quantity;
    const share = shareOf(product, plan.price * quantity, story.affiliate !== null);
    // The first rebill is the second payment, with the suffix -B002.
    const rebills = billed.map((time, i) => ({
      ...sale,
      ...amounts(story, rebillCents, product.shippable),
      ...{ id: ids.txn + 1 + i, line_item_id: line.id, type: 'BILL', time },
      receipt: `${story.receipt}-B${String(i + 2).padStart(3, '0')}`,
      ...{ vendor_cents: share.vendor, affiliate_cents: share.affiliate },
    }));
    payments.push(...rebills);
    const isCompleted = billed.length >= plan.rebills;
    const isCanceled = ended <= now;
    const runs = !isCompleted && !isCanceled;
    const running = isCanceled ? 'CANCELED' : (story.status ?? 'ACTIVE');
    subscription.push({
      ...{ line_item_id: line.id, current_item_id: line.id, affiliate: story.affiliate },
      ...{ frequency: plan.frequency, anchor_day: anchor, rebill_cents: rebillCents },
      processed: billed.length + 1,
      future: plan.rebills === 999 ? 999 : plan.rebills - billed.length,
      next_payment: runs ? next : null,
      status: isCompleted ? 'COMPLETED' : running,
      canceled: isCanceled && !isCompleted ? ended : null,
      ended: runs ? null : isCanceled ? ended : (billed.at(-1) ?? story.at),
    });
  }

  const paid = payments.findLast(({ time }) => time <= reversedAt) ?? sale;
  const isReversed = reversal !== undefined && reversedAt <= now;
  const txn = payments.map((one) =>
    one === paid && isReversed && !isPartial ? { ...one, reversed: reversal.type } : one,
  );
  if (isReversed) {
    const part = isPartial ? REFUNDED_PERCENT / 100 : 1;
    const back = {
      ...{ ...paid, ...reversedCents(paid, customer.columns.currency, part) },
      ...{ id: ids.txn + txn.length, type: reversal.type, time: reversedAt, reverses: paid.id },
      // A part of a payment is refunded for an item.
      line_item_id: isPartial ? ids.line : paid.line_item_id,
    };
    txn.push(back);
    // A chargeback costs the vendor a fee as well.
    if (reversal.type === 'CGBK') {
      txn.push({
        ...{ ...sale, id: back.id + 1, receipt: paid.receipt, type: 'FEE', time: reversedAt },
        total_cents: -convert(CHARGEBACK_FEE, 'USD', customer.columns.currency),
        ...{ shipping_cents: 0, tax_cents: 0, affiliate_cents: 0 },
        vendor_cents: -CHARGEBACK_FEE,
      });
    }
  }

  const customer_event: Rows['customer_event'][number][] = [];
  const { purchase: purchase_id } = ids;
  if (subscription[0]?.next_payment != null && canceledAt !== undefined && canceledAt > now) {
    customer_event.push({ at: canceledAt, kind: 'CANCEL', purchase_id });
  } else if (reversal && !isReversed) {
    const kind = reversal.type === 'RFND' ? 'REFUND' : 'CHARGEBACK';
    customer_event.push({ at: reversedAt, kind, purchase_id });
  }
  return {
    purchase: [
      {
        id: ids.purchase,
        receipt: story.receipt,
        upsell_of: story.upsellOf,
        vendor,
        affiliate: story.affiliate,
        tracking_id: story.trackingId,
        payment_method: story.paymentMethod,
        ...customer.columns,
        ...story.extras,
      },
    ],
    line_item: lines,
    subscription,
    txn: story.test ? txn.map((row) => ({ ...row, type: `TEST_${row.type}` })) : txn,
    customer_event,
  };
}

function lineRows({ items, customer, affiliate }: Story, ids: NextIds): LineRow[] {
  const { currency } = customer.columns;
  return items.map(({ product, type, quantity, refundsBlocked }, i) => {
    const share = shareOf(product, product.price * quantity, affiliate !== null);
    return {
      id: ids.line + i,
      purchase_id: ids.purchase,
      replaces: null,
      product_id: product.id,
      item_no: product.sku,
      title: type === 'TOKEN' ? null : product.title,
      recurring: product.plan ? 1 : 0,
      shippable: product.shippable ? 1 : 0,
      customer_cents: convert(product.price, product.currency, currency) * quantity,
      vendor_cents: share.vendor,
      affiliate_cents: share.affiliate,
      quantity,
      type,
      refunds_blocked: refundsBlocked ? 1 : 0,
    };
  });
}

/** A payment with shipping and tax, in the customer's currency. */
function amounts({ customer }: Story, cents: number, shippable: boolean) {
  const { currency } = customer.columns;
  const shipping_cents = shippingOf(shippable, currency);
  const tax_cents = taxOf(cents, customer.taxPercent, currency);
  return { total_cents: cents + shipping_cents + tax_cents, shipping_cents, tax_cents };
}

function saleOf(story: Story, ids: NextIds, lines: readonly LineRow[]): Txn {
  const sum = (column: 'customer_cents' | 'vendor_cents' | 'affiliate_cents') =>
    lines.reduce((total, line) => total + line[column], 0);
  const isShipped = lines.some((line) => line.shippable === 1);
  return {
    ...{ id: ids.txn, purchase_id: ids.purchase, line_item_id: null, receipt: story.receipt },
    ...{ type: 'SALE', time: story.at, reverses: null, reversed: null },
    ...{ vendor: story.items[0]?.product.site ?? '', affiliate: story.affiliate },
    ...amounts(story, sum('customer_cents'), isShipped),
    vendor_cents: sum('vendor_cents'),
    affiliate_cents: sum('affiliate_cents'),
  };
}

/** `part` is the share of the payment that goes back; shares of accounts are in US dollars. */
function reversedCents(payment: Txn, currency: string, part: number) {
  // Never -0.
  const negative = (cents: number) => -cents || 0;
  const back = (cents: number) => negative(roundIn(currency, cents * part));
  return {
    total_cents: back(payment.total_cents),
    shipping_cents: back(payment.shipping_cents),
    tax_cents: back(payment.tax_cents),
    vendor_cents: negative(Math.round(payment.vendor_cents * part)),
    affiliate_cents: negative(Math.round(payment.affiliate_cents * part)),
  };
}

/** Billing dates before `end`, the next billing date, and the billing day of the month. */
function dueDates(at: number, plan: Plan, end: number) {
  const day = pacificDay(at);
  const first = plan.trialDays ? addDays(day, plan.trialDays) : addPeriods(day, plan.frequency, 1);
  const anchor = Number((plan.trialDays ? first : day).slice(8));
  const due = (k: number) =>
    instantOf(addPeriods(first, plan.frequency, k, anchor), secondOfDay(at));
  const billed: number[] = [];
  while (billed.length < plan.rebills && due(billed.length) < end) billed.push(due(billed.length));
  return { billed, next: due(billed.length), anchor };
}
