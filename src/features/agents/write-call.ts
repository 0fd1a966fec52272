/** The way of every write tool: plan it, ask a person with exactly those facts, and send it once. */

import { isDeepStrictEqual } from 'node:util';
import { WorkflowError } from '../../client/workflow-error.ts';
import { type Entry, planLifetime } from '../../ledger/entry.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { findWrite } from '../../safe-write/safe-write.ts';
import type { Approvals } from './approvals/approvals.ts';
import { type Approved, approvePlan, declinePlan } from './approvals/approve.ts';
import {
  detailsOf,
  type EarlierWrite,
  factLines,
  factsOf,
  type PlanFacts,
  refundText,
  requestText,
  unexpectedRefund,
  warningsOf,
} from './approvals/facts.ts';
import { createPlanId, operationOf, type Plan } from './approvals/plan.ts';
import { type PlanStatus, statusFrom } from './approvals/plan-status.ts';
import {
  openPlanAbout,
  type PlanRecord,
  plansAbout,
  readPlan,
  storePlan,
} from './approvals/plan-store.ts';
import type { RefundCounter } from './approvals/refund-limits.ts';
import { listOf, operationArguments, outputOf, text } from './arguments.ts';
import { withoutControls } from './running.ts';
import {
  type Answer,
  type Ask,
  type FormField,
  type ObjectSchema,
  type Question,
  type ToolArguments,
  type ToolCall,
  ToolError,
  type ToolResult,
} from './tool.ts';

/** Parts of it quote names, titles and comments. */
export const planTexts = ['action', 'details', 'warnings', 'request'];

export const planOutput: ObjectSchema = outputOf(
  {
    plan: text(),
    state: text('waiting, started, done, not done, unknown, declined or expired'),
    explanation: text(),
    action: text(),
    warnings: listOf(text()),
    refund: text('Money back to the customer'),
    currency: text(),
    ticket: text('ID of the new ticket'),
    expiresAt: text(),
  },
  ['plan', 'state', 'explanation', 'action', 'warnings'],
);

export function planData({ plan, state, explanation }: PlanStatus) {
  const { facts } = plan;
  const { action, refund } = facts;
  return {
    ...{ plan: plan.id, state, explanation, action, expiresAt: plan.expiresAt },
    ...{ details: detailsOf(facts), warnings: warningsOf(facts), request: requestText(facts) },
    ...(refund?.amount !== undefined && { refund: refund.amount }),
    ...(refund?.currency !== undefined && { currency: refund.currency }),
  };
}

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
  const begun = approvals.now();
  const facts = await factsOf(call.client, operation, args);
  const plan = await planWithinLimits(call, approvals, { operation, args, begun, facts });
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
    releases.set(refunds, (releases.get(refunds) ?? new Map()).set(plan.id, release));
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

const releases = new WeakMap<RefundCounter, Map<string, () => void>>();

/** An approval that has begun just before the end of a plan may still be decided. */
const grace = 120_000;

/** Takes back what certainly can't be sent any more, in a terminal either. */
async function releaseClosed(
  refunds: RefundCounter,
  { ledger, now }: Pick<Approvals, 'ledger' | 'now'>,
): Promise<void> {
  const known = releases.get(refunds) ?? new Map<string, () => void>();
  // Not the plans, whose texts go after a day.
  const { entries } = await ledger.read();
  for (const [id, release] of known) {
    const entry = entries.get(id);
    if (!entry || !isClosed(entry, now())) continue;
    known.delete(id);
    release();
  }
}

function isClosed({ state, at, sentAt }: Entry, now: Date): boolean {
  if (state === 'planned') return now.getTime() > Date.parse(at) + planLifetime + grace;
  return (state === 'declined' || state === 'not done') && sentAt === undefined;
}

/** First and default, so that a client that fills in a form by itself declines. */
const no = 'Do not send';

