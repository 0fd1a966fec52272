/** Commands that send no request, such as those for profiles and settings. */
import { Argument, type Command } from 'commander';
import { addShowFlags, type ShowFlags } from '../flags/show-flags.ts';
import { addHelp, type Effect, type ServiceOption } from '../help/help-text.ts';
import { addAction, newCommand } from '../runtime/command.ts';
import type { Call, CommandContext } from '../runtime/command-context.ts';

export interface LocalCommand {
  readonly name: string;
  readonly summary: string;
  /** Descriptions of the arguments, by name. */
  readonly args?: Readonly<Record<string, string>>;
  readonly prints?: 'rows' | 'value';
  readonly examples: readonly string[];
  readonly effect?: Effect;
  run(cmd: CommandContext, flags: ShowFlags, ...words: string[]): Promise<void>;
}

export function addLocalCommands(
  group: Command,
  call: Call,
  commands: readonly LocalCommand[],
  obeys: readonly ServiceOption[] = [],
): void {
  for (const { name, summary, args = {}, prints, examples, effect = 'reads', run } of commands) {
    const command = newCommand(call.context, name).description(summary);
    for (const [argument, says] of Object.entries(args)) {
      command.addArgument(new Argument(`<${argument}>`, says));
    }
    if (prints) addShowFlags(command, { rows: prints === 'rows' });
    addAction(command, call, run);
    addHelp(command, () => ({ examples, effect, obeys }));
    group.addCommand(command);
  }
}
