/** `products save --from FILE` keeps every setting in the file, or rejects it; and the images of a site. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson, servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';

test('keeps products unchanged through get -o json and save --from', async () => {
  const { cb, folder } = await servedShop();
  const list = JSON.parse((await cb('products list --site GREENLEAF -o json')).out);
  // Products with the same fields are saved with the same options.
  const kinds = new Map(list.map((one: object) => [shapeOf(one), one]));
  expect(kinds.size).toBeGreaterThan(2);
  for (const { sku } of kinds.values() as Iterable<{ sku: string }>) {
    const get = `products get '${sku}' --site GREENLEAF -o json`;
    const file = join(folder, 'product.json');
    writeFileSync(file, (await cb(get)).out);
    const { code, err } = await cb(`products save '${sku}' --from product.json --yes`);
    expect({ sku, code, err }).toMatchObject({ sku, code: 0 });
    const { updated: _, ...before } = JSON.parse(readFileSync(file, 'utf8'));
    const { updated: __, ...after } = JSON.parse((await cb(get)).out);
    expect(after).toEqual(before);
  }
});

/** Which fields have a value, at any depth. */
function shapeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? '' : typeof value;
  return Object.entries(value)
    .map(([name, one]) => `${name}(${shapeOf(one)})`)
    .join();
}

/** A recurring product with every setting that can be saved. */
const product = {
  sku: 'CLUB',
  id: 17,
  status: 'ACTIVE',
  digital: true,
  physical: false,
  digitalRecurring: true,
  physicalRecurring: false,
  site: 'SHOP',
  created: '2026-01-31 01:35:28 PST',
  approval_status: { ticket_id: 5, status: 'APPROVED' },
  language: 'EN',
  title: 'Club',
  image: { id: 9, title: 'A picture', type: 'PRODUCT', approved: true, path: '/9.png' },
  thank_you_pages: { desktop: 'https://a.example/thanks', mobile: null },
  pitch_pages: { desktop: 'https://a.example/pitch', mobile: null },
  commission: { purchase: 50, rebill: 40, no_rebill_commission: false },
  pricings: {
    pricing: [
      {
        currency: 'USD',
        standard: { price: { native_price: 9.5, usd: 9.5, usd_with_fees: 10 } },
        recurring: {
          price: { native_price: 19.5, usd: 19.5 },
          frequency: 'MONTHLY',
          duration: 999,
          trial_days: 7,
          pre_rebill_override: true,
          pre_rebill_leadtime: 5,
        },
      },
    ],
  },
  contracts: { contract: [{ id: 3, status: 'ACTIVE', name: 'Both' }] },
  categories: { category: ['EBOOK'] },
  skip_confirmation_page: true,
  no_commission: false,
  maxQuantity: null,
  isPartOfOrderBump: true,
};

const [pricing] = product.pricings.pricing;

function withRecurring(change: object): object {
  const recurring = { ...pricing?.recurring, ...change };
  return { ...product, pricings: { pricing: [{ ...pricing, recurring }] } };
}

async function save(file: object, more = '') {
  const { cb, folder, url, asked } = await servedHome((reply, _, { method }) =>
    reply.writeHead(method === 'GET' ? 403 : 200).end('CLUB'),
  );
  writeFileSync(join(folder, 'club.json'), JSON.stringify(file));
  const ran = await cb(`products save CLUB --from club.json --yes ${more}`);
  const put = asked.find(({ method }) => method === 'PUT');
  return { ...ran, sent: put && new URL(put.url, url).searchParams };
}

test.each([
  [
    'is listed in another case',
    [{ ...product, '@sku': 'Club' }],
    /^CLUB changes:.*: Change product .* erased\.\n$/s,
  ],
  ['is not listed', [], /^CLUB is a new product of SHOP\.\n.*: Create product .* 9\.5 USD\.\n$/],
])('takes a 403 for a product that %s as what the list shows', async (_, listed, says) => {
  const { cb, folder } = await servedHome((reply, _, { url }) => {
    if (url.endsWith('/debug')) reply.end('roles: api_products_client');
    else if (!url.includes('/list')) reply.writeHead(403).end('No');
    else reply.end(JSON.stringify({ products: { product: listed } }));
  });
  writeFileSync(join(folder, 'club.json'), JSON.stringify(product));
  expect((await cb('products save CLUB --from club.json --dry-run')).err).toMatch(says);
});

test('sends the confirmation page and pre-rebill settings of the file', async () => {
  const { code, sent } = await save(product);
  expect(code).toBe(0);
  expect(Object.fromEntries(sent ?? [])).toMatchObject({
    skipConfirmationPage: 'true',
    preRebillNotificationOverride: 'true',
    preRebillNotificationLeadTime: '5',
    image: '9',
    frequency: 'MONTHLY',
  });
});

