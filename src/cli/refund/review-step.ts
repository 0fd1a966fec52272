/** The last screen: exactly what will be sent. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import { tickets } from '../../operations/tickets.ts';
import { ticketArguments } from '../../workflows/refund/ticket.ts';
import { planWrite, statementOf } from '../../workflows/safe-write/confirmation.ts';
import { requestText } from '../endpoint/dry-run.ts';
import { type Draft, subjectOf } from './draft.ts';
import { back, type Step } from './steps.ts';
import { askChoice, tellWrapped, type WizardContext } from './wizard-context.ts';

/** The write that a finished draft asks for. */
export interface DraftedWrite {
  readonly operation: Operation;
  readonly args: Arguments;
}

export function writeOf(draft: Draft): DraftedWrite {
  const { commentOn, type = 'rfnd', reason, refundType, refundAmount, comment } = draft;
  if (commentOn !== undefined) {
    return { operation: tickets.comment, args: { id: commentOn, comment } };
  }
  if (reason === undefined) throw new Error('no reason is chosen yet');
  const { retainSubscription } = draft;
  const args = ticketArguments(subjectOf(draft), {
    ...{ type, reason },
    ...(refundType && { refundType }),
    ...(refundAmount && { refundAmount }),
    ...(comment && { comment }),
    ...(retainSubscription && { retainSubscription }),
  });
  return { operation: tickets.create, args };
}

/** `service` names where it goes. */
export function review(context: WizardContext, service: string): Step<Draft> {
  return async (draft) => {
    const { operation, args } = writeOf(draft);
    const plan = await planWrite(context.api, operation, args);
    context.messages.say('');
    tellWrapped(context, statementOf(plan));
    context.messages.say(`This request will be sent to ${service}:`);
    for (const line of requestText(plan.request).split('\n')) tellWrapped(context, line, '  ');
    const answer = await askChoice(context, 'Send this request?', [
      { value: 'send', name: 'Send it', short: 'yes' },
    ]);
    return answer === back ? back : draft;
  };
}
