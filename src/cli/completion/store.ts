/** The stored commands that `cb __complete` reads, because the commands themselves take longer to load. */
import type { Candidate } from './candidates.ts';
import type { CommandNode } from './tree.ts';

/** By path, such as `orders list`; the path '' has the global options. */
export type CompletionStore = Readonly<Record<string, StoredCommand>>;

export type StoredCommand = ReturnType<typeof storedFrom>;

export function completionStore(root: CommandNode): CompletionStore {
  return Object.fromEntries(withBelow(root).map((node) => [node.path, storedFrom(node)]));
}

function withBelow(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(withBelow)];
}

function storedFrom({ path, commands, flags, places, fields, lists }: CommandNode) {
  const own = flags.filter(({ names }) => path === '' || !names.includes('--help'));
  return {
    commands: commands.map(({ name, summary }): Candidate => [name, summary]),
    flags: own.map(({ names, brief, source }) => ({ names, summary: brief, source })),
    places: places.map(({ source }) => source),
    ...(fields.length > 0 && { fields }),
    ...(lists.length > 0 && { lists }),
    repeatsLast: places.at(-1)?.several ?? false,
  };
}

/** The store as JSON, defined by the build. */
declare const CB_COMPLETION: string | undefined;

/** Undefined when cb runs from source. */
export function builtStore(): CompletionStore | undefined {
  return typeof CB_COMPLETION === 'undefined' ? undefined : JSON.parse(CB_COMPLETION);
}
