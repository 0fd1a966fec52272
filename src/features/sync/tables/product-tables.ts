/** products and product_prices (section 4.4 of the specification). */
import { product, products } from '../../../operations/products.ts';
import { column, elementsOf, ofRow, type Table, type WholeSource } from './table.ts';

const { boolean, integer, numeric, text } = column;

const shared = [
  text('product_id', 'Identifies the product', ({ id }) => id),
  text('site', 'Nickname of the vendor', ofRow('site')),
  text('sku', 'SKU, unique within the site; item_no of orders', ofRow('sku')),
];

const productsTable: Table = {
  name: 'products',
  comment: 'Products as they are now; a deleted product has no row, while its orders remain',
  key: ['product_id'],
  columns: [
    ...shared,
    text('title', 'Title'),
    text('status', 'ACTIVE or INACTIVE'),
    text('approval_status', 'Status of the approval, such as APPROVED', 'approval_status.status'),
    text('language', 'Language, such as EN'),
    text('description', 'Description that customers see'),
    boolean('digital', 'Has a digital part'),
    boolean('physical', 'Has a part that is shipped'),
    boolean('digital_recurring', 'A digital subscription'),
    boolean('physical_recurring', 'A subscription that is shipped'),
    numeric('purchase_commission', 'Commission on a sale, in percent', 'commission.purchase'),
    numeric('rebill_commission', 'Commission on a rebill, in percent', 'commission.rebill'),
    integer(
      'sale_refund_days_limit',
      'Days in which a sale can be refunded; null for the default',
      'sale_refund_days_limit',
    ),
    integer(
      'rebill_refund_days_limit',
      'Days in which a rebill can be refunded; null for the default',
      'rebill_refund_days_limit',
    ),
    text('pitch_page', 'URL of the pitch page for desktops', 'pitch_pages.desktop'),
    text('thank_you_page', 'URL of the thank-you page for desktops', 'thank_you_pages.desktop'),
    text('created', 'When it was created, as ClickBank writes it, in Pacific time'),
    text('updated', 'When it was changed, as ClickBank writes it, in Pacific time'),
  ],
  indexes: { products_by_sku: ['account', 'site', 'sku'] },
};

const pricesTable: Table = {
  name: 'product_prices',
  comment: 'Prices of products, one for each currency',
  key: ['product_id', 'position'],
  items: elementsOf('pricings.pricing'),
  columns: [
    ...shared,
    integer('position', 'Position in the product, from 1', ({ position }) => position),
    text('currency', 'Currency of the prices'),
    numeric('price', 'Price of the sale, in currency', 'standard.price.native_price'),
    numeric('price_usd', 'Price of the sale, in US dollars', 'standard.price.usd'),
    numeric('recurring_price', 'Price of a rebill, in currency', 'recurring.price.native_price'),
    numeric('recurring_price_usd', 'Price of a rebill, in US dollars', 'recurring.price.usd'),
    text(
      'frequency',
      'Billing frequency, such as MONTHLY; DAYS, WEEKS or MONTHS with frequency_value',
      'recurring.frequency',
    ),
    integer('frequency_value', 'Number of units of frequency', 'recurring.frequencyValue'),
    integer('duration', 'Number of payments; 999 for no end', 'recurring.duration'),
    integer('trial_days', 'Days before the first rebill', 'recurring.trial_days'),
    text('shipping_profile', 'Name of the shipping profile', 'physical.shipping_profile'),
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
  read: ({ client, signal }, { nickname: site }) =>
    client.pages(products.list, { site }, { signal }),
  idOf: ({ id, site, sku }) => (id === undefined || id === null ? `${site}.${sku}` : String(id)),
};
