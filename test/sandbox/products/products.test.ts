import { expect } from 'vitest';
import { product, productList } from '../../../src/operations/products.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { faultsInJson } from '../codec/shape.ts';
import { ask, getJson, keyed, lineOf, openSandbox, post, type RawResponse, test } from '../raw.ts';

const PRODUCTS = '/rest/1.3/products';
const SITE = 'site=GREENLEAF';
const PAGES = 'thankYouPage=https://a.example/t&pitchPage=https://a.example/p';
const BASE = `${SITE}&currency=USD&price=19.00&language=EN&title=New&${PAGES}`;
const DIGITAL = `${BASE}&digital=true&categories=EBOOK`;
const BILLING = 'rebillPrice=9.50&trialPeriod=0&frequency=MONTHLY&duration=999';
const RECURRING = `${BASE}&digitalRecurring=true&categories=EBOOK&${BILLING}`;

type Json = Readonly<Record<string, unknown>>;

function save(sandbox: Sandbox, sku: string, query: string, headers = {}): Promise<RawResponse> {
  return ask(sandbox, 'PUT', `${PRODUCTS}/${sku}?${query}`, headers);
}

async function expectRefusal(sandbox: Sandbox, query: string, names: string): Promise<void> {
  const response = await save(sandbox, 'NEW-01', query);
  expect([query, response.status, response.text]).toEqual([
    query,
    400,
    expect.stringContaining(names),
  ]);
  expect((await getJson(sandbox, `${PRODUCTS}/NEW-01?${SITE}`)).status).toBe(403);
}

async function getProduct(sandbox: Sandbox, sku: string): Promise<Json> {
  const response = await getJson(sandbox, `${PRODUCTS}/${sku}?${SITE}`);
  expect(response.status).toBe(200);
  expect(faultsInJson(product, JSON.parse(response.text))).toEqual([]);
  return JSON.parse(response.text) as Json;
}

