/** The service products (section 4.4 of the specification). */

import { images } from '../../operations/images.ts';
import { product, productList, products } from '../../operations/products.ts';
import { assertFacts } from '../request/arguments.ts';
import type { Handlers } from '../request/handlers.ts';
import { requireAccount } from '../request/keys.ts';
import { assertOr } from '../request/refusal.ts';
import {
  deleteProduct,
  findImages,
  findProduct,
  findProducts,
  saveProduct,
} from '../store/products/product.ts';
import { productRow, productToStore } from './product-row.ts';
import { assertSavable } from './product-rules.ts';

const NOT_FOUND = 'The product does not exist, or this key may not see it.';

export const productsHandlers: Handlers<typeof products> = {
  list({ db }, { args }, { caller }) {
    assertFacts(products.list.params, args);
    const recurring = args.type === undefined ? undefined : args.type === 'RECURRING';
    const site = requireAccount(caller, args.site);
    const images = findImages(db, site);
    const product = findProducts(db, site, recurring).map((row) => productRow(row, images));
    return { products: { product }, total_record_count: product.length };
  },

  get({ db }, { args }, { caller }) {
    const site = requireAccount(caller, args.site);
    const row = findProduct(db, site, args.sku);
    assertOr(row, 403, NOT_FOUND);
    return productRow(row, findImages(db, site));
  },

  save({ db }, { args }, { caller, now }) {
    const site = requireAccount(caller, args.site);
    assertSavable(args, findImages(db, site, 'PRODUCT'));
    const product = productToStore(args, site);
    return { text: args.sku, created: saveProduct(db, product, now) };
  },

  // Orders of a deleted product remain, and their subscriptions are still billed.
  delete({ db }, { args }, { caller, now }) {
    const site = requireAccount(caller, args.site);
    const existed = deleteProduct(db, site, args.sku, now);
    assertOr(existed, 403, NOT_FOUND);
    return undefined;
  },

  // The list of products is also the root of a document.
  schema: () => [product, productList],
};

export const imagesHandlers: Handlers<typeof images> = {
  list({ db }, { args }, { caller }) {
    assertFacts(images.list.params, args);
    const { site, type, approvedOnly = true } = args;
    return findImages(db, requireAccount(caller, site), type)
      .filter(({ approved }) => approved === 1 || !approvedOnly)
      .map((image) => ({ ...image, imageid: image.id }));
  },

  // The name in lists is not that in the official schema.
  schema: () => {
    const image = images.list.returns.resource;
    return [image, { ...image, root: 'Image' }];
  },
};
