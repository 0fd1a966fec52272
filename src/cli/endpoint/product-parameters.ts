/** A product as the service shows it, as the parameters that save it. */

/**
 * Where each parameter stands in a product; a path into its first pricing begins with `pricing`. What a
 * product holds elsewhere can't be saved (see `product-file.ts`).
 */
export const places: Readonly<Record<string, string>> = {
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

/** Frequencies that are a number of days, weeks or months, and what they are called in a request. */
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

/** The parameters that save a product as it is, as texts; what it lacks is absent. */
export function savedParameters(product: object): Record<string, string | string[]> {
  const root = { ...product, pricing: pricingsOf(product)[0] };
  const found: Record<string, string | string[]> = {};
  for (const [parameter, place] of Object.entries(places)) {
    const value = valueAt(root, place.split('.'));
    if (Array.isArray(value) && value.length > 0) found[parameter] = value.map(String);
    else if (value !== null && value !== undefined && !Array.isArray(value)) {
      found[parameter] = String(value);
    }
  }
  const frequency = frequencyOf(root.pricing);
  return { ...found, ...(frequency !== undefined && { frequency }) };
}

/** The prices of a product, one for each currency. */
export function pricingsOf(product: object): readonly unknown[] {
  const { pricings } = product as { pricings?: { pricing?: unknown } | null };
  return [pricings?.pricing ?? []].flat();
}

/** As it is saved; a frequency that can't be saved comes back as it is, such as `10 DAYS`. */
function frequencyOf(pricing: unknown): string | undefined {
  const frequency = valueAt(pricing, ['recurring', 'frequency']);
  const count = valueAt(pricing, ['recurring', 'frequencyValue']);
  if (frequency === undefined || frequency === null) return undefined;
  if (!/^(DAYS|WEEKS|MONTHS)$/.test(String(frequency))) return String(frequency);
  const inWords = `${count ?? ''} ${frequency}`.trim();
  return frequencies[inWords] ?? inWords;
}

function valueAt(value: unknown, [name, ...deeper]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return valueAt((value as Readonly<Record<string, unknown>>)[name], deeper);
}
