/** Brings the copy of one account up to date, and records the run in the copy. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { addDays, type Day } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import { quickstats } from '../../operations/quickstats.ts';
import { type Budget, openBudget } from '../../workflows/sync/budget.ts';
import {
  accountFor,
  accountsIn,
  accountWith,
  type CopiedAccount,
  type CopyFacts,
  endRun,
  factsOf,
  type RunEnd,
  requestsOn,
  startRun,
  storeAccount,
  updateRun,
} from '../../workflows/sync/database/copy.ts';
import type { Sql } from '../../workflows/sync/database/sql.ts';
import type { Destination } from '../../workflows/sync/destination.ts';
import { usualRowsOf } from '../../workflows/sync/estimate.ts';
import { storeProfile } from '../../workflows/sync/local/copied-account.ts';
import { syncAccount } from '../../workflows/sync/run.ts';
import type { SyncResult } from '../../workflows/sync/run-tally.ts';
import { forgottenIn } from '../../workflows/sync/upkeep/forgotten.ts';
import { storeAsked } from '../../workflows/sync/upkeep/status.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { withApi } from '../session/session.ts';
import { serviceLabel } from './place.ts';
import type { AskedSync } from './sync-options.ts';
import { startSyncProgress } from './sync-progress.ts';

/** Days that a first sync copies. */
const usualHistory = 730;
/** Days within which every older day is read again. */
export const refreshWithin = 365;
/** Of the 25,000 requests that ClickBank allows in a day, some are for other uses. */
export const requestsOfADay = 20_000;

/** What a run did for one account. */
export interface SyncedAccount {
  readonly account: string;
  readonly profile: string | undefined;
  readonly result: SyncResult;
  readonly requests: number;
  /** Requests that are left on this Pacific day. */
  readonly requestsLeftToday: number;
}

export interface OpenCopy {
  /** Opens the copy and takes its lock, the first time. Throws a DestinationError if the copy is another one. */
  open(facts: CopyFacts): Promise<OpenedCopy>;
}

export interface OpenedCopy {
  readonly sql: Sql;
  readonly destination: Destination;
}

/** Returns undefined, with a note, for an account that another profile of this run has synced. */
export function syncProfile(
  cmd: CommandContext,
  copy: OpenCopy,
  asked: AskedSync,
  done: readonly SyncedAccount[],
): Promise<SyncedAccount | undefined> {
  const budget = openBudget(asked.maxRequests ?? requestsOfADay);
  return withApi(cmd, { onRequest: () => budget.take() }, async (client, session) => {
    const nicknames = await nicknamesOf(client);
    const { withoutPersonalData } = asked;
    const opened = await copy.open({ service: serviceLabel(session), withoutPersonalData });
    const { sql } = opened;
    const known = accountWith(await accountsIn(sql), nicknames);
    const earlier = known && done.find(({ account }) => account === known.account);
    if (earlier) {
      const both = `Profiles ${earlier.profile} and ${session.profile}`;
      await storeProfile(sql, session.profile, known.account);
      cmd.messages.say(
        `note: ${both} belong to the account ${earlier.account}. It was copied once.`,
      );
      return undefined;
    }
    const today = pacificDay(serviceNow(cmd.context).getTime() / 1000);
    const account = await storedAccount(cmd, sql, { known, nicknames, today, asked });
    await storeProfile(sql, session.profile, account.account);
    await storeAsked(sql, account.account, asked.sources);
    const used = await requestsOn(sql, account.account, today);
    if (asked.maxRequests === undefined) budget.limitTo(requestsOfADay - used);
    const result = await recordedRun(cmd, opened, { client, account, today, asked, budget });
    const requests = budget.spent();
    const requestsLeftToday = Math.max(0, requestsOfADay - used - requests);
    return {
      account: account.account,
      profile: session.profile,
      result,
      requests,
      requestsLeftToday,
    };
  });
}

