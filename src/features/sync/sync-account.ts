/** Brings the copy of one account up to date, and records the run in the copy. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { addDays, type Day, pacificDay } from '../../dates/day.ts';
import { grouped } from '../../decimals/decimals.ts';
import { quickstats } from '../../operations/quickstats.ts';
import type { CommandContext } from '../../shell/context.ts';
import { repeatStatus, timeText } from '../../shell/display/progress.ts';
import { exitCodes, Failure } from '../../shell/failure.ts';
import { serviceNow, withApi } from '../../shell/session/session.ts';
import { accountFor, continuedAccount, isPartialKey, lostBy, namesWithLastDay } from './access.ts';
import {
  accountsIn,
  aMoment,
  type CopyFacts,
  requestsOn,
  sqlDestination,
  stateOf,
  storeAccount,
  storeRun,
} from './database/copy.ts';
import { hasRead, type Sql, type SqlReader } from './destination.ts';
import { serviceLabel } from './open-copy.ts';
import { Budget, usualRowsOf } from './plan.ts';
import { type SyncProgress, syncAccount } from './run.ts';
import type { AskedSync } from './sync-options.ts';
import type { AccountReader } from './tables/table.ts';
import { forgottenIn } from './upkeep/forget.ts';
import { storeAsked } from './upkeep/status.ts';

/** Days that a first sync copies. */
const usualHistory = 730;
/** Of the 25,000 requests that ClickBank allows in a day, some are for other uses. */
export const requestsOfADay = 20_000;

/** What a run did for one account. */
export interface SyncedAccount {
  readonly account: string;
  readonly profile: string | undefined;
  readonly nicknames: readonly string[];
  /** What the key can no longer read. */
  readonly lost: string | undefined;
  readonly result: Awaited<ReturnType<typeof syncAccount>>;
  readonly requests: number;
  readonly requestsLeftToday: number;
}

/** Opens the copy and takes its lock, the first time. Throws a DestinationError if the copy is another one. */
export type OpenCopy = (asked: CopyFacts) => Promise<CopyFacts & { readonly sql: Sql }>;

/** A run over several profiles, whose work other machines may share. */
export interface SharedRun {
  readonly isShared: boolean;
  /** When its first account was begun, by the clock of the service. */
  since?: string;
}

async function wasSyncedSince(sql: SqlReader, account: string, since: string): Promise<boolean> {
  const rows = await sql.query(
    "SELECT 1 FROM sync_runs WHERE account = ? AND outcome = 'complete' AND ended_at > ?",
    [account, since],
  );
  return rows.length > 0;
}

