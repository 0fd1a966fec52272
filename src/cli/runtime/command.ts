/** Commands as cb makes them: errors are thrown, text goes to the context's streams. */
import { Command, CommanderError, Option } from 'commander';
import { helpGroups } from '../flags/flags.ts';
import { refuseRepeatedFlags } from '../flags/repeated-flags.ts';
import { Mistake } from '../grammar/mistake.ts';
import { type Call, type CommandContext, type CommonFlags, contextFor } from './command-context.ts';
import type { Context } from './context.ts';

/** Thrown when the command line asks for help, so that only such a call loads what makes it. */
export class HelpRequest extends Error {
  readonly command: Command;

  constructor(command: Command) {
    super('help');
    this.command = command;
  }
}

/** commander passes neither setting on to commands that are added, so each gets them here. */
export function newCommand(context: Context, name: string): Command {
  const command = new Command(name);
  refuseRepeatedFlags(command);
  return command
    .exitOverride((error) => {
      throw isEnd(error) ? error : new Mistake(command, error);
    })
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureHelp({
      showGlobalOptions: true,
      formatHelp: (command) => {
        requireKnown(command);
        throw new HelpRequest(command);
      },
    })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // What is wrong is thrown, and told in one place.
      writeErr: () => undefined,
      getOutHasColors: () => false,
    })
    .addHelpOption(new Option('-h, --help', 'Show this help').helpGroup(helpGroups.global));
}

/** For `cb orders lst --help`, commander would show the help of the group. */
function requireKnown(command: Command): void {
  const [word = '-'] = command.args;
  if (command.commands.length === 0 || word.startsWith('-')) return;
  throw new Mistake(command, new CommanderError(2, 'commander.unknownCommand', word));
}

/** Help and the version end a call too. */
function isEnd({ exitCode }: CommanderError): boolean {
  return exitCode === 0;
}

/** Adds a command, with its flags only where the call can run or show it: most calls run one of many. */
export function addCommand(group: Command, command: Command, call: Call, fill: () => void): void {
  if (!call.asked || call.asked.includes(command.name())) fill();
  group.addCommand(command);
}

/** What a command does; `run` also gets its arguments, in their order. */
export function addAction<F extends object>(
  command: Command,
  call: Call,
  run: (cmd: CommandContext, flags: F, ...args: string[]) => Promise<void>,
): void {
  command.action(async () => {
    const flags = command.optsWithGlobals<CommonFlags & F>();
    await run(contextFor(call, flags), flags, ...command.processedArgs);
  });
}