/** Throws a Failure if the key can read no account. */
export async function nicknamesOf(client: Client): Promise<readonly string[]> {
  const rows = await client.call(quickstats.accounts, {});
  const nicknames = rows.flatMap(({ nickName }) => nickName ?? []);
  if (nicknames.length > 0) return nicknames;
  throw new Failure(exitCodes.refused, 'The API key can read no account.', {
    hint: 'To see its permissions, run `cb whoami`.',
  });
}

interface FoundAccount {
  readonly known: CopiedAccount | undefined;
  readonly nicknames: readonly string[];
  readonly today: Day;
  readonly asked: AskedSync;
}

export function accountOf({ known, nicknames, today, asked }: FoundAccount): CopiedAccount {
  return accountFor(
    known,
    nicknames,
    asked.since ?? known?.firstDay ?? addDays(today, -usualHistory),
  );
}

async function storedAccount(
  { messages }: CommandContext,
  sql: Sql,
  found: FoundAccount,
): Promise<CopiedAccount> {
  const { known, nicknames, today, asked } = found;
  const usualFirstDay = addDays(today, -usualHistory);
  const account = await storeAccount(sql, nicknames, asked.since, usualFirstDay);
  const lost = known?.nicknames.filter((name) => !nicknames.includes(name)) ?? [];
  if (lost.length > 0) {
    messages.say(
      `warning: The key can't read ${lost.join(', ')}, which the copy has under the account ${account.account}. Rows of the days that are read again are lost.`,
    );
  }
  if (asked.since !== undefined && asked.since > account.firstDay) {
    messages.say(`note: The copy already begins on ${account.firstDay}.`);
  }
  return account;
}

interface RunFacts {
  readonly client: Client;
  readonly account: CopiedAccount;
  readonly today: Day;
  readonly asked: AskedSync;
  readonly budget: Budget;
}

/** Runs the sync. How it ends is stored in every case, if the database still works. */
async function recordedRun(
  cmd: CommandContext,
  copy: OpenedCopy,
  facts: RunFacts,
): Promise<SyncResult> {
  const { sql } = copy;
  const { account, today, budget } = facts;
  const now = () => serviceNow(cmd.context);
  const run = { runId: randomUUID(), account: account.account };
  let rows = 0;
  const end = (outcome: RunEnd['outcome'], message: string | null) =>
    endRun(sql, run, {
      ...{ requests: budget.spent(), rows, outcome, message },
      endedAt: now().toISOString(),
    });
  await startRun(sql, run, now().toISOString(), today);
  const store = async (read: number) => {
    rows = read;
    await updateRun(sql, run, { requests: budget.spent(), rows });
  };
  try {
    await store(0);
    const result = await runSync(cmd, copy, facts, store);
    rows = result.rows;
    const [said] = [...result.problems, ...result.mismatches];
    await end(result.outcome, said?.error.message ?? null);
    return result;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await end('failed', message).catch(() => undefined);
    throw error;
  }
}

async function runSync(
  cmd: CommandContext,
  { sql, destination }: OpenedCopy,
  { client, account, today, asked, budget }: RunFacts,
  store: (rows: number) => Promise<void>,
): Promise<SyncResult> {
  const { signal } = cmd.context;
  const now = () => serviceNow(cmd.context);
  const reader = { client, nicknames: account.nicknames, today, signal };
  const { sources, required, lookBack, readsAll } = asked;
  const since = account.firstDay;
  const state = await destination.state(account.account);
  const facts = await factsOf(sql);
  const forgotten = await forgottenIn(sql);
  const progress = startSyncProgress(cmd, budget);
  try {
    const usualRows = await usualRowsOf(reader, sources, state, since);
    return await syncAccount({
      ...{ account: account.account, reader, destination, sources, required, since },
      ...{ lookBack, readsAll, refreshWithin, usualRows, budget, now },
      isAnonymous: (row) => facts?.withoutPersonalData === true || forgotten.has(row),
      onProgress: progress.show,
      async onWindow(one) {
        progress.show(one);
        await store(one.rows);
        await forgotten.flush(sql, now().toISOString());
      },
    });
  } finally {
    progress.stop();
  }
}
