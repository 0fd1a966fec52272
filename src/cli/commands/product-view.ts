/** How products are shown to people: the price and what is charged later. */
import { products } from '../../operations/products.ts';
import { type DerivedField, isRow, type Row, type Value } from '../../output/rows/rows.ts';
import { amountText, itemsOf } from '../display/texts.ts';
import type { View } from '../display/view.ts';

const derived: Readonly<Record<string, DerivedField>> = {
  price: {
    kind: 'text',
    isAmount: true,
    from: (row) => priceText(row, 'standard'),
    order: (row) => priceOf(pricingsOf(row)[0]?.standard),
  },
  rebill: {
    kind: 'text',
    least: 20,
    from: (row) => {
      const price = priceText(row, 'recurring');
      return price === undefined ? undefined : `${price} ${frequencyOf(row)}`.trimEnd();
    },
    order: (row) => priceOf(pricingsOf(row)[0]?.recurring),
  },
  approval: {
    kind: 'text',
    from: ({ approval_status: approval }) => (isRow(approval) ? approval.status : undefined),
  },
};

function pricingsOf({ pricings }: Row): readonly Row[] {
  return isRow(pricings) ? itemsOf(pricings.pricing) : [];
}

function priceOf(terms: Value): Value {
  const price = isRow(terms) ? terms.price : undefined;
  return isRow(price) ? price.native_price : undefined;
}

/** The price in the first currency, and the number of the other currencies. */
function priceText(row: Row, terms: 'standard' | 'recurring'): string | undefined {
  const priced = pricingsOf(row).filter((one) => priceOf(one[terms]) !== undefined);
  const [first] = priced;
  const text = first && amountText(priceOf(first[terms]), first.currency);
  return text === undefined || priced.length === 1 ? text : `${text} +${priced.length - 1}`;
}

const frequencies: Readonly<Record<string, string>> = {
  WEEKLY: 'weekly',
  BI_WEEKLY: 'every 2 weeks',
  MONTHLY: 'monthly',
  QUARTERLY: 'quarterly',
  HALF_YEARLY: 'every 6 months',
  YEARLY: 'yearly',
};

/** ClickBank writes 999 for a subscription without an end. */
const endless = '999';

/** As in `monthly`, `every 10 days` or `monthly × 6`. */
function frequencyOf(row: Row): string {
  const terms = pricingsOf(row).find(({ recurring }) => isRow(recurring))?.recurring;
  if (!isRow(terms)) return '';
  const { frequency, frequencyValue, duration } = terms;
  const unit = String(frequency ?? '').toLowerCase();
  const text = frequencies[String(frequency)] ?? `every ${String(frequencyValue ?? '')} ${unit}`;
  const isLimited = (duration ?? null) !== null && String(duration) !== endless;
  return isLimited ? `${text} × ${String(duration)}` : text;
}

const shown = ['title', 'price', 'rebill', 'status', 'sku', 'site', 'language', 'approval'];

export const productView: View = {
  resource: products.list.returns.resource,
  derived,
  columns: () => ({
    shown,
    needed: ['sku', 'price', 'title', 'rebill', 'status'],
    more: ['approval', 'site', 'language'],
  }),
};
