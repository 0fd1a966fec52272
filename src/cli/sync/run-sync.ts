/** Runs `cb sync`: brings the copy of one account or several up to date. */
import { randomUUID } from 'node:crypto';
import { addDays } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import { quickstats } from '../../operations/quickstats.ts';
import { type Budget, openBudget } from '../../workflows/sync/budget.ts';
import {
  endRun,
  prepareCopy,
  requestsOn,
  startRun,
  storeAccount,
  updateRun,
} from '../../workflows/sync/database/copy.ts';
import type { Sql } from '../../workflows/sync/database/sql.ts';
import { sqlDestination } from '../../workflows/sync/database/sql-destination.ts';
import { storeProfile } from '../../workflows/sync/local/copied-account.ts';
import { type SyncResult, syncAccount } from '../../workflows/sync/run.ts';
import { sources } from '../../workflows/sync/tables/sources.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { type Session, withApi } from '../session/session.ts';
import { openForSync } from './open-copy.ts';
import { type Place, placeFrom, serviceLabel, usualFile } from './place.ts';

/** The refund period of ClickBank, in days: until then, most states can still change. */
const usualLookBack = 60;
/** Days that a first sync copies. */
const usualHistory = 730;
/** Days within which every older day is read again. */
const refreshWithin = 365;
/** Of the 25,000 requests that ClickBank allows in a day, some are for other uses. */
const requestsOfADay = 20_000;

export interface SyncFlags {
  readonly withoutPersonalData?: boolean;
}

export async function runSync(
  cmd: CommandContext,
  typed: string | undefined,
  flags: SyncFlags,
): Promise<void> {
  let budget: Budget = openBudget(requestsOfADay);
  await withApi(cmd, { onRequest: () => budget.take() }, async (client, session) => {
    const sql = await openForSync(cmd, placeOf(cmd, typed, session));
    try {
      const withoutPersonalData = flags.withoutPersonalData ?? false;
      await prepareCopy(sql, { service: serviceLabel(session), withoutPersonalData, patience: 0 });
      const rows = await client.call(quickstats.accounts, {});
      const nicknames = rows.flatMap(({ nickName }) => nickName ?? []);
      const now = () => serviceNow(cmd.context);
      const today = pacificDay(now().getTime() / 1000);
      const stored = await storeAccount(sql, nicknames, undefined, addDays(today, -usualHistory));
      const { account, firstDay } = stored;
      await storeProfile(sql, session.profile, account);
      budget = openBudget(requestsOfADay - (await requestsOn(sql, account, today)));
      const run = { runId: randomUUID(), account };
      await startRun(sql, run, now().toISOString(), today);
      const { signal } = cmd.context;
      const result = await syncAccount({
        account,
        reader: { client, nicknames, today, signal },
        destination: sqlDestination(sql),
        sources,
        since: firstDay,
        lookBack: usualLookBack,
        readsAll: false,
        refreshWithin,
        budget,
        now,
        isAnonymous: () => withoutPersonalData,
        onProgress: ({ rows }) => void updateRun(sql, run, { requests: budget.spent(), rows }),
      });
      await endRun(sql, run, {
        requests: budget.spent(),
        rows: result.rows,
        endedAt: now().toISOString(),
        outcome: result.outcome,
        message: result.problems[0]?.error.message ?? null,
      });
      tell(cmd, sql, result);
    } finally {
      await sql.close();
    }
  });
}

function placeOf(cmd: CommandContext, typed: string | undefined, session: Session): Place {
  if (typed !== undefined) return placeFrom(cmd, typed);
  return { kind: 'sqlite', file: usualFile(cmd, serviceLabel(session)) };
}

function tell({ messages, ...cmd }: CommandContext, sql: Sql, result: SyncResult): void {
  for (const { source, days, error } of result.problems) {
    const period = days ? ` from ${days.first} to ${days.last}` : '';
    messages.say(`warning: ${source}${period}: ${error.message}.`);
  }
  messages.say(`Copied ${result.rows} rows to ${sql.label}.`);
  if (result.outcome === 'incomplete') cmd.endWith(exitCodes.incomplete);
}
