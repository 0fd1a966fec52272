/** The options of commands that import a file. */

import type { WriteFlags } from '../../shell/options/flags.ts';
import { presetNames } from './columns.ts';

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

export const importOptions = {
  map: ['--map <pairs>', "Column names, such as 'Order - Number=receipt,Code=tracking'"],
  preset: ['--preset <name>', `Column names of a shipping tool: ${presetNames.join(', ')}`],
  delimiter: ['--delimiter <character>', 'Column separator of the CSV file (default: detected)'],
  skipInvalid: ['--skip-invalid', 'Skip invalid rows and send the others'],
  retryUnknown: ['--retry-unknown', 'Send rows with unknown outcome again, after looking for them'],
  journal: ['--journal <file>', 'Journal file (default: FILE.cb-journal)'],
  restart: ['--restart', 'Start again with a new journal'],
  results: ['--results <file>', 'Result file with one line per row (default: FILE.results.csv)'],
  concurrency: ['--concurrency <n>', 'Number of receipts to send at the same time (default: 4)'],
} as const;
