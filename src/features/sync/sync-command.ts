/** `cb sync`: a copy of the account in a database. */

import { realClock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { durationText } from '../../dates/duration.ts';
import { groupedCount } from '../../decimals/decimals.ts';
import { orders } from '../../operations/orders.ts';
import { typedOptions } from '../../output/options.ts';
import type { Row } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command } from '../../shell/define.ts';
import { showPages } from '../../shell/display/show.ts';
import { Failure, failureFrom, usage } from '../../shell/failure.ts';
import { pathOf } from '../../shell/folders.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { nearest } from '../../shell/options/nearest.ts';
import { readShowFlags } from '../../shell/options/show-flags.ts';
import { serviceNow, withApi } from '../../shell/session/session.ts';
import { settingOf } from '../../shell/session/settings.ts';
import { settingsOf } from '../../shell/session/stored-profiles.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import { numeral } from '../earnings/summary-values.ts';
import { accountContexts, askEach, reportFailure } from '../lists/accounts.ts';
import { aMoment, claimCopy, factsOf, prepareCopy } from './database/copy.ts';
import { DestinationError, type Sql, type SqlReader } from './destination.ts';
import { type CopyPlace, openForSync, placeOfCopy, serviceLabel, withCopyAt } from './open-copy.ts';
import { planSync, type Task, usualRowsOf } from './plan.ts';
import {
  findAccount,
  type OpenCopy,
  readerFor,
  requestsOfADay,
  type SharedRun,
  type SyncedAccount,
  syncProfile,
} from './sync-account.ts';
import {
  type AskedSync,
  intervalOf,
  readSyncFlags,
  type SyncFlags,
  syncOptions,
  tableNames,
} from './sync-options.ts';
import { planResource, reportSync, rowsOfSync, syncedResource } from './sync-report.ts';
import { check, forget, reset, status } from './upkeep/copy-commands.ts';

async function runSync(cmd: CommandContext, flags: SyncFlags): Promise<void> {
  requirePacific(cmd);
  const { database: typed } = flags;
  // Without an output option, a sync prints nothing to stdout: its result is the copy.
  const isShown = flags.output !== undefined || typedOptions(flags).length > 0;
  if ((flags.to ?? flags.from) !== undefined) return writeCopy(cmd, flags, isShown);
  if (typed !== undefined) refuseName(typed);
  const output = isShown ? readShowFlags(cmd, flags) : undefined;
  const interval = intervalOf(flags);
  if (interval !== undefined && (output || flags.dryRun)) {
    throw usage(`--every can't be combined with ${output ? 'an output format' : '--dry-run'}.`);
  }
  const asked = await readSyncFlags(cmd, flags);
  const contexts = await accountContexts(cmd);
  const place = await placeOfCopy(contexts[0], typed, flags.schema);
  if (flags.dryRun) {
    const shown = output ?? readShowFlags(cmd, flags);
    const each = contexts.map((context) => ({ profile: context.flags.profile, context }));
    const plans = await askEach(cmd, each, ({ context }) => planFor(context, place, asked));
    const rows = plans.flatMap(({ answer }) => rowsOf(answer));
    await showPages(cmd, shown, { resource: planResource }, onePage(rows));
    for (const { answer } of plans) cmd.messages.say(sentenceOf(answer, asked));
    return;
  }
  if (interval !== undefined) return syncRepeatedly(cmd, interval, contexts, place, asked);
  const synced = await syncOnce(cmd, contexts, place, asked);
  if (output)
    await showPages(cmd, output, { resource: syncedResource }, onePage(synced.flatMap(rowsOfSync)));
}

/** `cb sync --to parquet DIR`. Sends no request. */
async function writeCopy(cmd: CommandContext, flags: SyncFlags, isShown: boolean): Promise<void> {
  const { to, from, schema, database: typed, withoutPersonalData = false } = flags;
  if (to === undefined) throw usage('--from requires --to.', { hint: 'Use --to parquet.' });
  if (to.toLowerCase() !== 'parquet') {
    throw usage(`Invalid --to '${to}'.`, { hint: 'Use --to parquet and a folder.' });
  }
  const used = ['to', 'from', 'schema', 'database', 'withoutPersonalData'];
  const other = Object.entries(syncOptions).find(
    ([name]) => !used.includes(name) && flags[name as keyof SyncFlags] !== undefined,
  );
  const [flag] = other?.[1][0].split(' ') ?? (isShown ? ['An output option'] : []);
  if (flag !== undefined) {
    throw usage(`${flag} can't be combined with --to, which writes all of a copy that exists.`, {
      hint: 'To sync first, run cb sync without --to.',
    });
  }
  if (typed === undefined) {
    throw usage('The folder is missing.', { next: 'cb sync --to parquet lake' });
  }
  const place = await placeOfCopy(cmd, from, schema);
  const { updateFolder } = await import('./upkeep/parquet.ts');
  await updateFolder(cmd, place, pathOf(cmd.context, typed), withoutPersonalData);
}

