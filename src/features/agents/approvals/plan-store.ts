/** Plans in the ledger: each is an entry, with the plan itself and its seal until a day after its end. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { badInput, WorkflowError } from '../../../client/workflow-error.ts';
import { type Entry, isInTime, isOpen, type Line } from '../../../ledger/entry.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { subjectOf as orderOrTicket } from '../../../safe-write/recording.ts';
import { type Plan, type PlanState, subjectOf } from './plan.ts';

/** All that is known about a plan. */
export interface PlanRecord {
  /** Not checked: see `ownPlan`. */
  readonly plan: Plan;
  readonly seal: string;
  readonly entry: Entry;
}

export function stateOf({ plan, entry }: PlanRecord, now: Date): PlanState {
  if (entry.state === 'sending') return 'started';
  if (entry.state !== 'planned') return entry.state;
  return isInTime(Date.parse(plan.createdAt), now.getTime()) ? 'waiting' : 'expired';
}

/** Resolves when a new plan is on the disk. */
export async function storePlan(
  ledger: Ledger,
  plan: Plan,
  seal: (text: string) => string,
): Promise<void> {
  const folder = join(dirname(ledger.path), 'plans');
  if (existsSync(folder)) {
    const hint = `Nothing was sent. Check the orders and tickets of these plans, then delete ${folder}.`;
    const message = `${folder} has plans of an older version of cb, whose outcome may be unknown.`;
    throw new WorkflowError('bad-input', message, { hint });
  }
  const { id, createdAt, command, args, profile, service, madeBy } = plan;
  const about = orderOrTicket(args);
  await ledger.record({
    ...{ id, at: createdAt, state: 'planned', origin: 'agent', operation: command },
    ...(about !== undefined && { about }),
    ...{ service: profile ?? service, by: madeBy },
    ...{ plan: plan as unknown as Entry['plan'] & {}, seal: seal(JSON.stringify(plan)) },
  });
}

/** Throws a WorkflowError: `not-found`, or `bad-input` for an entry that is not such a plan. */
export async function readPlan(ledger: Ledger, id: string): Promise<PlanRecord> {
  const entry = (await ledger.read()).entries.get(id);
  const hint = 'Nothing was sent. To list the waiting plans, run `cb approve`.';
  if (!entry) throw new WorkflowError('not-found', `There is no plan ${id}.`, { hint });
  const record = recordOf(entry);
  if (record) return record;
  if (entry.plan !== undefined) throw damaged(id);
  const state = entry.state === 'planned' ? 'expired' : entry.state;
  if (isOpen(entry)) {
    const message = `Plan ${id} was approved, its customer was forgotten, and its outcome is unknown.`;
    throw new WorkflowError('not-found', message, { hint: 'Check the order or ticket.' });
  }
  const message = `Plan ${id} ended more than a day ago (${state}).`;
  throw new WorkflowError('not-found', message, { hint: 'Nothing was sent. cb log shows it.' });
}

function recordOf(entry: Entry): PlanRecord | undefined {
  const plan = entry.plan as unknown as Plan | undefined;
  if (plan?.version !== 1 || plan.id !== entry.id) return undefined;
  return { plan, seal: entry.seal ?? '', entry };
}

export function damaged(id: string): WorkflowError {
  const hint = 'Nothing was sent. Decline it, and ask for a new plan.';
  return badInput(`Plan ${id} was altered after it was made, or made with another key.`, { hint });
}

/** All plans whose text is kept, the oldest first. */
export async function listPlans(ledger: Ledger): Promise<PlanRecord[]> {
  const { entries } = await ledger.read();
  return [...entries.values()].flatMap((entry) => recordOf(entry) ?? []);
}

/** Milliseconds after which an unknown outcome no longer keeps other plans from being made. */
const remembered = 30 * 86_400_000;

/** Other plans about the same order or ticket. */
export async function plansAbout(ledger: Ledger, plan: Plan, now: Date): Promise<PlanRecord[]> {
  const subject = subjectOf(plan);
  return (await listPlans(ledger)).filter(
    (one) =>
      one.plan.id !== plan.id &&
      subjectOf(one.plan) === subject &&
      now.getTime() - Date.parse(one.plan.createdAt) < remembered,
  );
}

/** The ID of a plan about the same order or ticket whose outcome is unknown; its text may have been removed. */
export async function openPlanAbout(
  ledger: Ledger,
  plan: Plan,
  now: Date,
): Promise<string | undefined> {
  const { command, args, profile, service } = plan;
  const orderOf = (about: string | undefined) => about?.toUpperCase().split('-')[0];
  const { entries } = await ledger.read();
  const found = [...entries.values()].find(
    (one) =>
      one.plan === undefined &&
      isOpen(one) &&
      one.origin === 'agent' &&
      one.operation === command &&
      one.service === (profile ?? service) &&
      orderOf(one.about) === orderOf(orderOrTicket(args)) &&
      now.getTime() - Date.parse(one.sentAt ?? one.at) < remembered,
  );
  return (
    found?.id ?? (await plansAbout(ledger, plan, now)).find(({ entry }) => isOpen(entry))?.plan.id
  );
}

/** Whether it was sent, or may have been, after a time. */
export function isSentAfter({ entry }: PlanRecord, time: string): boolean {
  if (entry.state !== 'done' && !isOpen(entry)) return false;
  return entry.sentAt === undefined || entry.sentAt >= time;
}

/** Decides a plan, once and for all. Returns false if it was decided before. */
export function decidePlan(
  ledger: Ledger,
  id: string,
  decision: Omit<Line, 'id'>,
): Promise<boolean> {
  return ledger.change(async ({ entries, add }) => {
    if (entries.get(id)?.state !== 'planned') return false;
    return add({ id, ...decision });
  });
}
