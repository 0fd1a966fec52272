/** The way of every write tool: plan it, ask a person with exactly those facts, and send it once. */

import { isDeepStrictEqual } from 'node:util';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { WorkflowError } from '../../client/workflow-error.ts';
import { addDecimals, countOf } from '../../decimals/decimals.ts';
import { isOpen, planLifetime } from '../../ledger/entry.ts';
import type { Operation } from '../../operations/operation.ts';
import { findWrite } from '../../safe-write/safe-write.ts';
import { type Approvals, approvePlan, declinePlan, statusFrom } from './approvals/approve.ts';
import {
  detailsOf,
  type EarlierWrite,
  factLines,
  factsOf,
  isUnexpectedRefund,
  type Refund,
  refundText,
  requestText,
  warningsOf,
} from './approvals/facts.ts';
import {
  createPlanId,
  operationOf,
  type Plan,
  planIn,
  plansAbout,
  readPlan,
  storePlan,
} from './approvals/plan.ts';
import { operationArguments } from './arguments.ts';
import { withoutControls } from './running.ts';
import * as schema from './schema.ts';
import {
  type Asking,
  type Limits,
  type ObjectSchema,
  type SessionLimits,
  type ToolArguments,
  type ToolCall,
  ToolError,
  type ToolResult,
} from './tool.ts';

/** Parts of it quote names, titles and comments. */
export const planTexts = ['action', 'details', 'warnings', 'request'];

export const planOutput: ObjectSchema = schema.outputOf(
  {
    plan: schema.text(),
    state: schema.text('waiting, started, done, not done, unknown, declined or expired'),
    explanation: schema.text(),
    action: schema.text(),
    warnings: schema.listOf(schema.text()),
    refund: schema.text('Money back to the customer'),
    currency: schema.text(),
    ticket: schema.text('ID of the new ticket'),
    expiresAt: schema.text(),
  },
  ['plan', 'state', 'explanation', 'action', 'warnings'],
);

