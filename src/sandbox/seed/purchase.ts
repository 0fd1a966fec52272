/** A generated purchase and all later events until now, as rows of the store: its sale, rebills, and reversals. */
import { addDays, instantOf, pacificDay, secondOfDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { WITHOUT_PARTIAL_REFUNDS } from '../http/keys.ts';
import { addPeriods, ENDLESS, rebillReceipt } from '../services/billing-date.ts';
import { chargeOf, convert, roundIn, shareOf } from '../services/money.ts';
import type { Stored } from '../store/schema.ts';
import { insertRows } from '../store/statements.ts';
import { feeOf, negated, scaled } from '../store/transaction.ts';
import type { Customer } from './customer.ts';
import type { Plan, SeedProduct } from './products.ts';

export interface Item {
  readonly product: SeedProduct;
  readonly type: string;
  readonly quantity: number;
  readonly refundsBlocked?: boolean;
}

/** A purchase and its later events; instants are seconds. */
export interface Story
  extends Pick<
    Stored<'purchase'>,
    'receipt' | 'upsellOf' | 'affiliate' | 'trackingId' | 'paymentMethod'
  > {
  readonly at: number;
  readonly items: readonly Item[];
  readonly customer: Customer;
  readonly test: boolean;
  readonly canceledAt?: number;
  /** The status of a running subscription, if it is not ACTIVE. */
  readonly status?: string;
  /** `after` this number of seconds since the sale, the last payment until then is reversed. */
  readonly reversal?: { readonly type: 'RFND' | 'CGBK'; readonly after: number };
  /** JSON, and whether the customer declined to be contacted. */
  readonly extras: Pick<
    Stored<'purchase'>,
    'declinedConsent' | 'contactInfo' | 'vendorVariables' | 'commonTracking' | 'affiliateTracking'
  >;
}

const TABLES = ['purchase', 'line_item', 'subscription', 'txn', 'customer_event'] as const;

export type Rows = {
  readonly [T in (typeof TABLES)[number]]: readonly (T extends 'customer_event'
    ? Omit<Stored<T>, 'id'>
    : Stored<T>)[];
};

export function insertPurchases(db: Database, purchases: readonly Rows[]): void {
  for (const table of TABLES) {
    insertRows(
      db,
      table,
      purchases.flatMap((one): readonly object[] => one[table]),
    );
  }
}

export type NextIds = Readonly<Record<'purchase' | 'line' | 'txn', number>>;

export function idsAfter(ids: NextIds, rows: Rows): NextIds {
  return {
    purchase: ids.purchase + rows.purchase.length,
    line: ids.line + rows.line_item.length,
    txn: ids.txn + rows.txn.length,
  };
}

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
  const { items, customer, reversal, canceledAt, receipt, affiliate } = story;
  const { taxPercent, ...person } = customer;
  const { currency } = person;
  const vendor = items[0]?.product.site ?? '';
  const lines = lineRows(story, ids);
  const isPartial =
    reversal?.type === 'RFND' && isPartialRefund(ids.purchase, vendor, items.length);
  const reversedAt = reversal ? story.at + reversal.after : Number.POSITIVE_INFINITY;
  // A partial refund leaves a subscription running.
  const ended = canceledAt ?? (isPartial ? Number.POSITIVE_INFINITY : reversedAt);
  const paymentOf = (cents: number, shippable: boolean) =>
    chargeOf(cents, roundIn(currency, (cents * taxPercent) / 100), shippable, currency);

  const sum = (column: 'customerCents' | 'vendorCents' | 'affiliateCents') =>
    lines.reduce((total, line) => total + line[column], 0);
  const isShipped = lines.some((line) => line.shippable === 1);
  const sale: Stored<'txn'> = {
    ...{ id: ids.txn, purchaseId: ids.purchase, lineItemId: null, receipt, vendor, affiliate },
    ...{ type: 'SALE', time: story.at, reverses: null, reversed: null },
    ...paymentOf(sum('customerCents'), isShipped),
    ...{ vendorCents: sum('vendorCents'), affiliateCents: sum('affiliateCents') },
  };
  const payments = [sale];
  const subscription: Stored<'subscription'>[] = [];
  // At most one item of a purchase is a subscription.
  const index = items.findIndex(({ product }) => product.plan);
  const [item, line] = [items[index], lines[index]];
  const plan = item?.product.plan;
  if (plan && line) {
    const { product, quantity } = item;
    const { billed, next, anchor } = dueDates(story.at, plan, Math.min(now + 1, ended));
    const rebillCents = convert(plan.price, product.currency, currency) * quantity;
    const rebills = billed.map((time, i) => ({
      ...{ ...sale, id: ids.txn + 1 + i, lineItemId: line.id, type: 'BILL', time },
      ...paymentOf(rebillCents, product.shippable),
      ...shareOf(product, plan.price * quantity, affiliate !== null),
      receipt: rebillReceipt(receipt, i + 2),
    }));
    payments.push(...rebills);
    const isCompleted = billed.length >= plan.rebills;
    const isCanceled = ended <= now;
    const runs = !isCompleted && !isCanceled;
    const running = isCanceled ? 'CANCELED' : (story.status ?? 'ACTIVE');
    subscription.push({
      ...{ lineItemId: line.id, currentItemId: line.id, affiliate, rebillCents },
      ...{ frequency: plan.frequency, anchorDay: anchor, processed: billed.length + 1 },
      future: plan.rebills === ENDLESS ? ENDLESS : plan.rebills - billed.length,
      nextPayment: runs ? next : null,
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
    const { type } = reversal;
    const id = ids.txn + txn.length;
    txn.push({
      ...{ ...paid, id, type, time: reversedAt, reverses: paid.id },
      ...negated(scaled(paid, currency, (cents) => cents * part)),
      // A part of a payment is refunded for an item.
      lineItemId: isPartial ? ids.line : paid.lineItemId,
    });
    if (type === 'CGBK') {
      const { receipt } = paid;
      txn.push({ ...sale, ...feeOf(currency), id: id + 1, receipt, type: 'FEE', time: reversedAt });
    }
  }

  const customer_event: Rows['customer_event'][number][] = [];
  const { purchase: purchaseId } = ids;
  if (subscription[0]?.nextPayment != null && canceledAt !== undefined && canceledAt > now) {
    customer_event.push({ at: canceledAt, kind: 'CANCEL', purchaseId });
  } else if (reversal && !isReversed) {
    const kind = reversal.type === 'RFND' ? 'REFUND' : 'CHARGEBACK';
    customer_event.push({ at: reversedAt, kind, purchaseId });
  }
  const { upsellOf, trackingId, paymentMethod, extras } = story;
  const sold = { id: purchaseId, receipt, upsellOf, vendor, affiliate, trackingId, paymentMethod };
  return {
    purchase: [{ ...sold, ...person, ...extras }],
    line_item: lines,
    subscription,
    txn: story.test ? txn.map((row) => ({ ...row, type: `TEST_${row.type}` })) : txn,
    customer_event,
  };
}

function lineRows({ items, customer, affiliate }: Story, ids: NextIds): Stored<'line_item'>[] {
  return items.map(({ product, type, quantity, refundsBlocked = false }, i) => ({
    ...{ id: ids.line + i, purchaseId: ids.purchase, productId: product.id, replaces: null },
    ...{ itemNo: product.sku, quantity, type, refundsBlocked: Number(refundsBlocked) },
    title: type === 'TOKEN' ? null : product.title,
    recurring: Number(product.plan !== null),
    shippable: Number(product.shippable),
    customerCents: convert(product.price, product.currency, customer.currency) * quantity,
    ...shareOf(product, product.price * quantity, affiliate !== null),
  }));
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
