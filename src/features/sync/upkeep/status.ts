/** What a copy holds, and how old it is. */
import { type Day, daysFrom } from '../../../dates/day.ts';
import type { CopiedAccount } from '../access.ts';
import { accountsIn, removeDeleted, stateOf, updateCopy } from '../database/copy.ts';
import { metaOf, setMeta, storedNames } from '../database/schema.ts';
import { type AccountState, daysWith, type Sql, type SqlReader } from '../destination.ts';
import { sources } from '../tables/sources.ts';
import { firstDayOf, type Source } from '../tables/table.ts';

const askedFact = (account: string) => `tables of ${account}`;

/** Stores which sources somebody has asked for until now. */
export async function storeAsked(
  sql: Sql,
  account: string,
  asked: readonly Source[],
): Promise<void> {
  const names = [...(await askedIn(sql, account)), ...asked.map(({ name }) => name)];
  await setMeta(sql, askedFact(account), JSON.stringify([...new Set(names)]));
}

async function askedIn(sql: SqlReader, account: string): Promise<readonly string[]> {
  return JSON.parse((await metaOf(sql, askedFact(account))) ?? '[]');
}

/** The runs that count the requests of events, one for each day. */
export const eventRuns = 'events';

/** A row for each table of each account. Times are ISO 8601 in UTC; null where nothing was read. */
export async function statusOf(sql: SqlReader, today: Day) {
  const found = [];
  for (const copied of await accountsIn(sql)) {
    const { account } = copied;
    const state = await stateOf(sql, account);
    const asked = await askedIn(sql, account);
    const [run] = await sql.query<{ lastRun: string; outcome: string | null }>(
      'SELECT started_at AS "lastRun", outcome FROM sync_runs WHERE account = ? AND run_id NOT LIKE ? ORDER BY started_at DESC LIMIT 1',
      [account, `${eventRuns} %`],
    );
    const lastRun = run?.lastRun ?? null;
    // Unfinished: it still runs, or was killed.
    const outcome = run ? (run.outcome ?? 'unfinished') : null;
    for (const source of sources) {
      const read = readingOf(source, state, copied, today);
      if (!asked.includes(source.name) && read.lastRead === null) continue;
      for (const { name, day } of source.tables) {
        const newest = day === undefined ? 'NULL' : `CAST(max(${day}) AS text)`;
        const [row] = await sql.query<{ rows: unknown; newest: Day | null }>(
          `SELECT count(*) AS rows, ${newest} AS newest FROM ${name} WHERE account = ?`,
          [account],
        );
        const rows = { rows: Number(row?.rows ?? 0), newestDay: row?.newest ?? null };
        found.push({ account, table: name, ...rows, ...read, lastRun, outcome });
      }
    }
  }
  return found;
}

/** Missing days were never read, or were read without a nickname of the account. */
function readingOf(
  source: Source,
  { days, lists }: AccountState,
  { firstDay, nicknames }: CopiedAccount,
  today: Day,
) {
  const known = days.get(source.name);
  const times = [...(known?.values() ?? [])].map(({ syncedAt }) => syncedAt).sort();
  const listedAt = lists.get(source.name)?.syncedAt;
  const reads = listedAt === undefined ? times : [...times, listedAt].sort();
  const lastRead = reads.at(-1) ?? null;
  if (source.kind === 'whole') return { oldestRefresh: lastRead, missingDays: 0, lastRead };
  const complete = daysWith(known, nicknames);
  const all = daysFrom(firstDayOf(source, firstDay, today), today);
  const missingDays = all.filter((day) => !complete.has(day)).length;
  return { oldestRefresh: times[0] ?? null, missingDays, lastRead };
}

/** Deletes all rows of the copy's own tables. Whatever else is in the database stays, such as views of the user. */
export async function emptyCopy(sql: Sql): Promise<void> {
  const own = storedNames.filter((name) => name !== 'sync_meta' && name !== 'sync_forgotten');
  await updateCopy(sql);
  await sql.transaction(async () => {
    for (const name of own) await sql.query(`DELETE FROM ${name}`);
    // What remains is about the schema and the views, and the key of the hashes of forgotten customers.
    await sql.query(
      "DELETE FROM sync_meta WHERE name IN ('service', 'personal_data') OR name LIKE 'tables of %'",
    );
  });
  await removeDeleted(sql);
}
