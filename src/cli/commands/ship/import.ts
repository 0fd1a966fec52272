/** `cb ship notice import FILE`: a notice for each row of a table. */
import type { Command } from 'commander';
import { notices3 } from '../../../operations/shipping.ts';
import type { AllFlags } from '../../endpoint/endpoint-command.ts';
import { addParameters, allowDuplicateOption, helpGroups } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags } from '../../flags/show-flags.ts';
import { verifyWaitOption } from '../../flags/write-options.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { runBatch } from '../../import/import.ts';
import { type BatchFlags, batchOptions } from '../../import/import-flags.ts';
import { newCommand } from '../../runtime/command.ts';
import { type Call, contextFor } from '../../runtime/command-context.ts';

const { receipt: _, ...perNotice } = notices3.add.params;

export function addShipImport(group: Command, call: Call): void {
  const command = newCommand(call.context, 'import')
    .description('Create ship notices from a CSV file')
    .argument('<file>', 'CSV file with a header line; - reads stdin and needs --journal');
  // Flags fill columns that are missing or empty.
  addParameters(command, { ...notices3.add, params: perNotice });
  const more = [...batchOptions(), allowDuplicateOption(), verifyWaitOption()];
  for (const option of more) command.addOption(option);
  addShowFlags(command, { rows: false, pages: false, totals: false });
  command
    .optionsGroup(helpGroups.other)
    .option('-y, --yes', 'Send the requests without asking for confirmation')
    .option('--dry-run', 'Read and check everything, print the requests, and send nothing')
    .action(async (file: string) => {
      const flags = command.optsWithGlobals<AllFlags & BatchFlags>();
      const cmd = contextFor(call, flags);
      const typed = Object.keys(perNotice).flatMap((name) =>
        flags[name] === undefined ? [] : [[name, flags[name]]],
      );
      const defaults = Object.fromEntries(typed);
      const { concurrency, delimiter, ...shown } = flags;
      const output = readShowFlags(cmd, shown);
      await runBatch(cmd, output, { operation: notices3.add, file, defaults, flags });
    });
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
