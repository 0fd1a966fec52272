/** `cb sync`: a copy of the account in a database. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, connectionOptions, type HelpText } from '../../help/help-text.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import type { SingerFlags } from '../../sync/run-singer.ts';
import { addSyncCheck } from './check.ts';
import { addSyncForget, addSyncReset } from './remove.ts';
import { addSyncStatus } from './status.ts';

const helpText: HelpText = {
  notes: [
    'Run it every night. Days that can still change are read again: today and yesterday in each run, the last 60 days once a day, older days in turn. By default, the copy is an SQLite file in the data folder of cb. If it ends early, the next run goes on.',
  ],
  asks: true,
  examples: [
    'cb sync --dry-run',
    'cb sync',
    'cb sync shop.db --since 2026-01-01 --tables orders,tickets',
    'cb sync --all-profiles --look-back 2d --without-personal-data',
  ],
  remarks: [
    'A run prints nothing to stdout, unless -o asks for a row of each table. Tables that the API key may not read are left out with a note. With --every, cb runs until it is stopped, as a service.',
  ],
  roles: orders.list.roles,
  obeys: [...connectionOptions, '--all-profiles'],
  effect: 'writes',
  topics: ['dates', 'exit-codes'],
};

const options: readonly (readonly [flags: string, summary: string])[] = [
  ['--since <date>', 'First day to copy (default: 730 days ago)'],
  ['--tables <names>', 'Tables to copy, such as orders,tickets (default: all)'],
  ['--look-back <time>', 'Read all of the last days again, such as 60d'],
  ['--max-requests <n>', 'Maximum number of requests for each account'],
  ['--without-personal-data', 'Leave out names, addresses and texts of customers'],
  ['--dry-run', 'Show what would be read, and the requests it takes'],
  ['--every <time>', 'Run again and again, such as every 15m, until stopped'],
  ['--wait <time>', 'Maximum time to wait for another sync (default: do not wait)'],
  ['--accept-access', 'Accept that the key can no longer read some nicknames'],
  ['--new-account', 'Copy a key that shares some nicknames as an account of its own'],
  ['--schema <name>', 'Schema in PostgreSQL (default: clickbank)'],
  ['--to <format>', 'Write messages to stdout instead of a database: singer'],
  ['--state <file>', 'State of the last run with --to singer'],
];

const databaseText = 'A file such as shop.db, or a URL such as postgres://localhost/shop';

export function buildSync(command: Command, call: Call): void {
  command.argument('[database]', databaseText);
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
  addShowFlags(command, { rows: true });
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: SingerFlags & ShowFlags, database?: string) => {
    if (flags.to !== undefined || flags.state !== undefined) {
      const { runSinger } = await import('../../sync/run-singer.ts');
      return runSinger(cmd, database, flags);
    }
    const { runSync } = await import('../../sync/run-sync.ts');
    await runSync(cmd, database, flags);
  });
  addSyncStatus(command, call);
  addSyncCheck(command, call);
  addSyncForget(command, call);
  addSyncReset(command, call);
}
