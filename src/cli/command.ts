/** Commands as cb makes them: errors are thrown, text goes to the context's streams. */
import { Command, Option } from 'commander';
import type { Context } from './context.ts';
import { helpGroups } from './flags.ts';
import { widest } from './help/blocks.ts';
import { helpPage } from './help/page.ts';
import { refuseRepeatedFlags } from './repeated-flags.ts';

/** commander passes neither setting on to commands that are added, so each gets them here. */
export function newCommand(context: Context, name: string): Command {
  const command = new Command(name);
  refuseRepeatedFlags(command);
  return command
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      formatHelp: (command, help) => helpPage(command, help),
    })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      // What is wrong is thrown, and told in one place.
      writeErr: () => undefined,
      getOutHelpWidth: () => Math.min(context.stdout.columns ?? 80, widest),
      getOutHasColors: () => false,
    })
    .addHelpOption(new Option('-h, --help', 'Show this help').helpGroup(helpGroups.other));
}

/** By group, what gives each of its commands the flags that it is still to get. */
const unfilled = new WeakMap<Command, Map<Command, () => void>>();

/**
 * Adds a command to a group that gets its flags when it is asked for, or when the group shows what
 * it has: of all commands of a group, a call asks for one.
 */
export function addFilledLater(group: Command, command: Command, fill: () => void): void {
  const waiting = unfilled.get(group) ?? openGroup(group);
  waiting.set(command, fill);
  group.addCommand(command);
}

function openGroup(group: Command): Map<Command, () => void> {
  const waiting = new Map<Command, () => void>();
  unfilled.set(group, waiting);
  group.hook('preSubcommand', (_, asked) => {
    waiting.get(asked)?.();
    waiting.delete(asked);
  });
  group.on('beforeHelp', () => fillBelow(group));
  return waiting;
}

/** Gives all commands below one the flags that they are still to get. */
export function fillBelow(group: Command): void {
  const waiting = unfilled.get(group);
  for (const fill of waiting?.values() ?? []) fill();
  waiting?.clear();
  for (const below of group.commands) fillBelow(below);
}
