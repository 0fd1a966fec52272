/**
 * Products: /1.3/products (section 4.4 of the specification; shapes of the live service). And images: /1.3/images, which
 * only the live service has; its public documentation shows parameters and shape.
 */
import type { Remark } from './finding.ts';
import * as op from './operation.ts';
import * as field from './resource.ts';

const { boolean, choice, decimal, integer, plain, repeated, required, text } = op;
const { isSameId, list, nothing, one, operation, schemaOf, when } = op;
const { alike, attribute, many, naming, object, oneOf, resource } = field;

const flag = field.required(field.boolean);

/** A resource of a field, which the schema also declares as a root. */
function inner<const F extends field.Fields>(
  element: string,
  headline: readonly (keyof F & string)[],
  fields: F,
  sent: field.Sent = {},
) {
  return resource(element, headline, fields, { root: element, ...sent });
}

const prices = alike(field.decimal, 'native_price', 'usd', 'usd_with_fees');
const price = inner('price', ['native_price', 'usd'], prices);

const pricing = inner('pricing', ['currency'], {
  currency: attribute(field.text),
  standard: object(inner('standard', [], { price: object(price) })),
  recurring: object(
    inner(
      'recurring',
      [],
      {
        price: object(price),
        // The number of DAYS, WEEKS or MONTHS is in frequencyValue.
        frequency: oneOf('WEEKLY BI_WEEKLY MONTHLY QUARTERLY HALF_YEARLY YEARLY DAYS WEEKS MONTHS'),
        frequencyValue: field.required(field.integer),
        ...alike(field.integer, 'duration', 'trial_days'),
        pre_rebill_override: flag,
        pre_rebill_leadtime: field.integer,
        ...alike(field.text, 'recurringTitle', 'recurringDescription'),
      },
      {
        order: `price frequency duration trial_days pre_rebill_override pre_rebill_leadtime recurringTitle
        recurringDescription frequencyValue`,
      },
    ),
  ),
  physical: object(inner('physical', [], { shipping_profile: field.text })),
});

/** An agreement to share the revenue of a product. */
const contract = inner(
  'contract',
  ['id', 'status', 'name', 'partner'],
  {
    id: attribute(field.integer),
    status: attribute(
      oneOf('PENDING_START PENDING_APPROVAL ACTIVE TERMINATED TERMINATION_REQUESTED EXPIRED'),
    ),
    productId: field.integer,
    ...alike(field.text, 'name', 'owner', 'partner'),
  },
  { root: 'contractBean' },
);

/** The pages of this name for both kinds of devices. */
function pagesOf(name: string) {
  return inner(name, ['desktop', 'mobile'], alike(field.text, 'desktop', 'mobile'));
}

/** A product of a vendor, as the service returns it; its times are not ISO 8601. */
export const product = resource(
  'product',
  ['sku', 'title', 'status', 'site', 'language', 'digital', 'physical', 'digitalRecurring'],
  {
    sku: naming('sku', attribute(field.text)),
    id: field.integer,
    status: oneOf('ACTIVE INACTIVE'),
    ...alike(flag, 'digital', 'physical', 'digitalRecurring', 'physicalRecurring'),
    site: naming('account', field.text),
    ...alike(field.text, 'created', 'updated'),
    approval_status: object(
      inner(
        'approval_status',
        ['status'],
        {
          ticket_id: field.integer,
          status: oneOf(
            'APPROVAL_REQUIRED PENDING_APPROVAL UNDER_REVIEW ACTION_REQUIRED APPROVED DISAPPROVED INACTIVE',
          ),
          last_action_performed_by: field.text,
        },
        { root: 'product_approval_status' },
      ),
    ),
    ...alike(field.text, 'language', 'title', 'description', 'post_purchase_description'),
    image: object(
      inner(
        'image',
        ['id', 'title'],
        {
          id: field.integer,
          ...alike(field.text, 'title', 'type'),
          approved: field.boolean,
          path: field.text,
        },
        { root: 'Image' },
      ),
    ),
    thank_you_pages: object(pagesOf('thank_you_pages')),
    pitch_pages: object(pagesOf('pitch_pages')),
    commission: object(
      inner('commission', ['purchase', 'rebill'], {
        ...alike(field.decimal, 'purchase', 'rebill'),
        ...alike(flag, 'no_rebill_commission', 'commission_tier_override'),
      }),
    ),
    pricings: object(resource('pricings', [], { pricing: many(pricing) })),
    contracts: object(resource('contracts', [], { contract: many(contract) })),
    categories: object(resource('categories', [], { category: field.texts })),
    ...alike(field.boolean, 'disable_geo_currency', 'allow_currency_change', 'us_tax_exempt'),
    ...alike(field.boolean, 'reduced_upsell_markup', 'skip_confirmation_page'),
    no_commission: flag,
    admin_restrict_flexible_refund: field.boolean,
    commission_tier_override: flag,
    ...alike(flag, 'isPartOfOrderBump', 'isInitialOfOrderBump', 'isProductOfOrderBump'),
    revenue_recognition: oneOf('LD VD LM LMA LMID VM I'),
    ...alike(field.text, 'admin_download_url', 'admin_mobile_download_url'),
    ...alike(field.integer, 'sale_refund_days_limit', 'rebill_refund_days_limit'),
    ...alike(field.text, 'deliveryMethod', 'deliverySpeed'),
    maxQuantity: field.integer,
  },
  {
    noun: 'product',
    root: 'Product',
    order: `sku id status digital physical digitalRecurring physicalRecurring site created updated
      approval_status language title description post_purchase_description image thank_you_pages
      pitch_pages commission pricings contracts categories disable_geo_currency
      allow_currency_change us_tax_exempt revenue_recognition reduced_upsell_markup
      skip_confirmation_page admin_download_url admin_mobile_download_url no_commission
      sale_refund_days_limit rebill_refund_days_limit admin_restrict_flexible_refund
      commission_tier_override deliveryMethod deliverySpeed maxQuantity isPartOfOrderBump
      isInitialOfOrderBump isProductOfOrderBump`,
  },
);