async function skusIn(sandbox: Sandbox, query: string): Promise<unknown[]> {
  const response = await getJson(sandbox, `${PRODUCTS}/list?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  const body = JSON.parse(response.text) as { products: { product: Json[] | Json | null } };
  expect(
    faultsInJson(productList, { ...body, products: body.products.product ? body.products : {} }),
  ).toEqual([]);
  const found = body.products.product === null ? [] : [body.products.product].flat();
  expect((body as Json).total_record_count).toBe(String(found.length));
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

test('requires a site of the key and a valid type', async ({ sandbox }) => {
  const status = async (query: string, name = 'full') =>
    (await getJson(sandbox, `${PRODUCTS}/list${query}`, keyed(sandbox, name))).status;
  expect(await status('')).toBe(400);
  expect(await status(`?${SITE}&type=MONTHLY`)).toBe(400);
  expect(await status('?site=NOTMINE')).toBe(403);
  expect(await status('?site=FITLAB24', 'vendor')).toBe(403);
  expect(await status(`?${SITE}`, 'vendor')).toBe(200);
});

test('returns the sku with 201 for a new product and 200 for a changed one', async ({
  sandbox,
}) => {
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
  expect((await save(sandbox, 'ALL-01', query)).status).toBe(201);
  expect(await getProduct(sandbox, 'ALL-01')).toEqual({
    '@sku': 'ALL-01',
    id: expect.stringMatching(/^\d+$/),
    status: 'ACTIVE',
    digital: 'false',
    physical: 'false',
    digitalRecurring: 'true',
    physicalRecurring: 'true',
    site: 'GREENLEAF',
    created: '2026-03-18 12:00:00 PDT',
    updated: '2026-03-18 12:00:00 PDT',
    approval_status: { status: 'APPROVED' },
    language: 'FR',
    title: 'Tout',
    description: 'Le tout',
    image: { id: '9501', title: 'New cover', type: 'PRODUCT', approved: 'true' },
    thank_you_pages: { desktop: 'https://a.example/t', mobile: 'https://a.example/mt' },
    pitch_pages: { desktop: 'https://a.example/p', mobile: 'https://a.example/mp' },
    commission: {
      purchase: '75.00',
      rebill: '12.50',
      no_rebill_commission: 'false',
      commission_tier_override: 'false',
    },
    pricings: {
      pricing: {
        '@currency': 'EUR',
        standard: { price: { native_price: '92.00', usd: '100.00' } },
        recurring: {
          price: { native_price: '46.00', usd: '50.00' },
          frequency: 'BI_WEEKLY',
          frequencyValue: '0',
          duration: '6',
          trial_days: '7',
          pre_rebill_override: 'true',
          pre_rebill_leadtime: '5',
        },
        physical: { shipping_profile: 'Parcel' },
      },
    },
    categories: { category: ['EBOOK', 'VIDEO'] },
    sale_refund_days_limit: '60',
    rebill_refund_days_limit: '30',
    deliveryMethod: 'MAIL',
    deliverySpeed: 'FAST',
    no_commission: 'false',
    commission_tier_override: 'false',
    isPartOfOrderBump: 'false',
    isInitialOfOrderBump: 'false',
    isProductOfOrderBump: 'false',
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
  const plan = await getProduct(sandbox, 'PLAN-6');
  expect(plan.thank_you_pages).toEqual({ desktop: expect.stringMatching(/^https:/) });
  expect(plan).not.toHaveProperty('description');
});

test.for([
  ['any', DIGITAL, ['site', 'currency', 'price', 'language', 'title']],
  ['a recurring', RECURRING, ['rebillPrice', 'trialPeriod', 'frequency', 'duration']],
] as const)('names the missing parameters of %s product', async ([, good, names], { sandbox }) => {
  for (const name of names) {
    const query = new URLSearchParams(good);
    query.delete(name);
    await expectRefusal(sandbox, String(query), name);
  }
});

test('rejects unknown values', async ({ sandbox }) => {
  await expectRefusal(sandbox, DIGITAL.replace('language=EN', 'language=NL'), 'language');
  await expectRefusal(sandbox, DIGITAL.replace('currency=USD', 'currency=DOLLAR'), 'currency');
  await expectRefusal(sandbox, DIGITAL.replace('price=19.00', 'price=-1'), 'price');
  await expectRefusal(sandbox, DIGITAL.replace('price=19.00', 'price=1.005'), 'price');
  await expectRefusal(sandbox, `${DIGITAL}&categories=MUSIC`, 'categories');
  await expectRefusal(sandbox, `${DIGITAL}&image=front`, 'image');
  await expectRefusal(sandbox, `${DIGITAL}&purchaseCommission=101`, 'purchaseCommission');
  await expectRefusal(sandbox, `${DIGITAL}&saleRefundDaysLimit=-1`, 'saleRefundDaysLimit');
  await expectRefusal(sandbox, RECURRING.replace('MONTHLY', 'DAILY'), 'frequency');
});

test('accepts categories only for digital products', async ({ sandbox }) => {
  await expectRefusal(sandbox, `${BASE}&digital=true`, 'categories');
  await expectRefusal(sandbox, `${BASE}&digitalRecurring=true&${BILLING}`, 'categories');
  const physical = `${BASE}&physical=true&description=d`;
  await expectRefusal(sandbox, `${physical}&categories=EBOOK`, 'categories');
  expect((await save(sandbox, 'BOX', physical)).status).toBe(201);
});

test('requires a thank-you page and a pitch page', async ({ sandbox }) => {
  await expectRefusal(sandbox, DIGITAL.replace('thankYouPage=', 'x='), 'mobileThankYouPage');
  await expectRefusal(sandbox, DIGITAL.replace('pitchPage=', 'x='), 'mobilePitchPage');
  const mobile = DIGITAL.replace('thankYouPage', 'mobileThankYouPage');
  const query = mobile.replace('pitchPage', 'mobilePitchPage');
  expect((await save(sandbox, 'NEW-01', query)).status).toBe(201);
});

test('accepts trials of 0 or 3 to 31 days', async ({ sandbox }) => {
  const trial = (days: string) => RECURRING.replace('trialPeriod=0', `trialPeriod=${days}`);
  for (const days of ['-1', '1', '2', '32', '3.5'])
    await expectRefusal(sandbox, trial(days), 'trialPeriod');
  for (const days of ['0', '3', '31']) {
    expect((await save(sandbox, `NEW-${days}`, trial(days))).status, days).toBe(201);
  }
});

test('requires a description for a physical product', async ({ sandbox }) => {
  await expectRefusal(sandbox, `${BASE}&physical=true`, 'description');
  await expectRefusal(sandbox, `${BASE}&physicalRecurring=true&${BILLING}`, 'description');
});

test('saves a product only for an account of the key', async ({ sandbox }) => {
  const vendor = keyed(sandbox, 'vendor');
  const foreign = DIGITAL.replace('GREENLEAF', 'FITLAB24');
  expect((await save(sandbox, 'NEW-01', foreign, vendor)).status).toBe(403);
  expect((await save(sandbox, 'NEW-01', DIGITAL, vendor)).status).toBe(201);
});

test('keeps the orders of a deleted product, which can be created again', async ({ sandbox }) => {
  const path = `${PRODUCTS}/CLUB-M?${SITE}`;
  const gone = await ask(sandbox, 'DELETE', path);
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect(await skusIn(sandbox, SITE)).not.toContain('CLUB-M');
  expect((await getJson(sandbox, path)).status).toBe(403);
  expect((await ask(sandbox, 'DELETE', path)).status).toBe(403);
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({ itemNo: 'CLUB-M', status: 'ACTIVE' });
  expect((await save(sandbox, 'CLUB-M', RECURRING)).status).toBe(201);
  expect((await getProduct(sandbox, 'CLUB-M')).created).toBe('2026-03-18 12:00:00 PDT');
});

test('requires a site and one of its products for reading and deleting', async ({ sandbox }) => {
  for (const method of ['GET', 'DELETE']) {
    const status = async (path: string) =>
      (await ask(sandbox, method, `${PRODUCTS}/${path}`)).status;
    expect(await status('CLUB-M')).toBe(400);
    expect(await status('CLUB-M?site=FITLAB24')).toBe(403);
    expect(await status('CLUB-M?site=NOTMINE')).toBe(403);
    expect(await status(`NOSUCH?${SITE}`)).toBe(403);
  }
});

test('accepts a new product and rejects a deleted one in changeProduct', async ({ sandbox }) => {
  await save(sandbox, 'NEW-M', RECURRING);
  const change = (from: string, to: string) =>
    post(sandbox, `/rest/1.3/orders2/MONTHLY1/changeProduct?oldSku=${from}&newSku=${to}`);
  expect((await change('CLUB-M', 'NEW-M')).status).toBe(204);
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({ rebillAmount: '9.50' });
  await ask(sandbox, 'DELETE', `${PRODUCTS}/CLUB-M?${SITE}`);
  expect((await change('NEW-M', 'CLUB-M')).status).toBe(400);
});
