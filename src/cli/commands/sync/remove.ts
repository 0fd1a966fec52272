/** `cb sync forget` and `cb sync reset`: what they remove cannot be brought back without ClickBank. */
import { type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { addCopyOptions } from '../../sync/copy/copy-options.ts';
import type { ForgetFlags } from '../../sync/copy/forget-customer.ts';

const forgetText: HelpText = {
  notes: [
    "Removes the names, addresses and texts of a customer from all tables of the copy, and leaves them out of later syncs. The customer's transactions stay, without a person, so that sums still agree. Nothing is changed at ClickBank.",
  ],
  examples: [
    'cb sync forget --email ada.sample@example.com --dry-run',
    'cb sync forget --email ada.sample@example.com --yes',
  ],
  obeys: ['--profile', '--sandbox'],
  effect: 'destroys',
};

const resetText: HelpText = {
  notes: [
    'Deletes the copy, so that the next sync starts again: the file of SQLite, or the rows of the tables in PostgreSQL. The list of forgotten customers stays. Nothing is changed at ClickBank.',
  ],
  examples: ['cb sync reset --yes'],
  obeys: ['--profile', '--sandbox'],
  effect: 'destroys',
};

export function addSyncForget(group: Command, call: Call): void {
  const summary = "Remove a customer's personal data from the copy";
  const command = newCommand(call.context, 'forget').description(summary);
  addCommand(group, command, call, () => {
    add(command, '--email <email>', 'Email address of the customer, in any case');
    add(command, '--dry-run', 'Show how many rows would be changed');
    add(command, '-y, --yes', 'Do not ask for confirmation');
    addCopyOptions(command);
    addHelp(command, () => forgetText);
    addAction(command, call, async (cmd, flags: ForgetFlags) => {
      const { forgetCustomer } = await import('../../sync/copy/forget-customer.ts');
      await forgetCustomer(cmd, flags);
    });
  });
}

export function addSyncReset(group: Command, call: Call): void {
  const summary = 'Delete the copy';
  const command = newCommand(call.context, 'reset').description(summary);
  addCommand(group, command, call, () => {
    add(command, '-y, --yes', 'Do not ask for confirmation');
    addCopyOptions(command);
    addHelp(command, () => resetText);
    addAction(command, call, async (cmd, flags: ForgetFlags) => {
      const { resetCopy } = await import('../../sync/copy/reset-copy.ts');
      await resetCopy(cmd, flags);
    });
  });
}

function add(command: Command, flags: string, summary: string): void {
  command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
}
