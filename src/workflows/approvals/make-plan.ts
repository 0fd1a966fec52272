/** Makes plans: reads the facts of a write and stores them. */
import { isDeepStrictEqual } from 'node:util';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { WorkflowError } from '../errors.ts';
import { findWrite } from '../safe-write/safe-write.ts';
import type { Approvals } from './approvals.ts';
import { type EarlierWrite, factsOf, type PlanFacts } from './facts.ts';
import { createPlanId, lifetime, operationOf, type Plan } from './plan.ts';
import { type PlanRecord, plansAbout, stateOf, storePlan } from './plan-store.ts';

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
 * Stores a plan. Throws a LedgerError, and a WorkflowError (`existing-match`) if it is not known whether an earlier
 * plan about the same order or ticket was carried out, or if the service does not show that it was.
 */
export async function storeDraft(
  approvals: Approvals,
  { operation, args, facts, begun }: Draft,
  madeBy: string,
): Promise<Plan> {
  const { ledger, owner } = approvals;
  const created = begun.getTime();
  const plan: Plan = {
    ...{ version: 1, id: createPlanId() },
    createdAt: new Date(created).toISOString(),
    expiresAt: new Date(created + lifetime).toISOString(),
    ...{ madeBy, service: owner.service, command: operation.command, args, facts },
    ...(owner.profile !== undefined && { profile: owner.profile }),
  };
  const earlier = await earlierWrite(approvals, plan);
  const known = { ...plan, facts: { ...facts, ...(earlier && { earlier }) } };
  await storePlan(ledger, known, owner.seal);
  return known;
}

/** Milliseconds in which reads may not show a write yet. */
const longestLag = 120_000;

/** Milliseconds in which a person wants to know of a write before this one. */
const recently = 86_400_000;

/**
 * The latest write about the same order or ticket, so that nobody repeats it unknowingly. Throws a WorkflowError if its
 * outcome is unknown, or if the facts were read before ClickBank showed it.
 */
async function earlierWrite(approvals: Approvals, plan: Plan): Promise<EarlierWrite | undefined> {
  const now = approvals.now();
  const others = await plansAbout(approvals.ledger, plan, now);
  const open = others.find((one) => ['started', 'unknown'].includes(stateOf(one, now)));
  if (open) throw refused(`The outcome of ${nameOf(open)}, is unknown.`, 'Check its status first.');
  const age = ({ entry }: PlanRecord) => Math.abs(now.getTime() - Date.parse(entry.at));
  const [latest] = others
    .filter((one) => one.entry.state === 'done' && age(one) < recently)
    .sort((one, other) => age(one) - age(other));
  if (!latest) return undefined;
  const { at } = latest.entry;
  if (age(latest) < longestLag && !(await isShown(approvals, latest))) {
    const end = new Date(Date.parse(at) + longestLag).toISOString();
    const message = `ClickBank does not show the write of ${nameOf(latest)}, yet.`;
    throw refused(message, `Wait until ${end.slice(11, 19)} UTC.`);
  }
  const { id, facts, args } = latest.plan;
  return { plan: id, at, action: facts.action, isEqual: isDeepStrictEqual(args, plan.args) };
}

function nameOf({ plan }: PlanRecord): string {
  return `plan ${plan.id}, which is about the same order or ticket`;
}

/** Looks for the write itself. One that can't be verified counts as shown: no look would find it. */
async function isShown(
  { client, verification }: Approvals,
  { plan, entry: { before = null } }: PlanRecord,
): Promise<boolean> {
  if (before === null) return true;
  const query = { before, until: verification.clock.now() };
  return !!(await findWrite(client, operationOf(plan), plan.args, query, verification));
}

function refused(message: string, step: string): WorkflowError {
  return new WorkflowError('existing-match', message, { hint: `Nothing was sent. ${step}` });
}
