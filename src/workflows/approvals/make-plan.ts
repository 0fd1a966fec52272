/** Makes plans: reads the facts of a write and stores them. */
import { isDeepStrictEqual } from 'node:util';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { WorkflowError } from '../errors.ts';
import { type Approvals, plansAbout } from './approvals.ts';
import { factsOf, type PlanFacts } from './facts.ts';
import { createPlanId, lifetime, type Plan } from './plan.ts';
import { type PlanRecord, stateOf, storePlan } from './plan-store.ts';

/** A write that was planned and not stored. */
export interface Draft {
  readonly operation: Operation;
  readonly args: Arguments;
  readonly facts: PlanFacts;
  /** From before the facts were read. */
  readonly begun: Date;
}

/** Reads the facts of a write. Throws as `factsOf` does. */
export async function draftPlan(
  { client, now }: Approvals,
  operation: Operation,
  args: Arguments,
): Promise<Draft> {
  const begun = now();
  return { operation, args, begun, facts: await factsOf(client, operation, args) };
}

/**
 * Stores a plan. Throws file system errors, and a WorkflowError (`existing-match`) if it is not known whether an earlier
 * plan about the same order or ticket was carried out, or if the service does not show that it was.
 */
export async function storeDraft(
  approvals: Approvals,
  { operation, args, facts, begun }: Draft,
  madeBy: string,
): Promise<Plan> {
  const { folder, owner } = approvals;
  const created = begun.getTime();
  const plan: Plan = {
    ...{ version: 1, id: createPlanId() },
    createdAt: new Date(created).toISOString(),
    expiresAt: new Date(created + lifetime).toISOString(),
    ...{ madeBy, service: owner.service, command: operation.command, args, facts },
    ...(owner.profile !== undefined && { profile: owner.profile }),
  };
  await refuseAfterOther(approvals, plan);
  await storePlan(folder, plan, owner.seal);
  return plan;
}

/** Milliseconds in which reads may not show a write yet. */
const longestLag = 120_000;

/** Nobody should be asked to repeat a write that may be done. */
async function refuseAfterOther(approvals: Approvals, plan: Plan): Promise<void> {
  const now = approvals.now();
  for (const record of await plansAbout(approvals, plan)) {
    const { id } = record.plan;
    const about = `plan ${id}, which is about the same order or ticket`;
    if (['started', 'unknown'].includes(stateOf(record, now))) {
      throw refused(`The outcome of ${about}, is unknown.`, 'Check its status first.');
    }
    if (isNotShownYet(record, plan, now)) {
      throw refused(`ClickBank does not show the write of ${about}, yet.`, 'Wait two minutes.');
    }
  }
}

/** A write that was done just now, and the state is still the one before it. */
function isNotShownYet({ plan, outcome }: PlanRecord, next: Plan, now: Date): boolean {
  if (outcome?.state !== 'done') return false;
  const isRecent = Math.abs(now.getTime() - Date.parse(outcome.at)) < longestLag;
  const { state } = next.facts;
  return isRecent && state !== null && isDeepStrictEqual(state, plan.facts.state);
}

function refused(message: string, step: string): WorkflowError {
  return new WorkflowError('existing-match', message, { hint: `Nothing was sent. ${step}` });
}
