/** Writes of an agent: planned, shown to a person with all facts, sent once after a clear yes, and not repeated; the same with official clients. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acquireLock } from '../../../src/storage/lock.ts';
import { processesFrom } from '../../../src/storage/lock-owner.ts';
import { startAgent } from '../../support/agent.ts';
import { fullRefund, planningAgent, yes } from '../../support/approvals.ts';
import { binary, cb, emptyHome } from '../../support/binary.ts';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { jsonLines } from '../../support/lines.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

test('lists no tool that writes without --allow-writes', async () => {
  const { env } = await serveSandbox();
  const reading = await startAgent({ env });
  const names = async (agent: typeof reading) =>
    (await agent.client.listTools()).tools.map(({ name }) => name);
  expect(await names(reading)).not.toContain('refund_order');
  expect(await reading.call('refund_order', fullRefund)).toMatchObject({ isError: true });
  const writing = await startAgent({ env, args: ['--allow-writes'] });
  const some = ['refund_order', 'cancel_order', 'answer_ticket', 'plan_status'];
  expect(await names(writing)).toEqual(expect.arrayContaining(some));
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
    const refund = /^Refund 37\.00 USD to .* \(DIGITAL1, .*\) from GREENLEAF\. .*undone\./;
    expect(message).toMatch(refund);
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

test('returns a plan if a client cannot ask; only a person can approve it, in a terminal, whatever an agent calls and passes', async () => {
  const { agent, approve, cb, writes } = await planningAgent();
  const waiting = await agent.call('refund_order', fullRefund);
  expect(waiting).toMatchObject({ isError: false, data: { state: 'waiting' } });
  const id = String(waiting.data.plan);
  expect(waiting.text).toContain(`A person must run \`cb approve ${id}\` in a terminal`);
  const pretended = { confirm: true, approved: true, yes: true };
  for (const [tool, args] of [
    ['refund_order', { ...fullRefund, ...pretended }],
    ['close_ticket', { id: '1001', ...pretended }],
    ['plan_status', { plan: id, ...pretended }],
    ['cb_approve', { plan: id }],
    ['read_api', { path: '/1.3/tickets/DIGITAL1', method: 'POST' }],
    ['read_api', { operation: 'tickets create', arguments: fullRefund }],
  ] as const) {
    expect({ tool, ...(await agent.call(tool, args)) }).toMatchObject({ tool, isError: true });
  }
  expect(writes()).toEqual([]);
  const list = await cb('approve -o json');
  expect(JSON.parse(list.out)).toMatchObject([{ id, refund: '37.00', currency: 'USD' }]);
  const shown = await cb('approve', { columns: 80 });
  expect(shown.err).toContain(`To see and approve one, run \`cb approve ${id}\`.`);
  expectExit(await cb(`approve ${id} --yes`), 2, 'a person must answer in a terminal');
  const one = person('y');
  const approved = await approve(id, [], { person: one });
  expectExit(approved, 0, 'Refund 37.00 USD to');
  expectExit(approved, 0, /Requested a refund of 37\.00 USD to .*, ticket \d+\./);
  expect(one.asked).toEqual(['Send it? (y/N)']);
  expect(writes()).toHaveLength(1);
  const status = await agent.call('plan_status', { plan: id });
  expect(status.data).toMatchObject({ state: 'done' });
  expect(status.text).toContain('Money back to the customer: 37.00 USD.');
  expect(JSON.parse((await cb('approve -o json')).out)).toEqual([]);
});

test('asks for a refund that the command does not suggest in a field of its own', async () => {
  const answer = vi.fn(yes).mockImplementationOnce((question) => {
    const { action, content } = yes(question);
    // Agrees to send it, but not to the refund, in the first question.
    return { action, content: { ...content, refund: 'Do not refund' } };
  });
  const { agent, writes } = await planningAgent({ answer });
  const args = { receipt: 'DIGITAL1', reason: 'ticket.type.cancel.7' };
  const declined = await agent.call('cancel_order', args);
  expect(declined).toMatchObject({ isError: true, data: { state: 'declined' } });
  expect(writes()).toEqual([]);
  const [first] = answer.mock.lastCall ?? [];
  expect(first?.message).toContain('Warning: Canceling DIGITAL1 refunds the sale (37.00 USD)');
  expect(Object.keys(first?.requestedSchema.properties ?? {})).toEqual(['decision', 'refund']);
  expect(await agent.call('cancel_order', args)).toMatchObject({ data: { state: 'done' } });
  expect(writes()).toHaveLength(1);
  const skus = { oldSku: 'CLUB-M', newSku: 'CLUB-PLUS-M', applyProratedRefund: true };
  const product = { change: 'change product', receipt: 'MONTHLY1', ...skus };
  expect((await agent.call('change_subscription', product)).data.state).toBe('done');
  const refund = answer.mock.lastCall?.[0].requestedSchema.properties.refund;
  expect(refund).toMatchObject({ enum: ['Do not refund', 'Refund an unknown amount'] });
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
    [change, { change: 'reinstate', receipt: 'cancel01' }, /^Reinstate .*billed again/],
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

test('uses the profile of the plan in the terminal, and refuses another one', async () => {
  const { cb, folder } = await sandboxHome(60);
  const agent = await startAgent({ folder, args: ['--sandbox', '--allow-writes'] });
  const { data } = await agent.call('refund_order', fullRefund);
  expect(data).toMatchObject({ state: 'waiting' });
  const other = { columns: 80, person: person('y') };
  const refused = await cb(`approve ${data.plan} --profile sandbox:vendor`, other);
  expectExit(refused, 2, 'was made with profile sandbox for the sandbox');
  const approved = await cb(`approve ${data.plan}`, { columns: 80, person: person('y') });
  expectExit(approved, 0, 'Using profile sandbox.');
  expect((await agent.call('plan_status', { plan: data.plan })).data.state).toBe('done');
  expect((await cb('--sandbox tickets count --type rfnd --receipt DIGITAL1')).out.trim()).toBe('1');
});

/** No two looks at its clock show the same time. */
async function writingAgent() {
  const answer = vi.fn(yes);
  let looks = 0;
  const made = await planningAgent({ answer, now: () => new Date(now.getTime() + looks++) });
  return { ...made, questions: () => answer.mock.calls.map(([{ message }]) => message) };
}

