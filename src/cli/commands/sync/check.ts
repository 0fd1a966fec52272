/** `cb sync check`: compares the copy with the service. */
import type { Command } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { searchPeriod } from '../../find/search-period.ts';
import { addParameters, type Typed } from '../../flags/flags.ts';
import { addPeriodSynonyms } from '../../flags/period-synonyms.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, connectionOptions, type HelpText } from '../../help/help-text.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { addCopyOptions, type CopyFlags } from '../../sync/copy/copy-options.ts';
import { checkResource } from '../../sync/sync-resources.ts';

const helpText: HelpText = {
  notes: [
    'Compares the number of rows with what ClickBank counts, and what you earned by day with quickstats. Prints the days that differ and ends with exit code 8; prints nothing if all agree. Without a period, all days of the copy are compared. A year takes about 15 requests for each account and table; days that differ take a few more.',
  ],
  asks: true,
  examples: ['cb sync check', 'cb sync check --period last-30-days -o json'],
  roles: orders.list.roles,
  remarks: ['Tables that ClickBank does not count, such as tickets, are not compared.'],
  obeys: connectionOptions,
  topics: ['dates', 'exit-codes'],
};

export function addSyncCheck(group: Command, call: Call): void {
  const summary = 'Compare the copy with ClickBank';
  const command = newCommand(call.context, 'check').description(summary);
  addCommand(group, command, call, () => {
    addParameters(command, searchPeriod);
    addPeriodSynonyms(command, searchPeriod);
    addCopyOptions(command);
    addShowFlags(command, { rows: true, shape: () => checkResource });
    addHelp(command, () => helpText);
    addAction(command, call, async (cmd, flags: CopyFlags & ShowFlags & Typed) => {
      const { checkCopy } = await import('../../sync/copy/check-copy.ts');
      await checkCopy(cmd, flags, readShowFlags(cmd, flags));
    });
  });
}
