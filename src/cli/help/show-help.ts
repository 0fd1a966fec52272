/** Prints the help that a command line requests, as text or as JSON. */
import type { Command } from 'commander';
import { readArgv } from '../runtime/argv.ts';
import type { Context } from '../runtime/context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { buildWholeProgram } from '../runtime/program.ts';
import { aliasBlocks } from './alias-block.ts';
import { type Block, textOf } from './blocks.ts';
import { commandList } from './command-list.ts';
import { describeCommand, describeProgram } from './description.ts';
import { helpPage } from './page.ts';

/** `command` is the command whose help is printed. */
export async function showHelp(
  command: Command,
  argv: readonly string[],
  context: Context,
): Promise<void> {
  const { json, helpAll: all } = readArgv(argv);
  const program = () => buildWholeProgram({ context, code: exitCodes.ok });
  const isProgram = command.parent === null;
  if (json) printJson(isProgram ? describeProgram(program()) : describeCommand(command), context);
  else if (isProgram && all) printHelp(commandList(program()), context);
  else {
    const aliases = isProgram ? await aliasBlocks(context) : [];
    printHelp([...helpPage(command, { all }), ...aliases], context);
  }
}

function printHelp(blocks: readonly Block[], { stdout }: Context): void {
  stdout.write(`${textOf(blocks, stdout.columns)}\n`);
}

function printJson(description: unknown, { stdout }: Context): void {
  stdout.write(`${JSON.stringify(description, null, 2)}\n`);
}
