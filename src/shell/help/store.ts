/** Prints help without loading the commands. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { plain } from '../../output/table/terminal-text.ts';
import type { Context } from '../context.ts';
import { configFolder } from '../folders.ts';
import type { Block } from './blocks.ts';

/** Loads the stored pages; undefined when cb runs from source. */
const builtLoader = {
  short: async () => (await import('./pages.ts')).builtHelp,
  full: async () => (await import('./full-pages.ts')).builtFullHelp,
};

/** For words, then at most one --help or -h and one --all; undefined for any other line, which commander parses. */
export async function storedHelp(
  argv: readonly string[],
  load = builtLoader,
): Promise<readonly Block[] | undefined> {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end < 0 ? argv : argv.slice(0, end);
  const options = end < 0 ? [] : argv.slice(end);
  const hasHelp = options.some((option) => option === '-h' || option === '--help');
  const hasAll = options.includes('--all');
  // A word that contains a space is not a command, although joined words look like one.
  const isPlain = words.every((word) => /^\w[\w-]*$/.test(word));
  if (argv.length === 0 || !isPlain || options.length !== Number(hasHelp) + Number(hasAll)) return;
  const isHelpCommand = words[0] === 'help' && !hasHelp;
  const path = (isHelpCommand ? words.slice(1) : words).join(' ');
  if (hasAll) return hasHelp || isHelpCommand ? page(await load.full(), path) : undefined;
  const store = await load.short();
  if (!store || !(hasHelp || isHelpCommand || store.groups.includes(path))) return undefined;
  return (isHelpCommand && page(store.topics, path)) || page(store.commands, path);
}

function page(pages: Readonly<Record<string, string>> | undefined, path: string) {
  return pages && Object.hasOwn(pages, path) ? JSON.parse(pages[path] ?? '') : undefined;
}

/** The aliases of the user, for the help of the program; no blocks if there are none. */
export async function aliasBlocks(context: Context): Promise<readonly Block[]> {
  if (!mayHaveAliases(context)) return [];
  const { aliasesOf } = await import('../session/aliases.ts');
  const aliases = await aliasesOf(context).catch(() => []);
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
