/** The commands of cb, as its help and its completion know them. */
import { PassThrough } from 'node:stream';
import { type CommandNode, readTree } from '../../src/cli/completion/tree.ts';
import { exitCodes } from '../../src/cli/runtime/exit-codes.ts';
import { buildWholeProgram } from '../../src/cli/runtime/program.ts';
import { world } from './cb.ts';

const context = { ...world('/nowhere', {}).context, stdout: new PassThrough() };

export const root = readTree(await buildWholeProgram({ context, code: exitCodes.ok }));

/** Every command and group, from the root on. */
export const allCommands = withBelow(root);

/** The commands that can be run. */
export const leaves = allCommands.filter(({ isRun }) => isRun);

function withBelow(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(withBelow)];
}
