/** `cb ship notice import FILE`: a notice for each row of a table. */
import type { Command } from 'commander';
import { notices3 } from '../../../operations/shipping.ts';
import {
  addParameters,
  allowDuplicateOption,
  helpGroups,
  verifyWaitOption,
} from '../../flags/flags.ts';
import { addShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { batchOptions } from '../../import/import-flags.ts';
import { addAction, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { type ImportFlags, importFile } from '../import-file.ts';

const { receipt: _, ...params } = notices3.add.params;

export function addShipImport(group: Command, call: Call): void {
  const command = newCommand(call.context, 'import')
    .description('Create ship notices from a CSV file')
    .argument('<file>', 'CSV file with a header line; - reads stdin and needs --journal');
  addParameters(command, { ...notices3.add, params });
  const more = [...batchOptions(), allowDuplicateOption(), verifyWaitOption()];
  for (const option of more) command.addOption(option);
  addShowFlags(command);
  command
    .optionsGroup(helpGroups.other)
    .option('-y, --yes', 'Send the requests without asking for confirmation')
    .option('--dry-run', 'Read and check everything, print the requests, and send nothing');
  addAction(command, call, (cmd, flags: ImportFlags, file) =>
    importFile(cmd, notices3.add, file, flags),
  );
  addHelp(command, () => helpText);
  group.addCommand(command);
}
const helpText: HelpText = {
  notes: [
    'Columns named like the parameters are recognized: receipt, date, carrier, tracking, comments, item, fillOrder. You can stop the import anywhere and run it again: the journal beside the file records what is done.',
  ],
  asks: true,
  examples: [
    'cb ship notice import shipped.csv --carrier USPS --date today --dry-run',
    'cb ship notice import export.csv --preset shipstation --carrier USPS --fill-order --yes',
  ],
  roles: notices3.add.roles,
  topics: ['safety', 'credentials', 'exit-codes'],
};
