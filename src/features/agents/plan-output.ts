/** What all write tools return: the plan, and what became of it. */
import { detailsOf, requestText, warningsOf } from './approvals/facts.ts';
import type { PlanStatus } from './approvals/plan-status.ts';
import { listOf, outputOf, text } from './arguments.ts';
import type { ObjectSchema } from './tool.ts';

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
