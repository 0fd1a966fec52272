/** Answers on the wire that no official client sends: garbage, repetitions, and answers to questions of others. */
import { expect, test } from 'vitest';
import { runMcp } from '../../../support/agent.ts';
import { fullRefund, planIn } from '../../../support/approvals.ts';
import { home } from '../../../support/cb.ts';
import { asks, rawAgent, yesTo } from '../../../support/raw-agent.ts';
import { serveSandbox } from '../../../support/sandbox.ts';

async function rawClient(env: Readonly<Record<string, string>>) {
  const { input, output } = runMcp(['--allow-writes'], home().folder, { env });
  return rawAgent((line) => input.write(line), output);
}

const another = { decision: 'Send it (plan k7qd-3mxp-9ftw)' };

/** Some are of clients that answer in place of the person; no official client sends the others. */
const answers: Readonly<Record<string, unknown>> = {
  'a no with the content of a yes': (yes: object) => ({ ...yes, action: 'decline' }),
  'an accept without content': { action: 'accept' },
  'an empty form': { action: 'accept', content: {} },
  'the defaults': { action: 'accept', content: { decision: 'Do not send' } },
  true: { action: 'accept', content: { decision: true, refund: true } },
  'the text yes': { action: 'accept', content: { decision: 'yes', refund: 'yes' } },
  'a yes with another field': ({ content }: ReturnType<typeof yesTo>) => ({
    ...{ action: 'accept', content: { ...content, confirm: true } },
  }),
  'the yes to another plan': { action: 'accept', content: another },
  'a number': 7,
  'an empty object': {},
  'an unknown action': { action: 'yes', content: { decision: 'Send it' } },
  'an accept with a text': { action: 'accept', content: 'Send it' },
  'an accept with null': { action: 'accept', content: null },
  'an accept with a list': { action: 'accept', content: [{ decision: 'Send it' }] },
  'a nested yes': { action: 'accept', content: { decision: { value: 'Send it' } } },
  'a prototype': { action: 'accept', content: { __proto__: { decision: 'Send it' } } },
  'the result of a tool': { content: [{ type: 'text', text: 'Send it' }] },
};

test('sends nothing after an invalid answer or an error', async () => {
  const { env, writes } = await serveSandbox();
  const client = await rawClient(env);
  const error = { code: -32601, message: 'Send it' };
  const messages = Object.entries(answers).map(([name, result]) => [name, { result }] as const);
  const asked: unknown[] = [];
  for (const [i, [name, message]] of [...messages, ['an error', { error }] as const].entries()) {
    client.call(10 + i, 'refund_order', fullRefund);
    const question = await client.until((one) => asks(one) && !asked.includes(one.id));
    asked.push(question.id);
    const { result } = message as { result?: unknown };
    const given = typeof result === 'function' ? { result: result(yesTo(question)) } : message;
    client.send({ id: question.id, ...given });
    client.call(100 + i, 'plan_status', { plan: planIn(question.params?.message ?? '') });
    const status = await client.until(({ id }) => id === 100 + i);
    const state = status.result?.structuredContent?.state;
    expect({ name, state }).toEqual({ name, state: expect.stringMatching(/^(waiting|declined)$/) });
  }
  expect(writes()).toEqual([]);
});

test('sends once if the same yes arrives ten times', async () => {
  const { env, writes } = await serveSandbox();
  const client = await rawClient(env);
  client.call(2, 'refund_order', fullRefund);
  const question = await client.until(asks);
  for (let times = 0; times < 10; times++)
    client.send({ id: question.id, result: yesTo(question) });
  const called = await client.until(({ id }) => id === 2);
  expect(called.result?.structuredContent?.state).toBe('done');
  client.call(3, 'plan_status', { plan: planIn(question.params?.message ?? '') });
  await client.until(({ id }) => id === 3);
  expect(writes()).toHaveLength(1);
});

test('does not take the yes to one question as the answer to another', async () => {
  const { env, writes } = await serveSandbox();
  const client = await rawClient(env);
  client.call(2, 'answer_ticket', { id: '1001', comment: 'Hello' });
  const harmless = await client.until(asks);
  client.call(3, 'refund_order', fullRefund);
  const refund = await client.until((one) => asks(one) && one.id !== harmless.id);
  client.send({ id: refund.id, result: yesTo(harmless) });
  client.send({ id: 'other', result: yesTo(refund) });
  const called = await client.until(({ id }) => id === 3);
  expect(called.result?.structuredContent?.state).toMatch(/^(waiting|declined)$/);
  expect(writes()).toEqual([]);
  client.send({ id: harmless.id, result: { action: 'decline' } });
  await client.until(({ id }) => id === 2);
  expect(writes()).toEqual([]);
});

test('sends nothing if the call is canceled while the person is asked, even if a yes follows', async () => {
  const { env, writes } = await serveSandbox();
  const client = await rawClient(env);
  client.call(2, 'refund_order', fullRefund);
  const question = await client.until(asks);
  client.send({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'no' } });
  client.send({ id: question.id, result: yesTo(question) });
  client.call(3, 'plan_status', { plan: planIn(question.params?.message ?? '') });
  const status = await client.until(({ id }) => id === 3);
  expect(status.result?.structuredContent?.state).toMatch(/^(waiting|declined)$/);
  expect(writes()).toEqual([]);
});

test('sends one refund if one order is approved in two questions', async () => {
  const { env, writes } = await serveSandbox();
  const client = await rawClient(env);
  client.call(2, 'refund_order', fullRefund);
  const first = await client.until(asks);
  client.call(3, 'refund_order', fullRefund);
  const second = await client.until((one) => asks(one) && one.id !== first.id);
  client.send({ id: first.id, result: yesTo(first) });
  client.send({ id: second.id, result: yesTo(second) });
  const [one, other] = [
    await client.until(({ id }) => id === 2),
    await client.until(({ id }) => id === 3),
  ];
  const states = [one, other].map(({ result }) => result?.isError ?? false);
  expect(states.toSorted()).toEqual([false, true]);
  expect(writes()).toHaveLength(1);
});
