/** Brings the copy of one account up to date, and records the run in the copy. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { addDays, type Day } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import { grouped } from '../../decimals/decimals.ts';
import { quickstats } from '../../operations/quickstats.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { timeText } from '../../shell/display/progress.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure } from '../../shell/failure.ts';
import { serviceNow } from '../../shell/session/clock-difference.ts';
import { withApi } from '../../shell/session/session.ts';
import {
  accountFor,
  type CopiedAccount,
  continuedAccount,
  isPartialKey,
  lostBy,
  namesWithLastDay,
} from './access.ts';
import {
  accountsIn,
  type CopyFacts,
  endRun,
  factsOf,
  type RunEnd,
  requestsOn,
  startRun,
  storeAccount,
  updateRun,
} from './database/copy.ts';
import { type AccountState, type Destination, hasRead, type Sql } from './destination.ts';
import { serviceLabel } from './open-copy.ts';
import { Budget, usualRowsOf } from './plan.ts';
import { type SyncProgress, type SyncResult, syncAccount } from './run.ts';
import type { AskedSync } from './sync-options.ts';
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
  readonly result: SyncResult;
  /** The nicknames that were read. */
  readonly nicknames: readonly string[];
  /** A sentence about the nicknames that the key should read, but can't. */
  readonly lost: string | undefined;
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
  const budget = new Budget(asked.maxRequests ?? requestsOfADay);
  return withApi(cmd, { onRequest: () => budget.take() }, async (client, session) => {
    const nicknames = await nicknamesOf(client);
    const { withoutPersonalData } = asked;
    const opened = await copy.open({ service: serviceLabel(session), withoutPersonalData });
    const { sql } = opened;
    const accounts = await accountsIn(sql);
    const known = continuedAccount(accounts, nicknames, { label: sql.label, ...asked });
    const earlier = known && done.find(({ account }) => account === known.account);
    if (earlier && hasRead(earlier, nicknames)) {
      const both = `Profiles ${earlier.profile} and ${session.profile}`;
      cmd.messages.say(
        `note: ${both} belong to the account ${earlier.account}. It was copied once.`,
      );
      return undefined;
    }
    const today = pacificDay(serviceNow(cmd.context).getTime() / 1000);
    const found = { accounts, known, nicknames, today, asked };
    const state = await opened.destination.state(known?.account ?? '');
    const account = accountAfter(found, state);
    await storeAccount(sql, account);
    tellAccount(cmd, account, found);
    const names = lostBy(account, nicknames);
    const lost =
      names.length === 0
        ? undefined
        : `The API key can't read ${namesWithLastDay(account, names)} of the account ${account.account}`;
    await storeAsked(sql, account.account, asked.sources);
    const used = await requestsOn(sql, account.account, today);
    if (asked.maxRequests === undefined) budget.most = requestsOfADay - used;
    const result = await recordedRun(cmd, opened, {
      ...{ client, account, nicknames, lost, today, asked, budget },
    });
    const requests = budget.spent;
    const requestsLeftToday = Math.max(0, requestsOfADay - used - requests);
    return {
      ...{ account: account.account, profile: session.profile, nicknames },
      ...{ lost, result, requests, requestsLeftToday },
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
  readonly accounts: readonly CopiedAccount[];
  readonly known: CopiedAccount | undefined;
  readonly nicknames: readonly string[];
  readonly today: Day;
  readonly asked: AskedSync;
}

/** The account as this run stores it; `state` is what the copy knows of it. */
export function accountAfter(
  { accounts, known, nicknames, today, asked }: FoundAccount,
  state: AccountState,
): CopiedAccount {
  const firstDay = asked.since ?? known?.firstDay ?? addDays(today, -usualHistory);
  const { acceptsEnd } = asked;
  return accountFor(known, { nicknames, firstDay, acceptsEnd }, { accounts, state });
}

function tellAccount(
  { messages }: CommandContext,
  account: CopiedAccount,
  { known, nicknames, asked }: FoundAccount,
): void {
  const accepted = asked.acceptsEnd && known ? lostBy(known, nicknames) : [];
  if (accepted.length > 0) {
    const names = namesWithLastDay(account, accepted);
    messages.say(`note: The rows of ${names} stay as they are in ${account.account}.`);
  }
  if (asked.since !== undefined && asked.since > account.firstDay) {
    messages.say(`note: The copy already begins on ${account.firstDay}.`);
  }
}

interface RunFacts {
  readonly client: Client;
  readonly account: CopiedAccount;
  readonly nicknames: readonly string[];
  readonly lost: string | undefined;
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
  const { account, today, budget, lost } = facts;
  const now = () => serviceNow(cmd.context);
  const run = { runId: randomUUID(), account: account.account };
  let rows = 0;
  const end = (outcome: RunEnd['outcome'], message: string | null) =>
    endRun(sql, run, {
      ...{ requests: budget.spent, rows, outcome, message },
      endedAt: now().toISOString(),
    });
  await startRun(sql, run, now().toISOString(), today);
  const store = async (read: number) => {
    rows = read;
    await updateRun(sql, run, { requests: budget.spent, rows });
  };
  try {
    await store(0);
    const result = await readDue(cmd, copy, facts, store);
    rows = result.rows;
    const [said] = [...result.problems, ...result.mismatches];
    const isLacking = lost !== undefined && result.outcome === 'complete';
    await end(isLacking ? 'incomplete' : result.outcome, said?.error.message ?? lost ?? null);
    return result;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await end('failed', message).catch(() => undefined);
    throw error;
  }
}

async function readDue(
  cmd: CommandContext,
  { sql, destination }: OpenedCopy,
  { client, account, nicknames, today, asked, budget }: RunFacts,
  store: (rows: number) => Promise<void>,
): Promise<SyncResult> {
  const { signal } = cmd.context;
  const now = () => serviceNow(cmd.context);
  const isPartial = isPartialKey(account, nicknames);
  const reader = { client, nicknames, isPartial, today, signal };
  const { sources, required, dueNow, lookBack, readsAll } = asked;
  const since = account.firstDay;
  const state = await destination.state(account.account);
  const facts = await factsOf(sql);
  const forgotten = await forgottenIn(sql);
  const progress = startSyncProgress(cmd, budget);
  try {
    const usualRows = await usualRowsOf(reader, sources, state, since);
    return await syncAccount({
      ...{ account: account.account, reader, destination, sources, required, dueNow, since },
      ...{ lookBack, readsAll, usualRows, budget, now },
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

/** Milliseconds between two lines. */
const apart = 250;

function startSyncProgress({ messages }: CommandContext, budget: Budget) {
  const start = performance.now();
  const spentBefore = budget.spent;
  let latest: SyncProgress | undefined;
  let timer = setTimeout(function tick() {
    const seconds = (performance.now() - start) / 1000;
    const rate = (budget.spent - spentBefore) / seconds;
    if (latest) messages.status(progressText(latest, budget, rate));
    timer = setTimeout(tick, apart);
    timer.unref();
  }, apart);
  timer.unref();
  return {
    show(progress: SyncProgress) {
      latest = progress;
    },
    stop() {
      clearTimeout(timer);
      messages.status('');
    },
  };
}

/** As in `orders 2026-01-01 to 2026-01-31: 12,300 rows, 14 windows, 18,200 requests left today, about 38 s left`. */
function progressText(
  { source, days, rows, windows, requestsLeft }: SyncProgress,
  budget: Pick<Budget, 'left'>,
  requestsPerSecond: number,
): string {
  const period = days ? ` ${days.first} to ${days.last}` : '';
  const seconds = requestsPerSecond > 0 ? Math.ceil(requestsLeft / requestsPerSecond) : undefined;
  return [
    `${source}${period}: ${grouped(rows)} rows`,
    `${grouped(windows)} windows`,
    `${grouped(budget.left)} requests left today`,
    ...(seconds === undefined ? [] : [`about ${timeText(seconds)} left`]),
  ].join(', ');
}
