/** Writes new sales, made with the generators of the seed, as the clock reaches them. */
import { type NewSale, upcomingSales } from '../seed/new-sales.ts';
import type { SeedProduct } from '../seed/products.ts';
import { rowsOf } from '../seed/purchase.ts';
import { type Item, insertPurchases, type Story } from '../seed/story.ts';
import { addTraffic } from '../store/analytics/traffic.ts';
import type { Database } from '../store/driver.ts';
import { getNextIds } from '../store/orders/purchase.ts';
import { findProduct } from '../store/products/product.ts';
import { readSetting, writeSetting } from '../store/setting.ts';

export interface Sales {
  /** Writes the sale of this instant, and decides when the next one is. */
  happen(at: number): void;
}

/** Returns the product as its vendor sells it now; undefined if it was deleted. */
function currentProduct(db: Database, product: SeedProduct): SeedProduct | undefined {
  const row = findProduct(db, product.site, product.sku);
  if (!row) return undefined;
  const { rebill_price: price, frequency, duration: rebills, trial_days: trialDays } = row;
  const recurs = price !== null && frequency !== null && rebills !== null;
  return {
    ...product,
    id: row.id,
    title: row.title,
    currency: row.currency,
    price: row.price,
    shippable: row.physical === 1 || row.physical_recurring === 1,
    commission: row.purchase_commission,
    plan: recurs ? { price, frequency, rebills, trialDays: trialDays ?? 0 } : null,
  };
}

function currentItems(db: Database, { items }: Story): Item[] {
  return items.flatMap((item) => {
    const product = currentProduct(db, item.product);
    return product ? [{ ...item, product }] : [];
  });
}

/** Writes one purchase; false if its products are not sold any more. */
function addPurchase(db: Database, story: Story): boolean {
  const items = currentItems(db, story);
  if (items.length === 0) return false;
  insertPurchases(db, [rowsOf({ ...story, items }, getNextIds(db), story.at)]);
  return true;
}

function addSale(db: Database, { stories: [sale, ...upsells] }: NewSale, randomSeed: number): void {
  const { purchase } = getNextIds(db);
  if (!addPurchase(db, sale)) return;
  for (const upsell of upsells) addPurchase(db, { ...upsell, upsellOf: purchase });
  addTraffic(db, randomSeed, purchase);
}

/** Reads nothing before the first sale is due; remembers the sales of the current day. */
export function newSales(db: Database): Sales {
  let upcoming: ReturnType<typeof upcomingSales> | undefined;
  return {
    happen(at) {
      const randomSeed = readSetting(db, 'randomSeed');
      upcoming ??= upcomingSales({ randomSeed, salesPerDay: readSetting(db, 'salesPerDay') });
      const sale = upcoming.at(at);
      if (sale) addSale(db, sale, randomSeed);
      writeSetting(db, 'nextSale', upcoming.after(at) ?? 0);
    },
  };
}
