/** The way of every write tool: plan it, ask a person with exactly those facts, and send it once. */
import type { Operation } from '../../operations/operation.ts';
import type { Approvals } from '../../workflows/approvals/approvals.ts';
import { type Approved, approvePlan, declinePlan } from '../../workflows/approvals/approve.ts';
import { factLines } from '../../workflows/approvals/facts.ts';
import { type Draft, draftPlan, storeDraft } from '../../workflows/approvals/make-plan.ts';
import type { Plan } from '../../workflows/approvals/plan.ts';
import { statusFrom } from '../../workflows/approvals/plan-status.ts';
import { readPlan } from '../../workflows/approvals/plan-store.ts';
import { operationArguments } from '../rows/arguments.ts';
import type { Ask, ToolArguments, ToolCall, ToolResult } from '../tool.ts';
import { ToolError } from '../tool.ts';
import { approvalQuestion, isYes, oneLine } from './approval-question.ts';
import { planData } from './plan-output.ts';
import { releaseClosed, track } from './refund-reservations.ts';

/** Where the person answered, in the ledger. */
const here = 'client of the agent';

/** Requests that the reads of a write, and a search after a lost response, may need. */
const requestsOfWrite = 40;

export async function runWrite(
  operation: Operation,
  given: ToolArguments,
  call: ToolCall,
): Promise<ToolResult> {
  const args = operationArguments(operation, given, call.today);
  requireRequests(call);
  const approvals = approvalsOf(call);
  const plan = await planWithinLimits(call, approvals, await draftPlan(approvals, operation, args));
  call.note({ plan: plan.id });
  const answer = call.ask ? await askPerson(call.ask, approvals, plan) : 'impossible';
  if (answer === 'yes') {
    requireRequests(call);
    return approvedResult(approvals, plan, await approvePlan(approvals, plan.id, here));
  }
  const summaries = {
    no: `Not sent: the person did not approve plan ${plan.id}.`,
    none: `The person gave no answer. ${sendToTerminal(plan)}`,
    impossible: `This client can't ask the person. ${sendToTerminal(plan)}`,
  };
  return { ...(await resultFor(approvals, plan, summaries[answer])), isError: answer === 'no' };
}

/** Anything but a clear yes or no answer at all closes the plan. */
async function askPerson(
  ask: Ask,
  approvals: Approvals,
  plan: Plan,
): Promise<'yes' | 'no' | 'none'> {
  const answer = await ask(approvalQuestion(plan));
  if (answer.action === 'cancel') return 'none';
  if (isYes(answer, plan)) return 'yes';
  await declinePlan(approvals, plan.id, here);
  return 'no';
}

function sendToTerminal({ id }: Plan): string {
  return `Nothing was sent. A person must run \`cb approve ${id}\` in a terminal within 30 minutes; tell them so, and do not run it yourself. plan_status tells what became of it.`;
}

/** What plans need in this call. */
export function approvalsOf({ approvals, client, today }: ToolCall): Approvals {
  return { ...approvals, client, today };
}

/** Out of requests halfway, nobody would know what became of a write. */
function requireRequests({ limits }: ToolCall): void {
  if (limits.requests + requestsOfWrite <= limits.limits.requests) return;
  throw new ToolError(
    'Nothing was sent: this session has too few requests left to send a write and to check it.',
    'Ask the person to restart the server with a higher --max-requests.',
  );
}

async function planWithinLimits(call: ToolCall, approvals: Approvals, draft: Draft): Promise<Plan> {
  const { refund } = draft.facts;
  const { refunds } = call.limits;
  const madeBy = oneLine(call.by ?? 'an agent').slice(0, 60);
  if (!refund) return storeDraft(approvals, draft, madeBy);
  await releaseClosed(refunds, approvals);
  const release = refunds.reserve(refund);
  try {
    const plan = await storeDraft(approvals, draft, madeBy);
    track(refunds, plan.id, release);
    return plan;
  } catch (error) {
    release();
    throw error;
  }
}

async function resultFor(approvals: Approvals, plan: Plan, summary: string): Promise<ToolResult> {
  const status = statusFrom(await readPlan(approvals.ledger, plan.id), approvals.now());
  return { summary, data: planData(status), lines: factLines(plan.facts) };
}

async function approvedResult(
  approvals: Approvals,
  plan: Plan,
  { outcome, reply }: Approved,
): Promise<ToolResult> {
  const { state, detail } = outcome;
  const ticket = (reply as { readonly ticketid?: unknown } | undefined)?.ticketid;
  const more = ticket === undefined ? '' : ` Ticket ${ticket}.`;
  const summaries = {
    done: `Done: plan ${plan.id} was approved and carried out.${more}`,
    'not done': `Not done: ${detail}`,
    unknown: `The outcome of plan ${plan.id} is unknown: ${detail} It is never sent again. Call plan_status before anything else.`,
  };
  const result = await resultFor(approvals, plan, summaries[state]);
  const data = { ...result.data, ...(ticket !== undefined && { ticket: String(ticket) }) };
  return { ...result, data: { ...data, state }, isError: state !== 'done' };
}
