/** What a person has just seen, for the shell to complete later; a script leaves no trace. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Shell } from '../runtime/shell.ts';

/** Keeps the names among the rows and arguments, where a person looks on. Never throws. */
export async function remember(
  shell: Shell,
  operation: Operation,
  args: Arguments,
  rows: readonly unknown[],
): Promise<void> {
  if (!shell.messages.watched) return;
  const { recordRecent } = await import('./recent.ts');
  await recordRecent(shell, operation, args, rows);
}
