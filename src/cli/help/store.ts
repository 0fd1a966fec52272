/** Help that is printed without loading the commands. */
import type { Block } from './blocks.ts';
import type { HelpStore } from './pages.ts';

/**
 * The help that a plain command line asks for: words, then at most one --help or -h. Undefined for any
 * other line, which is for commander to read.
 */
export async function storedHelp(
  argv: readonly string[],
  load = loadStore,
): Promise<readonly Block[] | undefined> {
  const hasFlag = ['-h', '--help'].includes(argv.at(-1) ?? '');
  const plain = hasFlag ? argv.slice(0, -1) : argv;
  // A word that holds a blank is no command, though words joined by blanks are.
  if (argv.length === 0 || !plain.every((word) => /^\w[\w-]*$/.test(word))) return undefined;
  const store = await load();
  if (!store) return undefined;
  const isHelpCommand = argv[0] === 'help' && !hasFlag;
  const path = (isHelpCommand ? plain.slice(1) : plain).join(' ');
  if (!hasFlag && !isHelpCommand && !isGroup(path, store)) return undefined;
  const pages = isHelpCommand && Object.hasOwn(store.topics, path) ? store.topics : store.commands;
  return Object.hasOwn(pages, path) ? JSON.parse(pages[path] ?? '') : undefined;
}

async function loadStore(): Promise<HelpStore | undefined> {
  return (await import('./pages.ts')).builtHelp;
}

/** A group that is named without a command shows its help. */
function isGroup(path: string, { commands }: HelpStore): boolean {
  return Object.keys(commands).some((other) => other.startsWith(`${path} `));
}
