/** `cb ship notice import FILE`: creates a ship notice for each row of a CSV file. */
import type { Command } from 'commander';
import { notices3 } from '../../../operations/shipping.ts';
import {
  addParameters,
  allowDuplicateOption,
  helpGroups,
  verifyWaitOption,
} from '../../flags/flags.ts';
import { addShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText, requestOptions } from '../../help/help-text.ts';
import { batchOptions } from '../../import/import-flags.ts';
import { addAction, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { type ImportFlags, importFile } from '../import-file.ts';

const { receipt: _, ...params } = notices3.add.params;

export function addShipImport(group: Command, call: Call): void {
  const command = newCommand(call.context, 'import')
    .description('Create ship notices from a CSV file')
    .argument('<file>', 'CSV file with a header line; - reads stdin and requires --journal');
  addParameters(command, { ...notices3.add, params });
  const more = [...batchOptions(), allowDuplicateOption(), verifyWaitOption()];
  for (const option of more) command.addOption(option);
  addShowFlags(command);
  command
    .optionsGroup(helpGroups.options)
    .option('--dry-run', 'Check and print the requests without sending them')
    .option('-y, --yes', 'Send the requests without asking for confirmation');
  addAction(command, call, (cmd, flags: ImportFlags, file) =>
    importFile(cmd, notices3.add, file, flags),
  );
  addHelp(command, () => helpText);
  group.addCommand(command);
}
const helpText: HelpText = {
  notes: [
    'Recognized columns: receipt, date, carrier, tracking, comments, item and fillOrder. Options fill in missing values. You can stop the import at any time and run it again: a journal beside the file records which rows are done.',
  ],
  asks: true,
  examples: [
    'cb ship notice import shipped.csv --carrier USPS --date today --dry-run',
    'cb ship notice import export.csv --preset shipstation --carrier USPS --fill-order --yes',
  ],
  roles: notices3.add.roles,
  obeys: requestOptions,
  effect: 'writes',
  topics: ['safety', 'credentials', 'exit-codes'],
};
