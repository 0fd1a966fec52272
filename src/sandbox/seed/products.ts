/** What the demo vendors sell. Prices are cents of the product's own currency. */
import { VENDORS } from '../accounts.ts';

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
  /** How often it is sold, compared with the others. */
  readonly weight: number;
  readonly plan: Plan | null;
}

/** How a subscription is billed; `rebills` is 999 without end. */
export interface Plan {
  readonly frequency: string;
  readonly price: number;
  readonly rebills: number;
  readonly trialDays: number;
}

type Terms = Partial<Omit<SeedProduct, 'id' | 'site' | 'sku' | 'title' | 'price'>>;

const ENDLESS = 999;
const [GREENLEAF, FITLAB24, COOKWELL, CODEMENTOR, YOGAHOME] = VENDORS;

function plan(frequency: string, price: number, rebills = ENDLESS, trialDays = 0): Plan {
  return { frequency, price, rebills, trialDays };
}

const PHYSICAL: Terms = { shippable: true, category: null, commission: 20 };

const SOLD: readonly (readonly [string, string, string, number, Terms?])[] = [
  [GREENLEAF, 'CLUB-M', 'Garden Club, monthly', 2900, { weight: 7, plan: plan('MONTHLY', 2900) }],
  [
    GREENLEAF,
    'CLUB-PLUS-M',
    'Garden Club Plus, monthly',
    4900,
    { weight: 2, plan: plan('MONTHLY', 4900) },
  ],
  [
    GREENLEAF,
    'CLUB-BOX-M',
    'Garden Box by Mail',
    3900,
    { ...PHYSICAL, weight: 3, plan: plan('MONTHLY', 3900) },
  ],
  [
    GREENLEAF,
    'PLAN-6',
    'Greenhouse Plans in 7 Payments',
    4900,
    { weight: 2, plan: plan('MONTHLY', 4900, 6) },
  ],
  [
    GREENLEAF,
    'COURSE-Y',
    'Orchard Course, yearly',
    19_900,
    { weight: 2, plan: plan('YEARLY', 17_900) },
  ],
  [GREENLEAF, 'KIT-01', 'Starter Kit: Soil', 1900, { weight: 9 }],
  [GREENLEAF, 'KIT-02', 'Starter Kit: Seeds', 2400, { weight: 7 }],
  [GREENLEAF, 'KIT-03', 'Starter Kit: Compost & Tea', 1290, { weight: 6 }],
  [GREENLEAF, 'GUIDE-01', 'The "No-Dig" Guide', 3700, { weight: 14 }],
  [GREENLEAF, 'TROWEL', "Gardener's Trowel <steel>", 4450, { ...PHYSICAL, weight: 5 }],
  [FITLAB24, 'FIT-01', '28-Day Reset', 4700, { weight: 12 }],
  [FITLAB24, 'FIT-BONUS', 'Meal Planner', 990, { weight: 4 }],
  [
    FITLAB24,
    'FIT-M',
    'FitLab Coaching',
    1000,
    { weight: 4, plan: plan('MONTHLY', 3900, ENDLESS, 7) },
  ],
  [FITLAB24, 'FIT-BAND', 'Resistance Bands', 2995, { ...PHYSICAL, weight: 4 }],
  [COOKWELL, 'COOK-01', 'Crème & Crêpes: Das Kochbuch', 2490, { currency: 'EUR', weight: 8 }],
  [COOKWELL, 'COOK-02', 'Pâtisserie für Anfänger', 1990, { currency: 'EUR', weight: 4 }],
  [
    COOKWELL,
    'COOK-Q',
    'Küchenclub, vierteljährlich',
    2900,
    { currency: 'EUR', weight: 3, plan: plan('QUARTERLY', 2900) },
  ],
  [
    COOKWELL,
    'SPICE-Q',
    'Spice Box',
    3450,
    { ...PHYSICAL, currency: 'EUR', weight: 2, plan: plan('QUARTERLY', 3450, 3) },
  ],
  [
    CODEMENTOR,
    'CODE-01',
    'Learn to Code in 30 Days',
    9700,
    { weight: 8, category: 'SOFTWARE', commission: 40 },
  ],
  [
    CODEMENTOR,
    'CODE-3X',
    'Bootcamp in 3 Payments',
    19_900,
    { weight: 2, plan: plan('MONTHLY', 19_900, 2) },
  ],
  [
    CODEMENTOR,
    'CODE-Y',
    'Mentor Pass, yearly',
    29_900,
    { weight: 2, plan: plan('YEARLY', 29_900) },
  ],
  [YOGAHOME, 'YOGA-01', 'Morning Yoga', 1700, { currency: 'GBP', weight: 8, category: 'VIDEO' }],
  [
    YOGAHOME,
    'YOGA-W',
    'Weekly Class',
    500,
    { currency: 'GBP', weight: 0.6, plan: plan('WEEKLY', 500, 12) },
  ],
  [
    YOGAHOME,
    'YOGA-HY',
    'Studio Pass, half-yearly',
    5900,
    { currency: 'GBP', weight: 1, plan: plan('HALF_YEARLY', 5900) },
  ],
  [YOGAHOME, 'YOGA-MAT', 'Cork Mat', 5500, { ...PHYSICAL, currency: 'GBP', weight: 3 }],
  // Sold by a fixed receipt only, as the second parcel of an order.
  [GREENLEAF, 'GLOVES', 'Garden Gloves', 1250, { ...PHYSICAL, weight: 0 }],
];

export const PRODUCTS: readonly SeedProduct[] = SOLD.map(([site, sku, title, price, terms], i) => ({
  id: i + 1,
  site,
  sku,
  title,
  price,
  currency: 'USD',
  shippable: false,
  commission: 50,
  category: 'EBOOK',
  weight: 1,
  plan: null,
  ...terms,
}));

export function productOf(sku: string): SeedProduct {
  const product = PRODUCTS.find((known) => known.sku === sku);
  if (!product) throw new Error(`no product ${sku} in the seed`);
  return product;
}
