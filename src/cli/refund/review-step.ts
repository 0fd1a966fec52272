/** The last screen: exactly what will be sent. */
import { type Request, requestFor } from '../../api/request.ts';
import { tickets } from '../../operations/tickets.ts';
import { skuOf } from './amount-step.ts';
import { choose, type Desk, tellWrapped } from './desk.ts';
import { type Draft, subjectOf, type TicketArguments } from './draft.ts';
import { plannedEffect } from './effect.ts';
import { back, type Step } from './walk.ts';

/** What the finished draft comes to. */
export function ticketArguments(draft: Draft): TicketArguments {
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
export function requestLines({ method, path, query }: Request): string[] {
  return [`${method} ${path}`, ...query.map(([name, value]) => `  ${name}=${value}`)];
}

/** `where` names the service. A dry run ends here without a question. */
export function review(desk: Desk, where: string, isDry: boolean): Step<Draft> {
  return async (draft) => {
    desk.messages.say('');
    tellWrapped(desk, plannedEffect(draft));
    if (isDry) return draft;
    desk.messages.say(`This will be sent to ${where}:`);
    const lines = requestLines(requestFor(tickets.create, ticketArguments(draft)));
    for (const line of lines) tellWrapped(desk, line, '  ');
    const answer = await choose(desk, 'Shall it be sent', [
      { value: 'send', name: 'Send it', short: 'yes' },
    ]);
    return answer === back ? back : draft;
  };
}
