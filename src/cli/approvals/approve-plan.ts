/** `cb approve ID`: shows the facts of a plan, asks a person, and sends it once. */
import type { Approvals } from '../../workflows/approvals/approvals.ts';
import {
  type Approved,
  approvePlan,
  checkPlan,
  declinePlan,
  waitingPlan,
} from '../../workflows/approvals/approve.ts';
import { factLines, refundText, unexpectedRefund } from '../../workflows/approvals/facts.ts';
import { operationOf, type Plan, planIdFrom } from '../../workflows/approvals/plan.ts';
import { readPlan } from '../../workflows/approvals/plan-store.ts';
import { reasonOf, WorkflowError } from '../../workflows/errors.ts';
import { whyUnverifiable } from '../../workflows/safe-write/rules.ts';
import { unknownOutcome } from '../../workflows/safe-write/safe-write.ts';
import { showValue } from '../display/show.ts';
import { isStructured, type OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext, Session } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import { ledgerOf } from '../runtime/ledger.ts';
import { serviceName } from '../session/session.ts';
import { withApprovals } from './plan-access.ts';

/** Where the person answered, in the ledger. */
const here = 'terminal';

export async function declineOnly(cmd: CommandContext, typed: string): Promise<void> {
  const id = planIdFrom(typed);
  const { context, messages } = cmd;
  await declinePlan({ ledger: ledgerOf(context), now: () => context.now() }, id, here);
  messages.say(`Declined plan ${id}. Nothing was sent.`);
}

export async function approveOne(
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
