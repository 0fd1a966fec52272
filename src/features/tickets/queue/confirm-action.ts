/**
 * Confirms and sends one action: reads the ticket again, plans the write, asks one question with its sentence and its
 * warnings, sends it once, and reports its outcome. Every write of the queue goes through here.
 */
import { reasonOf } from '../../../client/workflow-error.ts';
import { catalogue } from '../../../operations/index.ts';
import type { Arguments, Operation } from '../../../operations/operation.ts';
import { tickets } from '../../../operations/tickets.ts';
import {
  outcomeOf,
  type PlannedWrite,
  planWrite,
  sentencesOf,
} from '../../../safe-write/confirmation.ts';
import { existingMatch } from '../../../safe-write/rules.ts';
import { exitCodes, Failure } from '../../../shell/failure.ts';
import { hintsOn } from '../../../shell/options/write-options.ts';
import { whyNotSent } from '../../mirror/endpoint-write.ts';
import { askYes } from '../refund/dialog.ts';
import type { ActionName } from './possible-actions.ts';
import { draw, wrapped } from './screen.ts';
import { resolveAction, sameAction, sendAction } from './send-action.ts';
import type { TicketDetails } from './ticket-details.ts';
import { idOf, notify, subjectKey, type WorkContext } from './work-context.ts';

/** A write that a person has chosen and not confirmed yet. */
export interface Proposal {
  readonly name: ActionName;
  readonly operation: Operation;
  readonly args: Arguments;
  /** What is paid back, if known before. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** Offers to change the text; resolves to the new proposal, or to undefined if the person gave up. */
  edit?(): Promise<Proposal | undefined>;
}

/** A ticket read longer ago than this is read again before anything is sent. */
const freshFor = 3000;

/** Returns the current ticket, or undefined if somebody changed it: it is then shown again. */
export async function freshDetails(
  context: WorkContext,
  details: TicketDetails,
): Promise<TicketDetails | undefined> {
  const { client, clock } = context;
  if (clock.now() - details.readAt <= freshFor) return details;
  const readAt = clock.now();
  const ticket = await client.call(tickets.get, { id: idOf(details) });
  if (JSON.stringify(details.ticket) === JSON.stringify(ticket)) return { ...details, readAt };
  context.details.drop(idOf(details));
  notify(context, 'The ticket has changed since it was read. Nothing was sent. Look at it again.');
  return undefined;
}

/** Asks and sends. All results are shown as notices on the next screen. */
export async function proposeAction(
  context: WorkContext,
  details: TicketDetails,
  proposal: Proposal,
): Promise<void> {
  const { client, done } = context;
  const { operation, args } = proposal;
  if (done.sent.has(requestKey(proposal))) {
    const again = 'You have already sent exactly this in this session. Nothing was sent.';
    return notify(context, again);
  }
  const plan = await planWrite(client, operation, args);
  const existing = await existingMatch(client, operation, args);
  const failure = whyNotSent(plan.warnings, {}, { isConfirmed: true, existing });
  if (failure) {
    const hint = existing === undefined ? failure.hint : 'Nothing was sent.';
    return notify(context, [failure.message, hint].filter(Boolean).join(' '));
  }
  const answer = await askToSend(context, details, plan, proposal);
  if (answer === 'edit') {
    const edited = await proposal.edit?.();
    if (edited) return proposeAction(context, details, edited);
  }
  if (answer !== 'send') return notify(context, 'Nothing was sent.');
  const fresh = await freshDetails(context, details);
  if (fresh) await send(context, fresh, plan, proposal);
}

async function askToSend(
  context: WorkContext,
  details: TicketDetails,
  plan: PlannedWrite,
  { edit }: Proposal,
): Promise<'send' | 'edit' | 'no'> {
  const { service, isDryRun, prompts, done } = context;
  const late = done.unknown.has(subjectKey(details))
    ? ['An earlier write about this order was not found, but it may still arrive.']
    : [];
  const where = isDryRun ? 'Dry run: nothing is sent.' : `Using ${service}.`;
  const parts = [sentencesOf(plan, '?'), ...hintsOn(plan.codes), ...late, where];
  draw(context, [{ text: '' }, ...wrapped(context, parts.join(' '))]);
  const more = edit ? [{ key: 'e', name: 'edit' }] : [];
  const key = await askYes(prompts, 'Send it? (y/N)', 'send', more);
  if (key === 'e') return 'edit';
  if (key !== 'y') return 'no';
  const refund = plan.warnings.find(({ requires }) => requires === 'allow-refund');
  if (!refund) return 'send';
  // What a command without prompts refuses unless --allow-refund is given, is a question of its own.
  draw(context, wrapped(context, `${refund.message}.`, { color: 'yellow' }));
  const allowed = await askYes(prompts, 'Allow this refund? (y/N)', 'allow it');
  return allowed === 'y' ? 'send' : 'no';
}

