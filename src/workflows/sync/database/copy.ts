/** A copy in a database as a whole: which service and accounts it holds, and its runs. */
import type { Day } from '../../../dates/day.ts';
import { DestinationError } from '../destination.ts';
import { metaOf, migrate, setMeta, versionOf } from './migrate.ts';
import type { Sql, SqlReader } from './sql.ts';

export interface CopyFacts {
  /** Names the service, as in `https://api.clickbank.com`; a copy holds data of one service. */
  readonly service: string;
  /** Names, addresses and texts of customers are left out. */
  readonly withoutPersonalData: boolean;
  /** Milliseconds to wait for another sync. */
  readonly patience: number;
}

/** Takes the lock and brings the schema up to date. Throws a DestinationError. */
export async function prepareCopy(sql: Sql, facts: CopyFacts): Promise<void> {
  await sql.lock(facts.patience);
  const isNew = (await versionOf(sql)) === undefined;
  await migrate(sql);
  const personal = facts.withoutPersonalData ? 'left out' : 'included';
  if (isNew || (await metaOf(sql, 'service')) === undefined) {
    await sql.transaction(async () => {
      await setMeta(sql, 'service', facts.service);
      await setMeta(sql, 'personal_data', personal);
    });
    return;
  }
  const service = await metaOf(sql, 'service');
  if (service !== facts.service) {
    throw new DestinationError(
      'unsuitable',
      `${sql.label} is a copy of ${service}, not of ${facts.service}.`,
      {
        hint: 'Name another database.',
      },
    );
  }
  const before = await metaOf(sql, 'personal_data');
  if (before !== personal) {
    throw new DestinationError('unsuitable', `In ${sql.label}, personal data is ${before}.`, {
      hint:
        before === 'included'
          ? 'Run the sync without --without-personal-data, or start again with `cb sync reset`.'
          : 'Run the sync with --without-personal-data, or start again with `cb sync reset`.',
    });
  }
}

export interface CopiedAccount {
  readonly account: string;
  readonly nicknames: readonly string[];
  /** The first day that is copied. */
  readonly firstDay: Day;
}

export async function accountsIn(sql: SqlReader): Promise<readonly CopiedAccount[]> {
  const rows = await sql.query<{ account: string; nicknames: string; first_day: Day }>(
    'SELECT account, nicknames, first_day FROM sync_accounts ORDER BY account',
  );
  return rows.map(({ account, nicknames, first_day }) => ({
    account,
    nicknames: JSON.parse(nicknames),
    firstDay: first_day,
  }));
}

/**
 * Returns the account with one of these nicknames, or stores a new one. Only an earlier first day replaces the known
 * one. The name of an account never changes, whatever nicknames its key can read later.
 */
export async function storeAccount(
  sql: Sql,
  nicknames: readonly string[],
  firstDay: Day | undefined,
  usualFirstDay: Day,
): Promise<CopiedAccount> {
  const known = await accountsIn(sql);
  const found = known.find((one) => one.nicknames.some((name) => nicknames.includes(name)));
  const account = found?.account ?? nicknames[0] ?? '';
  const days = [found?.firstDay, firstDay].filter((day) => day !== undefined).sort();
  const stored = { account, nicknames, firstDay: days[0] ?? usualFirstDay };
  await sql.transaction(async () => {
    await sql.query('DELETE FROM sync_accounts WHERE account = ?', [account]);
    await sql.query('INSERT INTO sync_accounts (account, nicknames, first_day) VALUES (?, ?, ?)', [
      account,
      JSON.stringify(nicknames),
      stored.firstDay,
    ]);
  });
  return stored;
}

export interface Run {
  readonly runId: string;
  readonly account: string;
}

export async function startRun(sql: Sql, run: Run, startedAt: string, day: Day): Promise<void> {
  await sql.query(
    'INSERT INTO sync_runs (run_id, account, started_at, pacific_day, requests, row_count) VALUES (?, ?, ?, ?, 0, 0)',
    [run.runId, run.account, startedAt, day],
  );
}

export interface RunFigures {
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
export async function requestsOn(sql: Sql, account: string, day: Day): Promise<number> {
  const [row] = await sql.query<{ sum: unknown }>(
    'SELECT coalesce(sum(requests), 0) AS sum FROM sync_runs WHERE account = ? AND pacific_day = ?',
    [account, day],
  );
  return Number(row?.sum ?? 0);
}
