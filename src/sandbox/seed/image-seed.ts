/** The images of the demo vendors: those that their products show, and for each vendor some others. */
import { VENDORS } from '../accounts.ts';
import { insertRows } from '../store/bulk.ts';
import type { Database } from '../store/driver.ts';
import { PRODUCTS, type SeedProduct } from './products.ts';

/** The image that a product shows; some have none. */
export function imageOf({ id }: SeedProduct): number | null {
  return id % 2 === 0 ? 9000 + id : null;
}

const OTHERS = [
  { title: 'New cover', type: 'PRODUCT', approved: 1 },
  { title: 'Cover waiting for approval', type: 'PRODUCT', approved: 0 },
  { title: 'Spring banner', type: 'BANNER', approved: 1 },
  { title: null, type: 'BANNER_BG', approved: 1 },
];

function shownImages() {
  return PRODUCTS.flatMap((product) => {
    const id = imageOf(product);
    const { site, title } = product;
    return id === null ? [] : [{ id, site, title, type: 'PRODUCT', approved: 1 }];
  });
}

export function seedImages(db: Database): void {
  const others = VENDORS.flatMap((site, vendor) =>
    OTHERS.map((image, i) => ({ id: 9501 + 10 * vendor + i, site, ...image })),
  );
  insertRows(db, 'image', [...shownImages(), ...others]);
}
