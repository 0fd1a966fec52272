/** Opens a copy that exists, where its options say that it is. */
import { versionOf } from '../../../workflows/sync/database/migrate.ts';
import type { Sql, SqlReader } from '../../../workflows/sync/database/sql.ts';
import { DestinationError } from '../../../workflows/sync/destination.ts';
import type { CommandContext, CommonFlags } from '../../runtime/command-context.ts';
import { openForSync, placeOfCopy, withCopyAt } from '../open-copy.ts';
import { type Place, withSchema } from '../place.ts';

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

export interface CopyFlags extends CommonFlags {
  readonly database?: string;
  readonly schema?: string;
}

export async function placeNamed(cmd: CommandContext, flags: CopyFlags): Promise<Place> {
  return withSchema(await placeOfCopy(cmd, flags.database), flags.schema);
}
