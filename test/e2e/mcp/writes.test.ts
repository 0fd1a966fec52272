/** Writes of an agent: planned, shown to a person with all facts, and sent once after a clear yes. */
import { stripVTControlCharacters } from 'node:util';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import { startAgent } from '../../support/agent.ts';
import { fullRefund, planningAgent, yes } from '../../support/approvals.ts';
import { sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { oneLine } from '../../support/queue.ts';
import { serveSandbox } from '../../support/sandbox.ts';

test('lists no tool that writes without --allow-writes', async () => {
  const { env } = await serveSandbox();
  const reading = await startAgent({ env });
  const names = async (agent: typeof reading) =>
    (await agent.client.listTools()).tools.map(({ name }) => name);
  expect(await names(reading)).not.toContain('refund_order');
  expect(await reading.call('refund_order', fullRefund)).toMatchObject({ isError: true });
  const writing = await startAgent({ env, args: ['--allow-writes'] });
  expect(await names(writing)).toEqual(
    expect.arrayContaining(['refund_order', 'cancel_order', 'answer_ticket', 'plan_status']),
  );
});

test.each(['legacy', 'modern'] as const)(
  'sends a refund once after the person has seen its amount and said yes (%s protocol)',
  async (era) => {
    const answer = vi.fn((question: ElicitRequestFormParams) => {
      expect(writes()).toEqual([]);
      return yes(question);
    });
    const { agent, writes } = await planningAgent({ era, answer });
    const done = await agent.call('refund_order', fullRefund);
    expect(done).toMatchObject({ isError: false, data: { state: 'done', refund: '37.00' } });
    expect(done.data.ticket).toMatch(/^\d+$/);
    expect(writes()).toHaveLength(1);
    expect(answer).toHaveBeenCalledTimes(1);
    const { message = '' } = answer.mock.lastCall?.[0] ?? {};
    expect(message).toMatch(
      /^Refund 37\.00 USD to .* \(DIGITAL1, .*\) from GREENLEAF\. .*undone\./,
    );
    expect(message).toContain('Money back to the customer: 37.00 USD.');
    expect(message).toContain('Request: POST /rest/1.3/tickets/DIGITAL1 with type=rfnd, ');
    expect(message).toContain('test-agent 1.0.0');
    const again = await agent.call('refund_order', fullRefund);
    expect(again).toMatchObject({ isError: true });
    expect(again.text).toContain('DIGITAL1 already has an open REFUND ticket');
    const status = await agent.call('plan_status', { plan: done.data.plan });
    expect(status.text).toContain('is done. It was approved and is done.');
    expect(answer).toHaveBeenCalledTimes(1);
    expect(writes()).toHaveLength(1);
  },
);

test('gives a client that cannot ask a plan, which a person approves in a terminal', async () => {
  const { agent, approve, cb, env, writes } = await planningAgent();
  const waiting = await agent.call('refund_order', fullRefund);
  expect(waiting).toMatchObject({ isError: false, data: { state: 'waiting' } });
  const id = String(waiting.data.plan);
  expect(waiting.text).toContain(`A person must run \`cb approve ${id}\` in a terminal`);
  const list = await cb('approve -o json', { env });
  expect(JSON.parse(list.out)).toMatchObject([{ id, refund: '37.00', currency: 'USD' }]);
  expect(await cb(`approve ${id} --yes`, { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining('a person must answer in a terminal'),
  });
  const one = person('y');
  const approved = await approve(id, [], { person: one });
  expect(approved).toMatchObject({ code: 0 });
  expect(approved.err).toContain('Refund 37.00 USD to');
  expect(approved.err).toContain('Done: Refund 37.00 USD to');
  expect(one.asked).toEqual(['Send it? (y/N)']);
  expect(writes()).toHaveLength(1);
  const status = await agent.call('plan_status', { plan: id });
  expect(status.data).toMatchObject({ state: 'done' });
  expect(JSON.parse((await cb('approve -o json', { env })).out)).toEqual([]);
});

test('asks for a refund that the command does not suggest in a field of its own', async () => {
  const answer = vi.fn(yes).mockImplementationOnce((question) => {
    const { action, content } = yes(question);
    // Agrees to send it, but not to the refund, in the first question.
    return { action, content: { ...content, refund: 'Do not refund' } };
  });
  const { agent, writes } = await planningAgent({ answer });
  const args = { receipt: 'DIGITAL1', reason: 'ticket.type.cancel.7' };
  expect(await agent.call('cancel_order', args)).toMatchObject({
    isError: true,
    data: { state: 'declined' },
  });
  expect(writes()).toEqual([]);
  const [first] = answer.mock.lastCall ?? [];
  expect(first?.message).toContain('Warning: Canceling DIGITAL1 refunds the sale (37.00 USD)');
  expect(Object.keys(first?.requestedSchema.properties ?? {})).toEqual(['decision', 'refund']);
  expect(await agent.call('cancel_order', args)).toMatchObject({ data: { state: 'done' } });
  expect(writes()).toHaveLength(1);
});

test('asks with a sentence for each kind of write, and sends one request', async () => {
  const answer = vi.fn(yes);
  const { agent, writes } = await planningAgent({ answer });
  const change = 'change_subscription';
  const address = { address1: '1 Main St', city: 'Boise', countryCode: 'US' };
  const notice = { date: 'today', carrier: 'USPS', tracking: '94001' };
  const comment = { id: '1001', comment: 'On it' };
  const cases = [
    ['answer_ticket', comment, /^Add the comment 'On it' to ticket 1001/],
    ['close_ticket', { id: '1001' }, /^Close ticket 1001 .*\nWarning: Closing ticket 1001 cancels/],
    [change, { change: 'pause', receipt: 'MONTHLY1', restartDate: '+45d' }, /^Pause/],
    [change, { change: 'extend', receipt: 'LIMITED1', numPeriods: 2 }, /^Add 2 pay/],
    [change, { change: 'reinstate', receipt: 'CANCEL01' }, /^Reinstate .*billed again/],
    ['change_address', { receipt: 'SHIPBOX1', ...address }, /^Change .* to '1 Main St, Boise, US'/],
    ['add_ship_notice', { receipt: 'PARCEL01', ...notice }, /: USPS 94001, shipped on 2026-03-18/],
  ] as const;
  for (const [i, [tool, args, says]] of cases.entries()) {
    const called = await agent.call(tool, args);
    expect({ tool, ...called }).toMatchObject({ data: { state: 'done' } });
    expect(answer.mock.lastCall?.[0].message).toMatch(says);
    expect(writes()).toHaveLength(i + 1);
  }
});

test('refuses arguments of another change, and a change of product that does not say whether to refund', async () => {
  const { agent, writes, sandbox } = await planningAgent();
  const before = sandbox.requests.length;
  const pause = { change: 'pause', receipt: 'MONTHLY1', restartDate: '+45d', numPeriods: 2 };
  expect((await agent.call('change_subscription', pause)).text).toContain(
    'numPeriods does not belong to pause.',
  );
  const product = { change: 'change product', receipt: 'MONTHLY1', oldSku: 'CLUB-M', newSku: 'X' };
  expect((await agent.call('change_subscription', product)).text).toContain(
    'applyProratedRefund is missing.',
  );
  expect(sandbox.requests).toHaveLength(before);
  expect(writes()).toEqual([]);
});

test('uses the profile of the plan in the terminal, and refuses another one', async () => {
  const { cb, folder } = await sandboxHome(60);
  const agent = await startAgent({ folder, args: ['--sandbox', '--allow-writes'] });
  const { data } = await agent.call('refund_order', fullRefund);
  expect(data).toMatchObject({ state: 'waiting' });
  const other = { columns: 80, person: person('y') };
  const refused = await cb(`approve ${data.plan} --profile sandbox:vendor`, other);
  expect(refused).toMatchObject({ code: 2 });
  expect(oneLine(refused.err)).toContain('was made with profile sandbox for the sandbox');
  const approved = await cb(`approve ${data.plan}`, { columns: 80, person: person('y') });
  expect(approved).toMatchObject({ code: 0 });
  expect(approved.err).toContain('Using profile sandbox.');
  expect((await agent.call('plan_status', { plan: data.plan })).data.state).toBe('done');
  expect((await cb('--sandbox tickets count --type rfnd --receipt DIGITAL1')).out.trim()).toBe('1');
});

test('prints what became of a plan as JSON, and nothing for a plan that was not sent', async () => {
  const { agent, approve, writes } = await planningAgent();
  const { data } = await agent.call('answer_ticket', { id: '1001', comment: 'On it' });
  const declined = await approve(`${data.plan} -o json`, ['n']);
  expect(declined).toMatchObject({ code: 10, out: '' });
  const next = await agent.call('answer_ticket', { id: '1001', comment: 'On it' });
  const ran = await approve(`${next.data.plan} -o json`);
  expect(JSON.parse(stripVTControlCharacters(ran.out))).toEqual({
    ...{ id: next.data.plan, state: 'done', detail: '' },
  });
  expect(writes()).toHaveLength(1);
});
