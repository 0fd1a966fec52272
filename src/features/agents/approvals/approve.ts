/** Approves and declines plans. An approved one is planned again, decided durably, and sent once, all under one lock. */

import type { Client } from '../../../client/client.ts';
import { WorkflowError } from '../../../client/workflow-error.ts';
import type { Day } from '../../../dates/day.ts';
import { isOpen, type Line } from '../../../ledger/entry.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { problemsIn, validate } from '../../../operations/validate.ts';
import { endLine, endOf, type Sender, sendingLine } from '../../../safe-write/recording.ts';
import { doneBy, findWrite, sendOnce, type Verification } from '../../../safe-write/safe-write.ts';
import { acquireLock, type Lock, LockError } from '../../../storage/lock.ts';
import type { Processes } from '../../../storage/lock-owner.ts';
import { changesIn, factsOf, refundText } from './facts.ts';
import {
  operationOf,
  ownPlan,
  type Plan,
  type PlanOwner,
  type PlanRecord,
  type PlanState,
  plansAbout,
  readPlan,
  stateOf,
} from './plan.ts';

export interface Approvals {
  readonly ledger: Ledger;
  readonly owner: PlanOwner;
  /** Who approves, for the ledger, with the time of this machine. */
  readonly sender: Sender;
  /** Reads before the decision. */
  readonly client: Client;
  /** Sends the write. A call that is canceled must not abort a write that has begun. */
  readonly writer: Client;
  readonly processes: Processes;
  readonly verification: Verification;
  /** The Pacific day at the service. */
  readonly today: Day;
}

/** Milliseconds to wait for another approval on this machine, which may be looking for a lost write. */
const turn = 45_000;

/** Waits for other approvals on this machine. Throws a WorkflowError (`declined`) if one takes too long. */
async function takeTurn({ ledger, processes }: Approvals, patience: number): Promise<Lock> {
  try {
    const command = 'approve';
    return await acquireLock(`${ledger.path}.approvals`, { processes, command, patience });
  } catch (error) {
    if (!(error instanceof LockError && error.problem === 'held')) throw error;
    const hint = 'Nothing was sent. Wait until it ends, then try again.';
    throw new WorkflowError('declined', 'Another approval is being sent.', { hint, cause: error });
  }
}

/** Returns a plan that this key made and that waits for a decision. Throws a WorkflowError that says why it does not. */
export async function waitingPlan(approvals: Approvals, id: string): Promise<Plan> {
  const { ledger, owner, sender } = approvals;
  const record = await ownPlan(ledger, owner, id);
  if (stateOf(record, sender.now()) === 'waiting') return record.plan;
  throw notWaiting(record, sender.now());
}

function notWaiting(record: PlanRecord, now: Date): WorkflowError {
  const { plan, state, explanation: hint } = statusFrom(record, now);
  const message = `Plan ${plan.id} is ${state} and can no longer be approved or declined.`;
  return new WorkflowError('declined', message, { hint });
}

/** Reads the facts again. Throws a WorkflowError (`declined`), and closes the plan, if they are not those of the plan. */
export async function checkPlan(approvals: Approvals, plan: Plan, by: string): Promise<void> {
  const reason = await whyChanged(approvals, plan);
  if (reason !== undefined) await closeChanged(approvals, plan, by, reason);
}

async function whyChanged({ client, today }: Approvals, plan: Plan): Promise<string | undefined> {
  const operation = operationOf(plan);
  const { message } = problemsIn(validate(operation, plan.args, today));
  if (message !== '') return message.replace(/\.$/, '');
  try {
    const changes = changesIn(plan.facts, await factsOf(client, operation, plan.args));
    return changes.length === 0 ? undefined : `${changes.join(', ')} changed`;
  } catch (error) {
    if (error instanceof WorkflowError) return error.message.replace(/\.$/, '');
    throw error;
  }
}

async function closeChanged(
  { ledger, sender }: Approvals,
  { id, madeBy }: Plan,
  by: string,
  reason: string,
): Promise<never> {
  await decidePlan(ledger, {
    ...{ id, at: sender.now().toISOString(), state: 'not done' },
    ...{ by: `${madeBy} (${by})`, why: `It no longer held: ${reason}.` },
  });
  const message = `Plan ${id} no longer holds: ${reason}.`;
  throw new WorkflowError('declined', message, { hint: 'Nothing was sent. Make a new plan.' });
}

/** Decides a plan, once and for all. Returns false if it was decided before. */
function decidePlan(ledger: Ledger, decision: Line): Promise<boolean> {
  return ledger.change(
    async ({ entries, add }) => entries.get(decision.id)?.state === 'planned' && add(decision),
  );
}

/** Throws a WorkflowError if the plan was decided before. `by` says where the person answered. */
export async function declinePlan(ledger: Ledger, now: Date, id: string, by: string) {
  const { plan } = await readPlan(ledger, id);
  const at = now.toISOString();
  const declined = { id, at, state: 'declined', by: `${plan.madeBy} (${by})` } as const;
  if (await decidePlan(ledger, declined)) return;
  throw notWaiting(await readPlan(ledger, id), now);
}