/** A misspelled command, or the name of a table, is no database. */
function refuseName(typed: string): void {
  if (/[./\\]/.test(typed)) return;
  const near = nearest(typed, ['status', 'check', 'forget', 'reset']);
  if (near) {
    throw usage(`Unknown command 'sync ${typed}'.`, { hint: `Did you mean cb sync ${near}?` });
  }
  if (!tableNames.includes(typed)) return;
  throw usage(`Invalid database '${typed}'.`, {
    hint: `Did you mean cb sync --tables ${typed}?`,
  });
}

async function syncOnce(
  cmd: CommandContext,
  contexts: readonly CommandContext[],
  place: CopyPlace,
  asked: AskedSync,
): Promise<readonly SyncedAccount[]> {
  const done: SyncedAccount[] = [];
  let sql: Sql | undefined;
  const open: OpenCopy = async (facts) => {
    if (sql) return { sql, ...(await claimCopy(sql, facts)) };
    const opened = await openForSync(cmd, place);
    try {
      const prepared = await prepareCopy(opened, {
        ...facts,
        patience: Math.max(asked.patience, aMoment),
      });
      sql = opened;
      return { sql, ...prepared };
    } catch (error) {
      await opened.close();
      throw error;
    }
  };
  try {
    const { messages } = cmd;
    const shared: SharedRun = { isShared: contexts.length > 1 };
    const busy = new Set<CommandContext>();
    // Another machine may sync an account of this run. Its run may end without success, so it is tried again last.
    const syncNext = async (context: CommandContext, isLast: boolean) => {
      const synced = await syncProfile(context, open, asked, done, shared).catch(
        (error: unknown) => {
          if (contexts.length === 1 || context.context.signal.aborted) throw error;
          const isBusy = error instanceof DestinationError && error.kind === 'busy';
          if (isBusy && !isLast) return void busy.add(context);
          if (isBusy && shared.since !== undefined) {
            const says = 'Another cb sync is copying this account.';
            return void messages.say(`note: Profile ${context.flags.profile}: ${says}`);
          }
          // The other profiles go on.
          reportFailure(context, `Profile ${context.flags.profile}`, error);
        },
      );
      if (!synced) return;
      done.push(synced);
      reportSync(cmd, synced, asked, sql?.label ?? '');
    };
    for (const context of contexts) await syncNext(context, false);
    for (const context of busy) await syncNext(context, true);
    return done;
  } finally {
    await sql?.close();
  }
}

/**
 * Syncs every `interval` milliseconds, from start to start, and never twice at once. Ends only by throwing: when the
 * command is stopped, or for an error that waiting does not remove, such as a revoked key.
 */
async function syncRepeatedly(
  cmd: CommandContext,
  interval: number,
  contexts: readonly CommandContext[],
  place: CopyPlace,
  asked: AskedSync,
): Promise<never> {
  const { context, messages } = cmd;
  const clock = context.clock ?? realClock;
  for (let next = asked; ; next = { ...asked, dueNow: new Set() }) {
    const start = clock.now();
    // How one run ends does not matter for the exit code of the service.
    const fresh = { keysInUse: [], endWith: () => undefined };
    const each = contexts.map((one) => ({ ...one, ...fresh }));
    try {
      await syncOnce({ ...cmd, ...fresh }, each, place, next);
    } catch (error) {
      if (context.signal.aborted || !mayPass(error)) throw error;
      const { message } = failureFrom(error);
      messages.say(`warning: ${message} The next sync starts within ${durationText(interval)}.`);
    }
    await clock.sleep(Math.max(0, interval - (clock.now() - start)), context.signal);
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof DestinationError) return !['unsuitable', 'missing'].includes(error.kind);
  const kinds = ['network', 'failed', 'rate-limit', 'incomplete'];
  return error instanceof ApiError && kinds.includes(error.kind);
}

