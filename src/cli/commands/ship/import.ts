/** `cb ship notice import FILE`: creates a ship notice for each row of a CSV file. */
import { notices3 } from '../../../operations/shipping.ts';
import { allowDuplicateOption, verifyWaitOption } from '../../flags/flags.ts';
import { requestOptions } from '../../help/help-text.ts';
import { importOptions } from '../../import/import-flags.ts';
import { command } from '../../runtime/define.ts';
import { importFile } from '../import-file.ts';

const { receipt: _, ...params } = notices3.add.params;

export const shipImport = command({
  words: 'ship notice import',
  summary: 'Create ship notices from a CSV file',
  args: { '<file>': 'CSV file with a header line; - reads stdin and requires --journal' },
  parameters: [{ ...notices3.add, params }],
  options: {
    ...importOptions,
    allowDuplicate: allowDuplicateOption(),
    verifyWait: verifyWaitOption(),
  },
  lastOptions: {
    dryRun: ['--dry-run', 'Check and print the requests without sending them'],
    yes: ['-y, --yes', 'Send the requests without asking for confirmation'],
  },
  shows: {},
  help: {
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
  },
  run: (cmd, flags) => importFile(cmd, notices3.add, flags.file, flags),
});
