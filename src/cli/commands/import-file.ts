/** Code that all commands share that import a CSV file. */
import type { Operation } from '../../operations/operation.ts';
import type { AllFlags } from '../endpoint/endpoint-command.ts';
import { readShowFlags } from '../flags/show-flags.ts';
import type { BatchFlags } from '../import/import-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';

export type ImportFlags = AllFlags & BatchFlags;

/** Sends a request for each row of the file; options of the operation fill columns that are missing or empty. */
export async function importFile(
  cmd: CommandContext,
  operation: Operation,
  file: string,
  flags: ImportFlags,
): Promise<void> {
  const names = Object.keys(operation.params).filter((name) => flags[name] !== undefined);
  const defaults = Object.fromEntries(names.map((name) => [name, flags[name]]));
  // These two options are for the requests and the file, not for the summary.
  const { concurrency, delimiter, ...shown } = flags;
  const output = readShowFlags(cmd, shown);
  const { runBatch } = await import('../import/import.ts');
  await runBatch(cmd, output, { operation, file, defaults, flags });
}
