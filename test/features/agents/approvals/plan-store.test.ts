/** IDs of plans and how long they last; limits of refunds are exact sums by currency; what a plan says about money. */
import { expect, test } from 'vitest';
import { factsOf, refundText } from '../../../../src/features/agents/approvals/facts.ts';
import {
  createPlanId,
  operationOf,
  type PlanRecord,
  planIdFrom,
  stateOf,
} from '../../../../src/features/agents/approvals/plan.ts';
import { requireWithin } from '../../../../src/features/agents/write-call.ts';
import { isInTime } from '../../../../src/ledger/entry.ts';
import type { Operation } from '../../../../src/operations/operation.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { servedClient } from '../../../support/client.ts';

test.each(['orders list', 'orders active', 'orders nothing'])('refuses a plan of %s', (command) => {
  const says = `The plan is for '${command}', which is not a write.`;
  expect(() => operationOf({ command })).toThrow(says);
});

test.each([
  ['planned', 29, 'waiting'],
  ['planned', 31, 'expired'],
  ['sending', 31, 'started'],
  ['done', 31, 'done'],
])('calls a plan that is %s after %i minutes %s', (state, minutes, says) => {
  const record = { plan: { createdAt: '2026-03-18T18:30:00Z' }, entry: { state } } as PlanRecord;
  const now = new Date(Date.parse(record.plan.createdAt) + minutes * 60_000);
  expect(stateOf(record, now)).toBe(says);
});

test.each([
  [-60_001, false],
  [-60_000, true],
  [30 * 60_000 - 1, true],
  [30 * 60_000, false],
])('takes an approval %d ms after a plan was made: %s', (passed, expected) => {
  expect(isInTime(0, passed)).toBe(expected);
});

test('reads IDs as people type them, and makes no two alike', () => {
  const ids = Array.from({ length: 500 }, createPlanId);
  expect(new Set(ids).size).toBe(500);
  for (const id of ids) {
    expect(planIdFrom(` ${id.replaceAll('-', '').toUpperCase().replaceAll('0', 'O')} `)).toBe(id);
  }
  const wrong = [
    '',
    'k7qd',
    '../k7qd-3mxp-9ft',
    'k7qd-3mxp-9ftwx',
    'k7qd/3mxp/9ft',
    'u'.repeat(12),
  ];
  for (const typed of wrong) expect(() => planIdFrom(typed)).toThrow('Invalid ID of a plan');
});

const dollars = (amount: string) => ({ amount, currency: 'USD' });
const euros = (amount: string) => ({ amount, currency: 'EUR' });
const totals = { USD: '1', EUR: '5' };

test.each([
  ['at most 1 USD in total', Array(10).fill(dollars('0.1')), dollars('0.01')],
  ['at most 5 EUR', [dollars('1'), euros('5.00')], euros('0.01')],
  ['nothing in GBP', [], { amount: '1', currency: 'GBP' }],
  ['nothing in constructor', [], { amount: '1', currency: 'constructor' }],
  ['nothing in __proto__', [], { amount: '1', currency: '__proto__' }],
  ['is not known', [], {}],
  ['is not known', [], { amount: '1' }],
  ['is not known', [], { currency: 'USD' }],
  ['more would exceed', [], dollars('1e3')],
  ['more would exceed', [dollars('1e-3')], dollars('0.1')],
  ['at most 11 refunds', Array(11).fill({}), dollars('0.01')],
])('%s', (says, planned, refund) => {
  expect(() => requireWithin({ refunds: 11, refundTotals: totals }, planned, refund)).toThrow(says);
});

test('allows refunds up to exactly each limit, and any amount without a total', () => {
  const limits = { refunds: 10, refundTotals: totals };
  requireWithin(limits, Array(9).fill(dollars('0.1')), dollars('0.1'));
  requireWithin(limits, [dollars('1')], euros('5.00'));
  requireWithin({ refunds: 2, refundTotals: {} }, [{}], {});
  expect(() => requireWithin({ refunds: 0, refundTotals: {} }, [], {})).toThrow('at most 0');
});

const cancel = { receipt: 'MONTHLY1', type: 'cncl', reason: 'ticket.type.cancel.7' };

const unknown = 'an unknown amount';
const acknowledged = 'Acknowledge the return for ticket 1004 and complete its refund';

test.each<[action: string, Operation, object, paid: string | undefined]>([
  ['Cancel MONTHLY1', tickets.create, cancel, unknown],
  ['Close ticket 1001', tickets.close, { id: '1001' }, undefined],
  [acknowledged, tickets.returned, { id: '1004' }, unknown],
])('says what this may pay back if nothing can be read: %s', async (...given) => {
  const [action, operation, args, paid] = given;
  const { client } = await servedClient(() => ({ status: 403, body: 'no permission' }));
  const facts = await factsOf(client, operation, args);
  expect(facts.action).toBe(action);
  expect(facts.warnings).toMatchObject([{ kind: 'not-checked' }]);
  expect(refundText(facts)).toBe(paid);
});
