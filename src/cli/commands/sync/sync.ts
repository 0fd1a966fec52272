/** `cb sync`: a copy of the account in a database. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { helpGroups } from '../../flags/flags.ts';
import { addHelp, connectionOptions, type HelpText } from '../../help/help-text.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import type { SyncFlags } from '../../sync/run-sync.ts';

const helpText: HelpText = {
  notes: [
    'Copies orders, tickets and the rest of your account into a database, and keeps the copy current: days that can still change are read again. Without a database, the copy is an SQLite file in the data folder of cb.',
  ],
  examples: ['cb sync', 'cb sync shop.db'],
  roles: orders.list.roles,
  obeys: connectionOptions,
  topics: ['dates', 'exit-codes'],
};

export function buildSync(command: Command, call: Call): void {
  command.argument(
    '[database]',
    'A file such as shop.db, or a URL such as postgres://localhost/shop',
  );
  command.addOption(
    new Option(
      '--without-personal-data',
      'Leave out names, addresses and texts of customers',
    ).helpGroup(helpGroups.options),
  );
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: CommonFlags & SyncFlags, database) => {
    const { runSync } = await import('../../sync/run-sync.ts');
    await runSync(cmd, typeof database === 'string' ? database : undefined, flags);
  });
}
