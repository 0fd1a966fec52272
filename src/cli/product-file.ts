/** `products save --from FILE`: a product as `products get -o json` prints it. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { usage } from './failure.ts';
import type { Typed } from './flags.ts';
import { pathOf } from './folders.ts';
import { savedParameters } from './product-parameters.ts';
import type { Shell } from './shell.ts';
import { requireSavable } from './unsavable-fields.ts';

/** What was typed, and what was not from the file that `--from` names. */
export async function productFile(shell: Shell, typed: Typed): Promise<Typed> {
  const { from } = typed;
  if (typeof from !== 'string') return typed;
  const content = await readText(shell, from);
  const { parseJson } = await import('../api/wire-json.ts');
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

async function readText({ context }: Shell, from: string): Promise<string> {
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
