/** Products: /1.3/products (section 4.4 of the specification; shapes of the live service). */
import type { Remark } from './finding.ts';
import {
  boolean,
  choice,
  decimal,
  integer,
  isSameId,
  list,
  nothing,
  one,
  operation,
  plain,
  repeated,
  required,
  schemaOf,
  text,
  when,
} from './operation.ts';
import * as field from './resource.ts';

const { alike, attribute, many, naming, nillable, object, oneOf, resource } = field;

const price = resource('price', ['native_price', 'usd'], {
  native_price: field.decimal,
  usd: nillable(field.decimal),
  usd_with_fees: nillable(field.decimal),
});

const pricing = resource('pricing', ['currency'], {
  currency: attribute(field.text),
  standard: object(resource('standard', [], { price: object(price) })),
  recurring: object(
    resource('recurring', [], {
      price: object(price),
      frequency: oneOf(
        'WEEKLY',
        'BI_WEEKLY',
        'MONTHLY',
        'QUARTERLY',
        'HALF_YEARLY',
        'YEARLY',
        // The number of units is in frequencyValue.
        'DAYS',
        'WEEKS',
        'MONTHS',
      ),
      ...alike(field.integer, 'frequencyValue', 'duration', 'trial_days'),
      pre_rebill_override: field.boolean,
      pre_rebill_leadtime: field.integer,
      recurringTitle: nillable(field.text),
      recurringDescription: nillable(field.text),
    }),
  ),
  physical: object(resource('physical', [], { shipping_profile: field.text })),
});

/** An agreement to share the revenue of a product. */
const contract = resource('contract', ['id', 'status', 'name', 'partner'], {
  id: attribute(field.integer),
  status: attribute(
    oneOf(
      'PENDING_START',
      'PENDING_APPROVAL',
      'ACTIVE',
      'TERMINATED',
      'TERMINATION_REQUESTED',
      'EXPIRED',
    ),
  ),
  productId: field.integer,
  ...alike(nillable(field.text), 'name', 'owner', 'partner'),
});

const pages = resource('pages', ['desktop', 'mobile'], {
  desktop: nillable(field.text),
  mobile: nillable(field.text),
});

const productInList = resource(
  'product',
  ['sku', 'title', 'status', 'site', 'language', 'digital', 'physical', 'digitalRecurring'],
  {
    sku: naming('sku', attribute(field.text)),
    id: field.integer,
    status: oneOf('ACTIVE', 'INACTIVE'),
    ...alike(field.boolean, 'digital', 'physical', 'digitalRecurring', 'physicalRecurring'),
    site: naming('account', field.text),
    created: field.text,
    updated: field.text,
    approval_status: object(
      resource('approval_status', ['status'], {
        ticket_id: nillable(field.integer),
        status: oneOf(
          'APPROVAL_REQUIRED',
          'PENDING_APPROVAL',
          'UNDER_REVIEW',
          'ACTION_REQUIRED',
          'APPROVED',
          'DISAPPROVED',
          'INACTIVE',
        ),
        last_action_performed_by: nillable(field.text),
      }),
    ),
    language: field.text,
    title: field.text,
    description: nillable(field.text),
    post_purchase_description: nillable(field.text),
    image: nillable(
      object(
        resource('image', ['id', 'title'], {
          id: field.integer,
          title: nillable(field.text),
          type: nillable(field.text),
          approved: field.boolean,
          path: nillable(field.text),
        }),
      ),
    ),
    thank_you_pages: object(pages),
    pitch_pages: object(pages),
    commission: object(
      resource('commission', ['purchase', 'rebill'], {
        purchase: nillable(field.decimal),
        rebill: nillable(field.decimal),
        no_rebill_commission: field.boolean,
        commission_tier_override: field.boolean,
      }),
    ),
    pricings: object(resource('pricings', [], { pricing: many(pricing) })),
    contracts: object(resource('contracts', [], { contract: many(contract) })),
    categories: object(resource('categories', [], { category: field.texts })),
    ...alike(field.boolean, 'disable_geo_currency', 'allow_currency_change', 'us_tax_exempt'),
    ...alike(field.boolean, 'reduced_upsell_markup', 'skip_confirmation_page', 'no_commission'),
    ...alike(field.boolean, 'admin_restrict_flexible_refund', 'commission_tier_override'),
    ...alike(field.boolean, 'isPartOfOrderBump', 'isInitialOfOrderBump', 'isProductOfOrderBump'),
    revenue_recognition: oneOf('LD', 'VD', 'LM', 'LMA', 'LMID', 'VM', 'I'),
    admin_download_url: nillable(field.text),
    admin_mobile_download_url: nillable(field.text),
    sale_refund_days_limit: nillable(field.integer),
    rebill_refund_days_limit: nillable(field.integer),
    deliveryMethod: nillable(field.text),
    deliverySpeed: nillable(field.text),
    maxQuantity: nillable(field.integer),
  },
  { noun: 'product' },
);

