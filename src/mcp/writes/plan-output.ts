/** What all write tools return: the plan, and what became of it. */
import type { PlanStatus } from '../../workflows/approvals/plan-status.ts';
import { listOf, type ObjectSchema, outputOf, text } from '../rows/schemas.ts';

/** Parts of it quote names, titles and comments. */
export const planTexts = ['action', 'warnings'];

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
  const { action, warnings, refund } = plan.facts;
  return {
    ...{ plan: plan.id, state, explanation, action, expiresAt: plan.expiresAt },
    warnings: warnings.map(({ message }) => `${message}.`),
    ...(refund?.amount !== undefined && { refund: refund.amount }),
    ...(refund?.currency !== undefined && { currency: refund.currency }),
  };
}
