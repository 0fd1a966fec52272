/** Lists the aliases of the user in the help of the program. */
import { plain } from '../../output/table/terminal-text.ts';
import type { Context } from '../runtime/context.ts';
import { readableAliases } from '../session/aliases.ts';
import type { Block } from './blocks.ts';

/** Returns no blocks if there are no aliases. */
export async function aliasBlocks(context: Context): Promise<readonly Block[]> {
  const aliases = await readableAliases(context);
  if (aliases.length === 0) return [];
  const terms = aliases.map(({ name, command }) => [name, plain(command)]);
  return ['Aliases:', Object.fromEntries(terms)];
}
