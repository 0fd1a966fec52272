/** The commands of cb, as its help and its completion know them. */
import { commandTree } from '../../src/program.ts';
import type { Branch } from '../../src/shell/define.ts';
import { textOf } from '../../src/shell/help/blocks.ts';
import { type Flag, flagsOf, type Place, placesOf } from '../../src/shell/help/description.ts';
import { endingOf, usageOf } from '../../src/shell/help/page.ts';

export interface CommandNode {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly flags: readonly Flag[];
  readonly places: readonly Place[];
  readonly commands: readonly CommandNode[];
  readonly isRun: boolean;
  /** The end of the help, such as examples. */
  readonly after: string;
}

function nodeOf(branch: Branch): CommandNode {
  const { path, name, summary, help } = branch;
  return {
    ...{ path, name, summary, usage: usageOf(branch), isRun: !branch.isGroup },
    flags: flagsOf(branch),
    places: placesOf(branch),
    commands: branch.commands.map(nodeOf),
    after: textOf(endingOf(help)),
  };
}

export const root = nodeOf(commandTree());

/** Every command and group, from the root on. */
export const allCommands = withBelow(root);

/** The commands that can be run. */
export const leaves = allCommands.filter(({ isRun }) => isRun);

function withBelow(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(withBelow)];
}
