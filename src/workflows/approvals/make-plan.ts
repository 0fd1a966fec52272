/** Makes plans: reads the facts of a write and stores them. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import { WorkflowError } from '../errors.ts';
import { type Approvals, plansAbout } from './approvals.ts';
import { factsOf, type PlanFacts } from './facts.ts';
import { createPlanId, lifetime, type Plan } from './plan.ts';
import { stateOf, storePlan } from './plan-store.ts';

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
 * plan about the same order or ticket was carried out.
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
  await refuseAfterUnknown(approvals, plan);
  await storePlan(folder, plan, owner.seal);
  return plan;
}

/** Nobody should be asked to repeat a write that may be done. */
async function refuseAfterUnknown(approvals: Approvals, plan: Plan): Promise<void> {
  const others = await plansAbout(approvals, plan);
  const states = ['started', 'unknown'];
  const open = others.find((record) => states.includes(stateOf(record, approvals.now())));
  if (!open) return;
  const { id } = open.plan;
  const message = `The outcome of plan ${id}, which is about the same order or ticket, is unknown.`;
  const hint = 'Nothing was sent. Check its status first.';
  throw new WorkflowError('existing-match', message, { hint });
}
