/** Code that the commands of `cb sandbox` share. */
import type { Command } from 'commander';
import type { OutputOptions, ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { newCommand } from '../../runtime/command.ts';
import {
  type Call,
  type CommandContext,
  type CommonFlags,
  contextFor,
} from '../../runtime/command-context.ts';

export interface SandboxFlags extends CommonFlags, ShowFlags {
  readonly orders?: string;
  readonly randomSeed?: string;
  readonly orderAmounts?: string;
  readonly port?: string;
  readonly key?: string;
  readonly faults?: string;
  readonly secret?: string;
  readonly eventVersion?: string;
  readonly yes?: boolean;
}

/** Runs a command with its options and arguments. */
type Run = (
  cmd: CommandContext,
  flags: SandboxFlags,
  args: readonly string[],
) => Promise<void> | void;

/** Adds commands to the group `cb sandbox`. */
export function commandsOf(group: Command, call: Call) {
  return (name: string, description: string, help: HelpText, run: Run): Command => {
    const command = newCommand(call.context, name).description(description);
    command.action(() => {
      const flags = command.optsWithGlobals<SandboxFlags>();
      return run(contextFor(call, flags), flags, command.args);
    });
    addHelp(command, () => help);
    group.addCommand(command);
    return command;
  };
}

export type AddCommand = ReturnType<typeof commandsOf>;

/** Prints lines unchanged. */
export const asText: OutputOptions = {
  format: 'tsv',
  totals: false,
  csv: { bom: false, crlf: false },
};
