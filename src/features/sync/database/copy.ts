/** A copy in a database as a whole: which service and accounts it holds, and its runs. */
import type { Day } from '../../../dates/day.ts';
import type { CopiedAccount } from '../access.ts';
import { DestinationError, type Sql, type SqlReader } from '../destination.ts';
import { sources } from '../tables/sources.ts';
import { discardKept } from '../views/view.ts';
import { replaceViews, updateViews } from '../views/views.ts';
import { metaOf, migrate, setMeta, versionOf } from './migrate.ts';
import { schemaVersion } from './schema.ts';

export interface CopyFacts {
  /** Names the service, as in `https://api.clickbank.com`; a copy holds data of one service. */
  readonly service: string;
  /** Names, addresses and texts of customers are left out. */
  readonly withoutPersonalData: boolean;
}

/**
 * Takes the lock, for which it waits up to `patience` milliseconds, and brings the schema up to date. Returns what the copy
 * is from now on. Throws a DestinationError.
 */
export async function prepareCopy(
  sql: Sql,
  { patience, ...facts }: CopyFacts & { readonly patience: number },
): Promise<CopyFacts> {
  await sql.lock(patience);
  await updateCopy(sql);
  return claimCopy(sql, facts);
}

/** Brings the schema and the views up to date. `sql` holds the lock. Throws a DestinationError. */
export async function updateCopy(sql: Sql): Promise<void> {
  await migrate(sql, schemaVersion, sources, () => replaceViews(sql));
  await updateViews(sql);
}

/** Requires that a copy fits, or makes a new one what is asked for. `sql` holds the lock. Throws a DestinationError. */
export async function claimCopy(sql: Sql, facts: CopyFacts): Promise<CopyFacts> {
  const known = await factsOf(sql);
  if (!known) {
    await sql.transaction(async () => {
      await setMeta(sql, 'service', facts.service);
      await setMeta(sql, 'personal_data', facts.withoutPersonalData ? 'left out' : 'included');
    });
    return facts;
  }
  requireService(sql, known, facts.service);
  if (facts.withoutPersonalData && !known.withoutPersonalData) {
    throw new DestinationError('unsuitable', `${sql.label} already has personal data.`, {
      hint: 'Run the sync without --without-personal-data, or start again with `cb sync reset`.',
    });
  }
  return known;
}

/** Returns undefined for a database without a copy, and for an empty copy. */
export async function factsOf(sql: SqlReader): Promise<CopyFacts | undefined> {
  if ((await versionOf(sql)) === undefined) return undefined;
  const service = await metaOf(sql, 'service');
  if (service === undefined) return undefined;
  return { service, withoutPersonalData: (await metaOf(sql, 'personal_data')) === 'left out' };
}

/** Throws a DestinationError if the copy is one of another service. */
export function requireService(sql: SqlReader, { service }: CopyFacts, asked: string): void {
  if (service === asked) return;
  throw new DestinationError(
    'unsuitable',
    `${sql.label} is a copy of ${service}, not of ${asked}.`,
    { hint: 'Name another database.' },
  );
}

export async function accountsIn(sql: SqlReader): Promise<readonly CopiedAccount[]> {
  const rows = await sql.query<{
    account: string;
    nicknames: string;
    first_day: Day;
    /** Missing in copies of earlier versions. */
    ended?: string | null;
  }>('SELECT * FROM sync_accounts ORDER BY account');
  return rows.map(({ account, nicknames, first_day, ended }) => ({
    account,
    nicknames: JSON.parse(nicknames),
    ended: JSON.parse(ended ?? '{}'),
    firstDay: first_day,
  }));
}

/** Stores an account in place of what was stored of it. */
export async function storeAccount(sql: Sql, account: CopiedAccount): Promise<void> {
  const { account: name, nicknames, ended, firstDay } = account;
  const values = [name, JSON.stringify(nicknames), firstDay, JSON.stringify(ended)];
  await sql.transaction(async () => {
    await sql.query('DELETE FROM sync_accounts WHERE account = ?', [name]);
    await sql.query(
      'INSERT INTO sync_accounts (account, nicknames, first_day, ended) VALUES (?, ?, ?, ?)',
      values,
    );
  });
}

interface Run {
  readonly runId: string;
  readonly account: string;
}

export async function startRun(sql: Sql, run: Run, startedAt: string, day: Day): Promise<void> {
  // The views of subscriptions end with the day of the latest run.
  await discardKept(sql);
  await sql.query(
    'INSERT INTO sync_runs (run_id, account, started_at, pacific_day, requests, row_count) VALUES (?, ?, ?, ?, 0, 0)',
    [run.runId, run.account, startedAt, day],
  );
}

interface RunFigures {
  readonly requests: number;
  readonly rows: number;
}

/** Stores how far a run is, so that the requests of a killed run still count. */
export async function updateRun(sql: Sql, run: Run, { requests, rows }: RunFigures): Promise<void> {
  await sql.query(
    'UPDATE sync_runs SET requests = ?, row_count = ? WHERE run_id = ? AND account = ?',
    [requests, rows, run.runId, run.account],
  );
}

export interface RunEnd extends RunFigures {
  readonly endedAt: string;
  readonly outcome: 'complete' | 'stopped' | 'incomplete' | 'failed';
  readonly message: string | null;
}

export async function endRun(sql: Sql, run: Run, end: RunEnd): Promise<void> {
  await updateRun(sql, run, end);
  await sql.query(
    'UPDATE sync_runs SET ended_at = ?, outcome = ?, message = ? WHERE run_id = ? AND account = ?',
    [end.endedAt, end.outcome, end.message, run.runId, run.account],
  );
}

/** The requests that syncs of an account sent on a Pacific day. */
export async function requestsOn(sql: SqlReader, account: string, day: Day): Promise<number> {
  const [row] = await sql.query<{ sum: unknown }>(
    'SELECT coalesce(sum(requests), 0) AS sum FROM sync_runs WHERE account = ? AND pacific_day = ?',
    [account, day],
  );
  return Number(row?.sum ?? 0);
}

/** Deleted text stays in unused parts of a file of SQLite, and in its log. */
export async function removeDeleted(sql: Sql): Promise<void> {
  if (sql.dialect !== 'sqlite') return;
  await sql.query('VACUUM');
  await sql.query('PRAGMA wal_checkpoint(TRUNCATE)');
}
