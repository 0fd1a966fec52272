/** `cb products …` */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { parseJson } from '../../client/codec/wire-json.ts';
import type { Arguments } from '../../operations/operation.ts';
import { endless } from '../../operations/orders.ts';
import { images, products } from '../../operations/products.ts';
import { type DerivedField, isRow, type Row, type Value } from '../../output/rows/rows.ts';
import { openReader } from '../../safe-write/reads.ts';
import type { CommandContext } from '../../shell/context.ts';
import type { GroupSpec } from '../../shell/define.ts';
import { amountText, itemsOf } from '../../shell/display/texts.ts';
import type { View } from '../../shell/display/view.ts';
import { failureFrom, usage } from '../../shell/failure.ts';
import { pathOf } from '../../shell/folders.ts';
import { helpGroups, type Typed } from '../../shell/options/flags.ts';
import { shownCode } from '../../storage/files.ts';
import { endpointCommands } from './endpoint-command.ts';

const derived: Readonly<Record<string, DerivedField>> = {
  price: {
    kind: 'text',
    isAmount: true,
    from: (row) => priceText(row, 'standard'),
    order: (row) => priceOf(pricedIn(row)[0]?.standard),
  },
  rebill: {
    kind: 'text',
    least: 20,
    from: (row) => {
      const price = priceText(row, 'recurring');
      return price === undefined ? undefined : `${price} ${frequencyText(row)}`.trimEnd();
    },
    order: (row) => priceOf(pricedIn(row)[0]?.recurring),
  },
  approval: {
    kind: 'text',
    from: ({ approval_status: approval }) => (isRow(approval) ? approval.status : undefined),
  },
};

function pricedIn({ pricings }: Row): readonly Row[] {
  return isRow(pricings) ? itemsOf(pricings.pricing) : [];
}

function priceOf(terms: Value): Value {
  const price = isRow(terms) ? terms.price : undefined;
  return isRow(price) ? price.native_price : undefined;
}

/** The price in the first currency, and the number of the other currencies. */
function priceText(row: Row, terms: 'standard' | 'recurring'): string | undefined {
  const [first, ...others] = pricedIn(row).filter((one) => priceOf(one[terms]) !== undefined);
  const text = first && amountText(priceOf(first[terms]), first.currency);
  return text === undefined || others.length === 0 ? text : `${text} +${others.length}`;
}

const words: Readonly<Record<string, string>> = {
  WEEKLY: 'weekly',
  BI_WEEKLY: 'every 2 weeks',
  MONTHLY: 'monthly',
  QUARTERLY: 'quarterly',
  HALF_YEARLY: 'every 6 months',
  YEARLY: 'yearly',
};

/** As in `monthly`, `every 10 days` or `monthly × 6`. */
function frequencyText(row: Row): string {
  const terms = pricedIn(row).find(({ recurring }) => isRow(recurring))?.recurring;
  if (!isRow(terms)) return '';
  const { frequency, frequencyValue, duration } = terms;
  const unit = String(frequency ?? '').toLowerCase();
  const text = words[String(frequency)] ?? `every ${String(frequencyValue ?? '')} ${unit}`;
  const isLimited = (duration ?? null) !== null && Number(duration) !== endless;
  return isLimited ? `${text} × ${String(duration)}` : text;
}

const productView: View = {
  resource: products.list.returns.resource,
  derived,
  columns: () => ({
    shown: ['title', 'price', 'rebill', 'status', 'sku', 'site', 'language', 'approval'],
    needed: ['sku', 'price', 'title', 'rebill', 'status'],
    more: ['approval', 'site', 'language'],
  }),
};

/** The path of each parameter in a product. A path into its first pricing begins with `pricing`. */
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
  skipConfirmationPage: 'skip_confirmation_page',
  preRebillNotificationOverride: 'pricing.recurring.pre_rebill_override',
  preRebillNotificationLeadTime: 'pricing.recurring.pre_rebill_leadtime',
};

/** Frequencies of a product by their names in a request. */
const frequencies: Readonly<Record<string, string>> = {
  '7 DAYS': 'WEEKLY',
  '14 DAYS': 'BI_WEEKLY',
  '1 WEEKS': 'WEEKLY',
  '2 WEEKS': 'BI_WEEKLY',
  '1 MONTHS': 'MONTHLY',
  '3 MONTHS': 'QUARTERLY',
  '6 MONTHS': 'HALF_YEARLY',
  '12 MONTHS': 'YEARLY',
};

const readOnly: ReadonlySet<string> = new Set([
  ...['sku', 'id', 'status', 'created', 'updated', 'approval_status', 'contracts'],
  ...['image.title', 'image.type', 'image.approved', 'image.path'],
  ...['isPartOfOrderBump', 'isInitialOfOrderBump', 'isProductOfOrderBump'],
  ...['admin_restrict_flexible_refund', 'admin_download_url', 'admin_mobile_download_url'],
  ...['pricing.standard.price.usd', 'pricing.standard.price.usd_with_fees'],
  ...['pricing.recurring.price.usd', 'pricing.recurring.price.usd_with_fees'],
]);

const savable: ReadonlySet<string> = new Set([
  ...Object.values(places),
  'pricing.recurring.frequency',
  'pricing.recurring.frequencyValue',
]);

