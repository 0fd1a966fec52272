/** What `cb __complete` reads in place of the commands, which take longer to load: the build stores it. */
import type { Candidate, Source } from './candidates.ts';
import type { CommandNode } from './tree.ts';

export interface StoredFlag {
  readonly names: readonly string[];
  readonly summary: string;
  /** Absent for a flag without a value. */
  readonly source?: Source | undefined;
}

export interface StoredCommand {
  readonly commands: readonly Candidate[];
  readonly flags: readonly StoredFlag[];
  /** The arguments in order. */
  readonly places: readonly Source[];
  /** The last argument can be repeated. */
  readonly repeatsLast: boolean;
}

/** By path, as in `orders list`; the path '' has the flags that every command takes. */
export type CompletionStore = Readonly<Record<string, StoredCommand>>;

export function completionStore(root: CommandNode): CompletionStore {
  return Object.fromEntries(withBelow(root).map((node) => [node.path, storedFrom(node)]));
}

function withBelow(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(withBelow)];
}

function storedFrom({ path, commands, flags, places }: CommandNode): StoredCommand {
  const isOwn = ({ names }: StoredFlag) => path === '' || !names.includes('--help');
  return {
    commands: commands.map(({ name, summary }) => [name, summary]),
    flags: flags
      .filter(isOwn)
      .map(({ names, brief, source }) => ({ names, summary: brief, source })),
    places: places.map(({ source }) => source),
    repeatsLast: places.at(-1)?.several ?? false,
  };
}

/** The store as JSON; the build defines it. */
declare const CB_COMPLETION: string | undefined;

/** Undefined when cb runs from source. */
export function builtStore(): CompletionStore | undefined {
  return typeof CB_COMPLETION === 'undefined' ? undefined : JSON.parse(CB_COMPLETION);
}
