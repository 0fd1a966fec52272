/** What a plan says about money that it may pay back. */
import { expect, test } from 'vitest';
import { factsOf, refundText } from '../../../../src/features/agents/approvals/facts.ts';
import type { Operation } from '../../../../src/operations/operation.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { servedClient } from '../../../support/client.ts';

const cancel = { receipt: 'MONTHLY1', type: 'cncl', reason: 'ticket.type.cancel.7' };

test.each<[string, Operation, object, string | undefined, string]>([
  ['may refund a sale', tickets.create, cancel, 'an unknown amount', 'Cancel MONTHLY1'],
  ['cancels a refund at most', tickets.close, { id: '1001' }, undefined, 'Close ticket 1001'],
  [
    'pays back what was returned',
    tickets.returned,
    { id: '1004' },
    'an unknown amount',
    'Acknowledge the return for ticket 1004 and complete its refund',
  ],
])(
  'says what a write that %s pays back if nothing can be read',
  async (_, operation, args, text, action) => {
    const { client } = await servedClient(() => ({ status: 403, body: 'no permission' }));
    const facts = await factsOf(client, operation, args);
    expect(facts.action).toBe(action);
    expect(facts.warnings).toMatchObject([{ kind: 'not-checked' }]);
    expect(refundText(facts)).toBe(text);
  },
);
