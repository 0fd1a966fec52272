/** Writes traffic. */
import type { Database } from '../../../storage/sqlite.ts';

/** Pseudo-random whole numbers up to 9,972, reproducible for the same random seed. */
const CHANCE = '((l.id * 7919 + ? * 6733 + t.id % 101 * 3571) % 9973)';

/**
 * One row for each sold item, without tests and upsells: an upsell is shown after the
 * order form. Every submitted form was seen, and the form of a sale was submitted at least once,
 * so that sales never exceed submissions in any dimension. Only affiliates'
 * links count hops.
 */
const VISITS = `SELECT t.time, t.vendor, t.affiliate, p.tracking_id, p.currency, p.language,
  p.country, p.state, l.product_id, l.id = f.first main, ${CHANCE} chance
  FROM txn t
    JOIN purchase p ON p.id = t.purchase_id AND p.upsell_of IS NULL
    JOIN line_item l ON l.purchase_id = p.id
    JOIN (SELECT purchase_id, min(id) first FROM line_item WHERE purchase_id >= ?
      GROUP BY purchase_id) f ON f.purchase_id = p.id
  WHERE t.type = 'SALE' AND t.purchase_id >= ?`;

/** Adds the visits of every sale, starting with a purchase. Call it once for each sale. */
export function addTraffic(db: Database, randomSeed: number, firstPurchase: number): void {
  db.run(
    `INSERT INTO traffic
     SELECT time, vendor, affiliate, tracking_id, currency, language, country, state, product_id,
       main, iif(affiliate IS NULL OR main = 0, 0, 12 + chance % 71),
       2 + chance % 9, 1 + (chance % 7 = 0)
     FROM (${VISITS})`,
    [randomSeed % 9973, firstPurchase, firstPurchase],
  );
}

/** Saves the marketplace category of a vendor. */
export function saveCategory(db: Database, vendor: string, category: string): void {
  db.run('INSERT INTO vendor_category (vendor, category) VALUES (?, ?)', [vendor, category]);
}
