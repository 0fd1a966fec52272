/** What a model that loops can make a person approve, and answers on the wire that no official client sends. */
import { expect, test, vi } from 'vitest';
import { runMcp } from '../../../support/agent.ts';
import { fullRefund, planIn, planningAgent, yes } from '../../../support/approvals.ts';
import { home, now } from '../../../support/cb.ts';
import { asks, type Message, rawAgent, yesTo } from '../../../support/raw-agent.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const refundOf = (receipt: string) => ({ ...fullRefund, receipt });

test('makes at most --max-refunds refunds, and counts one whose outcome is unknown, and records its amount when it is found later', async () => {
  const lost: string[] = [];
  const args = ['--allow-writes', '--max-refunds', '2'];
  const options = { answer: yes, clock: virtualClock(), args };
  const { agent, cb, env, sandbox, writes } = await planningAgent(options, {
    // The second refund gets lost on its way to the sandbox.
    before: async (method, path) => {
      const isLost = method === 'POST' && path.includes('PARCEL01');
      if (isLost) lost.push(path);
      return !isLost;
    },
  });
  expect((await agent.call('refund_order', fullRefund)).data.state).toBe('done');
  const unknown = await agent.call('refund_order', refundOf('PARCEL01'));
  expect(unknown).toMatchObject({ isError: true, data: { state: 'unknown' } });
  const status = await agent.call('plan_status', { plan: unknown.data.plan });
  expect(status.text).toContain('cb has just looked for it and did not find it.');
  expect(status.text).toContain('Check the order or ticket on the ClickBank website');
  const again = await agent.call('refund_order', refundOf('PARCEL01'));
  expect(again.text).toContain('This session may make at most 2 refunds.');
  const third = await agent.call('refund_order', refundOf('MONTHLY1'));
  expect(third).toMatchObject({ isError: true });
  expect(third.text).toContain('Only a person can start a session with higher limits.');
  expect(lost).toHaveLength(1);
  expect(writes()).toHaveLength(1);
  // The gateway delivers it late.
  const headers = { authorization: env.CB_API_KEY };
  const late = await fetch(new URL(lost[0] ?? '', sandbox.url), { method: 'POST', headers });
  expect(late.status).toBe(200);
  const found = await agent.call('plan_status', { plan: unknown.data.plan });
  expect(found.data).toMatchObject({ state: 'done' });
  const { out } = await cb('log --origin agent -o json');
  const later = { about: 'PARCEL01', outcome: 'done', amount: '52.40' };
  expect(JSON.parse(out)).toMatchObject([later, { outcome: 'done', amount: '37.00' }]);
});

test('counts plans that wait for a terminal, and not those that were declined or have expired', async () => {
  let time = now;
  const args = ['--allow-writes', '--max-refunds', '1'];
  const { agent, approve, cb, writes } = await planningAgent({ args, now: () => time });
  const plan = async () => agent.call('refund_order', fullRefund);
  const first = await plan();
  expect(first.data.state).toBe('waiting');
  expect((await plan()).text).toContain('at most 1 refund.');
  await cb(`approve ${first.data.plan} --decline`);
  expect((await plan()).data.state).toBe('waiting');
  expect((await plan()).text).toContain('at most 1 refund.');
  // An approval that began just before the end may still be sending.
  time = new Date(now.getTime() + 31 * 60_000);
  expect((await plan()).text).toContain('at most 1 refund.');
  time = new Date(now.getTime() + 40 * 60_000);
  const expired = await plan();
  expect(expired.data.state).toBe('waiting');
  // The text of a plan is deleted a day after the plan ends.
  time = new Date(now.getTime() + 26 * 3_600_000);
  await cb('log', { now: () => time });
  expect((await agent.call('plan_status', { plan: expired.data.plan })).isError).toBe(true);
  const last = await plan();
  expect(last.data.state).toBe('waiting');
  const approved = await approve(last.data.plan, ['y'], { now: () => time });
  expect(approved).toMatchObject({ code: 0 });
  expect((await plan()).isError).toBe(true);
  time = new Date(now.getTime() + 27 * 3_600_000);
  const another = () => agent.call('refund_order', refundOf('PARCEL01'));
  expect((await another()).text).toContain('at most 1');
  expect(writes()).toHaveLength(1);
});

