/** Converts products from requests to rows of the store, and from rows to ProductData (section 2). */
import { pacificTime } from '../../dates/pacific.ts';
import type { product } from '../../operations/products.ts';
import type { Row } from '../../operations/resource.ts';
import { centsOf, convert } from '../money/money.ts';
import type { Sent } from '../request/handlers.ts';
import type { Image, Product, SavedProduct } from '../store/products/product.ts';
import { kindOf, type SentProduct } from './product-rules.ts';

export type ProductRow = Sent<Row<typeof product>>;

/** Default commission in percent. */
const SITE_COMMISSION = 50;

const flag = (value: boolean | undefined) => Number(value === true);
const commissionOf = (text: string | undefined) => Number(text ?? SITE_COMMISSION);

/** The billing terms of products with a recurring component. */
function billingToStore(sent: SentProduct) {
  const recurs = kindOf(sent).isRecurring;
  const only = <T>(value: T) => (recurs ? value : undefined);
  return {
    rebill_price: only(centsOf(sent.rebillPrice ?? '0')),
    frequency: only(sent.frequency),
    duration: only(sent.duration),
    trial_days: only(sent.trialPeriod),
    rebill_commission: only(commissionOf(sent.rebillCommission)),
    rebill_refund_days: only(sent.rebillRefundDaysLimit),
    notification_override: only(flag(sent.preRebillNotificationOverride)),
    notification_lead_days: only(sent.preRebillNotificationLeadTime),
  };
}

/** Returns the row to store; columns of absent parameters are emptied. */
export function productToStore(sent: SentProduct, site: string): SavedProduct {
  return {
    site,
    sku: sent.sku,
    title: sent.title,
    description: sent.description,
    language: sent.language,
    currency: sent.currency.toUpperCase(),
    price: centsOf(sent.price),
    digital: flag(sent.digital),
    physical: flag(sent.physical),
    digital_recurring: flag(sent.digitalRecurring),
    physical_recurring: flag(sent.physicalRecurring),
    categories: JSON.stringify([...new Set(sent.categories)]),
    purchase_commission: commissionOf(sent.purchaseCommission),
    ...billingToStore(sent),
    thank_you_page: sent.thankYouPage,
    mobile_thank_you_page: sent.mobileThankYouPage,
    pitch_page: sent.pitchPage,
    mobile_pitch_page: sent.mobilePitchPage,
    image: sent.image === undefined ? undefined : Number(sent.image),
    shipping_profile: sent.shippingProfile,
    sale_refund_days: sent.saleRefundDaysLimit,
    delivery_method: sent.deliveryMethod,
    delivery_speed: sent.deliverySpeed,
  };
}

/** `2026-01-31 01:35:28 PST`. */
function zonedTime(instant: number): string {
  const time = pacificTime(instant);
  const zone = time.endsWith('-07:00') ? 'PDT' : 'PST';
  return `${time.slice(0, 10)} ${time.slice(11, 19)} ${zone}`;
}

/** Hundredths of a percent. */
const percent = (value: number | null) => (value === null ? null : Math.round(value * 100));

/** The conversion fee of the service is not known, so the price with fees is left out. */
function priceOf({ currency }: Product, cents: number) {
  return { native_price: cents, usd: convert(cents, currency, 'USD') };
}

function recurringOf(row: Product) {
  if (row.rebill_price === null || row.frequency === null) return undefined;
  return {
    price: priceOf(row, row.rebill_price),
    frequency: row.frequency,
    // Only frequencies in days, weeks or months have a number of them.
    frequencyValue: 0,
    duration: row.duration ?? undefined,
    trial_days: row.trial_days ?? undefined,
    pre_rebill_override: row.notification_override === 1,
    pre_rebill_leadtime: row.notification_lead_days ?? undefined,
  };
}

function pricingOf(row: Product) {
  const { currency, shipping_profile } = row;
  return {
    currency,
    standard: { price: priceOf(row, row.price) },
    recurring: recurringOf(row),
    ...(shipping_profile !== null && { physical: { shipping_profile } }),
  };
}

/** Returns the ProductData of a stored product; `images` are all images of its site. */
export function productRow(row: Product, images: readonly Image[]): ProductRow {
  const category: readonly string[] = JSON.parse(row.categories);
  const image = images.find(({ id }) => id === row.image);
  return {
    ...row,
    status: 'ACTIVE',
    digitalRecurring: row.digital_recurring,
    physicalRecurring: row.physical_recurring,
    created: zonedTime(row.created),
    updated: zonedTime(row.updated),
    approval_status: { status: 'APPROVED' },
    image: image ?? null,
    thank_you_pages: { desktop: row.thank_you_page, mobile: row.mobile_thank_you_page },
    pitch_pages: { desktop: row.pitch_page, mobile: row.mobile_pitch_page },
    commission: {
      purchase: percent(row.purchase_commission),
      rebill: percent(row.rebill_commission),
      no_rebill_commission: false,
      commission_tier_override: false,
    },
    pricings: { pricing: [pricingOf(row)] },
    categories: category.length ? { category } : undefined,
    no_commission: false,
    commission_tier_override: false,
    isPartOfOrderBump: false,
    isInitialOfOrderBump: false,
    isProductOfOrderBump: false,
    sale_refund_days_limit: row.sale_refund_days,
    rebill_refund_days_limit: row.rebill_refund_days,
    deliveryMethod: row.delivery_method,
    deliverySpeed: row.delivery_speed,
  };
}