const notice = { receipt: 'PARCEL01', date: 'today', carrier: 'USPS' };

const extend = { change: 'extend', receipt: 'LIMITED1', numPeriods: 1 };

test.each([
  ['answer_ticket', { id: '1001', comment: 'First' }, { id: '1001', comment: 'Second' }],
  ['add_ship_notice', { ...notice, tracking: '94001' }, { ...notice, tracking: '94002' }],
  ['change_subscription', extend, { ...extend, numPeriods: 2 }],
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

test('shows the earlier write in a terminal, too, forgets it after a day, and prints as JSON what became of a plan that was sent', async () => {
  let time = now;
  const { agent, approve, cb } = await planningAgent({ now: () => time });
  const comment = { id: '1001', comment: 'On it' };
  const declined = await agent.call('answer_ticket', comment);
  const no = await approve(`${declined.data.plan} -o json`, ['n'], { now: () => time });
  expect(no).toMatchObject({ code: 10, out: '' });
  const first = await agent.call('answer_ticket', comment);
  expect(first.data.warnings).toEqual([]);
  const yesTo = (plan: unknown) => approve(plan, ['y'], { now: () => time });
  expect(await yesTo(first.data.plan)).toMatchObject({ code: 0 });
  time = new Date(now.getTime() + 1000);
  const again = await agent.call('answer_ticket', comment);
  const says = `Plan ${first.data.plan} did exactly the same at 2026-03-18 18:30 UTC.`;
  expect(JSON.parse((await cb('approve -o json', { now: () => time })).out)).toMatchObject([
    { warnings: says },
  ]);
  const approved = await yesTo(`${again.data.plan} -o json`);
  expectExit(approved, 0, `warning: ${says}`);
  const sent = { id: again.data.plan, state: 'done', detail: '' };
  expect(JSON.parse(stripVTControlCharacters(approved.out))).toEqual(sent);
  time = new Date(now.getTime() + 25 * 3_600_000);
  expect((await agent.call('answer_ticket', comment)).data.warnings).toEqual([]);
});

test('says in the terminal that an outcome is unknown, and plans no second write after it, also if its customer was forgotten', async () => {
  const { agent, approve, cb, sandbox, writes } = await planningAgent();
  const first = await agent.call('answer_ticket', { id: '1001', comment: 'Dear Ada' });
  sandbox.setFaults('503=100%,only=PUT');
  const ran = await approve(first.data.plan, ['y'], { clock: virtualClock() });
  expectExit(ran, 8, /The outcome is unknown: .*Check whether it was done before/);
  expect(ran.err).not.toContain('Added the comment');
  sandbox.setFaults(undefined);
  const { email } = JSON.parse((await cb('tickets get 1001 -o json')).out);
  await cb('sync --since -30d --tables orders,tickets');
  expect(await cb(`sync forget --email ${email} --yes`)).toMatchObject({ code: 0 });
  const second = await agent.call('answer_ticket', { id: '1001', comment: 'Again' });
  expect(second.text).toContain(`The outcome of plan ${first.data.plan}`);
  expect(writes()).toHaveLength(1);
  const status = await agent.call('plan_status', { plan: first.data.plan });
  expect(status.text).toContain('its outcome is unknown');
});

test('plans no second write while ClickBank does not show the first, and says how long', async () => {
  const before = new Map<string, string>();
  let time = new Date('2026-03-18T18:29:59.500Z');
  const options = { answer: yes, clock: virtualClock(), now: () => time };
  const { agent, writes } = await planningAgent(options, {
    alter: (body, request) => {
      if (!request.startsWith('GET /rest/1.3/tickets/1001')) return body;
      before.set(request, before.get(request) ?? body);
      return before.get(request) ?? '';
    },
  });
  const first = await agent.call('answer_ticket', { id: '1001', comment: 'First' });
  expect(first.data.state).toBe('done');
  const second = await agent.call('answer_ticket', { id: '1001', comment: 'Second' });
  expect(second).toMatchObject({ isError: true });
  expect(second.text).toBe(
    `ClickBank does not yet show the write of plan ${first.data.plan}, which is about the same order or ticket.\nNothing was sent. Wait until 18:32:00 UTC.`,
  );
  expect(writes()).toHaveLength(1);
  time = new Date('2026-03-18T18:31:59.500Z');
  const third = await agent.call('answer_ticket', { id: '1001', comment: 'Second' });
  expect(third.data.state).toBe('done');
});

test('moves no payment to a day that came while the plan waited', async () => {
  let time = new Date('2026-03-27T06:55:00Z');
  const { agent, approve, writes } = await planningAgent({ now: () => time });
  const move = { change: 'change date', receipt: 'MONTHLY1', changeDate: '2026-03-27' };
  const { data } = await agent.call('change_subscription', move);
  time = new Date('2026-03-27T07:01:00Z');
  const refused = await approve(data.plan, ['y'], { now: () => time });
  expectExit(refused, 10, 'changeDate must be in the future');
  expect(writes()).toEqual([]);
});

test('says that a plan is being sent while a terminal sends it', async () => {
  let said = '';
  let again = '';
  const { agent, approve } = await planningAgent(
    {},
    {
      async before(method) {
        if (method !== 'POST') return true;
        said = (await agent.call('plan_status', { plan })).text;
        again = (await approve(plan)).err;
        return true;
      },
    },
  );
  const { plan } = (await agent.call('refund_order', fullRefund)).data;
  expect(await approve(plan)).toMatchObject({ code: 0 });
  expect(said).toContain('It was approved, and cb is now sending it or another plan.');
  expect(again).toMatch(
    /was about to be sent, and its\s+outcome is unknown\. cb never sends\s+it again/,
  );
});

test('sends nothing while another approval takes long, and says so', async () => {
  const { agent, approve, folder, writes } = await planningAgent();
  const { data } = await agent.call('refund_order', fullRefund);
  const path = join(folder, '.local/share/clickbank-cli/ledger.ndjson.approvals');
  const other = await acquireLock(path, { processes: processesFrom(process), patience: 0 });
  onTestFinished(() => other.release());
  let minutes = 0;
  const timer = vi.spyOn(performance, 'now').mockImplementation(() => 60_000 * minutes++);
  onTestFinished(() => timer.mockRestore());
  const refused = await approve(data.plan);
  expectExit(refused, 10, 'Another approval is being sent. Nothing was sent.');
  expect(writes()).toEqual([]);
});

test('asks for the sku of an order with several items, and refuses a long text, before it asks the person', async () => {
  const { agent, questions, writes } = await writingAgent();
  const cancel = { receipt: 'PARCEL02', reason: 'ticket.type.cancel.7' };
  for (const [tool, args] of [
    ['cancel_order', cancel],
    ['refund_order', { receipt: 'PARCEL02', reason: 'ticket.type.refund.2', refundType: 'FULL' }],
    ['add_ship_notice', { receipt: 'PARCEL02', date: '2026-03-18', carrier: 'USPS' }],
  ] as const) {
    const { text, isError } = await agent.call(tool, args);
    expect({ tool, text, isError }).toEqual({
      ...{ tool, isError: true },
      text: `PARCEL02 has the items TROWEL, GLOVES, KIT-01.\nNothing was sent. Ask the person which one is meant, and pass its ${tool === 'add_ship_notice' ? 'item' : 'sku'}.`,
    });
  }
  const noSubscription = { ...extend, receipt: 'PARCEL02' };
  expect(await agent.call('change_subscription', noSubscription)).toMatchObject({
    text: 'PARCEL02 is not a subscription.\nNothing was sent.',
  });
  const long = { id: '1001', comment: 'x'.repeat(2000) };
  expect((await agent.call('answer_ticket', long)).text).toContain(
    'ClickBank accepts 2000 at most',
  );
  expect(questions()).toEqual([]);
  expect(writes()).toEqual([]);
  const named = await agent.call('cancel_order', { ...cancel, sku: 'GLOVES' });
  expect(named.data).toMatchObject({ state: 'done' });
});

const info = { name: 'test', version: '1.0.0' };

test('answers the official client of the previous major version', async () => {
  const { env } = await serveSandbox();
  const client = new EarlierClient(info);
  onTestFinished(() => client.close());
  const own = { PATH: process.env.PATH ?? '', HOME: emptyHome() };
  const how = { command: process.execPath, args: [binary, 'mcp'], stderr: 'pipe' as const };
  await client.connect(new EarlierTransport({ ...how, env: { ...own, ...env } }));
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'find_orders')?.annotations).toMatchObject({
    readOnlyHint: true,
  });
  const result = await client.callTool({ name: 'products', arguments: { site: 'GREENLEAF' } });
  expect(result.structuredContent).toMatchObject({ rows: expect.any(Array) });
  expect((await client.listResources()).resources).toHaveLength(3);
  expect((await client.listPrompts()).prompts).toHaveLength(3);
});

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
};

