/** The products of the sample vendors. Prices are cents of the product's currency. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay } from '../../dates/pacific.ts';
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

type Terms = Partial<Omit<SeedProduct, 'id' | 'site' | 'sku' | 'title' | 'price'>>;

const ENDLESS = 999;
const [GREENLEAF, FITLAB24, COOKWELL, CODEMENTOR, YOGAHOME] = VENDORS;

function recurring(
  weight: number,
  frequency: string,
  price: number,
  { rebills = ENDLESS, trialDays = 0 } = {},
): Terms {
  return { weight, plan: { frequency, price, rebills, trialDays } };
}

const PARCEL: Terms = { shippable: true, category: null, commission: 20 };

type Sold = readonly [sku: string, title: string, price: number, terms: Terms];

/** The default terms of each vendor's products. */
const SOLD: readonly (readonly [site: string, terms: Terms, products: readonly Sold[]])[] = [
  [
    GREENLEAF,
    {},
    [
      ['CLUB-M', 'Garden Club, monthly', 2900, recurring(7, 'MONTHLY', 2900)],
      ['CLUB-PLUS-M', 'Garden Club Plus, monthly', 4900, recurring(2, 'MONTHLY', 4900)],
      ['CLUB-BOX-M', 'Garden Box by Mail', 3900, { ...PARCEL, ...recurring(3, 'MONTHLY', 3900) }],
      [
        'PLAN-6',
        'Greenhouse Plans in 7 Payments',
        4900,
        recurring(2, 'MONTHLY', 4900, { rebills: 6 }),
      ],
      ['COURSE-Y', 'Orchard Course, yearly', 19_900, recurring(2, 'YEARLY', 17_900)],
      ['KIT-01', 'Starter Kit: Soil', 1900, { weight: 9 }],
      ['KIT-02', 'Starter Kit: Seeds', 2400, { weight: 7 }],
      ['KIT-03', 'Starter Kit: Compost & Tea', 1290, { weight: 6 }],
      ['GUIDE-01', 'The "No-Dig" Guide', 3700, { weight: 14 }],
      ['TROWEL', "Gardener's Trowel <steel>", 4450, { ...PARCEL, weight: 5 }],
    ],
  ],
  [
    FITLAB24,
    {},
    [
      ['FIT-01', '28-Day Reset', 4700, { weight: 12 }],
      ['FIT-BONUS', 'Meal Planner', 990, { weight: 4 }],
      ['FIT-M', 'FitLab Coaching', 1000, recurring(4, 'MONTHLY', 3900, { trialDays: 7 })],
      ['FIT-BAND', 'Resistance Bands', 2995, { ...PARCEL, weight: 4 }],
    ],
  ],
  [
    COOKWELL,
    { currency: 'EUR' },
    [
      ['COOK-01', 'Crème & Crêpes: Das Kochbuch', 2490, { weight: 8 }],
      ['COOK-02', 'Pâtisserie für Anfänger', 1990, { weight: 4 }],
      ['COOK-Q', 'Küchenclub, vierteljährlich', 2900, recurring(3, 'QUARTERLY', 2900)],
      [
        'SPICE-Q',
        'Spice Box',
        3450,
        { ...PARCEL, ...recurring(2, 'QUARTERLY', 3450, { rebills: 3 }) },
      ],
    ],
  ],
  [
    CODEMENTOR,
    {},
    [
      [
        'CODE-01',
        'Learn to Code in 30 Days',
        9700,
        { weight: 8, category: 'SOFTWARE', commission: 40 },
      ],
      [
        'CODE-3X',
        'Bootcamp in 3 Payments',
        19_900,
        recurring(2, 'MONTHLY', 19_900, { rebills: 2 }),
      ],
      ['CODE-Y', 'Mentor Pass, yearly', 29_900, recurring(2, 'YEARLY', 29_900)],
    ],
  ],
  [
    YOGAHOME,
    { currency: 'GBP' },
    [
      ['YOGA-01', 'Morning Yoga', 1700, { weight: 8, category: 'VIDEO' }],
      ['YOGA-W', 'Weekly Class', 500, recurring(0.6, 'WEEKLY', 500, { rebills: 12 })],
      ['YOGA-HY', 'Studio Pass, half-yearly', 5900, recurring(1, 'HALF_YEARLY', 5900)],
      ['YOGA-MAT', 'Cork Mat', 5500, { ...PARCEL, weight: 3 }],
    ],
  ],
  // Sold only by a fixed receipt, as the second parcel of an order.
  [GREENLEAF, {}, [['GLOVES', 'Garden Gloves', 1250, { ...PARCEL, weight: 0 }]]],
];

