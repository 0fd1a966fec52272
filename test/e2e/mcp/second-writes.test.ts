/** A second write about the same order or ticket: another one shows the first, an equal one warns, and none is repeated. */
import { expect, test, vi } from 'vitest';
import { startAgent } from '../../support/agent.ts';
import { forwardingTo, planningAgent, yes } from '../../support/approvals.ts';
import { now } from '../../support/cb.ts';
import { oneLine } from '../../support/queue.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

/** No two looks at this clock show the same time. */
function movingTime(): () => Date {
  let looks = 0;
  return () => new Date(now.getTime() + looks++);
}

async function writingAgent() {
  const answer = vi.fn(yes);
  const made = await planningAgent({ answer, now: movingTime() });
  return { ...made, questions: () => answer.mock.calls.map(([{ message }]) => message) };
}

const notice = { receipt: 'PARCEL01', date: 'today', carrier: 'USPS' };

test.each([
  ['answer_ticket', { id: '1001', comment: 'First' }, { id: '1001', comment: 'Second' }],
  ['add_ship_notice', { ...notice, tracking: '94001' }, { ...notice, tracking: '94002' }],
  [
    'change_subscription',
    { change: 'extend', receipt: 'LIMITED1', numPeriods: 1 },
    { change: 'extend', receipt: 'LIMITED1', numPeriods: 2 },
  ],
] as const)(
  '%s shows the first write before a different one, and warns before exactly the same',
  async (tool, one, other) => {
    const { agent, questions, writes } = await writingAgent();
    const first = await agent.call(tool, one);
    const second = await agent.call(tool, other);
    const isAdded = tool === 'add_ship_notice';
    // The same notice is refused, except if it has no tracking ID.
    const third = await agent.call(tool, isAdded ? notice : other);
    const fourth = isAdded ? await agent.call(tool, notice) : third;
    expect([first, second, third, fourth].map(({ data, text }) => data.state ?? text)).toEqual([
      ...['done', 'done', 'done', 'done'],
    ]);
    expect(writes()).toHaveLength(isAdded ? 4 : 3);
    expect(questions()[0]).not.toContain('did this before');
    const before = `Plan ${first.data.plan} did this before, at 2026-03-18 18:30 UTC: ${first.data.action}.`;
    expect(questions()[1]).toContain(before);
    expect(second.text).toContain(before);
    expect(String(second.data.details)).toContain(before);
    const earlier = isAdded ? third : second;
    const says = `Plan ${earlier.data.plan} did exactly the same at 2026-03-18 18:30 UTC.`;
    expect(questions().at(-1)).toContain(`\nWarning: ${says}`);
    expect(fourth.data.warnings).toEqual([says]);
  },
);

test('shows the earlier write in a terminal, too, and forgets it after a day', async () => {
  let time = now;
  const { agent, approve, cb, env } = await planningAgent({ now: () => time });
  const comment = { id: '1001', comment: 'On it' };
  const first = await agent.call('answer_ticket', comment);
  const yesTo = (plan: unknown) => approve(plan, ['y'], { now: () => time });
  expect(await yesTo(first.data.plan)).toMatchObject({ code: 0 });
  time = new Date(now.getTime() + 1000);
  const again = await agent.call('answer_ticket', comment);
  const says = `Plan ${first.data.plan} did exactly the same at 2026-03-18 18:30 UTC.`;
  expect(JSON.parse((await cb('approve -o json', { env, now: () => time })).out)).toMatchObject([
    { warnings: says },
  ]);
  const approved = await yesTo(again.data.plan);
  expect(approved.code).toBe(0);
  expect(oneLine(approved.err)).toContain(`warning: ${says}`);
  time = new Date(now.getTime() + 25 * 3_600_000);
  expect((await agent.call('answer_ticket', comment)).data.warnings).toEqual([]);
});

test('plans no second write after one of unknown outcome, also if its customer was forgotten', async () => {
  const options = { answer: yes, clock: virtualClock() };
  const { agent, cb, env, sandbox, writes } = await planningAgent(options);
  sandbox.setFaults('503=100%,only=PUT');
  const first = await agent.call('answer_ticket', { id: '1001', comment: 'Dear Ada' });
  expect(first.data.state).toBe('unknown');
  sandbox.setFaults(undefined);
  const { email } = JSON.parse((await cb('tickets get 1001 -o json', { env })).out);
  await cb('sync --since -30d --tables orders,tickets', { env });
  expect(await cb(`sync forget --email ${email} --yes`, { env })).toMatchObject({ code: 0 });
  const second = await agent.call('answer_ticket', { id: '1001', comment: 'Again' });
  expect(second.text).toContain(`The outcome of plan ${first.data.plan}`);
  expect(writes()).toHaveLength(1);
  const status = await agent.call('plan_status', { plan: first.data.plan });
  expect(status.text).toContain('its outcome is unknown');
});

test('plans no second write while ClickBank does not show the first, and says how long', async () => {
  const { env, sandbox, writes } = await serveSandbox();
  const before = new Map<string, string>();
  const { url } = await forwardingTo(sandbox.url, {
    alter: (body, request) => {
      if (!request.startsWith('GET /rest/1.3/tickets/1001')) return body;
      before.set(request, before.get(request) ?? body);
      return before.get(request) ?? '';
    },
  });
  const agent = await startAgent({
    ...{ env: { ...env, CB_BASE_URL: url }, answer: yes, clock: virtualClock() },
    args: ['--allow-writes'],
  });
  const first = await agent.call('answer_ticket', { id: '1001', comment: 'First' });
  expect(first.data.state).toBe('done');
  const second = await agent.call('answer_ticket', { id: '1001', comment: 'Second' });
  expect(second).toMatchObject({ isError: true });
  expect(second.text).toBe(
    `ClickBank does not yet show the write of plan ${first.data.plan}, which is about the same order or ticket.\nNothing was sent. Wait until 18:32:00 UTC.`,
  );
  expect(writes()).toHaveLength(1);
});

test('asks for the sku of an order with several items before it asks the person', async () => {
  const { agent, questions, writes } = await writingAgent();
  const cancel = { receipt: 'PARCEL02', reason: 'ticket.type.cancel.7' };
  for (const [tool, args] of [
    ['cancel_order', cancel],
    ['refund_order', { receipt: 'PARCEL02', reason: 'ticket.type.refund.2', refundType: 'FULL' }],
    ['change_subscription', { change: 'extend', receipt: 'PARCEL02', numPeriods: 1 }],
  ] as const) {
    const { text, isError } = await agent.call(tool, args);
    expect({ tool, text, isError }).toEqual({
      ...{ tool, isError: true },
      text: 'PARCEL02 has the items TROWEL, GLOVES, KIT-01.\nNothing was sent. Ask the person which one is meant, and pass its sku.',
    });
  }
  expect(questions()).toEqual([]);
  expect(writes()).toEqual([]);
  const named = await agent.call('cancel_order', { ...cancel, sku: 'GLOVES' });
  expect(named.data).toMatchObject({ state: 'done' });
});