/**
 * Sends the write of a plan that a person has just approved, at most once. `by` says where the person answered. Throws a
 * WorkflowError or an ApiError if nothing was sent. `onSend` is called right before it is sent. `problem` is why the outcome
 * could not be recorded; the plan then still says `started`.
 */
export async function approvePlan(
  approvals: Approvals,
  id: string,
  by: string,
  onSend?: () => void,
) {
  const { ledger, sender, writer, verification } = approvals;
  const lock = await takeTurn(approvals, turn);
  try {
    const plan = await waitingPlan(approvals, id);
    await checkPlan(approvals, plan, by);
    // What was read for the plan may not show a write that another plan sent after that.
    const other = (await plansAbout(ledger, plan, sender.now())).find(
      (one) =>
        (one.state === 'done' || isOpen(one)) &&
        (one.sentAt === undefined || one.sentAt >= plan.createdAt),
    );
    if (other) {
      const reason = `plan ${other.id} about the same order or ticket was approved after it was made`;
      await closeChanged(approvals, plan, 'cb', reason);
    }
    // The reads may have taken long.
    await waitingPlan(approvals, id);
    lock.assertHeld();
    const { state: before } = plan.facts;
    const write = { id, operation: operationOf(plan), args: plan.args };
    const decided = `${plan.madeBy}, approved by ${sender.by ?? 'a person'} (${by})`;
    const sending = { ...sendingLine(sender, { ...write, before }), by: decided };
    if (!(await decidePlan(ledger, sending))) {
      throw notWaiting(await readPlan(ledger, id), sender.now());
    }
    onSend?.();
    const { operation, args } = write;
    const sent = await sendOnce(writer, operation, args, before ?? undefined, verification);
    const problem = await ledger.record(endLine(sender, write, sent)).then(
      () => undefined,
      (error: unknown) => error,
    );
    const { state, why } = endOf(sent);
    const isDone = sent.state === 'done';
    const reply: unknown = isDone ? sent.result.reply : undefined;
    return { state, detail: why, problem, reply, cause: isDone ? undefined : sent.cause };
  } finally {
    lock.release();
  }
}

/** Reads the service only if the outcome is open. Throws a WorkflowError for a plan that is not this account's. */
export async function planStatus(approvals: Approvals, id: string) {
  const { ledger, owner, sender } = approvals;
  const found = await ownPlan(ledger, owner, id);
  const record = isOpen(found.entry) ? await lookAgain(approvals, id) : found;
  const status = statusFrom(record ?? found, sender.now());
  const sending = 'It was approved, and cb is now sending it or another plan. Check again soon.';
  if (!record) return { ...status, explanation: sending };
  const wasSearched = isOpen(record.entry) && (record.entry.before ?? null) !== null;
  const look = wasSearched ? ' cb has just looked for it and did not find it.' : '';
  return { ...status, explanation: status.explanation + look };
}

/** Looks for the write again, under the lock. Returns undefined while an approval is being sent. */
async function lookAgain(approvals: Approvals, id: string): Promise<PlanRecord | undefined> {
  const lock = await takeTurn(approvals, 0).catch((error: unknown) => {
    if (!(error instanceof WorkflowError)) throw error;
  });
  if (!lock) return undefined;
  try {
    const { client, ledger, owner, sender, verification } = approvals;
    const record = await ownPlan(ledger, owner, id);
    const { plan, entry } = record;
    if (!isOpen(entry)) return record;
    const write = { id, operation: operationOf(plan), args: plan.args };
    const query = { before: entry.before ?? null, until: verification.clock.now() };
    const { found } = await findWrite(client, write.operation, write.args, query, verification);
    if (!found) return record;
    const why = 'The response was lost, but a later check found it.';
    await ledger.record({ ...endLine(sender, write, doneBy(found)), why });
    return await ownPlan(ledger, owner, id);
  } finally {
    lock.release();
  }
}

/** `explanation` consists of complete sentences: what the state means, and what to do. */
export function statusFrom(record: PlanRecord, now: Date) {
  const state = stateOf(record, now);
  return { plan: record.plan, state, explanation: explain(state, record) };
}

function explain(state: PlanState, { plan, entry }: PlanRecord): string {
  const also = entry.why ? ` ${entry.why}` : '';
  switch (state) {
    case 'waiting':
      return `It waits for a person, who can run \`cb approve ${plan.id}\` in a terminal until ${plan.expiresAt.slice(0, 16).replace('T', ' ')} UTC. Nothing was sent.`;
    case 'done': {
      const back = refundText(plan.facts);
      const money = back === undefined ? '' : ` Money back to the customer: ${back}.`;
      return `It was approved and is done.${money}${also}`;
    }
    case 'not done':
      return `It was not carried out.${also}`;
    case 'declined':
      return 'A person declined it, so it should not be requested again. Nothing was sent.';
    case 'expired':
      return 'Nobody approved it in time. Nothing was sent.';
    default:
      return 'It was approved, and may or may not have been carried out: the request was sent, or was about to be sent, and its outcome is unknown. cb never sends it again. Check the order or ticket on the ClickBank website before anybody repeats it.';
  }
}
