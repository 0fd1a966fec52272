/** Opens a copy that exists, to change it. */
import { versionOf } from '../../../workflows/sync/database/migrate.ts';
import type { Sql, SqlReader } from '../../../workflows/sync/database/sql.ts';
import { DestinationError } from '../../../workflows/sync/destination.ts';
import { confirm } from '../../prompts/ask.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { openForSync, withCopyAt } from '../open-copy.ts';
import type { Place } from '../place.ts';

/** Runs `work` with a copy that no sync writes to. Throws a DestinationError if there is no copy. */
export async function withCopyToChange<T>(
  cmd: CommandContext,
  place: Place,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  await withCopyAt(place, requireCopy);
  const sql = await openForSync(cmd, place);
  try {
    await sql.lock(0);
    return await work(sql);
  } finally {
    await sql.close();
  }
}

/** Throws a DestinationError for a database that is no copy. */
export async function requireCopy(sql: SqlReader): Promise<void> {
  if ((await versionOf(sql)) !== undefined) return;
  throw new DestinationError('missing', `There is no copy in ${sql.label}.`, {
    hint: 'Create it with `cb sync`.',
  });
}

/** Asks a question, unless --yes answers it. Throws a Failure if the answer is no, or without a terminal. */
export async function confirmChange(
  cmd: CommandContext,
  question: string,
  yes: boolean | undefined,
): Promise<void> {
  await confirm(cmd, question, { yes, unchanged: 'Nothing was changed.', hint: '' });
}
