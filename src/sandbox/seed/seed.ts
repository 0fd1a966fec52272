/** Fills an empty store with a year of realistic data, reproducible for the same random seed and time. */
import { addDays } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { AFFILIATES, VENDORS } from '../http/keys.ts';
import { addTraffic } from '../store/analytics.ts';
import { insertRow } from '../store/statements.ts';
import { type Pause, writeSetting } from '../store/store.ts';
import { countSales, type NextIds } from '../store/transaction.ts';
import { seedNotices, seedTickets } from './after-sale.ts';
import { fixedReceipts, landmarksOf } from './landmarks.ts';
import { upcomingSales } from './new-sales.ts';
import { seedProducts } from './products.ts';
import { rowsOf } from './purchase.ts';
import { type Random, randomFrom, receiptOrigin, receiptsAfter } from './random.ts';
import { generateSale, generateUpsells, plainSale, saleTime, timeOn } from './sales.ts';
import { idsAfter, insertPurchases, type Rows, type SeedPlan } from './story.ts';

/** Days in which sales grow by a factor of e. */
const GROWTH = 125;
/** Purchases between two pauses. */
const BATCH = 1000;

/** Returns the fixed receipts. */
function* fixedRows(today: string, now: number): Generator<Rows, NextIds> {
  let ids: NextIds = { purchase: 1, line: 1, txn: 1 };
  const purchases = new Map<string, number>();
  for (const { upsellOfReceipt = '', fee, ...landmark } of landmarksOf(today)) {
    const upsellOf = purchases.get(upsellOfReceipt) ?? null;
    const rows = rowsOf({ ...landmark, upsellOf }, ids, now);
    purchases.set(landmark.receipt, ids.purchase);
    const charged = { type: 'TEST_FEE', total_cents: -(fee ?? 0), vendor_cents: -(fee ?? 0) };
    yield fee ? { ...rows, txn: rows.txn.map((row) => ({ ...row, ...charged })) } : rows;
    ids = idsAfter(ids, rows);
  }
  return ids;
}

function invent(random: Random, next: () => string, at: number, ids: NextIds, now: number): Rows[] {
  const sale = generateSale(random, next(), at);
  const purchases = [rowsOf(sale, ids, now)];
  for (const upsell of generateUpsells(random, sale, next)) {
    const latest = purchases.reduce(idsAfter, ids);
    purchases.push(rowsOf({ ...upsell, upsellOf: ids.purchase }, latest, now));
  }
  return purchases;
}

/** Replaces a sale that would exceed the requested number of transactions by one with a single transaction. */
function* generateRows({ orders, randomSeed, now }: SeedPlan): Generator<Rows> {
  const today = pacificDay(now);
  let ids = yield* fixedRows(today, now);
  const random = randomFrom(randomSeed);
  const next = receiptsAfter(receiptOrigin(random), fixedReceipts(today));
  // In the first minutes of a day, today's sales could be in the future; upsells follow within seconds.
  const timed = (at = saleTime(random, now, GROWTH)) => Math.min(at, now - 5);
  const room = () => orders - (ids.txn - 1);
  // Even a small seed has one sale of today and one of yesterday.
  const recent = [today, addDays(today, -1)].map((day) => timeOn(random, day, now));
  while (room() > 0) {
    const fixedTime = recent.shift();
    const at = timed(fixedTime);
    const found = fixedTime === undefined ? invent(random, next, at, ids, now) : [];
    const needed = found.reduce((count, rows) => count + rows.txn.length, 0);
    const fits = needed > 0 && needed <= room();
    const simple = () => [rowsOf(plainSale(random, next(), at), ids, now)];
    for (const one of fits ? found : simple()) {
      yield one;
      ids = idsAfter(ids, one);
    }
  }
}

/** Returns the number of transactions. Inserts in batches to limit memory. */
async function insertSales(db: Database, plan: SeedPlan, pause: Pause): Promise<number> {
  let orders = 0;
  let batch: Rows[] = [];
  for (const rows of generateRows(plan)) {
    batch.push(rows);
    orders += rows.txn.length;
    if (batch.length < BATCH) continue;
    insertPurchases(db, batch);
    batch = [];
    await pause();
  }
  insertPurchases(db, batch);
  return orders;
}

/** Limits the time needed to advance the clock. */
const MAX_SALES_PER_DAY = 200;
/** Seconds after the seed without new sales, so that its contents stay predictable. */
const QUIET = 900;

/** Days that all seeded sales would take at today's rate. */
const DAYS_OF_SALES = GROWTH * (1 - Math.exp(-364 / GROWTH));

/** Sales after the seed continue at its latest rate. */
function planNewSales(db: Database, { randomSeed, now }: SeedPlan): void {
  const sales = countSales(db, fixedReceipts(pacificDay(now)));
  const salesPerDay = Math.min(MAX_SALES_PER_DAY, sales / DAYS_OF_SALES);
  writeSetting(db, 'salesPerDay', salesPerDay);
  writeSetting(db, 'nextSale', upcomingSales({ randomSeed, salesPerDay }).after(now + QUIET) ?? 0);
}

/** The marketplace categories of the vendors. */
const CATEGORIES: Readonly<Record<(typeof VENDORS)[number], string>> = {
  GREENLEAF: 'Home & Garden',
  FITLAB24: 'Health & Fitness',
  COOKWELL: 'Cooking, Food & Wine',
  CODEMENTOR: 'Computers / Internet',
  YOGAHOME: 'Health & Fitness',
};

/** Fills the store and returns the number of transactions. */
export async function seedStore(db: Database, plan: SeedPlan, pause: Pause): Promise<number> {
  for (const nickname of VENDORS) insertRow(db, 'account', { nickname, kind: 'VENDOR' });
  for (const nickname of AFFILIATES) insertRow(db, 'account', { nickname, kind: 'AFFILIATE' });
  seedProducts(db, plan.now);
  const orders = await insertSales(db, plan, pause);
  seedTickets(db, plan);
  await pause();
  await seedNotices(db, plan, pause);
  for (const vendor of VENDORS) {
    insertRow(db, 'vendor_category', { vendor, category: CATEGORIES[vendor] });
  }
  addTraffic(db, plan.randomSeed, 0);
  planNewSales(db, plan);
  return orders;
}
