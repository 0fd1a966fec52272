/** The options of a command under their headings, as the help shows them. */
import type { CommandNode, Flag } from '../../cli/help/description.ts';

export interface FlagGroup {
  /** The heading without its colon. */
  readonly heading: string;
  readonly flags: readonly Flag[];
  /** A command described before that has the same options under this heading. */
  readonly as: string | undefined;
}

/** Lists options that several commands share only once in a text. */
export function flagTeller(): (node: CommandNode) => FlagGroup[] {
  const listed = new Map<string, string>();
  return ({ path, flags }) => {
    const shown = flags.filter(({ names }) => !names.includes('--help'));
    const headings = [...new Set(shown.map(({ group }) => group))];
    return headings.map((heading) => {
      const flags = shown.filter(({ group }) => group === heading);
      const key = JSON.stringify([heading, flags]);
      const as = flags.length > 2 ? listed.get(key) : undefined;
      if (as === undefined) listed.set(key, path);
      return { heading: heading.replace(/:$/, ''), flags, as };
    });
  };
}
