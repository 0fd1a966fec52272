/** Runs `cb sync`: brings the copy of one account or several up to date. */

import { realClock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { durationText } from '../../dates/duration.ts';
import { onePage } from '../../output/stream.ts';
import { claimCopy, prepareCopy } from '../../workflows/sync/database/copy.ts';
import { sqlDestination } from '../../workflows/sync/database/sql-destination.ts';
import { DestinationError, type Sql } from '../../workflows/sync/destination.ts';
import { keepViews } from '../../workflows/sync/views/view.ts';
import { keptViews } from '../../workflows/sync/views/views.ts';
import { showPages } from '../display/show.ts';
import { nearest } from '../flags/nearest.ts';
import { type OutputOptions, readShowFlags, type ShowFlags } from '../flags/show-flags.ts';
import { accountContexts } from '../lists/accounts.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, failureFrom, usage } from '../runtime/failure.ts';
import { failureText } from '../runtime/messages.ts';
import { type CopyPlace, openForSync, placeOfCopy, withSchema } from './open-copy.ts';
import { type OpenCopy, type OpenedCopy, type SyncedAccount, syncProfile } from './sync-account.ts';
import {
  type AskedSync,
  intervalOf,
  readSyncFlags,
  type SyncFlags,
  tableNames,
} from './sync-options.ts';
import { reportSync, rowsOfSync, syncedResource } from './sync-report.ts';

export async function runSync(
  cmd: CommandContext,
  typed: string | undefined,
  flags: SyncFlags & ShowFlags,
): Promise<void> {
  if (typed !== undefined) refuseName(typed);
  const output = outputOf(cmd, flags);
  const interval = intervalOf(flags);
  if (interval !== undefined && (output || flags.dryRun)) {
    throw usage(`--every can't be combined with ${output ? 'an output format' : '--dry-run'}.`);
  }
  const asked = await readSyncFlags(cmd, flags);
  const contexts = await accountContexts(cmd);
  const place = withSchema(await placeOfCopy(contexts[0], typed), flags.schema);
  if (flags.dryRun) {
    const { showPlan } = await import('./show-plan.ts');
    return showPlan(contexts, place, asked, output ?? readShowFlags(cmd, flags));
  }
  if (interval === undefined) return syncOnce(contexts, place, asked, output);
  let { dueNow } = asked;
  return runRepeatedly(cmd, interval, (one) => {
    const each = contexts.map((context) => ({ ...context, ...one }));
    const next = { ...asked, dueNow };
    dueNow = new Set();
    return syncOnce([each[0] ?? cmd, ...each.slice(1)], place, next, undefined);
  });
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

/** Without an output option, a sync prints nothing to stdout: its result is the copy. */
function outputOf(cmd: CommandContext, flags: SyncFlags & ShowFlags): OutputOptions | undefined {
  const { output, out, query, fields, columns } = flags;
  const isAsked = [output, out, query, fields, columns].some((one) => one !== undefined);
  return isAsked ? readShowFlags(cmd, flags) : undefined;
}

async function syncOnce(
  contexts: readonly [CommandContext, ...CommandContext[]],
  place: CopyPlace,
  asked: AskedSync,
  output: OutputOptions | undefined,
): Promise<void> {
  const [cmd] = contexts;
  const done: SyncedAccount[] = [];
  let opened: OpenedCopy | undefined;
  const copy: OpenCopy = {
    async open(facts) {
      if (opened) await claimCopy(opened.sql, facts);
      else {
        const sql = await openedFor(cmd, place, { ...facts, patience: asked.patience });
        opened = { sql, destination: sqlDestination(sql) };
      }
      return opened;
    },
  };
  try {
    for (const context of contexts) {
      const synced = await syncProfile(context, copy, asked, done).catch((error: unknown) => {
        if (contexts.length === 1) throw error;
        return reportProfile(context, error);
      });
      if (!synced) continue;
      done.push(synced);
      reportSync(cmd, synced, asked, opened?.sql.label ?? '');
    }
    if (opened) await keepViews(opened.sql, keptViews);
  } finally {
    await opened?.sql.close();
  }
  if (output)
    await showPages(cmd, output, { resource: syncedResource }, onePage(done.flatMap(rowsOfSync)));
}

async function openedFor(
  cmd: CommandContext,
  place: CopyPlace,
  facts: Parameters<typeof prepareCopy>[1],
): Promise<Sql> {
  const sql = await openForSync(cmd, place);
  try {
    await prepareCopy(sql, facts);
    return sql;
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** A profile that failed while others go on. */
function reportProfile(cmd: CommandContext, error: unknown): undefined {
  if (cmd.context.signal.aborted) throw error;
  const failure = failureFrom(error);
  const message = `Profile ${cmd.flags.profile}: ${failure.message}`;
  cmd.messages.say(failureText(new Failure(failure.code, message, failure)));
  cmd.endWith(exitCodes.incomplete);
}

/**
 * Calls `work` every `interval` milliseconds, from start to start, and never twice at once. Ends only by throwing: when
 * the command is stopped, or for an error that waiting does not remove, such as a revoked key. `work` receives what is
 * new for each run.
 */
async function runRepeatedly(
  { context, messages }: CommandContext,
  interval: number,
  work: (fresh: Pick<CommandContext, 'keysInUse' | 'endWith'>) => Promise<void>,
): Promise<never> {
  const clock = context.clock ?? realClock;
  for (;;) {
    const start = clock.now();
    try {
      // How one run ends does not matter for the exit code of the service.
      await work({ keysInUse: [], endWith: () => undefined });
    } catch (error) {
      if (context.signal.aborted || !mayPass(error)) throw error;
      const { message } = failureFrom(error);
      messages.say(`warning: ${message} The next sync starts within ${durationText(interval)}.`);
    }
    await clock.sleep(Math.max(0, interval - (clock.now() - start)), context.signal);
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof DestinationError) {
    return error.kind !== 'unsuitable' && error.kind !== 'missing';
  }
  const kinds = ['network', 'failed', 'rate-limit', 'incomplete'];
  return error instanceof ApiError && kinds.includes(error.kind);
}
