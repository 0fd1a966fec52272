/** `cb approve`: the yes of a person to a write that an agent has planned. */

import { reasonOf, WorkflowError } from '../../../client/workflow-error.ts';
import { decimal, resource, text, time } from '../../../operations/resource.ts';
import { onePage } from '../../../output/stream.ts';
import { whyUnverifiable } from '../../../safe-write/rules.ts';
import { unknownOutcome } from '../../../safe-write/safe-write.ts';
import type { CommandContext, Session } from '../../../shell/command-context.ts';
import { command } from '../../../shell/define.ts';
import { showPages, showValue } from '../../../shell/display/show.ts';
import { exitCodes } from '../../../shell/exit-codes.ts';
import { Failure, usage } from '../../../shell/failure.ts';
import { ledgerOf } from '../../../shell/ledger.ts';
import { isStructured, type OutputOptions } from '../../../shell/options/show-flags.ts';
import { serviceName } from '../../../shell/session/session.ts';
import type { Approvals } from './approvals.ts';
import { type Approved, approvePlan, checkPlan, declinePlan, waitingPlan } from './approve.ts';
import { factLines, refundText, unexpectedRefund, warningsOf } from './facts.ts';
import { operationOf, type Plan, planIdFrom } from './plan.ts';
import { withApprovals } from './plan-access.ts';
import { listPlans, type PlanRecord, readPlan, stateOf } from './plan-store.ts';

/** Where the person answered, in the ledger. */
const here = 'terminal';

async function declineOnly(cmd: CommandContext, typed: string): Promise<void> {
  const id = planIdFrom(typed);
  const { context, messages } = cmd;
  await declinePlan({ ledger: ledgerOf(context), now: () => context.now() }, id, here);
  messages.say(`Declined plan ${id}. Nothing was sent.`);
}

async function approveOne(
  cmd: CommandContext,
  output: OutputOptions,
  typed: string,
): Promise<void> {
  const id = planIdFrom(typed);
  const { plan } = await readPlan(ledgerOf(cmd.context), id);
  requirePerson(cmd, id);
  await withApprovals(cmd, plan, async (approvals, session) => {
    const waiting = await waitingPlan(approvals, id);
    await checkPlan(approvals, waiting, here);
    await askPerson(cmd, approvals, waiting, session);
    const approved = await approvePlan(approvals, id, here, () => cmd.messages.status('Sending …'));
    cmd.messages.status('');
    await showOutcome(cmd, output, waiting, approved);
  });
}

/** Set by agents in the shells that they use. It keeps an honest agent out, not one that unsets them. */
const agentVariables = ['CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI', 'CODEX_SANDBOX'];

/** This yes must be the yes of a person, so no option replaces it. */
function requirePerson({ context, mayAsk }: CommandContext, id: string): void {
  const hint = `Nothing was sent. Run cb approve ${id} yourself in a terminal. There is no --yes for it.`;
  const variable = agentVariables.find((name) => context.env[name]);
  if (variable !== undefined) {
    const message = `Only a person can approve a plan, and this is the shell of an agent (${variable} is set).`;
    throw new Failure(exitCodes.declined, message, { hint });
  }
  if (mayAsk) return;
  const message = 'Only a person at a terminal can approve a plan.';
  throw new Failure(exitCodes.declined, message, { hint });
}

async function askPerson(
  cmd: CommandContext,
  approvals: Approvals,
  plan: Plan,
  session: Session,
): Promise<void> {
  const { messages } = cmd;
  messages.say(`Plan ${plan.id}, made by ${plan.madeBy}. Using ${serviceName(session)}.`);
  for (const line of factLines(plan.facts)) messages.say(line.replace(/^Warning:/, 'warning:'));
  const refund = unexpectedRefund(plan.facts);
  const isYes =
    (await isConfirmed(cmd, 'Send it? (y/N)', 'send')) &&
    (!refund ||
      (await isConfirmed(cmd, `Refund ${refundText(plan.facts)}? (y/N)`, 'allow this refund')));
  if (isYes) return;
  await declinePlan(approvals, plan.id, here);
  throw new Failure(exitCodes.declined, `Declined plan ${plan.id}. Nothing was sent.`);
}

