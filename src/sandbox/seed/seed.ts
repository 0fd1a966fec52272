/** Fills an empty store with a year of realistic data, reproducible for the same random seed and time. */
import { addDays, endOf, instantOf, pacificDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { addressOf, type Consignment, findConsignments } from '../services/shipping.ts';
import { addTraffic } from '../store/analytics.ts';
import { countRows, insertRow, ONE_OF } from '../store/statements.ts';
import { type Pause, writeSetting } from '../store/store.ts';
import { addPastTickets } from '../store/ticket.ts';
import { fixedReceipts, landmarksOf, seedFixedTickets } from './landmarks.ts';
import { upcomingSales } from './new-sales.ts';
import { seedProducts } from './products.ts';
import { idsAfter, insertPurchases, type NextIds, type Rows, rowsOf } from './purchase.ts';
import { randomFrom, receiptOrigin, receiptsAfter } from './random.ts';
import { generateSale, generateUpsells, plainSale, saleTime, timeOn } from './sales.ts';

/** The parameters of a seed; the same plan generates the same store. */
interface SeedPlan {
  /** Total number of transactions; at least those of the fixed receipts. */
  readonly orders: number;
  readonly randomSeed: number;
  /** Seconds since 1970; nothing is seeded after it. */
  readonly now: number;
}

/** Days in which sales grow by a factor of e. */
const GROWTH = 125;
/** Purchases or parcels between two pauses. */
const BATCH = 1000;

/** Replaces a sale that would exceed the requested number of transactions by one with a single transaction. */
function* generateRows({ orders, randomSeed, now }: SeedPlan): Generator<Rows> {
  const today = pacificDay(now);
  let ids: NextIds = { purchase: 1, line: 1, txn: 1 };
  const purchases = new Map<string, number>();
  for (const { upsellOfReceipt = '', fee, ...landmark } of landmarksOf(today)) {
    const upsellOf = purchases.get(upsellOfReceipt) ?? null;
    const rows = rowsOf({ ...landmark, upsellOf }, ids, now);
    purchases.set(landmark.receipt, ids.purchase);
    const charged = { type: 'TEST_FEE', totalCents: -(fee ?? 0), vendorCents: -(fee ?? 0) };
    yield fee ? { ...rows, txn: rows.txn.map((row) => ({ ...row, ...charged })) } : rows;
    ids = idsAfter(ids, rows);
  }
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
    let found: Rows[] = [];
    if (fixedTime === undefined) {
      const sale = generateSale(random, next(), at);
      found.push(rowsOf(sale, ids, now));
      for (const upsell of generateUpsells(random, sale, next)) {
        const latest = found.reduce(idsAfter, ids);
        found.push(rowsOf({ ...upsell, upsellOf: ids.purchase }, latest, now));
      }
    }
    const needed = found.reduce((count, rows) => count + rows.txn.length, 0);
    if (needed === 0 || needed > room()) found = [rowsOf(plainSale(random, next(), at), ids, now)];
    for (const one of found) yield one;
    ids = found.reduce(idsAfter, ids);
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
  const sales = countRows(db, {
    sql: `FROM purchase WHERE upsell_of IS NULL AND NOT receipt ${ONE_OF}`,
    values: [JSON.stringify([...fixedReceipts(pacificDay(now))])],
  });
  const salesPerDay = Math.min(MAX_SALES_PER_DAY, sales / DAYS_OF_SALES);
  writeSetting(db, 'salesPerDay', salesPerDay);
  writeSetting(db, 'nextSale', upcomingSales({ randomSeed, salesPerDay }).after(now + QUIET) ?? 0);
}

/** Orders of the last days are not shipped yet. */
const WAITING_DAYS = 3;
const BATCH_OF_PARCELS = 20_000;

const CARRIERS = [
  { carrier: 'USPS', digits: 22, weight: 5 },
  { carrier: 'UPS', digits: 18, weight: 3 },
  { carrier: 'FedEx', digits: 12, weight: 2 },
  { carrier: 'DHL', digits: 10, weight: 1 },
] as const;

/** Rebills are always shipped; of the sales, one in ten is not. */
async function seedNotices(db: Database, { now, randomSeed }: SeedPlan, pause: Pause) {
  const random = randomFrom(randomSeed);
  const until = endOf(addDays(pacificDay(now), -WAITING_DAYS));
  let last: Consignment | undefined;
  do {
    const parcels = findConsignments(db, until, BATCH_OF_PARCELS, last);
    for (const [i, parcel] of parcels.entries()) {
      if (i % BATCH === 0) await pause();
      if (!random.chance(0.9) && !parcel.type.endsWith('BILL')) continue;
      const { carrier, digits } = random.weigh(CARRIERS);
      const day = addDays(pacificDay(parcel.time), random.integer(1, WAITING_DAYS - 1));
      const digit = () => random.integer(0, 9);
      insertRow(db, 'ship_notice', {
        ...{ txnId: parcel.txnId, lineItemId: parcel.lineItemId },
        carrier,
        shipDate: instantOf(day),
        tracking: random.chance(0.9) ? Array.from({ length: digits }, digit).join('') : null,
        comments: random.chance(0.1) ? 'Left with a neighbor if nobody is home' : null,
        shippedTo: addressOf(parcel),
      });
    }
    last = parcels[BATCH_OF_PARCELS - 1];
  } while (last);
}

/** Fills the store and returns the number of transactions. */
export async function seedStore(db: Database, plan: SeedPlan, pause: Pause): Promise<number> {
  seedProducts(db, plan.now);
  const orders = await insertSales(db, plan, pause);
  seedFixedTickets(db, plan.now);
  addPastTickets(db, plan.now);
  await pause();
  await seedNotices(db, plan, pause);
  addTraffic(db, plan.randomSeed, 0);
  planNewSales(db, plan);
  return orders;
}
