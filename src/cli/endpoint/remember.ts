/** What a person has just seen, for the shell to complete later; a script leaves no trace. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { recordRecent } from './recent.ts';

/** Keeps the names among the rows and arguments, where a person looks on. Never throws. */
export async function remember(
  cmd: CommandContext,
  operation: Operation,
  args: Arguments,
  rows: readonly unknown[],
): Promise<void> {
  if (!cmd.messages.watched) return;
  await recordRecent(cmd, operation, args, rows);
}
