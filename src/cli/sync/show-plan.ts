/** `cb sync --dry-run`: what a sync would read, and how many requests that takes. Writes nothing. */
import type { Day } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import { groupedCount } from '../../decimals/decimals.ts';
import type { Row } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { type CopiedAccount, continuedAccount } from '../../workflows/sync/access.ts';
import {
  accountsIn,
  factsOf,
  requestsOn,
  requireService,
} from '../../workflows/sync/database/copy.ts';
import { stateOf } from '../../workflows/sync/database/sql-destination.ts';
import {
  type AccountState,
  DestinationError,
  type SqlReader,
} from '../../workflows/sync/destination.ts';
import { planSync, type Task, usualRowsOf } from '../../workflows/sync/plan.ts';
import { showPages } from '../display/show.ts';
import { numeral } from '../earnings/summary-values.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { Failure } from '../runtime/failure.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { type Session, withApi } from '../session/session.ts';
import { settingOf } from '../session/settings.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import { type CopyPlace, serviceLabel, withCopyAt } from './open-copy.ts';
import { accountAfter, nicknamesOf, requestsOfADay } from './sync-account.ts';
import type { AskedSync } from './sync-options.ts';
import { planResource } from './sync-report.ts';

export async function showPlan(
  contexts: readonly [CommandContext, ...CommandContext[]],
  place: CopyPlace,
  asked: AskedSync,
  output: OutputOptions,
): Promise<void> {
  const plans: AccountPlan[] = [];
  for (const cmd of contexts) plans.push(await planFor(cmd, place, asked));
  const [cmd] = contexts;
  const rows = plans.flatMap(rowsOf);
  await showPages(cmd, output, { resource: planResource }, onePage(rows));
  for (const plan of plans) cmd.messages.say(sentenceOf(plan, asked));
}

interface AccountPlan {
  readonly account: string;
  readonly tasks: readonly Task[];
  /** Requests a second. */
  readonly pace: number;
  readonly requestsLeftToday: number;
}

const nothing: AccountState = { days: new Map(), lists: new Map() };

function planFor(cmd: CommandContext, place: CopyPlace, asked: AskedSync): Promise<AccountPlan> {
  return withApi(cmd, {}, async (client, session) => {
    const nicknames = await nicknamesOf(client);
    const today = pacificDay(serviceNow(cmd.context).getTime() / 1000);
    const { accounts, known, state, used } = await knownOf(place, {
      ...{ session, nicknames, today, asked },
    });
    const found = { accounts, known, nicknames, today, asked };
    const { account, firstDay: since } = accountAfter(found, state);
    const { sources, lookBack, readsAll, dueNow } = asked;
    const reader = { client, nicknames, today, signal: cmd.context.signal };
    const usualRows = await usualRowsOf(reader, sources, state, since);
    const now = () => serviceNow(cmd.context);
    const tasks = planSync(state, {
      ...{ sources, today, since, lookBack, readsAll, usualRows, now },
      ...{ nicknames, dueNow },
    });
    const requestsLeftToday = Math.max(0, requestsOfADay - used);
    return { account, tasks, pace: await paceOf(cmd, session), requestsLeftToday };
  });
}

interface Asking {
  readonly session: Session;
  readonly nicknames: readonly string[];
  readonly today: Day;
  readonly asked: AskedSync;
}

interface Known {
  readonly accounts: readonly CopiedAccount[];
  readonly known: CopiedAccount | undefined;
  readonly state: AccountState;
  /** Requests that were sent on this day. */
  readonly used: number;
}

/** What the copy has; nothing if there is none yet. */
async function knownOf(place: CopyPlace, asking: Asking): Promise<Known> {
  try {
    return await withCopyAt(place, (copy) => knownIn(copy, asking));
  } catch (error) {
    const cause = error instanceof Failure ? error.cause : error;
    if (!(cause instanceof DestinationError) || cause.kind !== 'missing') throw error;
    return { accounts: [], known: undefined, state: nothing, used: 0 };
  }
}

async function knownIn(
  copy: SqlReader,
  { session, nicknames, today, asked }: Asking,
): Promise<Known> {
  const facts = await factsOf(copy);
  if (facts) requireService(copy, facts, serviceLabel(session));
  const accounts = facts ? await accountsIn(copy) : [];
  const known = continuedAccount(accounts, nicknames, { label: copy.label, ...asked });
  if (!known) return { accounts, known, state: nothing, used: 0 };
  const state = await stateOf(copy, known.account);
  return { accounts, known, state, used: await requestsOn(copy, known.account, today) };
}

async function paceOf(cmd: CommandContext, { profile }: Session): Promise<number> {
  const isStored = profile !== undefined && !isBuiltIn(profile);
  const stored = isStored ? (await profilesOf(cmd)).get(profile)?.settings : undefined;
  return settingOf('pace', stored).value;
}

/** A row for each table and reason. */
function rowsOf({ account, tasks, pace }: AccountPlan): Row[] {
  const groupOf = ({ source, reason }: Task) => `${source.name} ${reason}`;
  return [...new Set(tasks.map(groupOf))].map((group) => {
    const some = tasks.filter((task) => groupOf(task) === group);
    const days = some.flatMap((task) => task.days ?? []);
    const requests = requestsOf(some);
    return {
      ...{ account, table: some[0]?.source.name ?? '', reason: some[0]?.reason ?? '' },
      firstDay: days.map(({ first }) => first).sort()[0] ?? null,
      lastDay:
        days
          .map(({ last }) => last)
          .sort()
          .at(-1) ?? null,
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
