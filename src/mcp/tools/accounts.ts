/** The account that a call is about. */
import { accountsOf } from '../../workflows/earnings/read-transactions.ts';
import type { ToolCall } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

/** Returns the given nickname, or the only account of the key. Throws a ToolError. */
export async function accountFrom(
  name: 'site' | 'account',
  given: unknown,
  { client }: ToolCall,
): Promise<string> {
  if (typeof given === 'string') return given.toUpperCase();
  const accounts = await accountsOf(client);
  const [only, other] = accounts;
  if (only !== undefined && other === undefined) return only;
  throw new ToolError('The key has several accounts.', `Pass ${name}: ${accounts.join(', ')}.`);
}