test.each([
  ['DAYS', 7, 'WEEKLY'],
  ['WEEKS', 2, 'BI_WEEKLY'],
  ['MONTHS', 3, 'QUARTERLY'],
  ['MONTHS', 12, 'YEARLY'],
  // ClickBank has no name for it; the option replaces it.
  ['DAYS', 10, 'MONTHLY', '--frequency MONTHLY'],
])('sends a frequency of %s with the value %i as %s', async (frequency, value, word, more = '') => {
  const { code, sent } = await save(withRecurring({ frequency, frequencyValue: value }), more);
  expect([code, sent?.get('frequency')]).toEqual([0, word]);
});

const recurring = 'pricings.pricing.recurring';
const refused = 'ClickBank does not accept';
const rebills = { commission: { rebill: 40, no_rebill_commission: true } };
const inEuros = { pricings: { pricing: [pricing, { ...pricing, currency: 'EUR' }] } };
const ofDays = { frequency: 'DAYS', frequencyValue: 10 };
const description = { post_purchase_description: 'Thanks' };
test.each([
  ['a second currency', { ...product, ...inEuros }, 'pricings.pricing has several currencies'],
  ['a frequency of 10 days', withRecurring(ofDays), `${recurring}.frequency is 10 DAYS`],
  ['days without a value', withRecurring({ frequency: 'DAYS' }), `${recurring}.frequency is DAYS`],
  ['no commission', { ...product, no_commission: true }, `${refused} no_commission`],
  ['a description', { ...product, ...description }, `${refused} post_purchase_description`],
  ['a largest quantity', { ...product, maxQuantity: 3 }, `${refused} maxQuantity`],
  ['rebills', { ...product, ...rebills }, `${refused} commission.no_rebill_commission`],
  ['a title', withRecurring({ recurringTitle: 'A' }), `${refused} ${recurring}.recurringTitle`],
  ['a new field', { ...product, new_setting: { on: 'yes' } }, `${refused} new_setting.on`],
])('names the field and sends nothing if the file contains %s', async (_, file, says) => {
  const { sent, ...ran } = await save(file);
  expectExit(ran, 2, `--from club.json can't be saved: ${says}.`);
  expect(sent).toBeUndefined();
});

const SAVE =
  "--site GREENLEAF --currency USD --price 19.00 --language EN --title 'A new guide' --digital --categories EBOOK --thank-you-page https://a.example/thanks --pitch-page https://a.example/pitch --yes";

interface Image {
  readonly imageid: number;
  readonly title: string | null;
  readonly type: string;
  readonly approved: boolean;
}

test('lists approved images, or all with --no-approved-only, whose IDs are saved in products', async () => {
  const at = await sandboxHome(60);
  const list = (flags: string): Promise<Image[]> =>
    sandboxJson(at, `products images --site GREENLEAF ${flags}`);
  const images = await list('--type PRODUCT');
  expect(images.length).toBeGreaterThan(3);
  for (const image of images) expect(image).toMatchObject({ type: 'PRODUCT', approved: true });
  const chosen = images.find(({ title }) => title === 'New cover');
  const saved = await at.cb(`--sandbox products save NEW-01 ${SAVE} --image ${chosen?.imageid}`);
  expect(saved).toMatchObject({ code: 0, out: 'NEW-01\n' });
  const shown = await sandboxJson(at, 'products get NEW-01 --site GREENLEAF');
  expect(shown.image).toMatchObject({ id: chosen?.imageid, title: 'New cover' });
  const pending = (await list('--no-approved-only')).filter(({ approved }) => !approved);
  expect(pending).toHaveLength(1);
  expect((await list('')).map(({ imageid }) => imageid)).not.toContain(pending[0]?.imageid);
});

test('lists settings that saving changes or erases, but not those that are off', async () => {
  const { cb } = await sandboxHome(60);
  const line = `--sandbox products save CLUB-M ${SAVE.replace(' --yes', '')}`;
  const { code, err } = await cb(line, { columns: 80, person: person(false) });
  expect(code).toBe(10);
  expect(err).toMatch(/CLUB-M changes:\n(?: {2}.*\n)*? {2}title: .* → A new guide\n/);
  expect(err).toContain('  frequency: MONTHLY → (none)\n');
  expect(err).not.toMatch(/physical|trialPeriod/i);
  expectExit(await cb(`${line} --dry-run`), 0, ' frequency: MONTHLY → (none) ');
});
