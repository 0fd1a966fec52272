/** products and product_prices (section 4.4 of the specification). */
import { product, products } from '../../../operations/products.ts';
import { column, ofRow, type ServiceRow, type Table, type WholeSource } from './table.ts';

const since = 2;

/** Returns the object in a field, or one without fields. */
function objectIn(row: ServiceRow, ...path: readonly string[]): ServiceRow {
  let found: unknown = row;
  for (const name of path) {
    found = typeof found === 'object' && found !== null ? (found as ServiceRow)[name] : undefined;
  }
  return typeof found === 'object' && found !== null ? (found as ServiceRow) : {};
}

const shared = [
  column('product_id', 'text', 'Identifies the product', ({ id }) => id),
  column('site', 'text', 'Nickname of the vendor', ofRow('site')),
  column('sku', 'text', 'SKU, unique within the site; item_no of orders', ofRow('sku')),
];

const productsTable: Table = {
  name: 'products',
  comment: 'Products as they are now; a deleted product has no row, while its orders remain',
  since,
  key: ['product_id'],
  columns: [
    ...shared,
    column('title', 'text', 'Title', 'title'),
    column('status', 'text', 'ACTIVE or INACTIVE', 'status'),
    column('approval_status', 'text', 'Status of the approval, such as APPROVED', ({ item }) =>
      fieldIn(item, 'approval_status', 'status'),
    ),
    column('language', 'text', 'Language, such as EN', 'language'),
    column('description', 'text', 'Description that customers see', 'description'),
    column('digital', 'boolean', 'Has a digital part', 'digital'),
    column('physical', 'boolean', 'Has a part that is shipped', 'physical'),
    column('digital_recurring', 'boolean', 'A digital subscription', 'digitalRecurring'),
    column('physical_recurring', 'boolean', 'A subscription that is shipped', 'physicalRecurring'),
    column('purchase_commission', 'numeric', 'Commission on a sale, in percent', ({ item }) =>
      fieldIn(item, 'commission', 'purchase'),
    ),
    column('rebill_commission', 'numeric', 'Commission on a rebill, in percent', ({ item }) =>
      fieldIn(item, 'commission', 'rebill'),
    ),
    column(
      'sale_refund_days_limit',
      'integer',
      'Days in which a sale can be refunded; null for the default',
      'sale_refund_days_limit',
    ),
    column(
      'rebill_refund_days_limit',
      'integer',
      'Days in which a rebill can be refunded; null for the default',
      'rebill_refund_days_limit',
    ),
    column('pitch_page', 'text', 'URL of the pitch page for desktops', ({ item }) =>
      fieldIn(item, 'pitch_pages', 'desktop'),
    ),
    column('thank_you_page', 'text', 'URL of the thank-you page for desktops', ({ item }) =>
      fieldIn(item, 'thank_you_pages', 'desktop'),
    ),
    column(
      'created',
      'text',
      'When it was created, as ClickBank writes it, in Pacific time',
      'created',
    ),
    column(
      'updated',
      'text',
      'When it was changed, as ClickBank writes it, in Pacific time',
      'updated',
    ),
  ],
  indexes: [{ name: 'products_by_sku', columns: ['account', 'site', 'sku'], since }],
};

function fieldIn(row: ServiceRow, ...path: readonly string[]): unknown {
  return objectIn(row, ...path.slice(0, -1))[path.at(-1) ?? ''];
}

const pricesTable: Table = {
  name: 'product_prices',
  comment: 'Prices of products, one for each currency',
  since,
  key: ['product_id', 'position'],
  items(row) {
    const { pricing } = objectIn(row, 'pricings');
    return Array.isArray(pricing) ? pricing : [];
  },
  columns: [
    ...shared,
    column('position', 'integer', 'Position in the product, from 1', ({ position }) => position),
    column('currency', 'text', 'Currency of the prices', 'currency'),
    column('price', 'numeric', 'Price of the sale, in currency', ({ item }) =>
      fieldIn(item, 'standard', 'price', 'native_price'),
    ),
    column('price_usd', 'numeric', 'Price of the sale, in US dollars', ({ item }) =>
      fieldIn(item, 'standard', 'price', 'usd'),
    ),
    column('recurring_price', 'numeric', 'Price of a rebill, in currency', ({ item }) =>
      fieldIn(item, 'recurring', 'price', 'native_price'),
    ),
    column('recurring_price_usd', 'numeric', 'Price of a rebill, in US dollars', ({ item }) =>
      fieldIn(item, 'recurring', 'price', 'usd'),
    ),
    column(
      'frequency',
      'text',
      'Billing frequency, such as MONTHLY; DAYS, WEEKS or MONTHS with frequency_value',
      ({ item }) => fieldIn(item, 'recurring', 'frequency'),
    ),
    column('frequency_value', 'integer', 'Number of units of frequency', ({ item }) =>
      fieldIn(item, 'recurring', 'frequencyValue'),
    ),
    column('duration', 'integer', 'Number of payments; 999 for no end', ({ item }) =>
      fieldIn(item, 'recurring', 'duration'),
    ),
    column('trial_days', 'integer', 'Days before the first rebill', ({ item }) =>
      fieldIn(item, 'recurring', 'trial_days'),
    ),
    column('shipping_profile', 'text', 'Name of the shipping profile', ({ item }) =>
      fieldIn(item, 'physical', 'shipping_profile'),
    ),
  ],
};

/** The list is of one site; a nickname that only refers has an empty one. */
export const productSource: WholeSource = {
  name: 'products',
  kind: 'whole',
  tables: [productsTable, pricesTable],
  identity: 'product_id',
  owner: 'site',
  resource: product,
  partsOf: (nickname) => [{ nickname }],
  async *read({ client, signal }, { nickname: site }) {
    for await (const { rows } of client.pages(products.list, { site }, { signal })) yield { rows };
  },
  idOf: ({ id, site, sku }) => (id === undefined || id === null ? `${site}.${sku}` : String(id)),
};