test('refunds at most --max-refund-total of each currency, to the cent', async () => {
  const partial = { ...fullRefund, refundType: 'PARTIAL_AMOUNT' };
  const args = ['--allow-writes', '--max-refund-total', '36.99USD,100EUR'];
  const { agent, writes } = await planningAgent({ args, answer: yes });
  const all = await agent.call('refund_order', fullRefund);
  expect(all.text).toContain('at most 36.99 USD in total, and 37.00 USD more would exceed that');
  const exact = await agent.call('refund_order', { ...partial, refundAmount: '36.99' });
  expect({ text: exact.text, state: exact.data.state }).toMatchObject({ state: 'done' });
  const cent = { ...partial, refundAmount: '0.01', receipt: 'TICKET01' };
  expect((await agent.call('refund_order', cent)).isError).toBe(true);
  const change = {
    ...{ change: 'change product', receipt: 'MONTHLY1', oldSku: 'CLUB-M', newSku: 'CLUB-PLUS-M' },
    applyProratedRefund: true,
  };
  const changed = await agent.call('change_subscription', change);
  expect(changed.text).toContain('the amount of this one is not known');
  expect(writes()).toHaveLength(1);
});

test('asks about nothing and sends nothing with too few requests left to check a write', async () => {
  const answer = vi.fn(yes);
  const args = ['--allow-writes', '--max-requests', '20'];
  const { agent, writes } = await planningAgent({ args, answer });
  expect((await agent.call('refund_order', fullRefund)).text).toContain('too few requests left');
  expect(answer).not.toHaveBeenCalled();
  expect(writes()).toEqual([]);
});

async function rawClient() {
  const { env, writes } = await serveSandbox();
  const { input, output } = runMcp(['--allow-writes'], home().folder, { env });
  const client = await rawAgent((line) => input.write(line), output);
  const asked: unknown[] = [];
  return {
    ...{ ...client, writes },
    /** Plans a refund, and returns the question that the person is asked. */
    async question(id: number) {
      client.call(id, 'refund_order', fullRefund);
      const question = await client.until((one) => asks(one) && !asked.includes(one.id));
      asked.push(question.id);
      return question;
    },
    /** What became of the plan of a question. */
    async stateOf(question: Message, id: number) {
      client.call(id, 'plan_status', { plan: planIn(question.params?.message ?? '') });
      const status = await client.until((one) => one.id === id);
      return status.result?.structuredContent?.state;
    },
  };
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
  const client = await rawClient();
  const error = { code: -32601, message: 'Send it' };
  const messages = Object.entries(answers).map(([name, result]) => [name, { result }] as const);
  for (const [i, [name, message]] of [...messages, ['an error', { error }] as const].entries()) {
    const question = await client.question(10 + i);
    const { result } = message as { result?: unknown };
    const given = typeof result === 'function' ? { result: result(yesTo(question)) } : message;
    client.send({ id: question.id, ...given });
    const state = await client.stateOf(question, 100 + i);
    expect({ name, state }).toEqual({ name, state: expect.stringMatching(/^(waiting|declined)$/) });
  }
  expect(client.writes()).toEqual([]);
});

test('sends once if the same yes arrives ten times', async () => {
  const client = await rawClient();
  const question = await client.question(2);
  for (let times = 0; times < 10; times++)
    client.send({ id: question.id, result: yesTo(question) });
  const called = await client.until(({ id }) => id === 2);
  expect(called.result?.structuredContent?.state).toBe('done');
  expect(await client.stateOf(question, 3)).toBe('done');
  expect(client.writes()).toHaveLength(1);
});

test('sends nothing if the call is canceled while the person is asked, even if a yes follows', async () => {
  const client = await rawClient();
  const question = await client.question(2);
  client.send({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'no' } });
  client.send({ id: question.id, result: yesTo(question) });
  expect(await client.stateOf(question, 3)).toMatch(/^(waiting|declined)$/);
  expect(client.writes()).toEqual([]);
});
