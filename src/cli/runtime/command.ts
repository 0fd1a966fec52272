/** Creates commander commands that throw errors and write to the streams of the context. */
import { Command, CommanderError, Option } from 'commander';
import { helpGroups, refuseRepeatedFlags } from '../flags/flags.ts';
import { Mistake } from '../grammar/mistake.ts';
import { isOnlyGroup } from '../grammar/say.ts';
import { type Call, type CommandContext, type CommonFlags, contextFor } from './command-context.ts';
import type { Context } from './context.ts';

/** Thrown if the command line requests help, so that only such a call loads the code for help. */
export class HelpRequest extends Error {
  readonly command: Command;

  constructor(command: Command) {
    super('help');
    this.command = command;
  }
}

/** Sets up each command, because commander does not pass these settings on to commands that are added. */
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
      // Errors are thrown, and reported in one place.
      writeErr: () => undefined,
      getOutHasColors: () => false,
    })
    .addHelpOption(new Option('-h, --help', 'Show this help').helpGroup(helpGroups.global));
}

/** Throws for an unknown command. For `cb orders lst --help`, commander would show the help of the group. */
function requireKnown(command: Command): void {
  const [word = '-'] = command.args;
  if (!isOnlyGroup(command) || word.startsWith('-')) return;
  throw new Mistake(command, new CommanderError(2, 'commander.unknownCommand', word));
}

/** Whether commander ended the call after help or the version. */
function isEnd({ exitCode }: CommanderError): boolean {
  return exitCode === 0;
}

/**
 * Adds a command. Its options are added only if the call can run or show it, because most calls run one of many
 * commands.
 */
export function addCommand(group: Command, command: Command, call: Call, fill: () => void): void {
  if (!call.asked || call.asked.includes(command.name())) fill();
  group.addCommand(command);
}

/** Sets the action of a command; `run` also receives its arguments, in order. */
export function addAction<F extends object>(
  command: Command,
  call: Call,
  run: (cmd: CommandContext, flags: F, ...args: string[]) => Promise<void>,
): void {
  command.action(async () => {
    refuseOptionsOfGroup(command);
    const flags = command.optsWithGlobals<CommonFlags & F>();
    await run(contextFor(call, flags), flags, ...command.processedArgs);
  });
}

/** commander gives the options of a group that can be run to the group, also if they stand after a command below it. */
export function refuseOptionsOfGroup(command: Command): void {
  const { parent, options } = command;
  if (!parent || isOnlyGroup(parent)) return;
  const typed = parent.options.find(
    (option) =>
      parent.getOptionValueSource(option.attributeName()) === 'cli' &&
      !options.some(({ long }) => long === option.long),
  );
  if (!typed) return;
  const refusal = new CommanderError(2, 'commander.unknownOption', `'${typed.long}'`);
  throw new Mistake(command, refusal);
}
