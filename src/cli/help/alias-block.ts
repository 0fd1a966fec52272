/** The aliases of the user, as the help of the program lists them. */
import { plain } from '../../output/table/terminal-text.ts';
import type { Context } from '../runtime/context.ts';
import { readableAliases } from '../session/aliases.ts';
import type { Block } from './blocks.ts';

/** No blocks where there is no alias. */
export async function aliasBlocks(context: Context): Promise<readonly Block[]> {
  const aliases = await readableAliases(context);
  if (aliases.length === 0) return [];
  const terms = aliases.map(({ name, command }) => [name, plain(command)]);
  return ['Aliases:', Object.fromEntries(terms)];
}
