/** The options of commands that import a file. */
import { Option } from 'commander';
import { presetNames } from '../../workflows/bulk-import/columns.ts';
import type { WriteFlags } from '../flags/flags.ts';
import { helpGroups } from '../flags/flags.ts';

export interface BatchFlags extends WriteFlags {
  readonly map?: string;
  readonly preset?: string;
  readonly delimiter?: string;
  readonly skipInvalid?: boolean;
  readonly retryUnknown?: boolean;
  readonly journal?: string;
  readonly restart?: boolean;
  readonly results?: string;
  readonly concurrency?: string;
}

export function batchOptions(): Option[] {
  const options = [
    new Option('--map <pairs>', "Column names, such as 'Order - Number=receipt,Code=tracking'"),
    new Option('--preset <name>', `Column names of a shipping tool: ${presetNames.join(', ')}`),
    new Option('--delimiter <character>', 'Column separator of the CSV file (default: detected)'),
    new Option('--skip-invalid', 'Skip invalid rows and send the others'),
    new Option('--retry-unknown', 'Send rows with unknown outcome again, after looking for them'),
    new Option('--journal <file>', 'Journal file (default: FILE.cb-journal)'),
    new Option('--restart', 'Start again with a new journal'),
    new Option('--results <file>', 'Result file with one line per row (default: FILE.results.csv)'),
    new Option('--concurrency <n>', 'Number of receipts to send at the same time (default: 4)'),
  ];
  return options.map((option) => option.helpGroup(helpGroups.options));
}