/** A product of a vendor, as the service returns it; its times are not ISO 8601. */
export const product = { ...productInList, root: 'Product' };

export const productList = resource('productList', [], {
  products: object(resource('products', [], { product: many(product) })),
  total_record_count: field.integer,
});

const sku = required(
  text('SKU of the product', {
    pattern: {
      matches: /^.{1,64}$/,
      says: 'at most 64 characters, as in CLUB-M',
    },
    names: 'sku',
  }),
);

const site = required(text('Account that owns the product', { names: 'account' }));

const url = {
  pattern: {
    matches: /^https?:\/\/\S+$/i,
    says: 'a URL that starts with http:// or https://',
  },
};

interface Saved {
  readonly digital?: boolean | undefined;
  readonly physical?: boolean | undefined;
  readonly digitalRecurring?: boolean | undefined;
  readonly physicalRecurring?: boolean | undefined;
  readonly [name: string]: unknown;
}

/** The requirements of section 4.4 for each kind of product. */
function requirements(args: Saved): (Remark | false)[] {
  const { digital, physical, digitalRecurring, physicalRecurring } = args;
  const isDigital = !!digital || !!digitalRecurring;
  const isPhysical = !!physical || !!physicalRecurring;
  const isRecurring = !!digitalRecurring || !!physicalRecurring;
  const absent = (name: string) => args[name] === undefined;
  const needs = (holds: boolean, names: readonly string[], kind: string) =>
    names.map((name) => when(holds && absent(name), name, `is required for a ${kind} product`));
  return [
    ...needs(isDigital, ['categories'], 'digital'),
    when(!isDigital && !absent('categories'), 'categories', 'applies only to digital products'),
    when(
      absent('thankYouPage') && absent('mobileThankYouPage'),
      'thankYouPage',
      'or {mobileThankYouPage} is required',
    ),
    when(
      absent('pitchPage') && absent('mobilePitchPage'),
      'pitchPage',
      'or {mobilePitchPage} is required',
    ),
    ...needs(isRecurring, ['rebillPrice', 'trialPeriod', 'frequency', 'duration'], 'recurring'),
    ...needs(isPhysical, ['description'], 'physical'),
    when(
      args.trialPeriod === 1 || args.trialPeriod === 2,
      'trialPeriod',
      'must be 0, or a whole number from 3 to 31',
    ),
  ];
}

const roles = ['api_products_client'] as const;

const reading = { method: 'GET', roles } as const;

