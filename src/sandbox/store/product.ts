/** Reading products: a sku is unique within the vendor (site) that owns it. */
import type { Database } from './driver.ts';

/** Prices are cents of the product's own currency; flags are 0 or 1. */
export interface Product {
  readonly id: number;
  readonly site: string;
  readonly sku: string;
  readonly title: string;
  readonly currency: string;
  readonly price: number;
  readonly rebillPrice: number | null;
  readonly frequency: string | null;
  /** Payments in all; 999 without end; null for a one-time product. */
  readonly duration: number | null;
  readonly physical: number;
  readonly physicalRecurring: number;
}

const PRODUCT = `SELECT id, site, sku, title, currency, price, rebill_price rebillPrice, frequency,
  duration, physical, physical_recurring physicalRecurring FROM product`;

export function findProduct(db: Database, site: string, sku: string): Product | undefined {
  return db.first<Product>(`${PRODUCT} WHERE site = ? AND sku = ? AND deleted IS NULL`, [
    site,
    sku,
  ]);
}

export function getProduct(db: Database, id: number): Product {
  const product = db.first<Product>(`${PRODUCT} WHERE id = ?`, [id]);
  if (!product) throw new Error(`there is no product ${id}`);
  return product;
}
