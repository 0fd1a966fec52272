/** Prints the help that a command line requests, as text or as JSON. */
import { readArgv } from '../argv.ts';
import type { Context } from '../context.ts';
import type { Branch } from '../define.ts';
import { type Block, textOf } from './blocks.ts';
import { describeCommand, describeProgram } from './description.ts';
import { commandList, helpPage } from './page.ts';
import { aliasBlocks } from './store.ts';

export async function showHelp(
  branch: Branch,
  argv: readonly string[],
  context: Context,
): Promise<void> {
  const { json, helpAll: all } = readArgv(argv);
  const isProgram = branch.parent === undefined;
  if (json) printJson(isProgram ? describeProgram(branch) : describeCommand(branch), context);
  else if (isProgram && all) printHelp(commandList(branch), context);
  else {
    const aliases = isProgram ? await aliasBlocks(context) : [];
    printHelp([...helpPage(branch, { all }), ...aliases], context);
  }
}

function printHelp(blocks: readonly Block[], { stdout }: Context): void {
  stdout.write(`${textOf(blocks, stdout.columns)}\n`);
}

function printJson(description: unknown, { stdout }: Context): void {
  stdout.write(`${JSON.stringify(description, null, 2)}\n`);
}
