/** The options that name a copy, for the commands below `cb sync`. */
import { type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import type { CommandContext, CommonFlags } from '../../runtime/command-context.ts';
import { placeOfCopy } from '../open-copy.ts';
import { type Place, withSchema } from '../place.ts';

export interface CopyFlags extends CommonFlags {
  readonly database?: string;
  readonly schema?: string;
}

const options: readonly (readonly [flags: string, summary: string])[] = [
  ['--database <db>', 'File or URL of the copy (default: the file of cb sync)'],
  ['--schema <name>', 'Schema in PostgreSQL (default: clickbank)'],
];

export function addCopyOptions(command: Command): void {
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
}

export async function placeNamed(cmd: CommandContext, flags: CopyFlags): Promise<Place> {
  return withSchema(await placeOfCopy(cmd, flags.database), flags.schema);
}
