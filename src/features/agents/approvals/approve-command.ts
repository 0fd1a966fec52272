/** `cb approve`: the yes of a person to a write that an agent has planned. */

import { reasonOf, WorkflowError } from '../../../client/workflow-error.ts';
import { decimal, resource, text, time } from '../../../operations/resource.ts';
import { onePage } from '../../../output/stream.ts';
import { outcomeOf } from '../../../safe-write/confirmation.ts';
import { whyUnverifiable } from '../../../safe-write/rules.ts';
import { unknownOutcome } from '../../../safe-write/safe-write.ts';
import type { CommandContext, Session } from '../../../shell/context.ts';
import { command } from '../../../shell/define.ts';
import { showPages, showValue } from '../../../shell/display/show.ts';
import { exitCodes, Failure, usage } from '../../../shell/failure.ts';
import { ledgerOf } from '../../../shell/lock.ts';
import { isStructured, type OutputOptions } from '../../../shell/options/show-flags.ts';
import { verificationFor } from '../../../shell/options/write-options.ts';
import { serviceDayOf, serviceName, withApi } from '../../../shell/session/session.ts';
import { senderOf } from '../../../shell/session/write-recorder.ts';
import { serviceLabel } from '../../sync/open-copy.ts';
import { askYes } from '../../tickets/refund/dialog.ts';
import { approvePlan, checkPlan, declinePlan, waitingPlan } from './approve.ts';
import { factLines, isUnexpectedRefund, refundText, warningsOf } from './facts.ts';
import { operationOf, type Plan, planIdFrom, planIn, readPlan, stateOf } from './plan.ts';

export function approvalsFor(cmd: CommandContext, session: Session) {
  const { context } = cmd;
  const { profile, key } = session;
  return {
    ledger: ledgerOf(context),
    owner: { profile, service: serviceLabel(session), key },
    sender: senderOf(cmd, session, 'agent'),
    processes: context.processes,
    verification: verificationFor(cmd, undefined),
  };
}

/** Where the person answered, in the ledger. */
const here = 'terminal';

async function approveOne(given: CommandContext, output: OutputOptions, id: string): Promise<void> {
  const { context, flags, messages } = given;
  const { profile } = (await readPlan(ledgerOf(context), id)).plan;
  requirePerson(given, id);
  // The service for which the plan was made, unless the command line names another profile.
  const isNamed = flags.profile !== undefined || flags.sandbox;
  const cmd: CommandContext =
    isNamed || profile === undefined ? given : { ...given, flags: { ...flags, profile } };
  const today = await serviceDayOf(cmd);
  await withApi(cmd, {}, async (client, session) => {
    const approvals = { ...approvalsFor(cmd, session), client, writer: client, today };
    const plan = await waitingPlan(approvals, id);
    await checkPlan(approvals, plan, here);
    await askPerson(cmd, plan, session);
    const sending = () => messages.status('Sending …');
    const sent = await approvePlan(approvals, id, here, sending);
    const { state, detail, cause, problem, reply } = sent;
    messages.status('');
    if (problem !== undefined) {
      messages.say(`warning: The outcome could not be saved (${reasonOf(problem)}).`);
    }
    if (state === 'unknown') throw unknownOutcome(cause, whyUnverifiable(operationOf(plan)));
    if (state === 'not done') throw new WorkflowError('not-done', reasonOf(cause), { cause });
    if (detail) messages.say(`note: ${detail}`);
    if (isStructured(output)) await showValue(cmd, output, { id, state, detail });
    else messages.say(outcomeOf({ ...plan.facts, effects: [] }, reply));
  });
}

/** Set by agents in the shells that they use. It keeps an honest agent out, not one that unsets them. */
const agentVariables = ['CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI', 'CODEX_SANDBOX'];

/** This yes must be the yes of a person, so no option replaces it. */
function requirePerson({ context, mayAsk }: CommandContext, id: string): void {
  const hint = `Nothing was sent. Run cb approve ${id} yourself in a terminal. There is no --yes for it.`;
  const variable = agentVariables.find((name) => context.env[name]);
  if (variable === undefined && mayAsk) return;
  const message =
    variable === undefined
      ? 'Only a person at a terminal can approve a plan.'
      : `Only a person can approve a plan, and this is the shell of an agent (${variable} is set).`;
  throw new Failure(exitCodes.declined, message, { hint });
}

async function askPerson(cmd: CommandContext, plan: Plan, session: Session): Promise<void> {
  const { context, messages } = cmd;
  const prompts = await context.prompts();
  const isConfirmed = async (question: string, yes: string) =>
    (await askYes(prompts, question, yes)) === 'y';
  messages.say(`Plan ${plan.id}, made by ${plan.madeBy}. Using ${serviceName(session)}.`);
  for (const line of factLines(plan.facts)) messages.say(line.replace(/^Warning:/, 'warning:'));
  const refund = `Refund ${refundText(plan.facts)}? (y/N)`;
  const isYes =
    (await isConfirmed('Send it? (y/N)', 'send')) &&
    (!isUnexpectedRefund(plan.facts) || (await isConfirmed(refund, 'allow this refund')));
  if (isYes) return;
  await declinePlan(ledgerOf(context), context.now(), plan.id, here);
  throw new Failure(exitCodes.declined, `Declined plan ${plan.id}. Nothing was sent.`);
}

const planResource = resource(
  'plan',
  ['id', 'action', 'refund', 'currency', 'expires'],
  {
    ...{ id: text, action: text, refund: decimal, currency: text, warnings: text },
    ...{ profile: text, service: text, madeBy: text, expires: time },
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
      'Agents that use cb mcp can only plan a write. With the ID of a plan, shows what it does, asks, and sends it once. Without an ID, lists the waiting plans.',
      'Needs a terminal: no option answers for you. A plan can be used once and expires after 30 minutes.',
    ],
    examples: ['cb approve'],
    remarks: [
      'Reads everything again before it sends. If anything has changed since the plan was made, nothing is sent.',
    ],
    obeys: ['--profile', '--sandbox', '--timeout', '--max-wait', '--wire', '--tz'],
    effect: 'destroys',
    topics: ['safety', 'exit-codes'],
  },
  async run(cmd, { id: typed, decline }, output) {
    const { context, messages } = cmd;
    if (typed === undefined) {
      if (decline) throw usage('--decline needs the ID of a plan.', { next: 'cb approve' });
      return listWaitingPlans(cmd, output);
    }
    const id = planIdFrom(typed);
    if (!decline) return approveOne(cmd, output, id);
    await declinePlan(ledgerOf(context), context.now(), id, here);
    messages.say(`Declined plan ${id}. Nothing was sent.`);
  },
});

async function listWaitingPlans(cmd: CommandContext, output: OutputOptions): Promise<void> {
  const { context, messages } = cmd;
  const { entries } = await ledgerOf(context).read();
  const rows = [...entries.values()].flatMap((entry) => {
    const plan = planIn(entry);
    if (!plan || stateOf({ plan, entry }, context.now()) !== 'waiting') return [];
    const { id, facts, profile = null, service, madeBy, expiresAt: expires } = plan;
    const { action, refund: { amount: refund = null, currency = null } = {} } = facts;
    const warnings = warningsOf(facts).join(' ') || null;
    return [{ id, action, refund, currency, warnings, profile, service, madeBy, expires }];
  });
  await showPages(cmd, output, { resource: planResource }, onePage(rows));
  const [first] = rows;
  if (first) messages.tell(`To see and approve one, run \`cb approve ${first.id}\`.`);
}
