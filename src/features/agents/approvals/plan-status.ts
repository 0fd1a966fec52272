/** Reports the outcome of a plan, and looks for a write whose outcome is not known. */
import { endLine } from '../../../safe-write/recording.ts';
import { findWrite } from '../../../safe-write/safe-write.ts';
import { type Approvals, ownPlan, takeTurn } from './approvals.ts';
import { refundText } from './facts.ts';
import { operationOf, type Plan, type PlanState } from './plan.ts';
import { type PlanRecord, stateOf } from './plan-store.ts';

export interface PlanStatus {
  readonly plan: Plan;
  readonly state: PlanState;
  /** Complete sentences: what it means, and what to do. */
  readonly explanation: string;
}

/**
 * Reads the service only if the outcome is open. Throws a WorkflowError for a plan that is unknown, altered, or of
 * another account.
 */
export async function planStatus(approvals: Approvals, id: string): Promise<PlanStatus> {
  const found = await ownPlan(approvals, id);
  const state = stateOf(found, approvals.now());
  const isOpen = state === 'started' || state === 'unknown';
  const record = isOpen ? await lookAgain(approvals, found) : found;
  return statusFrom(record, approvals.now());
}

export function statusFrom(record: PlanRecord, now: Date): PlanStatus {
  const state = stateOf(record, now);
  return { plan: record.plan, state, explanation: explanations[state](record) };
}

/** Under the lock, so that an approval that is still sending is left alone. */
async function lookAgain(approvals: Approvals, record: PlanRecord): Promise<PlanRecord> {
  const { plan, entry } = record;
  const { before = null } = entry;
  if (before === null) return record;
  const lock = await takeTurn(approvals, 0).catch(() => undefined);
  if (!lock) return record;
  try {
    const { client, ledger, sender, verification } = approvals;
    const query = { before, until: verification.clock.now() };
    const write = { id: plan.id, operation: operationOf(plan), args: plan.args };
    const found = await findWrite(client, write.operation, plan.args, query, verification);
    if (found) {
      const result = { reply: undefined, how: 'verified' } as const;
      const why = 'The response was lost, but a later check found it.';
      await ledger.record({ ...endLine(sender, write, { state: 'done', result }), why });
    }
    return await ownPlan(approvals, plan.id);
  } finally {
    lock.release();
  }
}

const openOutcome = [
  'It was approved, and may or may not have been carried out: the request was sent or was about to be sent when its outcome was lost, and a look at the order or ticket did not find it.',
  'It is never sent again. Check the order or ticket on the ClickBank website before anybody repeats it.',
].join(' ');

const explanations: Readonly<Record<PlanState, (record: PlanRecord) => string>> = {
  waiting: ({ plan }) =>
    `It waits for a person, who can run \`cb approve ${plan.id}\` in a terminal until ${plan.expiresAt.slice(0, 16).replace('T', ' ')} UTC. Nothing was sent.`,
  started: () => openOutcome,
  unknown: () => openOutcome,
  done: ({ plan, entry }) => {
    const back = refundText(plan.facts);
    const money = back === undefined ? '' : ` Money back to the customer: ${back}.`;
    return ['It was approved and is done.', money.trim(), entry.why].filter(Boolean).join(' ');
  },
  'not done': ({ entry }) => ['It was not carried out.', entry.why].filter(Boolean).join(' '),
  declined: () => 'A person declined it. Nothing was sent. Do not ask for the same again.',
  expired: () => 'Nobody approved it in time. Nothing was sent.',
};
