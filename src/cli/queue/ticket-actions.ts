/** The actions on the ticket itself: close, reopen, acknowledge a return, and undo. */
import { tickets } from '../../operations/tickets.ts';
import type { ActionName } from '../../workflows/queue/possible-actions.ts';
import type { TicketDetails } from '../../workflows/queue/ticket-details.ts';
import { problemWith } from '../flags/values.ts';
import type { Proposal } from './confirm-action.ts';
import { proposeCancellation, proposeRefund } from './refund-action.ts';
import { proposeReply } from './reply-action.ts';
import { idOf, type WorkContext } from './work-context.ts';

type Propose = (context: WorkContext, details: TicketDetails) => Promise<Proposal | undefined>;

/** Asks for what an action needs. Undefined if the person gave up. */
export const proposals: Readonly<Record<ActionName, Propose>> = {
  refund: proposeRefund,
  cancel: proposeCancellation,
  reply: proposeReply,
  close: async (_, details) => ({
    ...{ name: 'close', operation: tickets.close, args: { id: idOf(details) } },
  }),
  reopen: (context, details) => proposeReopening(context, details),
  return: async (_, details) => ({
    ...{ name: 'return', operation: tickets.returned, args: { id: idOf(details) } },
  }),
};

/** The service requires a comment. */
async function proposeReopening(
  { prompts, today }: WorkContext,
  details: TicketDetails,
  initial?: string,
): Promise<Proposal | undefined> {
  const question = 'Why do you reopen the ticket? (empty: back):';
  const problemOf = (answer: string) =>
    answer.trim() === ''
      ? undefined
      : problemWith(tickets.reopen.params.comment, answer.trim(), today);
  const comment = (await prompts.input(question, problemOf, initial)).trim();
  if (comment === '') return undefined;
  const args = { id: idOf(details), comment };
  return { name: 'reopen', operation: tickets.reopen, args };
}

export async function proposeUndo(
  context: WorkContext,
  details: TicketDetails,
): Promise<Proposal | undefined> {
  const undo = context.done.undo.get(idOf(details));
  if (undo === 'reopen') return proposeReopening(context, details, 'Closed by mistake.');
  return proposals.close(context, details);
}