export const products = {
  list: operation({
    ...reading,
    path: '/1.3/products/list',
    command: 'products list',
    summary: 'List the products of an account',
    params: {
      site,
      type: choice(
        'Product type',
        { STANDARD: 'one-time sale', RECURRING: 'subscription' },
        { fallback: 'all' },
      ),
    },
    returns: list(product, { inside: productList }),
    examples: [
      'cb products list --site GREENLEAF',
      'cb products list --site GREENLEAF --type RECURRING',
    ],
  }),

  get: operation({
    ...reading,
    path: '/1.3/products/{sku}',
    command: 'products get',
    summary: 'Show a product',
    params: { sku, site },
    returns: one(product),
    examples: [
      'cb products get CLUB-M --site GREENLEAF',
      'cb products get CLUB-M --site GREENLEAF -o json',
    ],
  }),

  save: operation({
    method: 'PUT',
    roles,
    path: '/1.3/products/{sku}',
    command: 'products save',
    summary: 'Create a product or replace its settings',
    params: {
      sku,
      site,
      currency: required(text('Currency, such as USD')),
      price: required(decimal('Price, or initial price of a recurring product', { min: 0 })),
      language: required(choice('Language', plain('DE', 'EN', 'ES', 'FR', 'IT', 'PT'))),
      title: required(text('Title')),
      digital: boolean('Product has a digital component'),
      physical: boolean('Product has a physical component'),
      digitalRecurring: boolean('Product has a digital recurring component'),
      physicalRecurring: boolean('Product has a physical recurring component'),
      categories: repeated(
        choice(
          'Categories of a digital product',
          plain('EBOOK', 'SOFTWARE', 'GAMES', 'AUDIO', 'VIDEO', 'MEMBER_SITE'),
        ),
      ),
      skipConfirmationPage: boolean('Skip the confirmation page, if the key permits it'),
      thankYouPage: text('URL of the thank-you page', url),
      mobileThankYouPage: text('URL of the thank-you page for mobile devices', url),
      rebillPrice: decimal('Rebill price of a recurring product', { min: 0 }),
      rebillCommission: decimal('Commission on a rebill, in percent', { min: 0, max: 100 }),
      trialPeriod: integer('Trial days of a recurring product: 0, or 3 to 31', {
        min: 0,
        max: 31,
      }),
      frequency: choice(
        'Billing frequency',
        plain('WEEKLY', 'BI_WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'),
      ),
      duration: integer('Number of rebills; 999 for no end', {
        min: 1,
      }),
      shippingProfile: text('Name of the shipping profile of a physical product'),
      purchaseCommission: decimal('Commission on a sale, in percent', {
        min: 0,
        max: 100,
        fallback: 'the rate of the account',
      }),
      description: text('Description; required for a physical product'),
      image: text('Image ID (see cb products images)', { names: 'image' }),
      pitchPage: text('URL of the pitch page', url),
      mobilePitchPage: text('URL of the pitch page for mobile devices', url),
      saleRefundDaysLimit: integer('Number of days in which a sale can be refunded', { min: 0 }),
      rebillRefundDaysLimit: integer('Number of days in which a rebill can be refunded', {
        min: 0,
      }),
      deliveryMethod: text('Delivery method'),
      deliverySpeed: text('Delivery speed'),
      preRebillNotificationOverride: boolean('Send a notification before each rebill'),
      preRebillNotificationLeadTime: integer('Number of days before a rebill to send it', {
        min: 0,
      }),
    },
    returns: { kind: 'text', confirms: (reply, { sku }) => isSameId(String(reply).trim(), sku) },
    check: requirements,
    examples: [
      "cb products save NEW-01 --site GREENLEAF --currency USD --price 19.00 --language EN --title 'A new guide' --digital --categories EBOOK --thank-you-page https://example.com/thanks --pitch-page https://example.com/pitch --yes",
    ],
  }),

  delete: operation({
    method: 'DELETE',
    roles,
    path: '/1.3/products/{sku}',
    command: 'products delete',
    summary: 'Delete a product',
    params: { sku, site },
    returns: nothing,
    examples: ['cb products delete GUIDE-01 --site GREENLEAF --yes'],
  }),

  schema: schemaOf('/1.3/products/schema', 'products schema', 'a product'),
};