export const PRODUCTS: readonly SeedProduct[] = SOLD.flatMap(([site, common, products]) =>
  products.map(([sku, title, price, terms]) => ({ site, sku, title, price, ...common, ...terms })),
).map((product, i) => ({
  id: i + 1,
  currency: 'USD',
  shippable: false,
  commission: 50,
  category: 'EBOOK',
  weight: 1,
  plan: null,
  ...product,
}));

export function productOf(sku: string): SeedProduct {
  const product = PRODUCTS.find((known) => known.sku === sku);
  if (!product) throw new Error(`The seed has no product ${sku}.`);
  return product;
}

const SALE_REFUND_DAYS = 60;
/** Rebills of the main vendor are refundable as long as sales, those of other vendors half as long. */
const REBILL_REFUND_DAYS = 30;

function billing({ site, plan, commission }: SeedProduct) {
  const refundDays = site === GREENLEAF ? SALE_REFUND_DAYS : REBILL_REFUND_DAYS;
  return {
    rebill_price: plan?.price ?? null,
    frequency: plan?.frequency ?? null,
    duration: plan?.rebills ?? null,
    trial_days: plan?.trialDays ?? null,
    rebill_commission: plan ? commission : null,
    rebill_refund_days: plan ? refundDays : null,
    notification_override: plan ? 0 : null,
    notification_lead_days: plan?.frequency === 'YEARLY' ? 30 : null,
  };
}

function pages(product: SeedProduct) {
  const { id, site, sku } = product;
  const page = (name: string) => `https://${site.toLowerCase()}.example/${sku}/${name}`;
  const mobile = id % 3 === 0;
  return {
    thank_you_page: page('thanks'),
    mobile_thank_you_page: mobile ? page('m/thanks') : null,
    pitch_page: page('pitch'),
    mobile_pitch_page: mobile ? page('m/pitch') : null,
    image: imageOf(product),
  };
}

function productRow(product: SeedProduct, created: number) {
  const { id, site, sku, title, currency, price, category, shippable, plan } = product;
  return {
    id,
    site,
    sku,
    title,
    description: shippable ? `${title}, by mail` : null,
    language: currency === 'EUR' ? 'DE' : 'EN',
    currency,
    price,
    categories: JSON.stringify(category === null ? [] : [category]),
    purchase_commission: product.commission,
    ...billing(product),
    digital: Number(!plan && !shippable),
    physical: Number(!plan && shippable),
    digital_recurring: Number(plan !== null && !shippable),
    physical_recurring: Number(plan !== null && shippable),
    ...pages(product),
    shipping_profile: shippable ? 'Parcel' : null,
    sale_refund_days: SALE_REFUND_DAYS,
    delivery_method: shippable ? 'MAIL' : null,
    delivery_speed: shippable ? 'STANDARD' : null,
    created,
    updated: created,
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
];

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
    return id === null ? [] : [{ id, site, title, type: 'PRODUCT', approved: 1 }];
  });
  const others = VENDORS.flatMap((site, vendor) =>
    OTHER_IMAGES.map((image, i) => ({ id: 9501 + 10 * vendor + i, site, ...image })),
  );
  insertRows(db, 'image', [...shown, ...others]);
}
