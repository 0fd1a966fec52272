/** Generates sales: items, time, customer, affiliate, and later events. */
import { addDays, instantOf, pacificDay, pacificTime } from '../../dates/day.ts';
import { AFFILIATES, VENDORS } from '../http/keys.ts';
import { generateCustomer } from './customer.ts';
import { PRODUCTS, type SeedProduct } from './products.ts';
import type { Item, Story } from './purchase.ts';
import type { Random } from './random.ts';

const DAY = 86_400;

const AFFILIATE_CHOICES = AFFILIATES.map((nickname, i) => ({ nickname, weight: 1 / (i + 2) }));
const PAYMENT_METHODS = [
  { method: 'VISA', weight: 45 },
  { method: 'MASTERCARD', weight: 27 },
  { method: 'PAYPAL', weight: 18 },
  { method: 'CHECK', weight: 2 },
  { method: 'AMEX', weight: 5 },
  { method: 'DISCOVER', weight: 2 },
  { method: null, weight: 1 },
];
const TRACKING_IDS = ['fb1', 'mail-03', 'yt_review', 'spring', 'a-b.c', 'TID99', 'ünïcode', '0012'];

/** A time in the year before `now`, weighted toward recent ones: sales grow by a factor of e in `growth` days. */
export function saleTime(random: Random, now: number, growth: number): number {
  const span = 1 - Math.exp(-364 / growth);
  const today = pacificDay(now);
  // Today has only the share of its sales that are made by now.
  for (;;) {
    const ago = Math.floor(-growth * Math.log(1 - random.fraction() * span));
    const at = timeOn(random, addDays(today, -ago));
    if (at <= now) return at;
  }
}

/** A time on `day` up to `now`, more often in the evening. */
export function timeOn(random: Random, day: string, now = Number.POSITIVE_INFINITY): number {
  const soFar = Math.min(DAY, Math.max(1, now - instantOf(day)));
  return instantOf(day, Math.floor(Math.sqrt(random.fraction()) * (soFar - 1)));
}

/** `at` is the instant of the purchase. Numbers pick from lists where another random one would change later sales. */
function extrasOf(random: Random, phone: string | null, affiliated: boolean, at: number) {
  const json = (value: object) => JSON.stringify(value);
  const declinedConsent = random.chance(0.4) ? null : Number(random.chance(0.1));
  let contactInfo = '[]';
  if (phone !== null || random.chance(0.1)) {
    const info = [{ field: 'phone', value: phone ?? '+1-208-555-0199' }];
    if (random.chance(0.3)) info.push({ field: 'company', value: 'Müller & Søn, Ltd.' });
    contactInfo = json(info);
  }
  const variables = [
    { name: 'campaign', value: random.pick(['spring', 'fall "24"', 'a=b&c']) },
    { name: 'skin', value: String(random.integer(1, 40)) },
  ];
  return {
    ...{ declinedConsent, contactInfo },
    vendorVariables: json(variables.slice(0, random.chance(0.7) ? 0 : random.integer(1, 2))),
    commonTracking: random.chance(0.1) ? json(commonTracking(random, at)) : null,
    affiliateTracking:
      affiliated && random.chance(0.1) ? json(affiliateTracking(random.integer(1, 9999))) : null,
  };
}

const DEVICES = ['DESKTOP', 'MOBILE', 'TABLET'];
const SOURCES = ['facebook', 'google', 'newsletter', 'youtube'];

const commonTracking = (random: Random, at: number) => ({
  clickTimestamp: pacificTime(at - 60 - (at % 3600)),
  clickId: `c-${at.toString(36)}`,
  deviceType: DEVICES[at % DEVICES.length],
  extclid: `x${at}`,
  utm_source: 'mail',
  utm_campaign: random.pick(['spring', 'q1 <b>']),
});

const affiliateTracking = (number: number) => ({
  affSub1: String(number),
  affSub2: `lp-${number % 7}`,
  affSub3: DEVICES[number % DEVICES.length]?.toLowerCase(),
  affSub4: `v${number % 3}`,
  affSub5: 'a&b <c>',
  trafficType: number % 2 ? 'PAID' : 'ORGANIC',
  trafficSource: SOURCES[number % SOURCES.length],
  offer: `offer-${number % 5}`,
  campaign: `campaign-${number % 11}`,
  adgroup: `group-${number % 13}`,
  ad: `ad-${number % 17}`,
  creative: `creative-${number % 19}`,
  aff_note: `n${number}`,
});

const isOneTime = ({ plan, shippable }: SeedProduct) => plan === null && !shippable;

