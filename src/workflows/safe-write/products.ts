/** Rules for writes that change products: descriptions and verifiers. */
import { products } from '../../operations/products.ts';
import type { Reader } from './reads.ts';
import { irreversible, money } from './sentence.ts';
import { unlessRefused, type Values, type WriteRules, type WriteVerifier } from './verifier.ts';
import { gap } from './warnings.ts';

/** If the key may read products and the service refuses this one, the product is new. */
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

/** Verifies that an existing product is gone. */
const deleteProduct: WriteVerifier = {
  refusedIfThere: /already|not exist/i,
  async look(client, { sku, site }: Values) {
    // Reading the product itself is not enough: its 403 may mean too many requests.
    const found = await unlessRefused(() => client.call(products.list, { site: String(site) }));
    if (!found) return undefined;
    const exists = found.some((product) => product.sku === sku);
    return {
      snapshot: { exists },
      isThere: !exists,
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
    verify: 'the product may have had the same values before',
  },
  'products delete': { describe: describeDelete, verify: deleteProduct },
} satisfies Record<string, WriteRules>;
