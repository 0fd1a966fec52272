/** Sentences about products. */
import { products } from '../../operations/products.ts';
import type { Reader } from './reads.ts';
import { type Describe, irreversible, money, type Values } from './sentence.ts';
import { gap } from './warnings.ts';

export const productSentences: readonly (readonly [unknown, Describe])[] = [
  [products.save, describeSave],
  [products.delete, describeDelete],
];

/** A product that the service does not show to a key that may read products is a new one. */
async function describeSave(reader: Reader, args: Values) {
  const { sku, site, title, price, currency } = args;
  const looked = await reader.product(String(sku), String(site));
  const verbs = { found: 'Change', refused: 'Create', unreadable: 'Save' } as const;
  const product = `product ${sku} (${title}) of ${site}`;
  return {
    action: `${verbs[looked.state]} ${product} with a price of ${money(String(price), String(currency))}`,
    gaps: looked.state === 'unreadable' ? [gap(looked, `product ${sku}`)] : [],
  };
}

async function describeDelete(reader: Reader, { sku, site }: Values) {
  const looked = await reader.product(String(sku), String(site));
  const title = looked.state === 'found' && looked.value.title ? ` (${looked.value.title})` : '';
  return {
    action: `Delete product ${sku}${title} of ${site}`,
    details: [irreversible],
    gaps: looked.state === 'found' ? [] : [gap(looked, `product ${sku}`)],
  };
}