async function send(
  context: WorkContext,
  details: TicketDetails,
  plan: PlannedWrite,
  proposal: Proposal,
): Promise<void> {
  const { sender, cmd, done } = context;
  const { operation, args } = proposal;
  const about = aboutOf(details, plan, proposal);
  if (context.isDryRun) {
    const time = sender.now().toISOString();
    done.records.push({ ...about, time, outcome: 'dry run', detail: 'Not sent.' });
    return notify(context, `Dry run: ${plan.action}. Nothing was sent.`);
  }
  cmd.messages.status('Sending …');
  const result = await sendAction(sender, { operation, args, about });
  cmd.messages.status('');
  // The ticket and everything about its order is read again when it is shown next.
  context.details.drop(idOf(details));
  const { record, open, reply, isUnsent, problem } = result;
  const { outcome, detail } = record;
  if (!isUnsent) done.records.push(record);
  if (isUnsent) notify(context, detail);
  else if (open) {
    done.unknown.set(subjectKey(details), { open, record, isLookedAt: false });
    const cause = detail.replace(/\.$/, '');
    notify(context, `Outcome unknown: ${cause}. Press l to look before you do anything else.`);
  } else if (outcome === 'done') {
    markDone(context, details, proposal, outcomeOf(plan, reply));
  } else notify(context, `Not done: ${detail}`);
  await context.logAction(result);
  if (problem === undefined) return;
  throw new Failure(exitCodes.incomplete, reasonOf(problem), {
    hint: 'The last action was sent, but its outcome is not recorded. Check its ticket.',
    cause: problem,
  });
}

function aboutOf(
  details: TicketDetails,
  plan: PlannedWrite,
  { name, args, ...proposal }: Proposal,
) {
  const { ticket, payment } = details;
  const pays = plan.warnings.find(({ requires }) => requires === 'allow-refund');
  const isReturn = name === 'return';
  const amount = proposal.amount ?? pays?.amount ?? (isReturn ? ticket.refundAmount : undefined);
  const currency = proposal.currency ?? pays?.currency ?? payment?.currency;
  return {
    ticketId: idOf(details),
    receipt: String(args.receipt ?? ticket.receipt ?? ''),
    email: ticket.email ?? ticket.emailAtOrderTime ?? '',
    action: name,
    amount: amount ?? '',
    currency: (amount ? currency : undefined) ?? '',
  };
}

/** `outcome`: what was done and what follows. */
function markDone(
  context: WorkContext,
  details: TicketDetails,
  proposal: Proposal,
  outcome: string,
): void {
  const { done } = context;
  const { name, args } = proposal;
  const { ticket } = details;
  const open = done.unknown.get(subjectKey(details))?.open;
  const receipt = String(args.receipt ?? ticket.receipt ?? '');
  const about = { action: name, about: receipt || idOf(details), ticket: idOf(details) };
  // What a later look finds is this write.
  if (open && sameAction(open) === sameAction(about)) done.unknown.delete(subjectKey(details));
  notify(context, outcome);
  if (name === 'refund' || name === 'cancel') done.refunded.add(receipt);
  if (name === 'reply') done.sent.add(requestKey(proposal));
  if (name === 'close') done.undo.set(idOf(details), 'reopen');
  if (name === 'reopen') done.undo.set(idOf(details), 'close');
}

function requestKey({ operation, args }: Proposal): string {
  return JSON.stringify([operation.command, args]);
}

/** Why nothing can be sent about this order now; undefined if something can. */
export function whyBlocked(context: WorkContext, details: TicketDetails): string | undefined {
  const unknown = context.done.unknown.get(subjectKey(details));
  if (!unknown || unknown.isLookedAt) return undefined;
  return 'The outcome of the last write about this order is unknown. Press l to look again.';
}

export async function lookAgain(context: WorkContext, details: TicketDetails): Promise<void> {
  const { done, sender, cmd } = context;
  const unknown = done.unknown.get(subjectKey(details));
  if (!unknown) return notify(context, 'No write about this order has an unknown outcome.');
  const { open, record } = unknown;
  cmd.messages.status('Looking for the write …');
  const state = await resolveAction(sender, open);
  cmd.messages.status('');
  context.details.drop(idOf(details));
  if (state !== 'done') {
    done.unknown.set(subjectKey(details), { ...unknown, isLookedAt: true });
    const late = 'ClickBank does not show it. It may still arrive, so check before you repeat it.';
    return notify(context, late);
  }
  done.unknown.delete(subjectKey(details));
  // The table at the end shows what is known now.
  if (record) {
    const detail = 'The response was lost, but a later look found it.';
    const time = sender.now().toISOString();
    done.records[done.records.indexOf(record)] = { ...record, time, outcome: 'done', detail };
  }
  const operation = catalogue.find(({ command }) => command === open.operation);
  if (!operation) return;
  const { args = {}, action: name } = open;
  const proposal = { name: name as ActionName, operation, args: args as Arguments };
  markDone(context, details, proposal, 'ClickBank shows the write, so it is done.');
}