/** Names the plan, so that a yes to one question can't be a yes to another. */
function yesTo({ id }: Plan): string {
  return `Send it (plan ${id})`;
}

/** A refund that the name of the tool does not suggest is a question of its own. */
const noRefund = 'Do not refund';

function refundYesTo({ facts }: Plan): string {
  return `Refund ${refundText(facts)}`;
}

function approvalQuestion(plan: Plan): Question {
  const { facts, id, madeBy, profile, service } = plan;
  const refund = unexpectedRefund(facts);
  const account = profile === undefined ? 'the key in CB_API_KEY' : `profile ${profile}`;
  const message = [
    ...factLines(facts).map(oneLine),
    `Account: ${account} at ${service}. Plan ${id}, asked for by ${oneLine(madeBy)}.`,
  ].join('\n');
  return {
    message,
    fields: {
      decision: choiceOf('Send this request?', [no, yesTo(plan)]),
      ...(refund && { refund: choiceOf('Allow this refund?', [noRefund, refundYesTo(plan)]) }),
    },
    required: ['decision', ...(refund ? ['refund'] : [])],
  };
}

function choiceOf(title: string, values: readonly [no: string, yes: string]): FormField {
  return { type: 'string', title, enum: values, default: values[0] };
}

/** True only for an accepted form with exactly these answers and nothing else. */
function isYes(answer: Answer, plan: Plan): boolean {
  if (answer.action !== 'accept') return false;
  const expected: Readonly<Record<string, string>> = {
    decision: yesTo(plan),
    ...(unexpectedRefund(plan.facts) && { refund: refundYesTo(plan) }),
  };
  const names = Object.keys(expected);
  const given = Object.keys(answer.content);
  return (
    given.length === names.length && names.every((name) => answer.content[name] === expected[name])
  );
}

/** Names and comments can't begin a line that looks like one of the question. */
function oneLine(text: string): string {
  return withoutControls(text.replaceAll(/\s+/g, ' '));
}

/** A write that was planned and not stored. */
interface Draft {
  readonly operation: Operation;
  readonly args: Arguments;
  readonly facts: PlanFacts;
  /** From before the facts were read. */
  readonly begun: Date;
}

/**
 * Stores a plan. Throws a LedgerError, and a WorkflowError (`existing-match`) if it is not known whether an earlier
 * plan about the same order or ticket was carried out, or if the service does not show that it was.
 */
async function storeDraft(
  approvals: Approvals,
  { operation, args, facts, begun }: Draft,
  madeBy: string,
): Promise<Plan> {
  const { ledger, owner } = approvals;
  const created = begun.getTime();
  const plan: Plan = {
    ...{ version: 1, id: createPlanId() },
    createdAt: new Date(created).toISOString(),
    expiresAt: new Date(created + planLifetime).toISOString(),
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
  const open = await openPlanAbout(approvals.ledger, plan, now);
  if (open) throw refused(`The outcome of ${nameOf(open)}, is unknown.`, 'Check its status first.');
  const others = await plansAbout(approvals.ledger, plan, now);
  const age = ({ entry }: PlanRecord) => Math.abs(now.getTime() - Date.parse(entry.at));
  const [latest] = others
    .filter((one) => one.entry.state === 'done' && age(one) < recently)
    .sort((one, other) => age(one) - age(other));
  if (!latest) return undefined;
  const { at } = latest.entry;
  if (age(latest) < longestLag && !(await isShown(approvals, latest))) {
    const end = new Date(Date.parse(at) + longestLag).toISOString();
    const message = `ClickBank does not yet show the write of ${nameOf(latest.plan.id)}.`;
    throw refused(message, `Wait until ${end.slice(11, 19)} UTC.`);
  }
  const { id, facts, args } = latest.plan;
  return { plan: id, at, action: facts.action, isEqual: isDeepStrictEqual(args, plan.args) };
}

function nameOf(id: string): string {
  return `plan ${id}, which is about the same order or ticket`;
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