function others(main: SeedProduct): SeedProduct[] {
  return PRODUCTS.filter((p) => p.site === main.site && p !== main && isOneTime(p));
}

function itemsOf(random: Random, main: SeedProduct): Item[] {
  const quantity = main.plan || !random.chance(0.06) ? 1 : random.integer(2, 4);
  const refundsBlocked = random.chance(0.01);
  const first = { product: main, quantity, refundsBlocked };
  const more = others(main);
  const draw = random.fraction();
  if (more.length && draw < 0.1) {
    const bump: Item = { product: random.pick(more), type: 'BUMP', quantity: 1 };
    return [{ ...first, type: 'ORIGINAL' }, bump];
  }
  if (more.length && draw < 0.16) {
    const type = 'CART';
    const cart = more.slice(0, random.integer(1, 3));
    return [{ ...first, type }, ...cart.map((product) => ({ product, type, quantity: 1 }))];
  }
  return [{ ...first, type: draw > 0.99 ? 'TOKEN' : 'STANDARD' }];
}

type Aftermath = Pick<Story, 'canceledAt' | 'status' | 'reversal'>;

/** The events after a sale, also in the distant future. */
function aftermathOf(random: Random, at: number, product: SeedProduct): Aftermath {
  const draw = random.fraction();
  const after = random.integer(1, 40) * DAY + random.integer(0, DAY);
  if (draw < 0.055) return { reversal: { type: 'RFND', after } };
  if (draw < 0.062) return { reversal: { type: 'CGBK', after } };
  if (!product.plan) return {};
  const canceledAt = at + random.integer(3, 200) * DAY + random.integer(0, DAY);
  if (draw < 0.45) return { canceledAt };
  if (draw > 0.98) return { status: 'AUTHORIZATION_FAILURE' };
  return draw > 0.97 ? { status: 'VALIDATION_FAILURE' } : {};
}

/** This vendor uses a different tracking ID for every click, which fills several pages of analytics. */
const [, CLICK_TRACKER] = VENDORS;

export function plainSale(random: Random, receipt: string, at: number): Story {
  const product = random.pick(PRODUCTS.filter(isOneTime));
  return storyOf(random, receipt, at, [{ product, type: 'STANDARD', quantity: 1 }]);
}

function storyOf(random: Random, receipt: string, at: number, items: readonly Item[]): Story {
  const customer = generateCustomer(
    random,
    items.some(({ product }) => product.shippable),
  );
  const affiliate = random.chance(0.65) ? random.weigh(AFFILIATE_CHOICES).nickname : null;
  const isTracked = random.chance(affiliate === null ? 0.1 : 0.5);
  const tracked = isTracked ? random.pick(TRACKING_IDS) : null;
  const tracksClicks = items[0]?.product.site === CLICK_TRACKER;
  const trackingId = tracked && tracksClicks ? `click-${receipt.slice(-5)}` : tracked;
  const paymentMethod = random.weigh(PAYMENT_METHODS).method;
  const extras = extrasOf(random, customer.phone, affiliate !== null, at);
  const sold = { receipt, upsellOf: null, at, items, customer, affiliate, trackingId };
  return { ...sold, paymentMethod, test: false, extras };
}

export function generateSale(random: Random, receipt: string, at: number): Story {
  const main = random.weigh(PRODUCTS);
  const aftermath = aftermathOf(random, at, main);
  const paid = storyOf(random, receipt, at, itemsOf(random, main));
  let story: Story = { ...paid, ...aftermath };
  // Some electronic checks are returned within days, which is a chargeback.
  if (paid.paymentMethod === 'CHECK' && !aftermath.reversal && random.chance(0.15)) {
    story = { ...paid, reversal: { type: 'CGBK', after: random.integer(3, 8) * DAY } };
  }
  // Tests are never charged back.
  if (!random.chance(0.03) || story.reversal?.type === 'CGBK') return story;
  return { ...story, test: true, affiliate: null, paymentMethod: 'TEST_PAYMENT' };
}

/** Upsells bought by the same customer right afterwards: usually none, otherwise one or two. */
export function generateUpsells(random: Random, parent: Story, nextReceipt: () => string): Story[] {
  const [first] = parent.items;
  if (!first || parent.test || parent.reversal || !random.chance(0.06)) return [];
  const offers = others(first.product).slice(0, random.integer(1, 2));
  return offers.map((product, i) => ({
    ...parent,
    receipt: nextReceipt(),
    at: parent.at + i + 1,
    items: [{ product, type: 'UPSELL', quantity: 1 }],
  }));
}