/** Completes what was typed from the file that `--from` names. */
async function productFile({ context }: CommandContext, typed: Typed): Promise<Typed> {
  const { from } = typed;
  if (typeof from !== 'string') return typed;
  const reading = from === '-' ? text(context.stdin) : readFile(pathOf(context, from), 'utf8');
  const content = await reading.catch((cause) => {
    throw usage(`Cannot read --from ${from} (${shownCode(cause)}).`, { cause });
  });
  let product: Value;
  try {
    product = parseJson(content) as Value;
  } catch (cause) {
    throw usage(`--from ${from} is not valid JSON: ${failureFrom(cause).message}.`, {
      hint: 'Use a file that cb products get -o json wrote.',
      cause,
    });
  }
  const [only] = Array.isArray(product) && product.length === 1 ? product : [product];
  if (!isRow(only)) throw usage(`--from ${from} must contain exactly one product.`);
  const given = Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value !== undefined),
  );
  const saved = savedParameters(only);
  requireSavable(from, only, given.frequency === undefined ? saved.frequency : undefined);
  return { ...saved, ...given };
}

/** The parameters that save a product as it is. */
function savedParameters(product: Row): Record<string, string | string[]> {
  const root = { ...product, pricing: pricingsOf(product)[0] };
  const found: Record<string, string | string[]> = {};
  for (const [parameter, place] of Object.entries(places)) {
    const value = valueAt(root, place.split('.'));
    if (Array.isArray(value) && value.length > 0) found[parameter] = value.map(String);
    else if (value !== null && value !== undefined && !Array.isArray(value)) {
      found[parameter] = String(value);
    }
  }
  // A frequency that can't be saved, such as `10 DAYS`, stays unchanged.
  const { frequency, frequencyValue } = Object(valueAt(root, ['pricing', 'recurring']));
  if (frequency === undefined || frequency === null) return found;
  const isCounted = /^(DAYS|WEEKS|MONTHS)$/.test(String(frequency));
  const sent = `${isCounted ? (frequencyValue ?? '') : ''} ${frequency}`.trim();
  return { ...found, frequency: frequencies[sent] ?? sent };
}

function pricingsOf(product: Row): readonly Value[] {
  return [valueAt(product, ['pricings', 'pricing']) ?? []].flat();
}

function valueAt(value: Value, [name, ...deeper]: readonly string[]): Value {
  if (name === undefined) return value;
  return isRow(value) ? valueAt(value[name], deeper) : undefined;
}

/**
 * Throws a usage failure if the file contains a setting that saving it would lose. A setting that is absent, null,
 * false, 0 or empty counts as not set. `frequency` is the typed frequency, otherwise that of the file.
 */
function requireSavable(from: string, product: Row, frequency: unknown): void {
  const refuse = (problem: string, fix: string) => {
    const hint = `Nothing was sent. ${fix}`;
    throw usage(`--from ${from} can't be saved: ${problem}.`, { hint });
  };
  const [pricing, second] = pricingsOf(product);
  if (second !== undefined) {
    refuse('pricings.pricing has several currencies', 'Keep one currency in the file.');
  }
  const lost = [...settings({ ...product, pricings: undefined, pricing })].find(
    (path) => !savable.has(path) && !readOnly.has(path),
  );
  if (lost) {
    const field = lost.replace(/^pricing\./, 'pricings.pricing.');
    const fix = 'Remove the field from the file to save the rest.';
    refuse(`ClickBank does not accept ${field}`, fix);
  }
  const known = Object.keys(products.save.params.frequency.values ?? {});
  if (frequency === undefined || known.includes(String(frequency))) return;
  const field = 'pricings.pricing.recurring.frequency';
  refuse(`${field} is ${frequency}`, `Use one of ${known.join(', ')}.`);
}

/** Yields the paths of all values that are set and could be lost. */
function* settings(value: Value, above = ''): Generator<string> {
  if (readOnly.has(above) || savable.has(above)) return;
  if (Array.isArray(value)) {
    for (const element of value) yield* settings(element, above);
  } else if (isRow(value)) {
    for (const [name, inner] of Object.entries(value)) {
      yield* settings(inner, above === '' ? name : `${above}.${name}`);
    }
  } else if (isSet(value)) yield above;
}

function isSet(value: unknown): boolean {
  const text = String(value ?? '').trim();
  return text !== '' && text !== 'false' && Number(text) !== 0;
}

export const productsGroup: GroupSpec = {
  words: 'products',
  help: {
    asks: true,
    examples: [
      'cb products list --account GREENLEAF',
      'cb products get CLUB-M --account GREENLEAF -o json',
    ],
    topics: ['output', 'safety'],
  },
  commands: endpointCommands([...Object.values(products), ...Object.values(images)], {
    special: {
      'products list': { view: () => productView },
      'products save': {
        flags: [
          new Option(
            '--from <file>',
            'Other settings, as JSON of cb products get; - is stdin',
          ).helpGroup(helpGroups.options),
        ],
        fill: productFile,
        preview: showChanges,
        examples: ['cb products save CLUB-M --from club.json --price 27.00 --yes'],
      },
    },
  }),
};

async function showChanges(
  { messages }: CommandContext,
  api: Client,
  { sku, site, ...wanted }: Arguments<typeof products.save.params>,
): Promise<void> {
  const looked = await openReader(api).product(sku, site);
  if (looked.state !== 'found') return;
  if (!looked.value) return messages.say(`${sku} is a new product of ${site}.`);
  const { sku: _, site: __, ...stored } = savedParameters(looked.value);
  // Saving replaces the product: what is not sent is erased.
  const erased = Object.entries(stored)
    .filter(([name, value]) => !(name in wanted) && isSet(value))
    .map(([name]) => [name, '(none)'] as const);
  const changes = [...Object.entries(wanted), ...erased]
    .filter(([name, value]) => textOf(value) !== textOf(stored[name]))
    .map(([name, value]) => `  ${name}: ${textOf(stored[name]) || '(none)'} → ${textOf(value)}`);
  messages.say(changes.length > 0 ? [`${sku} changes:`, ...changes].join('\n') : 'nothing changes');
}

/** Makes 29 and 29.00 equal. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).sort().join(',');
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
