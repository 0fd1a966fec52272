/** An account in a copy: whose key it is, which days are complete, and how old they are. */
import type { CopiedAccount } from '../access.ts';
import { accountsIn } from '../database/copy.ts';
import { metaOf, setMeta } from '../database/migrate.ts';
import type { Sql, SqlReader } from '../database/sql.ts';
import { stateOf } from '../database/sql-destination.ts';
import { DestinationError } from '../destination.ts';

const factOf = (profile: string) => `account of profile ${profile}`;

/** Stores which account the key of a profile reads. */
export async function storeProfile(
  sql: Sql,
  profile: string | undefined,
  account: string,
): Promise<void> {
  if (profile !== undefined) await setMeta(sql, factOf(profile), account);
}

/** The account of a profile, or the only one. Throws a DestinationError. */
export async function accountOf(
  copy: SqlReader,
  profile: string | undefined,
): Promise<CopiedAccount> {
  const accounts = await accountsIn(copy);
  const known = profile === undefined ? undefined : await metaOf(copy, factOf(profile));
  const found = accounts.find(({ account }) => account === known);
  if (found) return found;
  const [only, another] = accounts;
  const isForeign = profile !== undefined && (await hasProfiles(copy));
  if (only && !another && !isForeign) return only;
  const whose = profile === undefined ? 'the key in CB_API_KEY' : `profile ${profile}`;
  const names = accounts.map(({ account }) => account).join(', ');
  throw new DestinationError('missing', `${copy.label} has no copy of ${whose}.`, {
    hint: names
      ? `It has ${names}. Run \`cb sync\` with the profile, or use one whose account is there.`
      : 'Run `cb sync`.',
  });
}

async function hasProfiles(copy: SqlReader): Promise<boolean> {
  const found = await copy.query('SELECT 1 AS one FROM sync_meta WHERE name LIKE ?', [factOf('%')]);
  return found.length > 0;
}

/** When the account was last read, in milliseconds since 1970; undefined if it never was. */
export async function newestRead(copy: SqlReader, account: string): Promise<number | undefined> {
  const { days } = await stateOf(copy, account);
  const read = [...days.values()].flatMap((known) =>
    [...known.values()].map(({ syncedAt }) => Date.parse(syncedAt)),
  );
  return read.length === 0 ? undefined : read.reduce((one, other) => Math.max(one, other));
}
