/**
 * Sales after the seed, generated day by day with the generators of the seed. A day depends only on
 * the random seed and its date, regardless of the steps in which the clock advances.
 */
import { addDays, instantOf, pacificDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { recordTransaction } from '../notifications/record.ts';
import { addTraffic } from '../store/analytics.ts';
import { findProduct } from '../store/product.ts';
import { getRow } from '../store/statements.ts';
import { readSetting, writeSetting } from '../store/store.ts';
import { fixedReceipts } from './landmarks.ts';
import type { SeedProduct } from './products.ts';
import { type Item, insertPurchases, type NextIds, rowsOf, type Story } from './purchase.ts';
import { hash, randomFrom, receiptOrigin, receiptOriginOn, receiptsAfter } from './random.ts';
import { generateSale, generateUpsells, timeOn } from './sales.ts';

interface SalesPlan {
  readonly randomSeed: number;
  readonly salesPerDay: number;
}

/** A sale followed by its upsells, which name no parent yet. */
interface NewSale {
  /** When the last one is paid. */
  readonly at: number;
  readonly stories: readonly [Story, ...Story[]];
}

/** A busy day sells up to 40 % more than usual, a quiet day up to 40 % less. */
const VARIATION = 0.4;
/** Seconds between sales, so that an order and its upsells are complete before the next one. */
const GAP = 5;
/** Days to look ahead for the next sale; without one in that time, there are no more sales. */
const HORIZON_DAYS = 1000;

function salesOn(day: string, { randomSeed, salesPerDay }: SalesPlan): NewSale[] {
  const random = randomFrom(hash(`${randomSeed} ${day}`));
  const origin = receiptOriginOn(receiptOrigin(randomFrom(randomSeed)), instantOf(day));
  const next = receiptsAfter(origin, fixedReceipts(day));
  const expected = salesPerDay * (1 - VARIATION + 2 * VARIATION * random.fraction());
  const count = Math.floor(expected) + Number(random.chance(expected % 1));
  const sales = Array.from({ length: count }, (): NewSale => {
    const at = timeOn(random, day);
    const { status: _billingDecides, ...sale } = generateSale(random, next(), at);
    const upsells = generateUpsells(random, sale, next);
    return { at: upsells.at(-1)?.at ?? at, stories: [sale, ...upsells] };
  });
  const kept: NewSale[] = [];
  for (const sale of sales.sort((a, b) => a.at - b.at)) {
    if (sale.at - (kept.at(-1)?.at ?? 0) >= GAP) kept.push(sale);
  }
  return kept;
}

/** Finds sales by time. Keeps the sales of the last requested day. */
export function upcomingSales(plan: SalesPlan) {
  let known: { readonly day: string; readonly sales: readonly NewSale[] } | undefined;

  function on(day: string): readonly NewSale[] {
    if (known?.day !== day) known = { day, sales: salesOn(day, plan) };
    return known.sales;
  }

  return {
    at: (instant: number) => on(pacificDay(instant)).find(({ at }) => at === instant),
    /** When the first sale after an instant is complete; undefined if there are no more sales. */
    after(instant: number): number | undefined {
      const first = pacificDay(instant);
      for (let days = 0; days < (plan.salesPerDay > 0 ? HORIZON_DAYS : 0); days += 1) {
        const sale = on(addDays(first, days)).find(({ at }) => at > instant);
        if (sale) return sale.at;
      }
      return undefined;
    },
  };
}

/** Returns the product with its current terms; undefined if it was deleted. */
function currentProduct(db: Database, product: SeedProduct): SeedProduct | undefined {
  const row = findProduct(db, product.site, product.sku);
  if (!row) return undefined;
  const { rebillPrice: price, frequency, duration: rebills, trialDays } = row;
  const recurs = price !== null && frequency !== null && rebills !== null;
  return {
    ...product,
    id: row.id,
    title: row.title,
    currency: row.currency,
    price: row.price,
    shippable: row.physical === 1 || row.physicalRecurring === 1,
    commission: row.purchaseCommission,
    plan: recurs ? { price, frequency, rebills, trialDays: trialDays ?? 0 } : null,
  };
}

function getNextIds(db: Database): NextIds {
  return getRow<NextIds>(
    db,
    `SELECT (SELECT coalesce(max(id), 0) + 1 FROM purchase) purchase,
       (SELECT coalesce(max(id), 0) + 1 FROM line_item) line,
       (SELECT coalesce(max(id), 0) + 1 FROM txn) txn`,
  );
}

/** Writes one purchase; returns false if its products are no longer sold. */
function addPurchase(db: Database, story: Story): boolean {
  const items = story.items.flatMap((item): Item[] => {
    const product = currentProduct(db, item.product);
    return product ? [{ ...item, product }] : [];
  });
  if (items.length === 0) return false;
  const ids = getNextIds(db);
  insertPurchases(db, [rowsOf({ ...story, items }, ids, story.at)]);
  recordTransaction(db, ids.txn);
  return true;
}

/** Returns a function that writes the sale of an instant and schedules the next one; it reads nothing before. */
export function newSales(db: Database): (at: number) => void {
  let upcoming: ReturnType<typeof upcomingSales> | undefined;
  return (at) => {
    const randomSeed = readSetting(db, 'randomSeed');
    upcoming ??= upcomingSales({ randomSeed, salesPerDay: readSetting(db, 'salesPerDay') });
    const [sale, ...upsells] = upcoming.at(at)?.stories ?? [];
    const { purchase } = getNextIds(db);
    if (sale && addPurchase(db, sale)) {
      for (const upsell of upsells) addPurchase(db, { ...upsell, upsellOf: purchase });
      addTraffic(db, randomSeed, purchase);
    }
    writeSetting(db, 'nextSale', upcoming.after(at) ?? 0);
  };
}