type AccountPlan = Awaited<ReturnType<typeof planFor>>;

function planFor(cmd: CommandContext, place: CopyPlace, asked: AskedSync) {
  return withApi(cmd, {}, async (client, session) => {
    const reader = await readerFor(cmd, client);
    const findIn = async (copy: SqlReader) => {
      const facts = await factsOf(copy, serviceLabel(session));
      return findAccount(facts && copy, reader, asked);
    };
    const { account, state, used } = await withCopyAt(place, findIn).catch((error) => {
      const cause = error instanceof Failure ? error.cause : error;
      if (!(cause instanceof DestinationError) || cause.kind !== 'missing') throw error;
      return findAccount(undefined, reader, asked);
    });
    const since = account.firstDay;
    const usualRows = await usualRowsOf(reader, asked.sources, state, since);
    const now = () => serviceNow(cmd.context);
    const tasks = planSync(state, { ...asked, reader, since, usualRows, now });
    const requestsLeftToday = Math.max(0, requestsOfADay - used);
    const pace = settingOf('pace', await settingsOf(cmd, session.profile)).value;
    return { account: account.account, tasks, pace, requestsLeftToday };
  });
}

/** A row for each table and reason. */
function rowsOf({ account, tasks, pace }: AccountPlan): Row[] {
  const groupOf = ({ source, reason }: Task) => `${source.name} ${reason}`;
  return [...new Set(tasks.map(groupOf))].map((group) => {
    const some = tasks.filter((task) => groupOf(task) === group);
    const days = some.flatMap((task) => task.days ?? []);
    const firsts = days.map(({ first }) => first).sort();
    const lasts = days.map(({ last }) => last).sort();
    const requests = requestsOf(some);
    return {
      ...{ account, table: some[0]?.source.name ?? '', reason: some[0]?.reason ?? '' },
      firstDay: firsts[0] ?? null,
      lastDay: lasts.at(-1) ?? null,
      windows: some.length,
      rows: some.reduce((sum, { rows }) => sum + rows, 0),
      requests,
      minutes: numeral((requests / pace / 60).toFixed(1)),
    };
  });
}

function requestsOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { requests }) => sum + requests, 0);
}

function sentenceOf(
  { account, tasks, pace, requestsLeftToday }: AccountPlan,
  asked: AskedSync,
): string {
  const requests = requestsOf(tasks);
  const minutes = Math.max(1, Math.ceil(requests / pace / 60));
  const most = asked.maxRequests ?? requestsLeftToday;
  const runs = Math.ceil(requests / Math.max(1, most));
  const each = groupedCount(most, 'request');
  const several = runs > 1 ? ` With ${each} in each run, that takes ${runs} runs.` : '';
  const costs = `${groupedCount(requests, 'request')} and ${groupedCount(minutes, 'minute')}`;
  const left = groupedCount(requestsLeftToday, 'request');
  return `A sync of ${account} takes about ${costs}; ${left} can be sent today.${several} Nothing was written.`;
}

export const sync = command({
  words: 'sync',
  args: {
    '[database]':
      'A file such as shop.db, or a URL such as postgres://localhost/shop; with --to, a folder',
  },
  options: syncOptions,
  shows: { rows: true, shape: ({ dryRun } = {}) => (dryRun ? planResource : syncedResource) },
  help: {
    notes: [
      'Run it every night. Each run refreshes today and yesterday, the last 60 days are refreshed once a day, and older days a few at a time. By default, the copy is an SQLite file in the data folder of cb. An interrupted run resumes next time.',
    ],
    asks: true,
    examples: [
      'cb sync --dry-run',
      'cb sync',
      'cb sync shop.db --since 2026-01-01 --tables orders,tickets',
      'cb sync --all-profiles --look-back 2d --without-personal-data',
      'cb sync --to parquet lake',
    ],
    remarks: [
      'A run prints nothing to stdout, unless -o asks for a row of each table. Tables that the API key may not read are left out with a note. With --every, cb runs until it is stopped, as a service.',
      '--to parquet sends no request. The folder gets a file for each table, account and month; later runs rewrite those that have changed.',
    ],
    roles: orders.list.roles,
    obeys: [...connectionOptions, '--all-profiles'],
    effect: 'writes',
    topics: ['dates', 'exit-codes'],
  },
  run: runSync,
  commands: [status, check, forget, reset],
});
