/** Writes that change products: their sentences and verifiers. */
import { products } from '../../operations/products.ts';
import type { Reader } from './reads.ts';
import { irreversible, money } from './sentence.ts';
import { unlessRefused, type Values, type WriteRules, type WriteVerifier } from './verifier.ts';
import { gap } from './warnings.ts';

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

/** A product that was there and is not any more. */
const deleteProduct: WriteVerifier = {
  async look(api, { sku, site }: Values) {
    // Reading the product itself does not do: its 403 may mean too many requests.
    const found = await unlessRefused(() => api.call(products.list, { site: String(site) }));
    if (!found) return undefined;
    const exists = found.some((product) => product.sku === sku);
    return {
      snapshot: { exists },
      find: (_, before) => {
        const existed = (before as { readonly exists: boolean } | null)?.exists === true;
        return existed && !exists ? {} : undefined;
      },
    };
  },
};

export const productRules = {
  'products save': {
    describe: describeSave,
    verify: 'a product that looks as sent may have looked so before',
  },
  'products delete': { describe: describeDelete, verify: deleteProduct },
} satisfies Record<string, WriteRules>;
