/** The service products (section 4.4 of the specification). */
import { pacificTime } from '../../dates/day.ts';
import type { Arguments } from '../../operations/operation.ts';
import { images, product, productList, products } from '../../operations/products.ts';
import type { Row } from '../../operations/resource.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertFacts, assertOr, assertValid } from '../http/arguments.ts';
import type { Handlers, Sent } from '../http/handlers.ts';
import { requireAccount } from '../http/keys.ts';
import { findProduct, PRODUCT, type Product } from '../store/product.ts';
import type { Stored } from '../store/schema.ts';
import { insertRow, updateRow } from '../store/statements.ts';
import { CURRENCIES, centsOf, convert } from './money.ts';

const NOT_FOUND = 'The product does not exist, or this key may not see it.';

export const productsHandlers: Handlers<typeof products> = {
  list({ db }, { args }, { caller }) {
    assertFacts(products.list.params, args);
    const recurring = args.type === undefined ? undefined : args.type === 'RECURRING';
    const site = requireAccount(caller, args.site);
    const images = findImages(db, site);
    const rows = db.all<Product>(
      `${PRODUCT} WHERE site = ? AND deleted IS NULL
         AND coalesce(? = (digital_recurring OR physical_recurring), 1) ORDER BY sku`,
      [site, recurring === undefined ? null : Number(recurring)],
    );
    const product = rows.map((row) => productRow(row, images));
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
    const { changes } = db.run(
      'UPDATE product SET deleted = ? WHERE site = ? AND sku = ? AND deleted IS NULL',
      [now, site, args.sku],
    );
    assertOr(changes > 0, 403, NOT_FOUND);
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

type Image = Stored<'image'>;

function findImages(db: Database, site: string, type?: string): Image[] {
  return db.all<Image>(
    `SELECT * FROM image
     WHERE site = ? AND type = coalesce(?, type) ORDER BY id`,
    [site, type ?? null],
  );
}

type SavedProduct = Omit<Product, 'id' | 'category' | 'created' | 'updated' | 'deleted'>;

/**
 * Creates or replaces a product; returns true if it is new. A deleted product with the same sku
 * becomes a new one with its former ID, since old orders refer to it.
 */
function saveProduct(db: Database, product: SavedProduct, now: number): boolean {
  const { site, sku } = product;
  const known = db.first<Product>(`${PRODUCT} WHERE site = ? AND sku = ?`, [site, sku]);
  const isNew = known === undefined || known.deleted !== null;
  const row = { ...product, ...(isNew && { created: now }), updated: now, deleted: null };
  if (known) updateRow(db, ['product', 'id', known.id], row);
  else insertRow(db, 'product', row);
  return isNew;
}

/** Returns the row to store; columns of absent parameters are emptied. */
function productToStore(sent: SentProduct, site: string): SavedProduct {
  const flag = (value: boolean | undefined) => Number(value === true);
  /** In percent. */
  const commission = (text: string | undefined) => Number(text ?? 50);
  // The billing terms are those of products with a recurring component.
  const only = <T>(value: T | undefined) => (isRecurring(sent) ? (value ?? null) : null);
  const { sku, title, description = null, language } = sent;
  const { thankYouPage = null, mobileThankYouPage = null } = sent;
  const { pitchPage = null, mobilePitchPage = null, shippingProfile = null } = sent;
  const { deliveryMethod = null, deliverySpeed = null } = sent;
  return {
    ...{ site, sku, title, description, language, thankYouPage, mobileThankYouPage },
    ...{ pitchPage, mobilePitchPage, shippingProfile, deliveryMethod, deliverySpeed },
    currency: sent.currency.toUpperCase(),
    price: centsOf(sent.price),
    digital: flag(sent.digital),
    physical: flag(sent.physical),
    digitalRecurring: flag(sent.digitalRecurring),
    physicalRecurring: flag(sent.physicalRecurring),
    categories: JSON.stringify([...new Set(sent.categories)]),
    purchaseCommission: commission(sent.purchaseCommission),
    rebillPrice: only(centsOf(sent.rebillPrice ?? '0')),
    frequency: only(sent.frequency),
    duration: only(sent.duration),
    trialDays: only(sent.trialPeriod),
    rebillCommission: only(commission(sent.rebillCommission)),
    rebillRefundDays: only(sent.rebillRefundDaysLimit),
    notificationOverride: only(flag(sent.preRebillNotificationOverride)),
    notificationLeadDays: only(sent.preRebillNotificationLeadTime),
    image: sent.image === undefined ? null : Number(sent.image),
    saleRefundDays: sent.saleRefundDaysLimit ?? null,
  };
}

/** `2026-01-31 01:35:28 PST`. */
function zonedTime(instant: number): string {
  const time = pacificTime(instant);
  const zone = time.endsWith('-07:00') ? 'PDT' : 'PST';
  return `${time.slice(0, 10)} ${time.slice(11, 19)} ${zone}`;
}

/** Hundredths of a percent. */
const percent = (value: number | null) => (value === null ? null : Math.round(value * 100));

function pricingOf(row: Product) {
  const { currency, shippingProfile, rebillPrice, frequency } = row;
  // The conversion fee of the service is not known, so the price with fees is left out.
  const price = (cents: number) => ({
    native_price: cents,
    usd: convert(cents, currency, 'USD'),
  });
  const recurring = rebillPrice !== null &&
    frequency !== null && {
      price: price(rebillPrice),
      frequency,
      // Only frequencies in days, weeks or months have a number of them.
      frequencyValue: 0,
      duration: row.duration ?? undefined,
      trial_days: row.trialDays ?? undefined,
      pre_rebill_override: row.notificationOverride === 1,
      pre_rebill_leadtime: row.notificationLeadDays ?? undefined,
    };
  return {
    currency,
    standard: { price: price(row.price) },
    ...(recurring && { recurring }),
    ...(shippingProfile !== null && { physical: { shipping_profile: shippingProfile } }),
  };
}

/** Returns the ProductData of a stored product; `images` are all images of its site. */
function productRow(row: Product, images: readonly Image[]): Sent<Row<typeof product>> {
  const category: readonly string[] = JSON.parse(row.categories);
  return {
    ...row,
    status: 'ACTIVE',
    created: zonedTime(row.created),
    updated: zonedTime(row.updated),
    approval_status: { status: 'APPROVED' },
    image: images.find(({ id }) => id === row.image) ?? null,
    thank_you_pages: { desktop: row.thankYouPage, mobile: row.mobileThankYouPage },
    pitch_pages: { desktop: row.pitchPage, mobile: row.mobilePitchPage },
    commission: {
      purchase: percent(row.purchaseCommission),
      rebill: percent(row.rebillCommission),
      no_rebill_commission: false,
      commission_tier_override: false,
    },
    pricings: { pricing: [pricingOf(row)] },
    categories: category.length ? { category } : undefined,
    no_commission: false,
    commission_tier_override: false,
    isPartOfOrderBump: false,
    isInitialOfOrderBump: false,
    isProductOfOrderBump: false,
    sale_refund_days_limit: row.saleRefundDays,
    rebill_refund_days_limit: row.rebillRefundDays,
  };
}

type SentProduct = Arguments<typeof products.save.params>;

const isRecurring = ({ digitalRecurring, physicalRecurring }: SentProduct) =>
  digitalRecurring === true || physicalRecurring === true;

/** Refuses a product that breaks a rule of the table of PUT; `images` are the product images of the site. */
function assertSavable(product: SentProduct, images: readonly Image[]): void {
  assertFacts(products.save.params, product);
  for (const name of ['price', 'rebillPrice'] as const) {
    const isWhole = Number.isSafeInteger(centsOf(product[name] ?? '0'));
    assertValid(isWhole, `The parameter ${name} must have at most two decimal digits.`);
  }
  const { currency, trialPeriod = 0, image, categories, description } = product;
  const isKnown = CURRENCIES.includes(currency.toUpperCase());
  assertValid(isKnown, `The parameter currency must be one of ${CURRENCIES.join(', ')}.`);
  const fits = trialPeriod === 0 || trialPeriod >= 3;
  assertValid(fits, 'The parameter trialPeriod must be 0 or a whole number from 3 to 31.');
  assertValid(
    image === undefined || images.some(({ id }) => String(id) === image),
    `The parameter image must be the ID of a product image of the site. ${image} is not.`,
  );
  const isDigital = product.digital === true || product.digitalRecurring === true;
  const isCategorized = categories !== undefined;
  assertValid(isCategorized || !isDigital, 'A digital product requires the parameter categories.');
  assertValid(
    !isCategorized || isDigital,
    'The parameter categories is only for digital products.',
  );
  const pages = [
    ['thankYouPage', 'mobileThankYouPage'],
    ['pitchPage', 'mobilePitchPage'],
  ] as const;
  for (const [page, mobile] of pages) {
    const isGiven = product[page] !== undefined || product[mobile] !== undefined;
    assertValid(isGiven, `The parameter ${page} or ${mobile} is required.`);
  }
  for (const name of ['rebillPrice', 'trialPeriod', 'frequency', 'duration'] as const) {
    const isMissing = isRecurring(product) && product[name] === undefined;
    assertValid(!isMissing, `A recurring product requires the parameter ${name}.`);
  }
  const isPhysical = product.physical === true || product.physicalRecurring === true;
  assertValid(
    !isPhysical || description !== undefined,
    'A physical product requires the parameter description.',
  );
}
