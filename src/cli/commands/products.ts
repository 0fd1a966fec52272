/** `cb products …` */
import { Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { images } from '../../operations/images.ts';
import type { Arguments } from '../../operations/operation.ts';
import { products } from '../../operations/products.ts';
import { endpointCommands } from '../endpoint/endpoint-command.ts';
import { productFile, savedParameters } from '../endpoint/product-file.ts';
import { helpGroups } from '../flags/flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import type { GroupSpec } from '../runtime/define.ts';
import { failureFrom } from '../runtime/failure.ts';
import { productView } from './product-view.ts';

export const productsGroup: GroupSpec = {
  words: 'products',
  help: {
    asks: true,
    examples: [
      'cb products list --site GREENLEAF',
      'cb products get CLUB-M --site GREENLEAF -o json',
    ],
    topics: ['output', 'safety'],
  },
  commands: endpointCommands([...Object.values(products), ...Object.values(images)], {
    special: {
      'products list': { view: () => productView },
      'products save': {
        flags: [
          new Option(
            '--from <file>',
            'Other settings, as JSON of cb products get; - is stdin',
          ).helpGroup(helpGroups.options),
        ],
        fill: productFile,
        preview: showChanges,
        examples: ['cb products save CLUB-M --from club.json --price 27.00 --yes'],
      },
    },
  }),
};

/** Shows each parameter that the write would change. */
async function showChanges(
  { messages }: CommandContext,
  api: Client,
  { sku, site, ...wanted }: Arguments<typeof products.save.params>,
): Promise<void> {
  const stored = await storedParameters(api, sku, site);
  if (!stored) {
    messages.tell(`${sku} is a new product of ${site}.`);
    return;
  }
  const changes = Object.entries(wanted)
    .filter(([name, value]) => inWords(value) !== inWords(stored[name]))
    .map(([name, value]) => `  ${name}: ${inWords(stored[name]) || '(none)'} → ${inWords(value)}`);
  messages.tell(
    changes.length > 0 ? [`${sku} changes:`, ...changes].join('\n') : 'nothing changes',
  );
}

/** Undefined if the product does not exist or may not be read. */
async function storedParameters(api: Client, sku: string, site: string) {
  try {
    const product = await api.call(products.get, { sku, site });
    return product && savedParameters(product);
  } catch (error) {
    const { status } = failureFrom(error);
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
}

/** Makes 29 and 29.00 equal. */
function inWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(inWords).sort().join(',');
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}
