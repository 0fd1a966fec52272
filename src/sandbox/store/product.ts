/** Products: a sku is unique within its vendor (site). Deleted products are only marked. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import { getRow } from './statements.ts';

export type Product = Stored<'product'>;

export const PRODUCT = `SELECT ${select('g', 'product')} FROM product g`;

export function findProduct(db: Database, site: string, sku: string): Product | undefined {
  return db.first(`${PRODUCT} WHERE site = ? AND sku = ? AND deleted IS NULL`, [site, sku]);
}

export function getProduct(db: Database, id: number): Product {
  return getRow<Product>(db, `${PRODUCT} WHERE id = ?`, [id]);
}
