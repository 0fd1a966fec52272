/** Writes the completion data of a command without running it. */
import { recordRecent } from '../../src/cli/endpoint/recent.ts';
import type { CommonFlags } from '../../src/cli/runtime/command-context.ts';
import type { Arguments, Operation } from '../../src/operations/operation.ts';
import { type Options, world } from './cb.ts';

export async function recorded(
  folder: string,
  flags: CommonFlags,
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  rows: readonly unknown[],
  options: Options = {},
): Promise<void> {
  const { context } = world(folder, options);
  await recordRecent({ context, flags }, operation, args as Arguments, rows);
}