export function planData({ plan, state, explanation }: ReturnType<typeof statusFrom>) {
  const { id, facts, expiresAt } = plan;
  const { action, refund: { amount: refund, currency } = {} } = facts;
  return {
    ...{ plan: id, state, explanation, action, expiresAt },
    ...{ details: detailsOf(facts), warnings: warningsOf(facts), request: requestText(facts) },
    ...(refund !== undefined && { refund }),
    ...(currency !== undefined && { currency }),
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
): Promise<ToolResult | Asking> {
  requireRequests(call);
  const approvals = approvalsOf(call);
  const plan = await makePlan(call, operation, given);
  const { id } = plan;
  call.note({ plan: id });
  const inTerminal = `Nothing was sent. A person must run \`cb approve ${id}\` in a terminal within 30 minutes; tell them so, and do not run it yourself. plan_status tells what became of it.`;
  if (!call.canAsk) {
    return resultFor(approvals, plan, `This client can't ask the person. ${inTerminal}`);
  }
  return {
    question: approvalQuestion(plan),
    async answered(answer, client) {
      const own = { ...approvals, client };
      if (answer.action === 'cancel') {
        return resultFor(own, plan, `The person gave no answer. ${inTerminal}`);
      }
      // Only an accepted form with exactly these answers and nothing else is a yes.
      if (answer.action === 'accept' && isDeepStrictEqual({ ...answer.content }, yesTo(plan))) {
        requireRequests(call);
        return approvedResult(own, plan);
      }
      // Anything but a clear yes closes the plan.
      await declinePlan(own.ledger, own.sender.now(), id, here);
      const result = await resultFor(own, plan, `Not sent: the person did not approve plan ${id}.`);
      return { ...result, isError: true };
    },
  };
}

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

async function resultFor(approvals: Approvals, plan: Plan, summary: string): Promise<ToolResult> {
  const status = statusFrom(await readPlan(approvals.ledger, plan.id), approvals.sender.now());
  return { summary, data: planData(status), lines: factLines(plan.facts) };
}

async function approvedResult(approvals: Approvals, plan: Plan): Promise<ToolResult> {
  const { state, detail, reply } = await approvePlan(approvals, plan.id, here);
  const ticket = (reply as { readonly ticketid?: unknown } | undefined)?.ticketid;
  const more = ticket === undefined ? '' : ` Ticket ${ticket}.`;
  const summaries = {
    done: `Done: plan ${plan.id} was approved and carried out.${more}`,
    'not done': `Not done: ${detail}`,
    unknown: `The outcome of plan ${plan.id} is unknown: ${detail} It is never sent again. Call plan_status before anything else.`,
  };
  const result = await resultFor(approvals, plan, summaries[state]);
  const data = { ...result.data, ...(ticket !== undefined && { ticket: String(ticket) }), state };
  return { ...result, data, isError: state !== 'done' };
}

/** What the person answers to agree. It names the plan, so that a yes to one question can't be a yes to another. */
function yesTo({ id, facts }: Plan): { readonly decision: string; readonly refund?: string } {
  // A refund that the name of the tool does not suggest is a question of its own.
  const refund = isUnexpectedRefund(facts) && { refund: `Refund ${refundText(facts)}` };
  return { decision: `Send it (plan ${id})`, ...refund };
}

function approvalQuestion(plan: Plan): ElicitRequestFormParams {
  const { facts, id, madeBy, profile, service } = plan;
  const account = profile === undefined ? 'the key in CB_API_KEY' : `profile ${profile}`;
  const { decision, refund } = yesTo(plan);
  // No is first and default, so that a client that fills in a form by itself declines.
  const choose = (title: string, no: string, yes: string) =>
    ({ type: 'string', title, enum: [no, yes], default: no }) as const;
  const properties = {
    decision: choose('Send this request?', 'Do not send', decision),
    ...(refund && { refund: choose('Allow this refund?', 'Do not refund', refund) }),
  };
  return {
    mode: 'form',
    message: [
      ...factLines(facts).map(oneLine),
      `Account: ${account} at ${service}. Plan ${id}, asked for by ${oneLine(madeBy)}.`,
    ].join('\n'),
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  };
}

/** Names and comments can't begin a line that looks like one of the question. */
function oneLine(text: string): string {
  return withoutControls(text.replaceAll(/\s+/g, ' '));
}

/**
 * Stores a plan within the limits of the session. Throws a ToolError for wrong arguments, a LedgerError, and a WorkflowError
 * (`existing-match`) if it is not known whether an earlier plan about the same order or ticket was carried out, or if the
 * service does not show that it was.
 */
async function makePlan(call: ToolCall, operation: Operation, given: ToolArguments): Promise<Plan> {
  const approvals = approvalsOf(call);
  const { ledger, owner, sender } = approvals;
  const { limits, refunds } = call.limits;
  const args = operationArguments(operation, given, call.today);
  // From before the facts are read.
  const created = sender.now().getTime();
  const facts = await factsOf(call.client, operation, args);
  const plan: Plan = {
    ...{ version: 1, id: createPlanId() },
    createdAt: new Date(created).toISOString(),
    expiresAt: new Date(created + planLifetime).toISOString(),
    madeBy: oneLine(call.by ?? 'an agent').slice(0, 60),
    ...{ service: owner.service, command: operation.command, args, facts },
    ...(owner.profile !== undefined && { profile: owner.profile }),
  };
  if (facts.refund) {
    await forgetClosed(refunds, approvals);
    requireWithin(limits, [...refunds.values()], facts.refund);
    refunds.set(plan.id, facts.refund);
  }
  try {
    const earlier = await earlierWrite(approvals, plan);
    const known = { ...plan, facts: { ...facts, ...(earlier && { earlier }) } };
    await storePlan(ledger, known, owner);
    return known;
  } catch (error) {
    refunds.delete(plan.id);
    throw error;
  }
}

/** An approval that has begun just before the end of a plan may still be decided. */
const grace = 120_000;

/** A plan counts until it is certain that it can't be sent: declined, expired, or closed because it no longer held. */
async function forgetClosed(refunds: SessionLimits['refunds'], { ledger, sender }: Approvals) {
  // Not the plans, whose texts go after a day.
  const { entries } = await ledger.read();
  for (const id of refunds.keys()) {
    const { state, at = '', sentAt } = entries.get(id) ?? {};
    const isClosed =
      state === 'planned'
        ? sender.now().getTime() > Date.parse(at) + planLifetime + grace
        : (state === 'declined' || state === 'not done') && sentAt === undefined;
    if (isClosed) refunds.delete(id);
  }
}

/** Throws a WorkflowError (`declined`) if one more refund would exceed the limits. */
export function requireWithin(
  { refunds, refundTotals }: Pick<Limits, 'refunds' | 'refundTotals'>,
  planned: readonly Refund[],
  { amount, currency }: Refund,
): void {
  const hint = 'Nothing was sent. Only a person can start a session with higher limits.';
  const refused = (problem: string) => new WorkflowError('declined', problem, { hint });
  if (refunds !== undefined && planned.length >= refunds) {
    throw refused(`This session may make at most ${countOf(refunds, 'refund')}.`);
  }
  if (Object.keys(refundTotals).length === 0) return;
  if (amount === undefined || currency === undefined) {
    throw refused('This session has a limit for refunds, and the amount of this one is not known.');
  }
  const limit = Object.hasOwn(refundTotals, currency) ? refundTotals[currency] : undefined;
  if (limit === undefined) throw refused(`This session may refund nothing in ${currency}.`);
  const same = planned.filter((one) => one.currency === currency).map((one) => one.amount ?? '0');
  const left = addDecimals([limit, ...[...same, amount].map((one) => `-${one}`)]);
  if (left !== undefined && !left.startsWith('-')) return;
  throw refused(
    `This session may refund at most ${limit} ${currency} in total, and ${amount} ${currency} more would exceed that.`,
  );
}

/** Milliseconds in which reads may not show a write yet. */
const longestLag = 120_000;

/** Milliseconds in which a person wants to know of a write before this one. */
const recently = 86_400_000;

/** The latest write about the same order or ticket. Throws a WorkflowError if it is open, or ClickBank does not show it yet. */
async function earlierWrite(approvals: Approvals, plan: Plan): Promise<EarlierWrite | undefined> {
  const { client, ledger, sender, verification } = approvals;
  const now = sender.now();
  const refused = (message: string, step: string) =>
    new WorkflowError('existing-match', message, { hint: `Nothing was sent. ${step}` });
  const nameOf = (id: string) => `plan ${id}, which is about the same order or ticket`;
  const others = await plansAbout(ledger, plan, now);
  const open = others.find(isOpen);
  if (open) {
    throw refused(`The outcome of ${nameOf(open.id)}, is unknown.`, 'Check its status first.');
  }
  const [latest] = others
    .flatMap((entry) => {
      const its = planIn(entry);
      const age = Math.abs(now.getTime() - Date.parse(entry.at));
      return its && entry.state === 'done' && age < recently ? [{ ...entry, its, age }] : [];
    })
    .sort((one, other) => one.age - other.age);
  if (!latest) return undefined;
  const { id, at, its, age, before = null } = latest;
  // One that can't be verified counts as shown: no look would find it.
  if (age < longestLag && before !== null) {
    const query = { before, until: verification.clock.now() };
    const { found } = await findWrite(client, operationOf(its), its.args, query, verification);
    if (!found) {
      // Rounded up, because it is shown in whole seconds.
      const end = new Date(Date.parse(at) + longestLag + 999).toISOString().slice(11, 19);
      const message = `ClickBank does not yet show the write of ${nameOf(id)}.`;
      throw refused(message, `Wait until ${end} UTC.`);
    }
  }
  const isEqual = isDeepStrictEqual(its.args, plan.args);
  return { plan: id, at, action: its.facts.action, isEqual };
}
