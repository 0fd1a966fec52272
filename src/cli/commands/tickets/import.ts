/** `cb tickets create --from FILE`: creates a ticket for each row of a CSV file. */
import { Option } from 'commander';
import { tickets } from '../../../operations/tickets.ts';
import type { EndpointOptions } from '../../endpoint/arguments.ts';
import { helpGroups, kebab } from '../../flags/flags.ts';
import { importOptions } from '../../import/import-flags.ts';
import { usage } from '../../runtime/failure.ts';
import { type ImportFlags, importFile } from '../import-file.ts';

const summary = 'Create a ticket for each row of a CSV file; - reads stdin';

export const ticketImport: Required<Pick<EndpointOptions, 'instead' | 'flags'>> = {
  flags: [['--from <file>', summary] as const, ...Object.values(importOptions)].map(
    ([flags, summary]) => new Option(flags, summary).helpGroup(helpGroups.options),
  ),
  async instead(cmd, flags: ImportFlags & { readonly from?: string }) {
    const { from, receipt } = flags;
    if (from !== undefined && receipt !== undefined) {
      throw usage('<receipt> and --from were both given.', { hint: 'Give one of them.' });
    }
    const ignored = Object.keys(importOptions).find((name) => flags[name] !== undefined);
    if (from === undefined && ignored) {
      throw usage(`--${kebab(ignored)} requires --from with a CSV file.`);
    }
    if (from !== undefined) await importFile(cmd, tickets.create, from, flags);
    return from !== undefined;
  },
};
