/** The products of the sample vendors. Prices are cents of the product's currency. */
import { addDays, instantOf, pacificDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { VENDORS } from '../http/keys.ts';
import { insertRows } from '../store/statements.ts';

export interface SeedProduct {
  readonly id: number;
  readonly site: string;
  readonly sku: string;
  readonly title: string;
  readonly currency: string;
  readonly price: number;
  readonly shippable: boolean;
  readonly commission: number;
  readonly category: string | null;
  /** How often it sells relative to the others. */
  readonly weight: number;
  readonly plan: Plan | null;
}

/** How a subscription is billed; `rebills` is 999 for an unlimited one. */
export interface Plan {
  readonly frequency: string;
  readonly price: number;
  readonly rebills: number;
  readonly trialDays: number;
}

/**
 * Site, sku, currency, price, weight, category, commission in percent, and for subscriptions frequency, price of a
 * rebill, rebills, and days of trial; then the title. Only a fixed receipt sells the gloves, as the second parcel of an
 * order.
 */
const SOLD = `
GREENLEAF  CLUB-M      USD  2900   7 EBOOK    50 MONTHLY      2900 999 0; Garden Club, monthly
GREENLEAF  CLUB-PLUS-M USD  4900   2 EBOOK    50 MONTHLY      4900 999 0; Garden Club Plus, monthly
GREENLEAF  CLUB-BOX-M  USD  3900   3 PARCEL   20 MONTHLY      3900 999 0; Garden Box by Mail
GREENLEAF  PLAN-6      USD  4900   2 EBOOK    50 MONTHLY      4900   6 0; Greenhouse Plans in 7 Payments
GREENLEAF  COURSE-Y    USD 19900   2 EBOOK    50 YEARLY      17900 999 0; Orchard Course, yearly
GREENLEAF  KIT-01      USD  1900   9 EBOOK    50; Starter Kit: Soil
GREENLEAF  KIT-02      USD  2400   7 EBOOK    50; Starter Kit: Seeds
GREENLEAF  KIT-03      USD  1290   6 EBOOK    50; Starter Kit: Compost & Tea
GREENLEAF  GUIDE-01    USD  3700  14 EBOOK    50; The "No-Dig" Guide
GREENLEAF  TROWEL      USD  4450   5 PARCEL   20; Gardener's Trowel <steel>
FITLAB24   FIT-01      USD  4700  12 EBOOK    50; 28-Day Reset
FITLAB24   FIT-BONUS   USD   990   4 EBOOK    50; Meal Planner
FITLAB24   FIT-M       USD  1000   4 EBOOK    50 MONTHLY      3900 999 7; FitLab Coaching
FITLAB24   FIT-BAND    USD  2995   4 PARCEL   20; Resistance Bands
COOKWELL   COOK-01     EUR  2490   8 EBOOK    50; Crème & Crêpes: Das Kochbuch
COOKWELL   COOK-02     EUR  1990   4 EBOOK    50; Pâtisserie für Anfänger
COOKWELL   COOK-Q      EUR  2900   3 EBOOK    50 QUARTERLY    2900 999 0; Küchenclub, vierteljährlich
COOKWELL   SPICE-Q     EUR  3450   2 PARCEL   20 QUARTERLY    3450   3 0; Spice Box
CODEMENTOR CODE-01     USD  9700   8 SOFTWARE 40; Learn to Code in 30 Days
CODEMENTOR CODE-3X     USD 19900   2 EBOOK    50 MONTHLY     19900   2 0; Bootcamp in 3 Payments
CODEMENTOR CODE-Y      USD 29900   2 EBOOK    50 YEARLY      29900 999 0; Mentor Pass, yearly
YOGAHOME   YOGA-01     GBP  1700   8 VIDEO    50; Morning Yoga
YOGAHOME   YOGA-W      GBP   500 0.6 EBOOK    50 WEEKLY        500  12 0; Weekly Class
YOGAHOME   YOGA-HY     GBP  5900   1 EBOOK    50 HALF_YEARLY  5900 999 0; Studio Pass, half-yearly
YOGAHOME   YOGA-MAT    GBP  5500   3 PARCEL   20; Cork Mat
GREENLEAF  GLOVES      USD  1250   0 PARCEL   20; Garden Gloves
`;

export const PRODUCTS = SOLD.trim()
  .split('\n')
  .map((line, i): SeedProduct => {
    const [terms = '', title = ''] = line.split('; ');
    const [site = '', sku = '', currency = '', price, weight, category = '', commission, ...plan] =
      terms.split(/ +/);
    const [frequency, rebillPrice, rebills, trialDays] = plan;
    const billing = { price: Number(rebillPrice), rebills: Number(rebills) };
    return {
      ...{ id: i + 1, site, sku, title, currency },
      ...{ price: Number(price), weight: Number(weight), commission: Number(commission) },
      shippable: category === 'PARCEL',
      category: category === 'PARCEL' ? null : category,
      plan: frequency ? { frequency, ...billing, trialDays: Number(trialDays) } : null,
    };
  });

export function productOf(sku: string): SeedProduct {
  const product = PRODUCTS.find((known) => known.sku === sku);
  if (!product) throw new Error(`The seed has no product ${sku}.`);
  return product;
}

const SALE_REFUND_DAYS = 60;
/** Rebills of the main vendor are refundable as long as sales, those of other vendors half as long. */
const REBILL_REFUND_DAYS = 30;

function productRow(product: SeedProduct, created: number) {
  const { id, site, sku, title, currency, price, category, shippable, commission, plan } = product;
  const page = (name: string) => `https://${site.toLowerCase()}.example/${sku}/${name}`;
  const mobilePage = (name: string) => (id % 3 === 0 ? page(`m/${name}`) : null);
  const rebillRefundDays = site === VENDORS[0] ? SALE_REFUND_DAYS : REBILL_REFUND_DAYS;
  return {
    ...{ id, site, sku, title, currency, price, created, updated: created },
    description: shippable ? `${title}, by mail` : null,
    language: currency === 'EUR' ? 'DE' : 'EN',
    categories: JSON.stringify(category === null ? [] : [category]),
    purchaseCommission: commission,
    rebillPrice: plan?.price ?? null,
    frequency: plan?.frequency ?? null,
    duration: plan?.rebills ?? null,
    trialDays: plan?.trialDays ?? null,
    rebillCommission: plan ? commission : null,
    rebillRefundDays: plan ? rebillRefundDays : null,
    notificationOverride: plan ? 0 : null,
    notificationLeadDays: plan?.frequency === 'YEARLY' ? 30 : null,
    digital: Number(!plan && !shippable),
    physical: Number(!plan && shippable),
    digitalRecurring: Number(plan !== null && !shippable),
    physicalRecurring: Number(plan !== null && shippable),
    thankYouPage: page('thanks'),
    mobileThankYouPage: mobilePage('thanks'),
    pitchPage: page('pitch'),
    mobilePitchPage: mobilePage('pitch'),
    image: imageOf(product),
    shippingProfile: shippable ? 'Parcel' : null,
    saleRefundDays: SALE_REFUND_DAYS,
    deliveryMethod: shippable ? 'MAIL' : null,
    deliverySpeed: shippable ? 'STANDARD' : null,
  };
}

function imageOf({ id }: SeedProduct): number | null {
  return id % 2 === 0 ? 9000 + id : null;
}

const OTHER_IMAGES = [
  { title: 'New cover', type: 'PRODUCT', approved: 1 },
  { title: 'Cover waiting for approval', type: 'PRODUCT', approved: 0 },
  { title: 'Spring banner', type: 'BANNER', approved: 1 },
  { title: null, type: 'BANNER_BG', approved: 1 },
] as const;

export function seedProducts(db: Database, now: number): void {
  const created = instantOf(addDays(pacificDay(now), -500), 9 * 3600);
  insertRows(
    db,
    'product',
    PRODUCTS.map((product) => productRow(product, created)),
  );
  const shown = PRODUCTS.flatMap((product) => {
    const id = imageOf(product);
    const { site, title } = product;
    return id === null ? [] : [{ id, site, title, type: 'PRODUCT', approved: 1 } as const];
  });
  const others = VENDORS.flatMap((site, vendor) =>
    OTHER_IMAGES.map((image, i) => ({ id: 9501 + 10 * vendor + i, site, ...image })),
  );
  insertRows(db, 'image', [...shown, ...others]);
}