/** Returns undefined, with a note, for an account that another profile of this run has synced. */
export function syncProfile(
  cmd: CommandContext,
  open: OpenCopy,
  asked: AskedSync,
  done: readonly SyncedAccount[],
  shared: SharedRun,
): Promise<SyncedAccount | undefined> {
  const { messages } = cmd;
  const now = () => serviceNow(cmd.context);
  const budget = new Budget(asked.maxRequests ?? requestsOfADay);
  return withApi(cmd, { onRequest: () => budget.take() }, async (client, session) => {
    const reader = await readerFor(cmd, client);
    const { nicknames, today } = reader;
    const { sql, withoutPersonalData } = await open({
      service: serviceLabel(session),
      withoutPersonalData: asked.withoutPersonalData,
    });
    const { account: name } = (await findAccount(sql, reader, asked)).account;
    await sql.lockAccount(name, Math.max(asked.patience, aMoment));
    const found = await findAccount(sql, reader, asked);
    const { account, known, used } = found;
    shared.since ??= now().toISOString();
    const earlier = done.find((one) => one.account === name);
    if (shared.isShared && !earlier && (await wasSyncedSince(sql, name, shared.since))) {
      messages.say(`note: Another cb sync has copied ${name} meanwhile.`);
      return undefined;
    }
    // The second key may have access that the first one lacks.
    if (earlier && hasRead(earlier, nicknames) && earlier.result.refusals.length === 0) {
      const both = `Profiles ${earlier.profile} and ${session.profile}`;
      messages.say(`note: ${both} belong to the account ${name}. It was copied once.`);
      return undefined;
    }
    await storeAccount(sql, account);
    const accepted = asked.acceptsEnd && known ? lostBy(known, nicknames) : [];
    if (accepted.length > 0) {
      const names = namesWithLastDay(account, accepted);
      messages.say(`note: The rows of ${names} stay as they are in ${name}.`);
    }
    if (asked.since !== undefined && asked.since > account.firstDay) {
      messages.say(`note: The copy already begins on ${account.firstDay}.`);
    }
    const names = lostBy(account, nicknames);
    const lost =
      names.length === 0
        ? undefined
        : `The API key can't read ${namesWithLastDay(account, names)} of the account ${name}`;
    await storeAsked(sql, name, asked.sources);
    if (asked.maxRequests === undefined) budget.most = requestsOfADay - used;
    const started = { run_id: randomUUID(), started_at: now().toISOString(), pacific_day: today };
    let rows = 0;
    /** Without an end while it runs, and if it was killed. */
    const store = (end = {}) => {
      const figures = { account: name, requests: budget.spent, row_count: rows };
      return storeRun(sql, { ...started, ...figures, ...end });
    };
    const storeEnd = (outcome: string, message: string | null) =>
      store({ ended_at: now().toISOString(), outcome, message });
    await store();
    const spentBefore = budget.spent;
    let latest: SyncProgress | undefined;
    const stopStatus = repeatStatus(
      cmd,
      (seconds) =>
        latest ? progressText(latest, budget, (budget.spent - spentBefore) / seconds) : '',
      250,
    );
    try {
      const forgotten = await forgottenIn(sql);
      const since = account.firstDay;
      const result = await syncAccount({
        ...{ ...asked, account: name, since, budget, now, destination: sqlDestination(sql) },
        reader: { ...reader, isPartial: isPartialKey(account, nicknames) },
        usualRows: await usualRowsOf(reader, asked.sources, found.state, since),
        isAnonymous: (row) => withoutPersonalData || forgotten.has(row),
        onProgress(one) {
          latest = one;
        },
        async onWindow(one) {
          rows = one.rows;
          await store();
          await forgotten.flush(sql, now().toISOString());
        },
      });
      rows = result.rows;
      const [said] = [...result.problems, ...result.mismatches];
      const isLacking = lost !== undefined && result.outcome === 'complete';
      const outcome = isLacking ? 'incomplete' : result.outcome;
      await storeEnd(outcome, said?.error.message ?? lost ?? null);
      const requests = budget.spent;
      return {
        ...{ account: name, profile: session.profile, nicknames, lost, result, requests },
        requestsLeftToday: Math.max(0, requestsOfADay - used - requests),
      };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // The database may be what failed.
      await storeEnd('failed', message).catch(() => undefined);
      throw error;
    } finally {
      stopStatus();
    }
  });
}

/** Throws a Failure if the key can read no account. */
export async function readerFor(cmd: CommandContext, client: Client): Promise<AccountReader> {
  const rows = await client.call(quickstats.accounts, {});
  const nicknames = rows.flatMap(({ nickName }) => nickName ?? []);
  if (nicknames.length === 0) {
    throw new Failure(exitCodes.refused, 'The API key can read no account.', {
      hint: 'To see its permissions, run `cb whoami`.',
    });
  }
  const today: Day = pacificDay(serviceNow(cmd.context).getTime() / 1000);
  return { client, nicknames, today, signal: cmd.context.signal };
}

/**
 * The account of a key as the copy has it, unless it is new, and as this run stores it; and the requests that were sent
 * on this day.
 */
export async function findAccount(
  sql: SqlReader | undefined,
  { nicknames, today }: AccountReader,
  asked: AskedSync,
) {
  const accounts = sql ? await accountsIn(sql) : [];
  const known = sql && continuedAccount(accounts, nicknames, { label: sql.label, ...asked });
  const nothing = { days: new Map(), lists: new Map() };
  const state = sql && known ? await stateOf(sql, known.account) : nothing;
  const used = sql && known ? await requestsOn(sql, known.account, today) : 0;
  const firstDay = asked.since ?? known?.firstDay ?? addDays(today, -usualHistory);
  const account = accountFor(known, { nicknames, firstDay }, asked.acceptsEnd, accounts, state);
  return { known, account, state, used };
}

/** As in `orders 2026-01-01 to 2026-01-31: 12,300 rows, 14 windows, 18,200 requests left today, about 38 s left`. */
function progressText(
  { source, days, rows, windows, requestsLeft }: SyncProgress,
  { left }: Budget,
  requestsPerSecond: number,
): string {
  const period = days ? ` ${days.first} to ${days.last}` : '';
  const text = `${source}${period}: ${grouped(rows)} rows, ${grouped(windows)} windows, ${grouped(left)} requests left today`;
  if (requestsPerSecond <= 0) return text;
  return `${text}, about ${timeText(Math.ceil(requestsLeft / requestsPerSecond))} left`;
}