export const productList = resource('productList', [], {
  products: object(resource('products', [], { product: many(product) })),
  total_record_count: field.integer,
});

const sku = required(
  text('SKU of the product', {
    pattern: { matches: /^.{1,64}$/, says: 'at most 64 characters, as in CLUB-M' },
    names: 'sku',
  }),
);

const site = required(text('Account that owns the product', { names: 'account' }));

const url = {
  pattern: { matches: /^https?:\/\/\S+$/i, says: 'a URL that starts with http:// or https://' },
};

/** The requirements of section 4.4 for each kind of product. */
function requirements(args: op.Given): (Remark | false)[] {
  const { digital, physical, digitalRecurring, physicalRecurring } = args;
  const isDigital = !!digital || !!digitalRecurring;
  const isPhysical = !!physical || !!physicalRecurring;
  const isRecurring = !!digitalRecurring || !!physicalRecurring;
  const absent = (name: string) => args[name] === undefined;
  const needs = (holds: boolean, names: readonly string[], kind: string) =>
    names.map((name) => when(holds && absent(name), name, `is required for a ${kind} product`));
  const eitherOf = (page: string, other: string) =>
    when(absent(page) && absent(other), page, `or {${other}} is required`);
  return [
    ...needs(isDigital, ['categories'], 'digital'),
    when(!isDigital && !absent('categories'), 'categories', 'applies only to digital products'),
    eitherOf('thankYouPage', 'mobileThankYouPage'),
    eitherOf('pitchPage', 'mobilePitchPage'),
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
      'cb products list --account GREENLEAF',
      'cb products list --account GREENLEAF --type RECURRING',
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
      'cb products get CLUB-M --account GREENLEAF',
      'cb products get CLUB-M --account GREENLEAF -o json',
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
      language: required(choice('Language', plain('DE EN ES FR IT PT'))),
      title: required(text('Title')),
      digital: boolean('Product has a digital component'),
      physical: boolean('Product has a physical component'),
      digitalRecurring: boolean('Product has a digital recurring component'),
      physicalRecurring: boolean('Product has a physical recurring component'),
      categories: repeated(
        choice(
          'Categories of a digital product',
          plain('EBOOK SOFTWARE GAMES AUDIO VIDEO MEMBER_SITE'),
        ),
      ),
      skipConfirmationPage: boolean('Skip the confirmation page, if the key permits it'),
      thankYouPage: text('URL of the thank-you page', url),
      mobileThankYouPage: text('URL of the thank-you page for mobile devices', url),
      rebillPrice: decimal('Rebill price of a recurring product', { min: 0 }),
      rebillCommission: decimal('Commission on a rebill, in percent', { min: 0, max: 100 }),
      trialPeriod: integer('Trial days of a recurring product: 0, or 3 to 31', { min: 0, max: 31 }),
      frequency: choice(
        'Billing frequency',
        plain('WEEKLY BI_WEEKLY MONTHLY QUARTERLY HALF_YEARLY YEARLY'),
      ),
      duration: integer('Number of rebills; 999 for no end', { min: 1 }),
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
      "cb products save NEW-01 --account GREENLEAF --currency USD --price 19.00 --language EN --title 'A new guide' --digital --categories EBOOK --thank-you-page https://example.com/thanks --pitch-page https://example.com/pitch --yes",
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
    examples: ['cb products delete GUIDE-01 --account GREENLEAF --yes'],
  }),

  schema: schemaOf('/1.3/products/schema', 'products schema', 'a product'),
};

/** An image of a site, by the ID that `image` of a product takes. */
const siteImage = resource(
  'image',
  ['imageid', 'title', 'type', 'approved'],
  {
    // The wrapper `imageList` has `id` instead.
    imageid: { ...naming('image', field.integer), alias: 'id' },
    title: field.text,
    type: oneOf('PRODUCT BANNER BANNER_BG'),
    approved: field.boolean,
  },
  { noun: 'image' },
);

export const images = {
  list: operation({
    ...reading,
    path: '/1.3/images/list',
    command: 'products images',
    summary: 'List the images of an account, with their IDs',
    params: {
      site: required(text('Account that owns the images', { names: 'account' })),
      type: choice(
        'Image type',
        { PRODUCT: 'product image', BANNER: '', BANNER_BG: 'banner background' },
        { fallback: 'all' },
      ),
      approvedOnly: boolean('Only approved images', {
        fallback: 'true',
        off: 'Include images that are not approved',
      }),
    },
    returns: list(siteImage),
    examples: [
      'cb products images --account GREENLEAF',
      'cb products images --account GREENLEAF --type PRODUCT --no-approved-only',
    ],
  }),

  schema: schemaOf('/1.3/images/schema', 'products image-schema', 'an image'),
};
