/**
 * Approves and declines plans. An approved plan is planned again, decided durably, and only then sent, once. All of that
 * happens under one lock, so that no plan rests on a read from before another one was sent.
 */

import { WorkflowError } from '../../../client/workflow-error.ts';
import { validate } from '../../../operations/validate.ts';
import { type EndState, endLine, endOf, sendingLine } from '../../../safe-write/recording.ts';
import { sendOnce } from '../../../safe-write/safe-write.ts';
import { type Approvals, ownPlan, takeTurn } from './approvals.ts';
import { changesIn, factsOf } from './facts.ts';
import { operationOf, type Plan } from './plan.ts';
import {
  decidePlan,
  isSentAfter,
  type PlanRecord,
  plansAbout,
  readPlan,
  stateOf,
} from './plan-store.ts';

/** Returns a plan that this key made and that waits for a decision. Throws a WorkflowError that says why it does not. */
export async function waitingPlan(approvals: Approvals, id: string): Promise<Plan> {
  const record = await ownPlan(approvals, id);
  const state = stateOf(record, approvals.now());
  if (state !== 'waiting') throw notWaiting(id, state, record);
  return record.plan;
}

/** Reads the facts again. Throws a WorkflowError (`declined`), and closes the plan, if they are not those of the plan. */
export async function checkPlan(approvals: Approvals, plan: Plan, by: string): Promise<void> {
  const reason = await whyChanged(approvals, plan);
  if (reason === undefined) return;
  await close(approvals, plan, by, reason);
  throw changed(plan, reason);
}

export interface Approved {
  readonly outcome: { readonly state: EndState; readonly detail: string };
  readonly reply?: unknown;
  /** Why it is not done, or unknown. */
  readonly cause?: unknown;
  /** The outcome could not be recorded; the plan then still says `started`. */
  readonly problem?: unknown;
}

/**
 * Sends the write of a plan that a person has just approved, at most once. `by` says where the person answered. Throws a
 * WorkflowError or an ApiError if nothing was sent. `onSend` is called right before it is sent.
 */
export async function approvePlan(
  approvals: Approvals,
  id: string,
  by: string,
  onSend?: () => void,
): Promise<Approved> {
  const lock = await takeTurn(approvals);
  try {
    const plan = await waitingPlan(approvals, id);
    await checkPlan(approvals, plan, by);
    await refuseAfterOther(approvals, plan);
    // The reads may have taken long.
    await waitingPlan(approvals, id);
    lock.assertHeld();
    const { ledger, sender } = approvals;
    const write = { id, operation: operationOf(plan), args: plan.args, before: plan.facts.state };
    const decided = `${plan.madeBy}, approved by ${sender.by ?? 'a person'} (${by})`;
    const sending = { ...sendingLine(sender, write), by: decided };
    if (!(await decidePlan(ledger, id, sending))) throw notWaiting(id, 'started');
    onSend?.();
    return await send(approvals, plan);
  } finally {
    lock.release();
  }
}

type Deciding = Pick<Approvals, 'ledger' | 'now'>;

/** Throws a WorkflowError if the plan was decided before. */
export async function declinePlan(
  { ledger, now }: Deciding,
  id: string,
  by: string,
): Promise<void> {
  const { plan } = await readPlan(ledger, id);
  const declined = {
    at: now().toISOString(),
    state: 'declined',
    by: `${plan.madeBy} (${by})`,
  } as const;
  if (await decidePlan(ledger, id, declined)) return;
  throw notWaiting(id, stateOf(await readPlan(ledger, id), now()));
}

/** Closes a plan that no longer holds. */
async function close({ ledger, now }: Deciding, plan: Plan, by: string, reason: string) {
  await decidePlan(ledger, plan.id, {
    ...{ at: now().toISOString(), state: 'not done' },
    ...{ by: `${plan.madeBy} (${by})`, why: `It no longer held: ${reason}.` },
  });
}

async function send(approvals: Approvals, plan: Plan): Promise<Approved> {
  const { client, writer = client, verification, ledger, sender } = approvals;
  const before = plan.facts.state ?? undefined;
  const write = { id: plan.id, operation: operationOf(plan), args: plan.args };
  const sent = await sendOnce(writer, write.operation, plan.args, before, verification);
  const problem = await ledger.record(endLine(sender, write, sent)).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { state, why } = endOf(sent);
  return {
    outcome: { state, detail: why },
    ...(sent.state === 'done' ? { reply: sent.result.reply } : { cause: sent.cause }),
    ...(problem !== undefined && { problem }),
  };
}

async function whyChanged(approvals: Approvals, plan: Plan): Promise<string | undefined> {
  const { client, today } = approvals;
  const operation = operationOf(plan);
  const findings = validate(operation, plan.args, today);
  const problem = findings.find(({ weight }) => weight === 'problem');
  if (problem) return `${problem.param ?? 'An argument'} ${problem.says}`;
  try {
    const changes = changesIn(plan.facts, await factsOf(client, operation, plan.args));
    return changes.length === 0 ? undefined : `${changes.join(', ')} changed`;
  } catch (error) {
    if (error instanceof WorkflowError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

function changed({ id }: Plan, reason: string): WorkflowError {
  const message = `Plan ${id} no longer holds: ${reason}.`;
  return new WorkflowError('declined', message, { hint: 'Nothing was sent. Make a new plan.' });
}

/** What was read for the plan may not show a write that another plan sent after that. */
async function refuseAfterOther(approvals: Approvals, plan: Plan): Promise<void> {
  const others = await plansAbout(approvals.ledger, plan, approvals.now());
  const other = others.find((one) => isSentAfter(one, plan.createdAt));
  if (!other) return;
  const reason = `plan ${other.plan.id} about the same order or ticket was approved after it was made`;
  await close(approvals, plan, 'cb', reason);
  throw changed(plan, reason);
}

function notWaiting(id: string, state: string, record?: PlanRecord): WorkflowError {
  const sentences: Readonly<Record<string, string>> = {
    expired: `Plan ${id} has expired.`,
    declined: `Plan ${id} was declined.`,
    done: `Plan ${id} was approved before, and is done.`,
    'not done': `Plan ${id} was decided before, and its write was not done.`,
    unknown: `Plan ${id} was approved before, and its outcome is unknown.`,
    started: `Plan ${id} was approved before, and its outcome is unknown.`,
  };
  const isOpen = state === 'unknown' || state === 'started';
  const hint = isOpen
    ? 'Nothing more was sent. A plan is never sent twice: check the order or ticket.'
    : 'Nothing was sent. A plan can be used once; ask for a new one.';
  const why = record?.entry.why;
  return new WorkflowError('declined', sentences[state] ?? `Plan ${id} is ${state}.`, {
    hint: why ? `${hint} ${why}` : hint,
  });
}
