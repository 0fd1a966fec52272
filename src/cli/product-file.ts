/** A product as the service shows it, as the parameters with which it is saved. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { usage } from './failure.ts';
import type { Typed } from './flags.ts';
import { pathOf } from './folders.ts';
import type { Shell } from './shell.ts';

/** Where each parameter stands in a product; a path into its first pricing begins with `pricing`. */
const places: Readonly<Record<string, string>> = {
  site: 'site',
  currency: 'pricing.currency',
  price: 'pricing.standard.price.native_price',
  language: 'language',
  title: 'title',
  digital: 'digital',
  physical: 'physical',
  digitalRecurring: 'digitalRecurring',
  physicalRecurring: 'physicalRecurring',
  categories: 'categories.category',
  thankYouPage: 'thank_you_pages.desktop',
  mobileThankYouPage: 'thank_you_pages.mobile',
  rebillPrice: 'pricing.recurring.price.native_price',
  rebillCommission: 'commission.rebill',
  trialPeriod: 'pricing.recurring.trial_days',
  frequency: 'pricing.recurring.frequency',
  duration: 'pricing.recurring.duration',
  shippingProfile: 'pricing.physical.shipping_profile',
  purchaseCommission: 'commission.purchase',
  description: 'description',
  image: 'image.id',
  pitchPage: 'pitch_pages.desktop',
  mobilePitchPage: 'pitch_pages.mobile',
  saleRefundDaysLimit: 'sale_refund_days_limit',
  rebillRefundDaysLimit: 'rebill_refund_days_limit',
  deliveryMethod: 'deliveryMethod',
  deliverySpeed: 'deliverySpeed',
};

/** The parameters that save a product as it is, as texts; what it lacks is absent. */
export function savedParameters(product: object): Record<string, string | string[]> {
  const { pricings } = product as { pricings?: { pricing?: unknown[] } | null };
  const root = { ...product, pricing: pricings?.pricing?.[0] };
  const found: Record<string, string | string[]> = {};
  for (const [parameter, place] of Object.entries(places)) {
    const value = valueAt(root, place.split('.'));
    if (Array.isArray(value) && value.length > 0) found[parameter] = value.map(String);
    else if (value !== null && value !== undefined && !Array.isArray(value)) {
      found[parameter] = String(value);
    }
  }
  return found;
}

function valueAt(value: unknown, [name, ...deeper]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return valueAt((value as Readonly<Record<string, unknown>>)[name], deeper);
}

/** What was typed, and what was not from the file that `--from` names. */
export async function productFile(shell: Shell, typed: Typed): Promise<Typed> {
  const { from } = typed;
  if (typeof from !== 'string') return typed;
  const content = await readText(shell, from);
  const { parseJson } = await import('../api/wire-json.ts');
  let product: unknown;
  try {
    product = parseJson(content);
  } catch (cause) {
    throw usage(`--from ${from} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const [only] = Array.isArray(product) && product.length === 1 ? product : [product];
  if (typeof only !== 'object' || only === null || Array.isArray(only)) {
    throw usage(`--from ${from} does not hold one product`);
  }
  const given = Object.entries(typed).filter(([, value]) => value !== undefined);
  return { ...savedParameters(only), ...Object.fromEntries(given) };
}

async function readText({ context }: Shell, from: string): Promise<string> {
  if (from === '-') return text(context.stdin);
  const path = pathOf(context, from);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw usage(`--from ${from} can't be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
  }
}
