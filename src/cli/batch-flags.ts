/** The flags of commands that take many writes from a file. */
import { Option } from 'commander';
import { presetNames } from './batch-columns.ts';
import { helpGroups } from './flags.ts';

export interface BatchFlags {
  readonly map?: string;
  readonly preset?: string;
  readonly delimiter?: string;
  readonly skipInvalid?: boolean;
  readonly allowDuplicate?: boolean;
  readonly journal?: string;
  readonly restart?: boolean;
  readonly results?: string;
  readonly concurrency?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function batchOptions(): Option[] {
  const options = [
    new Option(
      '--map <pairs>',
      "Columns by parameter, as in 'Order - Number=receipt,Code=tracking'",
    ),
    new Option('--preset <name>', `Columns of a tool: ${presetNames.join(', ')}`),
    new Option('--delimiter <character>', 'Between the cells (default: found by the header)'),
    new Option('--skip-invalid', 'Leave out rows that are wrong, and send the others'),
    new Option('--journal <file>', 'Keep the journal there (default: FILE.cb-journal)'),
    new Option('--restart', 'Put the old journal away and begin anew'),
    new Option(
      '--results <file>',
      'Tell there what became of each row (default: FILE.results.csv)',
    ),
    new Option('--concurrency <n>', 'Receipts under way at once (default: 4)'),
  ];
  return options.map((option) => option.helpGroup(helpGroups.find));
}
