/** The commands of cb, as its help and its completion know them. */
import { commandTree } from '../../src/program.ts';
import { type CommandNode, readTree } from '../../src/shell/help/description.ts';

export const root = readTree(commandTree());

/** Every command and group, from the root on. */
export const allCommands = withBelow(root);

/** The commands that can be run. */
export const leaves = allCommands.filter(({ isRun }) => isRun);

function withBelow(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(withBelow)];
}
