/** `cb sync --dry-run`: what a sync would read, and how many requests that takes. Writes nothing. */
import type { Day } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import { groupedCount } from '../../decimals/decimals.ts';
import type { Row } from '../../output/rows/rows.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { type CopiedAccount, continuedAccount } from '../../workflows/sync/access.ts';
import {
  accountsIn,
  factsOf,
  requestsOn,
  requireService,
} from '../../workflows/sync/database/copy.ts';
import type { SqlReader } from '../../workflows/sync/database/sql.ts';
import { stateOf } from '../../workflows/sync/database/sql-destination.ts';
import { type AccountState, DestinationError } from '../../workflows/sync/destination.ts';
import { usualRowsOf } from '../../workflows/sync/estimate.ts';
import { nameOf, planSync, requestsOf, type Task } from '../../workflows/sync/tasks.ts';
import { onePage, showPages } from '../display/show.ts';
import { numeral } from '../earnings/summary-values.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { Failure } from '../runtime/failure.ts';
import { serviceNow } from '../session/clock-difference.ts';
import { type Session, withApi } from '../session/session.ts';
import { settingOf } from '../session/settings.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import { withCopyAt } from './open-copy.ts';
import { type Place, serviceLabel } from './place.ts';
import { accountAfter, nicknamesOf, refreshWithin, requestsOfADay } from './sync-account.ts';
import type { AskedSync } from './sync-options.ts';
import { planResource } from './sync-resources.ts';

export async function showPlan(
  contexts: readonly [CommandContext, ...CommandContext[]],
  place: Place,
  asked: AskedSync,
  output: OutputOptions,
): Promise<void> {
  const plans: Plan[] = [];
  for (const cmd of contexts) plans.push(await planFor(cmd, place, asked));
  const [cmd] = contexts;
  const rows = plans.flatMap(rowsOf);
  await showPages(cmd, output, { resource: planResource }, onePage(rows));
  for (const plan of plans) cmd.messages.say(sentenceOf(plan, asked));
}

interface Plan {
  readonly account: string;
  readonly tasks: readonly Task[];
  /** Requests a second. */
  readonly pace: number;
  readonly requestsLeftToday: number;
}

const nothing: AccountState = { days: new Map(), lists: new Map() };

function planFor(cmd: CommandContext, place: Place, asked: AskedSync): Promise<Plan> {
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
      ...{ sources, today, since, lookBack, readsAll, refreshWithin, usualRows, now },
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
async function knownOf(place: Place, asking: Asking): Promise<Known> {
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
function rowsOf({ account, tasks, pace }: Plan): Row[] {
  const groups = new Map<string, Task[]>();
  for (const task of tasks) {
    const name = `${task.source.name} ${reasonOf(task)}`;
    groups.set(name, [...(groups.get(name) ?? []), task]);
  }
  return [...groups.values()].map((some) => {
    const [first] = some;
    const days = some.flatMap((task) => nameOf(task).days ?? []);
    const requests = some.reduce((sum, task) => sum + requestsOf(task), 0);
    return {
      ...{ account, table: first?.source.name ?? '', reason: first ? reasonOf(first) : '' },
      firstDay: days.map((one) => one.first).sort()[0] ?? null,
      lastDay:
        days
          .map((one) => one.last)
          .sort()
          .at(-1) ?? null,
      windows: some.length,
      rows: some.reduce((sum, task) => sum + (task.kind === 'days' ? task.window.rows : 0), 0),
      requests,
      minutes: numeral((requests / pace / 60).toFixed(1)),
    };
  });
}

function reasonOf(task: Task): string {
  return task.kind === 'days' ? task.window.reason : task.kind;
}

function sentenceOf({ account, tasks, pace, requestsLeftToday }: Plan, asked: AskedSync): string {
  const requests = tasks.reduce((sum, task) => sum + requestsOf(task), 0);
  const minutes = Math.max(1, Math.ceil(requests / pace / 60));
  const most = asked.maxRequests ?? requestsLeftToday;
  const runs = Math.ceil(requests / Math.max(1, most));
  const each = groupedCount(most, 'request');
  const several = runs > 1 ? ` With ${each} in each run, that takes ${runs} runs.` : '';
  const costs = `${groupedCount(requests, 'request')} and ${groupedCount(minutes, 'minute')}`;
  const left = groupedCount(requestsLeftToday, 'request');
  return `A sync of ${account} takes about ${costs}; ${left} can be sent today.${several} Nothing was written.`;
}
