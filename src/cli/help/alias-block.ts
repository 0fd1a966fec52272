/** The aliases of the user, as the help of the program lists them. */
import type { Command } from 'commander';
import { plain } from '../../output/table/terminal-text.ts';
import { readArgv } from '../runtime/argv.ts';
import type { Context } from '../runtime/context.ts';
import { readableAliases } from '../session/aliases.ts';
import { type Block, textOf } from './blocks.ts';

/** No blocks where there is no alias. */
export async function aliasBlocks(context: Context): Promise<readonly Block[]> {
  const aliases = await readableAliases(context);
  if (aliases.length === 0) return [];
  const terms = aliases.map(({ name, command }) => [name, plain(command)]);
  return ['Aliases:', Object.fromEntries(terms)];
}

/** Adds the aliases to the help of the program if that is what the line asks for. */
export async function addAliasHelp(
  program: Command,
  context: Context,
  argv: readonly string[],
): Promise<void> {
  const isAsked = argv.some((word) => word === '-h' || word === '--help');
  if (!isAsked || readArgv(argv).words.length > 0) return;
  const blocks = await aliasBlocks(context);
  if (blocks.length > 0)
    program.addHelpText('after', `\n${textOf(blocks, context.stdout.columns)}`);
}
