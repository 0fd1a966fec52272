/** Products and the images of a site; test/e2e/writes/product-file.test.ts lists the images. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { schemaOf } from '../codec/shape.ts';
import {
  ask,
  expectAnswers,
  getJson,
  type Json,
  lineOf,
  listed,
  openSandbox,
  rowsAt,
  test,
} from '../raw.ts';

const PRODUCTS = '/rest/1.3/products';
const SITE = 'site=GREENLEAF';
const PAGES = 'thankYouPage=https://a.example/t&pitchPage=https://a.example/p';
const BASE = `${SITE}&currency=USD&price=19.00&language=EN&title=New&${PAGES}`;
const DIGITAL = `${BASE}&digital=true&categories=EBOOK`;
const BILLING = 'rebillPrice=9.50&trialPeriod=0&frequency=MONTHLY&duration=999';
const RECURRING = `${BASE}&digitalRecurring=true&categories=EBOOK&${BILLING}`;

const save = (sandbox: Sandbox, sku: string, query: string, headers = {}) =>
  ask(sandbox, 'PUT', `${PRODUCTS}/${sku}?${query}`, headers);

async function getProduct(sandbox: Sandbox, sku: string): Promise<Json> {
  return JSON.parse((await getJson(sandbox, `${PRODUCTS}/${sku}?${SITE}`)).text) as Json;
}

async function skusIn(sandbox: Sandbox, query: string): Promise<unknown[]> {
  const { text } = await getJson(sandbox, `${PRODUCTS}/list?${query}`);
  const { products, total_record_count } = JSON.parse(text);
  const found = listed(products.product);
  expect(total_record_count).toBe(String(found.length));
  return found.map((one) => one['@sku']);
}

test('lists all products of a site, or those of one type', async ({ sandbox }) => {
  const all = await skusIn(sandbox, SITE);
  const standard = await skusIn(sandbox, `${SITE}&type=STANDARD`);
  const recurring = await skusIn(sandbox, `${SITE}&type=RECURRING`);
  expect(recurring).toEqual(['CLUB-BOX-M', 'CLUB-M', 'CLUB-PLUS-M', 'COURSE-Y', 'PLAN-6']);
  expect(standard).toContain('GUIDE-01');
  expect([...standard, ...recurring].sort()).toEqual(all);
  expect(await skusIn(sandbox, 'site=TOPAFF1')).toEqual([]);
});

test('requires one of the products of a site of the key', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    GET products/CLUB-M?site=FITLAB24 403
    GET products/NOSUCH?${SITE} 403
    DELETE products/CLUB-M?site=FITLAB24 403
    DELETE products/NOSUCH?${SITE} 403
    vendor: GET products/list?site=FITLAB24 403
    vendor: GET products/list?${SITE} 200
    vendor: PUT products/NEW-01?${DIGITAL.replace('GREENLEAF', 'FITLAB24')} 403
    vendor: PUT products/NEW-01?${DIGITAL} 201`;
});

test('returns the sku with 201 for a new product, 200 for a changed one', async ({ sandbox }) => {
  const made = await save(sandbox, 'NEW-01', DIGITAL, { Accept: 'application/json' });
  expect([made.status, made.text]).toEqual([201, 'NEW-01']);
  expect(made.headers['content-type']).toMatch(/^text\/plain/);
  const before = await getProduct(sandbox, 'NEW-01');
  const changed = await save(sandbox, 'NEW-01', DIGITAL.replace('title=New', 'title=Newer'));
  expect([changed.status, changed.text]).toEqual([200, 'NEW-01']);
  const after = await getProduct(sandbox, 'NEW-01');
  expect([before.title, after.title]).toEqual(['New', 'Newer']);
  expect(after.id).toBe(before.id);
});

test('returns times with their seasonal time zone', async () => {
  let now = new Date('2026-01-31T09:35:28Z');
  const sandbox = await openSandbox({ now: () => now });
  await save(sandbox, 'NEW-01', DIGITAL);
  now = new Date('2026-07-01T19:00:00Z');
  await save(sandbox, 'NEW-01', DIGITAL);
  expect(await getProduct(sandbox, 'NEW-01')).toMatchObject({
    created: '2026-01-31 01:35:28 PST',
    updated: '2026-07-01 12:00:00 PDT',
  });
});

test('returns every saved field that a product has', async ({ sandbox }) => {
  const query = [
    'site=GREENLEAF&currency=EUR&price=92.00&language=FR&title=Tout&description=Le%20tout',
    'digitalRecurring=true&physicalRecurring=true&categories=EBOOK&categories=VIDEO',
    'thankYouPage=https://a.example/t&mobileThankYouPage=https://a.example/mt',
    'pitchPage=https://a.example/p&mobilePitchPage=https://a.example/mp',
    'rebillPrice=46.00&rebillCommission=12.5&trialPeriod=7&frequency=BI_WEEKLY&duration=6',
    'shippingProfile=Parcel&purchaseCommission=75&image=9501&skipConfirmationPage=true',
    'saleRefundDaysLimit=60&rebillRefundDaysLimit=30&deliveryMethod=MAIL&deliverySpeed=FAST',
    'preRebillNotificationOverride=true&preRebillNotificationLeadTime=5',
  ].join('&');
  expect((await save(sandbox, 'ALL%2201', query)).status).toBe(201);
  const [schema, xml] = await Promise.all(
    ['schema', `ALL%2201?${SITE}`].map((path) => ask(sandbox, 'GET', `${PRODUCTS}/${path}`)),
  );
  schemaOf(schema?.text ?? '').validate(xml?.text ?? '');
  const saved = { created: '2026-03-18 12:00:00 PDT', updated: '2026-03-18 12:00:00 PDT' };
  expect(await getProduct(sandbox, 'ALL%2201')).toEqual({
    '@sku': 'ALL"01',
    id: expect.stringMatching(/^\d+$/),
    status: 'ACTIVE',
    site: 'GREENLEAF',
    ...{ digital: 'false', physical: 'false', digitalRecurring: 'true', physicalRecurring: 'true' },
    ...{ ...saved, language: 'FR', title: 'Tout', description: 'Le tout' },
    approval_status: { status: 'APPROVED' },
    image: { id: '9501', title: 'New cover', type: 'PRODUCT', approved: 'true' },
    thank_you_pages: { desktop: 'https://a.example/t', mobile: 'https://a.example/mt' },
    pitch_pages: { desktop: 'https://a.example/p', mobile: 'https://a.example/mp' },
    commission: {
      ...{ purchase: '75.00', rebill: '12.50' },
      ...{ no_rebill_commission: 'false', commission_tier_override: 'false' },
    },
    pricings: {
      pricing: {
        '@currency': 'EUR',
        standard: { price: { native_price: '92.00', usd: '100.00' } },
        recurring: {
          price: { native_price: '46.00', usd: '50.00' },
          ...{ frequency: 'BI_WEEKLY', frequencyValue: '0', duration: '6', trial_days: '7' },
          ...{ pre_rebill_override: 'true', pre_rebill_leadtime: '5' },
        },
        physical: { shipping_profile: 'Parcel' },
      },
    },
    categories: { category: ['EBOOK', 'VIDEO'] },
    ...{ sale_refund_days_limit: '60', rebill_refund_days_limit: '30' },
    ...{ deliveryMethod: 'MAIL', deliverySpeed: 'FAST' },
    ...{ no_commission: 'false', commission_tier_override: 'false', isPartOfOrderBump: 'false' },
    ...{ isInitialOfOrderBump: 'false', isProductOfOrderBump: 'false' },
  });
});

test('replaces every field of a product when saving', async ({ sandbox }) => {
  await save(sandbox, 'NEW-01', `${RECURRING}&purchaseCommission=75&deliveryMethod=MAIL`);
  await save(sandbox, 'NEW-01', DIGITAL);
  const saved = await getProduct(sandbox, 'NEW-01');
  expect(saved).toMatchObject({ digitalRecurring: 'false', commission: { purchase: '50.00' } });
  expect(saved).not.toHaveProperty('deliveryMethod');
  expect(saved.commission).not.toHaveProperty('rebill');
  expect(JSON.stringify(saved.pricings)).not.toContain('recurring');
});

test('leaves out what is not set, and never sends nil', async ({ sandbox }) => {
  await save(sandbox, 'NEW-01', RECURRING);
  for (const path of [`NEW-01?${SITE}`, `PLAN-6?${SITE}`, `list?${SITE}`]) {
    const { text } = await getJson(sandbox, `${PRODUCTS}/${path}`);
    expect(text).toMatch(/"no_commission":"false"/);
    expect(text).not.toContain('nil');
  }
  await save(sandbox, 'NEW-02', `${RECURRING}&preRebillNotificationLeadTime=5`);
  await save(sandbox, 'NEW-02', RECURRING);
  const { pricings } = await getProduct(sandbox, 'NEW-02');
  expect(JSON.stringify(pricings)).toContain('"pre_rebill_override":"false"');
  expect(JSON.stringify(pricings)).not.toContain('pre_rebill_leadtime');
  const plan = await getProduct(sandbox, 'PLAN-6');
  expect(plan.thank_you_pages).toEqual({ desktop: expect.stringMatching(/^https:/) });
  expect(plan).not.toHaveProperty('description');
});

const trial = (days: string) => RECURRING.replace('trialPeriod=0', `trialPeriod=${days}`);
const PHYSICAL = `${BASE}&physical=true`;

test.for([
  ...['rebillPrice', 'trialPeriod', 'frequency', 'duration'].map(
    (name) => [RECURRING.replace(new RegExp(`&${name}=[^&]*`), ''), name] as const,
  ),
  [DIGITAL.replace('currency=USD', 'currency=DOLLAR'), 'currency'],
  [DIGITAL.replace('price=19.00', 'price=1.005'), 'price'],
  [`${DIGITAL}&image=front`, 'image'],
  ...['1', '2'].map((days) => [trial(days), 'trialPeriod'] as const),
  // Only digital products have categories, and only physical ones need a description.
  [`${BASE}&digital=true`, 'categories'],
  [`${BASE}&digitalRecurring=true&${BILLING}`, 'categories'],
  [`${PHYSICAL}&description=d&categories=EBOOK`, 'categories'],
  [PHYSICAL, 'description'],
  [`${BASE}&physicalRecurring=true&${BILLING}`, 'description'],
  [DIGITAL.replace('thankYouPage=', 'x='), 'mobileThankYouPage'],
  [DIGITAL.replace('pitchPage=', 'x='), 'mobilePitchPage'],
] as const)('saves no product from %s, and names %s', async ([query, name], { seeded }) => {
  await expectAnswers(seeded)`
    PUT products/NEW-01?${query} 400 ${name}
    GET products/NEW-01?${SITE} 403`;
});

test('saves physical products, mobile pages, and trials of 3 to 31 days', async ({ sandbox }) => {
  const mobile = DIGITAL.replace('thankYouPage', 'mobileThankYouPage');
  await expectAnswers(sandbox)`
    PUT products/BOX?${PHYSICAL}&description=d 201
    PUT products/NEW-01?${mobile.replace('pitchPage', 'mobilePitchPage')} 201
    PUT products/NEW-0?${trial('0')} 201
    PUT products/NEW-3?${trial('3')} 201
    PUT products/NEW-31?${trial('31')} 201`;
});

test('keeps the orders of a deleted product, which can be created again', async ({ sandbox }) => {
  await expectAnswers(sandbox)`DELETE products/CLUB-M?${SITE} 204`;
  expect(await skusIn(sandbox, SITE)).not.toContain('CLUB-M');
  await expectAnswers(sandbox)`
    GET products/CLUB-M?${SITE} 403
    DELETE products/CLUB-M?${SITE} 403`;
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({ itemNo: 'CLUB-M', status: 'ACTIVE' });
  await expectAnswers(sandbox)`PUT products/CLUB-M?${RECURRING} 201`;
  expect((await getProduct(sandbox, 'CLUB-M')).created).toBe('2026-03-18 12:00:00 PDT');
});

test('changes to the price of a new product, never to a deleted one', async ({ sandbox }) => {
  const change = 'POST orders2/MONTHLY1/changeProduct?';
  await expectAnswers(sandbox)`
    PUT products/NEW-M?${RECURRING} 201
    PUT products/CLUB-M?${DIGITAL} 200
    ${change}oldSku=CLUB-M&newSku=NEW-M 204
    DELETE products/CLUB-M?${SITE} 204
    ${change}oldSku=NEW-M&newSku=CLUB-M 400`;
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({ rebillAmount: '9.50' });
});

const imagesOf = (sandbox: Sandbox, query: string) => rowsAt(sandbox, `images/list?${query}`);

test("accepts only product images of the product's site", async ({ sandbox }) => {
  const [foreign] = await imagesOf(sandbox, 'site=FITLAB24&type=PRODUCT');
  const [banner] = await imagesOf(sandbox, 'site=GREENLEAF&type=BANNER');
  const [pending] = (
    await imagesOf(sandbox, 'site=GREENLEAF&type=PRODUCT&approvedOnly=false')
  ).filter(({ approved }) => approved === 'false');
  const save = `PUT products/NEW-01?${DIGITAL}&image=`;
  await expectAnswers(sandbox)`
    ${save}${foreign?.imageid} 400 image
    ${save}${banner?.imageid} 400 image
    ${save}${pending?.imageid} 201`;
  const { image } = await getProduct(sandbox, 'NEW-01');
  const { imageid: id, title } = pending ?? {};
  expect(image).toEqual({ id, title, type: 'PRODUCT', approved: 'false' });
});