/** A key that was pressed before the question appeared is not an answer, and neither is Enter. */
async function isConfirmed(cmd: CommandContext, question: string, name: string): Promise<boolean> {
  const prompts = await cmd.context.prompts();
  const key = await prompts.key(
    question,
    [
      { key: 'y', name, short: 'yes' },
      { key: 'n', name: 'do not send', short: 'no' },
      { key: 'enter', short: 'no' },
      { key: 'escape', short: 'no' },
    ],
    { isFresh: true },
  );
  return key === 'y';
}

async function showOutcome(
  cmd: CommandContext,
  output: OutputOptions,
  plan: Plan,
  { outcome, cause, problem }: Approved,
): Promise<void> {
  if (problem !== undefined) {
    cmd.messages.say(`warning: The outcome could not be saved (${reasonOf(problem)}).`);
  }
  const { state, detail } = outcome;
  if (state === 'unknown') throw unknownOutcome(cause, whyUnverifiable(operationOf(plan)));
  if (state === 'not done') throw new WorkflowError('not-done', reasonOf(cause), { cause });
  if (detail) cmd.messages.say(`note: ${detail}`);
  if (isStructured(output)) await showValue(cmd, output, { id: plan.id, state, detail });
  else cmd.messages.say(`Done: ${plan.facts.action}.`);
}

const planResource = resource(
  'plan',
  ['id', 'action', 'refund', 'currency', 'expires'],
  {
    id: text,
    action: text,
    refund: decimal,
    currency: text,
    warnings: text,
    profile: text,
    service: text,
    madeBy: text,
    expires: time,
  },
  { noun: 'plan' },
);

export const approve = command({
  words: 'approve',
  args: { '[id]': 'ID of the plan, such as k7qd-3mxp-9ftw (default: list the plans)' },
  options: { decline: ['--decline', 'Decline the plan, so that nobody can approve it'] },
  shows: { rows: true, shape: () => planResource },
  help: {
    notes: [
      'Agents that use cb mcp can only plan a write. With the ID of a plan, shows what it does, asks, and sends it once. Without an ID, lists the plans that wait.',
      'Needs a terminal: no option replaces your answer. A plan can be used once and expires after 30 minutes.',
    ],
    examples: ['cb approve'],
    remarks: [
      'Reads everything again before it sends. If anything has changed since the plan was made, nothing is sent.',
    ],
    obeys: ['--profile', '--sandbox', '--timeout', '--max-wait', '--wire', '--tz'],
    effect: 'destroys',
    topics: ['safety', 'exit-codes'],
  },
  async run(cmd, { id, decline }, output) {
    if (id !== undefined) {
      await (decline ? declineOnly(cmd, id) : approveOne(cmd, output, id));
      return;
    }
    if (decline) throw usage('--decline needs the ID of a plan.', { next: 'cb approve' });
    await listWaitingPlans(cmd, output);
  },
});

async function listWaitingPlans(cmd: CommandContext, output: OutputOptions): Promise<void> {
  const { context } = cmd;
  const all = await listPlans(ledgerOf(context));
  const rows = all.filter((one) => stateOf(one, context.now()) === 'waiting').map(rowOf);
  await showPages(cmd, output, { resource: planResource }, onePage(rows));
  const [first] = rows;
  if (first) cmd.messages.tell(`To see and approve one, run \`cb approve ${first.id}\`.`);
}

function rowOf({ plan }: PlanRecord) {
  const { id, facts, profile, service, madeBy, expiresAt } = plan;
  return {
    id,
    action: facts.action,
    refund: facts.refund?.amount ?? null,
    currency: facts.refund?.currency ?? null,
    warnings: warningsOf(facts).join(' ') || null,
    profile: profile ?? null,
    service,
    madeBy,
    expires: expiresAt,
  };
}
