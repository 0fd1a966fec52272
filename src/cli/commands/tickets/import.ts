/** `cb tickets create --from FILE`: a ticket for each row of a table. */
import { Option } from 'commander';
import { tickets } from '../../../operations/tickets.ts';
import type { EndpointOptions } from '../../endpoint/arguments.ts';
import { helpGroups } from '../../flags/flags.ts';
import { runBatch } from '../../import/import.ts';
import { type BatchFlags, batchOptions } from '../../import/import-flags.ts';
import { usage } from '../../runtime/failure.ts';

/** What `tickets create` has beside a single ticket. */
export const ticketImport: Required<Pick<EndpointOptions, 'instead' | 'flags'>> = {
  flags: [
    new Option(
      '--from <file>',
      'Create a ticket for each row of this CSV file, none twice; - reads stdin and needs --journal',
    ).helpGroup(helpGroups.find),
    ...batchOptions(),
  ],
  async instead(cmd, typed, output) {
    if (typeof typed.from !== 'string') return false;
    if (typed.receipt !== undefined) throw usage('<receipt> and --from both say which; give one');
    const names = Object.keys(tickets.create.params).filter((name) => typed[name] !== undefined);
    const defaults = Object.fromEntries(names.map((name) => [name, typed[name]]));
    const flags = typed as BatchFlags;
    await runBatch(cmd, output, {
      operation: tickets.create,
      file: typed.from,
      defaults,
      flags,
    });
    return true;
  },
};
