/** `products save --from FILE`: a product as `products get -o json` prints it. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseJson } from '../../client/codec/wire-json.ts';
import { products } from '../../operations/products.ts';
import type { Typed } from '../flags/flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import { places, pricingsOf, savedParameters } from './product-parameters.ts';

/** What was typed, and what was not from the file that `--from` names. */
export async function productFile(cmd: CommandContext, typed: Typed): Promise<Typed> {
  const { from } = typed;
  if (typeof from !== 'string') return typed;
  const content = await readText(cmd, from);
  let product: unknown;
  try {
    product = parseJson(content);
  } catch (cause) {
    throw usage(`--from ${from} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const [only] = Array.isArray(product) && product.length === 1 ? product : [product];
  if (typeof only !== 'object' || only === null || Array.isArray(only)) {
    throw usage(`--from ${from} does not hold one product`);
  }
  const given = Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value !== undefined),
  );
  requireSavable(from, only, given);
  return { ...savedParameters(only), ...given };
}

async function readText({ context }: CommandContext, from: string): Promise<string> {
  if (from === '-') return text(context.stdin);
  const path = pathOf(context, from);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw usage(`--from ${from} can't be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    });
  }
}

/** Read-only fields of a product; `pricing` stands for its first pricing. */
const readOnly: ReadonlySet<string> = new Set([
  ...['sku', 'id', 'status', 'created', 'updated', 'approval_status', 'contracts'],
  ...['image.title', 'image.type', 'image.approved', 'image.path'],
  ...['isPartOfOrderBump', 'isInitialOfOrderBump', 'isProductOfOrderBump'],
  ...['admin_restrict_flexible_refund', 'admin_download_url', 'admin_mobile_download_url'],
  ...['pricing.standard.price.usd', 'pricing.standard.price.usd_with_fees'],
  ...['pricing.recurring.price.usd', 'pricing.recurring.price.usd_with_fees'],
]);

const savable: ReadonlySet<string> = new Set([
  ...Object.values(places),
  'pricing.recurring.frequency',
  'pricing.recurring.frequencyValue',
]);

/**
 * Throws a usage failure if the file holds a setting that saving it would lose. A setting that is absent,
 * null, false, 0 or empty is not set; what was typed takes the place of what the file says.
 */
function requireSavable(from: string, product: object, typed: Typed): void {
  const [pricing, second] = pricingsOf(product);
  if (second !== undefined) {
    throw refused(from, 'pricings.pricing', 'has more than one currency', 'one currency');
  }
  const { pricings, ...fields } = product as Readonly<Record<string, unknown>>;
  const lost = [...settings({ ...fields, pricing })].find(
    (path) => !savable.has(path) && !readOnly.has(path),
  );
  if (lost !== undefined) {
    throw refused(
      from,
      lost.replace(/^pricing\./, 'pricings.pricing.'),
      'is set',
      'no such setting',
    );
  }
  requireFrequency(from, product, typed);
}

function requireFrequency(from: string, product: object, typed: Typed): void {
  const { frequency } = savedParameters(product);
  const known = Object.keys(products.save.params.frequency.values ?? {});
  if (typed.frequency !== undefined || frequency === undefined) return;
  if (known.includes(String(frequency))) return;
  const place = 'pricings.pricing.recurring.frequency';
  throw refused(from, place, `is ${frequency}`, known.join(', '));
}

function refused(from: string, field: string, what: string, taken: string) {
  return usage(
    `--from ${from}: ${field} ${what}, which ClickBank does not accept in this request.`,
    {
      hint: `Nothing was sent. ClickBank accepts ${taken}. Change or remove the field in the file to save the rest.`,
    },
  );
}

/** The paths of all values that are set; of a read-only object its own. */
function* settings(value: unknown, above = ''): Generator<string> {
  if (readOnly.has(above) || savable.has(above)) return;
  if (Array.isArray(value)) {
    for (const element of value) yield* settings(element, above);
  } else if (typeof value === 'object' && value !== null && !('isLosslessNumber' in value)) {
    for (const [name, inner] of Object.entries(value)) {
      yield* settings(inner, above === '' ? name : `${above}.${name}`);
    }
  } else if (isSet(value)) yield above;
}

function isSet(value: unknown): boolean {
  const text = String(value ?? '').trim();
  return text !== '' && text !== 'false' && Number(text) !== 0;
}
