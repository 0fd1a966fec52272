/** The last screen: exactly what will be sent. */
import { type Request, requestFor } from '../../api/request.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { tickets } from '../../operations/tickets.ts';
import { type Draft, skuOf, subjectOf, type TicketArguments } from './draft.ts';
import { plannedEffect } from './effect.ts';
import { back, type Step } from './steps.ts';
import { askChoice, tellWrapped, type WizardContext } from './wizard-context.ts';

/** The write that a finished draft asks for. */
export interface DraftedWrite {
  readonly operation: Operation;
  readonly args: Arguments;
}

export function writeOf(draft: Draft): DraftedWrite {
  const { commentOn, comment = '' } = draft;
  if (commentOn !== undefined) {
    const operation = tickets.comment;
    return { operation, args: { id: commentOn, comment } };
  }
  return { operation: tickets.create, args: ticketArguments(draft) };
}

function ticketArguments(draft: Draft): TicketArguments {
  const { payment, item } = subjectOf(draft);
  const { type = 'rfnd', reason, refundType, refundAmount, comment, keeps } = draft;
  return {
    receipt: payment.receipt ?? '',
    type,
    reason: reason as TicketArguments['reason'],
    ...(refundType && { refundType }),
    ...(refundAmount && { refundAmount }),
    ...skuOf(payment, item.itemNo),
    ...(comment && { comment }),
    ...(keeps && { retainSubscription: true }),
  };
}

/** Method, path and each parameter on a line of its own. */
function requestLines({ method, path, query }: Request): string[] {
  return [`${method} ${path}`, ...query.map(([name, value]) => `  ${name}=${value}`)];
}

/** `service` names where it goes. A dry run ends here without a question. */
export function review(context: WizardContext, service: string, isDry: boolean): Step<Draft> {
  return async (draft) => {
    context.messages.say('');
    tellWrapped(context, plannedEffect(draft));
    if (isDry) return draft;
    context.messages.say(`This request will be sent to ${service}:`);
    const { operation, args } = writeOf(draft);
    for (const line of requestLines(requestFor(operation, args))) tellWrapped(context, line, '  ');
    const answer = await askChoice(context, 'Send this request?', [
      { value: 'send', name: 'Send it', short: 'yes' },
    ]);
    return answer === back ? back : draft;
  };
}