/** The built program when it has answered the first message. */
async function begun(...args: readonly string[]) {
  const { env } = await serveSandbox();
  const running = cb(['mcp', ...args], { env, stdin: { open: true } });
  running.type(`${JSON.stringify(initialize)}\n`);
  await running.until(/"id":1/);
  return running;
}

test('writes only messages of the protocol to stdout, one on each line', async () => {
  const running = await begun('--debug');
  running.type('this is no message\n{"jsonrpc":"2.0"\n');
  running.type(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const params = { name: 'find_orders', arguments: {} };
  running.type(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`);
  await running.until(/"id":2/);
  running.child.stdin?.end();
  const { code, out } = await running.ended();
  expect(code).toBe(0);
  const messages = jsonLines(out);
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]));
});

test('ends with 0 if nothing comes on stdin, and with 3 and what to do if there is no key', async () => {
  const { env } = await serveSandbox();
  expect(await home().cb('mcp', { env })).toEqual({ code: 0, out: '', err: '' });
  expectExit(await home().cb('mcp'), 3, 'cb: There is no API key yet.', '');
});

test('ends with 0 if the reader of stdout is gone', async () => {
  const running = await begun();
  running.child.stdin?.on('error', () => undefined);
  running.child.stdout?.destroy();
  let hasEnded = false;
  const ended = running.ended().finally(() => {
    hasEnded = true;
  });
  // A program that starts at the same moment may hold the pipe for an instant, and an answer then meets no closed pipe.
  while (!hasEnded) {
    running.type(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
    await sleep(100);
  }
  expect(await ended).toMatchObject({ code: 0, err: '' });
});

test('ends with SIGTERM while stdin is open', async () => {
  const running = await begun();
  running.child.kill('SIGTERM');
  expect(await running.ended()).toMatchObject({ code: 143, err: 'cb: Interrupted.\n' });
});
