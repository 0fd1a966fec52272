/** `cb sync`: a copy of the account in a database. */
import { orders } from '../../operations/orders.ts';
import { connectionOptions } from '../help/help-text.ts';
import { command } from '../runtime/define.ts';
import { check, forget, reset, status } from '../sync/copy/copy-commands.ts';

export const sync = command({
  words: 'sync',
  args: { '[database]': 'A file such as shop.db, or a URL such as postgres://localhost/shop' },
  options: {
    since: ['--since <date>', 'First day to copy (default: 730 days ago)'],
    tables: ['--tables <names>', 'Tables to copy, such as orders,tickets (default: all)'],
    lookBack: ['--look-back <time>', 'Read all of the last days again, such as 60d'],
    maxRequests: ['--max-requests <n>', 'Maximum number of requests for each account'],
    withoutPersonalData: [
      '--without-personal-data',
      'Leave out names, addresses and texts of customers',
    ],
    dryRun: ['--dry-run', 'Show what would be read, and the requests it takes'],
    every: ['--every <time>', 'Run again and again, such as every 15m, until stopped'],
    wait: ['--wait <time>', 'Maximum time to wait for another sync (default: do not wait)'],
    acceptAccess: ['--accept-access', 'Accept that the key can no longer read some nicknames'],
    newAccount: ['--new-account', 'Copy a key that shares some nicknames as an account of its own'],
    schema: ['--schema <name>', 'Schema in PostgreSQL (default: clickbank)'],
  },
  shows: { rows: true },
  help: {
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
  },
  async run(cmd, flags) {
    const { runSync } = await import('../sync/run-sync.ts');
    return runSync(cmd, flags.database, flags);
  },
  commands: [status, check, forget, reset],
});
