/** Product changes of subscriptions: the allowed products, and the refund of the unused period. */
import { assertOr } from '../request/refusal.ts';
import type { Database } from '../store/driver.ts';
import { addRefund, lastPayment, replaceItem } from '../store/orders/subscription.ts';
import type { LineItem } from '../store/orders/transaction.ts';
import { findProduct, getProduct, type Product } from '../store/products/product.ts';

/** Instants in seconds. */
interface ProductChange {
  readonly newSku: string;
  readonly nextPayment: number;
  readonly anchorDay: number;
  readonly now: number;
  readonly carryAffiliate: boolean;
  readonly refund: boolean;
}

const ships = (product: Product) => product.physical === 1 || product.physical_recurring === 1;

/** Returns the new product: of the same vendor and currency, recurring, and physical only if the old one is. */
function allowedProduct(db: Database, from: Product, newSku: string) {
  const to = findProduct(db, from.site, newSku);
  assertOr(to, 400, `The vendor has no product ${newSku}.`);
  assertOr(to.id !== from.id, 400, 'newSku must differ from oldSku.');
  const { rebill_price: rebillPrice, frequency, duration } = to;
  const recurs = rebillPrice !== null && frequency !== null && duration !== null;
  assertOr(recurs, 400, `The product ${newSku} is not a subscription.`);
  assertOr(to.currency === from.currency, 400, 'The new product must have the same currency.');
  assertOr(ships(from) || !ships(to), 400, 'A digital product cannot become a physical one.');
  return { ...to, rebillPrice, frequency, duration };
}

/** Returns the share, 0 to 1, of the period from `paid` to `due` that is after `now`. */
function unusedPart(paid: number, due: number, now: number): number {
  return due > paid ? Math.min(1, Math.max(0, (due - now) / (due - paid))) : 0;
}

function refundUnused(db: Database, line: LineItem, due: number, now: number): void {
  const payment = lastPayment(db, line.soldAs ?? line.id);
  if (payment.reversed !== null) return;
  const part = unusedPart(payment.time, due, now);
  const cents = Math.round(payment.cents * part);
  if (cents === 0) return;
  addRefund(db, payment, {
    lineItemId: line.id,
    time: now,
    cents,
    vendorCents: Math.round(payment.vendorCents * part),
    affiliateCents: Math.round(payment.affiliateCents * part),
  });
}

/** Changes the product of the subscription whose current line is `line`; refuses with 400 if that is not allowed. */
export function changeItem(
  db: Database,
  line: LineItem & { nextPayment: number },
  change: ProductChange,
): void {
  const from = getProduct(db, line.productId);
  const to = allowedProduct(db, from, change.newSku);
  // The customer keeps paying in the currency of the order, at the rate of the former product.
  const rate = (line.rebillCents ?? 0) / (from.rebill_price || 1);
  if (change.refund) refundUnused(db, line, line.nextPayment, change.now);
  replaceItem(db, line, {
    line: { productId: to.id, itemNo: to.sku, title: to.title, shippable: ships(to) ? 1 : 0 },
    terms: {
      rebillCents: Math.round(to.rebillPrice * rate),
      frequency: to.frequency,
      future: to.duration,
      nextPayment: change.nextPayment,
      anchorDay: change.anchorDay,
    },
    carryAffiliate: change.carryAffiliate,
    now: change.now,
  });
}
