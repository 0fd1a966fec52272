/** Lists the aliases of the user in the help of the program. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { plain } from '../../output/table/terminal-text.ts';
import type { Context } from '../runtime/context.ts';
import { configFolder } from '../runtime/folders.ts';
import type { Block } from './blocks.ts';

/** Returns no blocks if there are no aliases. */
export async function aliasBlocks(context: Context): Promise<readonly Block[]> {
  if (!mayHaveAliases(context)) return [];
  const { readableAliases } = await import('../session/aliases.ts');
  const aliases = await readableAliases(context);
  if (aliases.length === 0) return [];
  const terms = aliases.map(({ name, command }) => [name, plain(command)]);
  return ['Aliases:', Object.fromEntries(terms)];
}

/** Help appears at once: the code that reads the file safely is loaded only if the file names aliases. */
function mayHaveAliases(context: Context): boolean {
  try {
    const file = join(configFolder(context), 'config.json');
    // Reading a named pipe would wait.
    return statSync(file).isFile() && readFileSync(file, 'utf8').includes('"aliases"');
  } catch {
    return false;
  }
}
