/** Products: a sku is unique within its vendor (site). Deleted products are only marked. */
import type { Database } from '../../storage/sqlite.ts';
import { columnOf, type Stored, select } from './schema.ts';
import { getRow } from './statements.ts';

export type Product = Stored<'product'>;

const PRODUCT = `SELECT ${select('g', 'product')} FROM product g`;

/** The products of a site by sku; `recurring` keeps one kind. */
export function findProducts(
  db: Database,
  site: string,
  recurring: boolean | undefined,
): Product[] {
  return db.all<Product>(
    `${PRODUCT} WHERE site = ? AND deleted IS NULL
       AND coalesce(? = (digital_recurring OR physical_recurring), 1) ORDER BY sku`,
    [site, recurring === undefined ? null : Number(recurring)],
  );
}

export function findProduct(db: Database, site: string, sku: string): Product | undefined {
  return db.first(`${PRODUCT} WHERE site = ? AND sku = ? AND deleted IS NULL`, [site, sku]);
}

export function getProduct(db: Database, id: number): Product {
  return getRow<Product>(db, `${PRODUCT} WHERE id = ?`, [id]);
}

/** Every column of a product except those set by the store; undefined clears a column. */
export type SavedProduct = {
  readonly [K in Exclude<keyof Product, 'id' | 'category' | 'created' | 'updated' | 'deleted'>]:
    | (null extends Product[K] ? undefined : never)
    | Product[K];
};

/**
 * Creates or replaces a product; returns true if it is new. A deleted product with the same sku
 * becomes a new one with its former ID, since old orders refer to it.
 */
export function saveProduct(db: Database, product: SavedProduct, now: number): boolean {
  const created = findProduct(db, product.site, product.sku) === undefined;
  const values = { ...product, created: now, updated: now };
  const names = Object.keys(values).map(columnOf);
  const kept = created ? [] : ['created'];
  const changes = names.filter((name) => !kept.includes(name)).map((n) => `${n} = excluded.${n}`);
  db.run(
    `INSERT INTO product (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (site, sku) DO UPDATE SET ${changes.join(', ')}, deleted = NULL`,
    Object.values(values).map((value) => value ?? null),
  );
  return created;
}

/** Returns whether the product existed. */
export function deleteProduct(db: Database, site: string, sku: string, now: number): boolean {
  const { changes } = db.run(
    'UPDATE product SET deleted = ? WHERE site = ? AND sku = ? AND deleted IS NULL',
    [now, site, sku],
  );
  return changes > 0;
}

export type Image = Stored<'image'>;

/** All images of a site by ID; without `type`, of every type. */
export function findImages(db: Database, site: string, type?: string): Image[] {
  return db.all<Image>(
    `SELECT * FROM image
     WHERE site = ? AND type = coalesce(?, type) ORDER BY id`,
    [site, type ?? null],
  );
}
