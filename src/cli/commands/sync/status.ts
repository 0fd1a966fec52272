/** `cb sync status`: what the copy holds, and how old it is. */
import type { Command } from 'commander';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { addCopyOptions, type CopyFlags } from '../../sync/copy/copy-options.ts';
import { statusResource } from '../../sync/sync-resources.ts';

const helpText: HelpText = {
  notes: [
    'Sends no request. The oldest refresh is the day that was read the longest time ago. Missing days were not read yet: later runs add some of them each. The lag is the time since the table was last read.',
  ],
  examples: ['cb sync status', 'cb sync status -o json'],
  obeys: ['--profile', '--sandbox'],
  topics: ['output'],
};

export function addSyncStatus(group: Command, call: Call): void {
  const summary = 'Show what the copy holds and how old it is';
  const command = newCommand(call.context, 'status').description(summary);
  addCommand(group, command, call, () => {
    addCopyOptions(command);
    addShowFlags(command, { rows: true, shape: () => statusResource });
    addHelp(command, () => helpText);
    addAction(command, call, async (cmd, flags: CopyFlags & ShowFlags) => {
      const { showStatus } = await import('../../sync/copy/show-status.ts');
      await showStatus(cmd, flags, readShowFlags(cmd, flags));
    });
  });
}
