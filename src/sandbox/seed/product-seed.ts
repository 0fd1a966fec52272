/** Seeds the products of the sample vendors. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { VENDORS } from '../request/keys.ts';
import { insertRows } from '../store/bulk.ts';
import { PRODUCTS, type SeedProduct } from './products.ts';
import type { SeedPlan } from './story.ts';

const LANGUAGES: Readonly<Record<string, string>> = { EUR: 'DE' };
const SALE_REFUND_DAYS = 60;
/** Rebills of the main vendor are refundable as long as sales, those of other vendors half as long. */
const REBILL_REFUND_DAYS = 30;
const [MAIN_VENDOR] = VENDORS;

function billing({ site, plan, commission }: SeedProduct) {
  const refundDays = site === MAIN_VENDOR ? SALE_REFUND_DAYS : REBILL_REFUND_DAYS;
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

function kinds({ plan, shippable }: SeedProduct) {
  return {
    digital: Number(!plan && !shippable),
    physical: Number(!plan && shippable),
    digital_recurring: Number(!!plan && !shippable),
    physical_recurring: Number(!!plan && shippable),
  };
}

function productRow(product: SeedProduct, created: number) {
  const { id, site, sku, title, currency, price, category, shippable } = product;
  return {
    id,
    site,
    sku,
    title,
    description: shippable ? `${title}, by mail` : null,
    language: LANGUAGES[currency] ?? 'EN',
    currency,
    price,
    categories: JSON.stringify(category === null ? [] : [category]),
    purchase_commission: product.commission,
    ...billing(product),
    ...kinds(product),
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

function seedImages(db: Database): void {
  const others = VENDORS.flatMap((site, vendor) =>
    OTHERS.map((image, i) => ({ id: 9501 + 10 * vendor + i, site, ...image })),
  );
  insertRows(db, 'image', [...shownImages(), ...others]);
}

export function seedProducts(db: Database, { now }: SeedPlan): void {
  const created = instantOf(addDays(pacificDay(now), -500), 9 * 3600);
  insertRows(
    db,
    'product',
    PRODUCTS.map((product) => productRow(product, created)),
  );
  seedImages(db);
}
