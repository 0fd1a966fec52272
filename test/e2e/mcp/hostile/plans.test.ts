/** Plans that are replayed, altered, expired, or of another account: none of them sends anything. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { orders } from '../../../../src/operations/orders.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { startAgent } from '../../../support/agent.ts';
import { fullRefund, planIn, planningAgent, yes } from '../../../support/approvals.ts';
import { now, type Options, type Ran } from '../../../support/cb.ts';
import { clientOf, listed } from '../../../support/client.ts';
import { person } from '../../../support/person.ts';
import { asOneLine, expectExit } from '../../../support/refusal.ts';
import { serveSandbox } from '../../../support/sandbox.ts';

/** A plan that waits, and a person who says yes to everything. */
async function waitingPlan(tool = 'refund_order', args: object = fullRefund) {
  const served = await planningAgent();
  const { data, text } = await served.agent.call(tool, { ...args });
  expect({ text, state: data.state }).toMatchObject({ state: 'waiting' });
  const id = String(data.plan);
  return {
    ...{ ...served, id, file: join(served.folder, '.local/share/clickbank-cli/ledger.ndjson') },
    approve: (plan = id, more: Options = {}) => served.approve(plan, ['y', 'y'], more),
  };
}

/** In the arguments, the facts and the plan itself, and the seal: it covers all of the text. */
const alterations: Readonly<Record<string, (text: string) => string>> = {
  'another receipt': (text) => text.replaceAll('DIGITAL1', 'TICKET01'),
  'another amount': (text) => text.replaceAll('37.00', '3.70'),
  'another operation': (text) => text.replaceAll('tickets create', 'tickets close'),
  'a later end': (text) => text.replace(/"expiresAt":"2026/, '"expiresAt":"2036'),
  'another member': (text) => text.replace('"version":1', '"version":1,"x":1'),
  'another seal': (text) => text.replace(/"seal":"hmac-sha256:..../, '"seal":"hmac-sha256:0000'),
  'no seal': (text) => text.replace(/,"seal":"[^"]+"/, ''),
};

test('refuses a plan that was altered in any way, and accepts the original', async () => {
  const { file, approve, writes, id } = await waitingPlan();
  const text = readFileSync(file, 'utf8');
  for (const [what, alter] of Object.entries(alterations)) {
    expect(alter(text)).not.toBe(text);
    writeFileSync(file, alter(text));
    const says = `cb: Plan ${id} was altered after it was made, or made with another key.`;
    const { code, err } = await approve();
    expect({ what, code }).toEqual({ what, code: 2 });
    expect(asOneLine(err)).toContain(says);
  }
  // A copy under another ID.
  const second = 'k7qd-3mxp-9ftw';
  const copy = text.split('\n')[1]?.replace(`"id":"${id}"`, `"id":"${second}"`);
  writeFileSync(file, `${text}${copy}\n`);
  expectExit(await approve(second), 2, 'was altered after it was made');
  expect(writes()).toEqual([]);
  writeFileSync(file, text);
  expect(await approve()).toMatchObject({ code: 0 });
});

test('keeps a plan in a private file, and approves it only once, even if it is replayed', async () => {
  const { file, key, id, approve, writes, cb } = await waitingPlan();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  const saved = readFileSync(file);
  expect(saved.toString()).not.toContain(key);
  expect(await approve()).toMatchObject({ code: 0 });
  const { out } = await cb('log --origin agent -o json');
  const done = { id, operation: 'tickets create', about: 'DIGITAL1', outcome: 'done' };
  expect(JSON.parse(out)).toMatchObject([done]);
  expect(out).toMatch(/"by": ?"test-agent[^"]*, approved by .* \(terminal\)"/);
  const typed = id.toUpperCase().replaceAll('-', '');
  expectExit(await approve(typed), 10, 'is done and can no longer be approved');
  // Somebody who can write to the ledger takes back that it was used: the order is no longer in the same state.
  writeFileSync(file, saved);
  expectExit(await approve(), 10, 'no longer holds: DIGITAL1 already has an open REFUND ticket');
  expect(writes()).toHaveLength(1);
});

test('approves a plan for 30 minutes by this clock, and removes its text after a day', async () => {
  const { approve, writes, cb, file, id } = await waitingPlan();
  const after = (minutes: number) => () => new Date(now.getTime() + minutes * 60_000);
  for (const minutes of [30, -2]) {
    expectExit(await approve(undefined, { now: after(minutes) }), 10, 'is expired');
    const { out } = await cb('approve -o json', { now: after(minutes) });
    expect(out.trim()).toBe('[]');
  }
  const outcomeAfter = async (minutes: number) =>
    JSON.parse((await cb('log -o json', { now: after(minutes) })).out)[0].outcome;
  expect(await outcomeAfter(20)).toBe('planned');
  expect(await outcomeAfter(31)).toBe('expired');
  expect(readFileSync(file, 'utf8')).toContain('"plan":');
  expect(await outcomeAfter(60 * 25)).toBe('expired');
  expect(readFileSync(file, 'utf8')).not.toContain('"plan":');
  const late = await cb(`approve ${id}`, { columns: 80 });
  expectExit(late, 4, 'ended more than a day ago (expired)');
  expect(writes()).toEqual([]);
});

test('refuses a plan that was made with another key or for another service', async () => {
  const { approve, env, keyOf, writes } = await waitingPlan();
  const other = await serveSandbox();
  const elsewhere = await approve(undefined, { env: other.env });
  expectExit(elsewhere, 2, 'not for this account');
  const limited = await approve(undefined, { env: { ...env, CB_API_KEY: keyOf('vendor') } });
  expect(limited.code).toBe(2);
  expect([...writes(), ...other.writes()]).toEqual([]);
});

test('refuses a plan whose facts have changed, and closes it', async () => {
  const { approve, sandbox, key, writes, agent, id } = await waitingPlan();
  const client = clientOf(sandbox.url, { apiKey: key });
  const reason = 'ticket.type.tech_support.4';
  await client.call(tickets.create, { receipt: 'DIGITAL1', type: 'tech', reason });
  const ran = await approve();
  expectExit(ran, 10, `Plan ${id} no longer holds: the state of the order or ticket changed.`);
  expect(await approve()).toMatchObject({ code: 10 });
  expect((await agent.call('plan_status', { plan: id })).data).toMatchObject({ state: 'not done' });
  expect(writes()).toHaveLength(1);
});

function yesAfter(work: () => Promise<unknown>) {
  const usual = person('y');
  return {
    ...usual,
    key: async (...asked: Parameters<typeof usual.key>) => {
      await work();
      return usual.key(...asked);
    },
  };
}

test('notices a change between the question and the yes', async () => {
  const { sandbox, key, cb, id, writes } = await waitingPlan();
  const client = clientOf(sandbox.url, { apiKey: key });
  const changing = yesAfter(() => client.call(tickets.create, { ...fullRefund, type: 'rfnd' }));
  const ran = await cb(`approve ${id}`, { columns: 80, person: changing });
  expectExit(ran, 10, 'no longer holds');
  expect(ran.err).not.toContain('Sending');
  expect(writes()).toHaveLength(1);
});

test('sends nothing if a plan expires while it is read again after the yes', async () => {
  const { sandbox, cb, id, writes } = await waitingPlan();
  let readBefore = Number.POSITIVE_INFINITY;
  const asked = yesAfter(async () => {
    readBefore = sandbox.requests.length;
  });
  const late = new Date(now.getTime() + 31 * 60_000);
  const time = () => (sandbox.requests.length > readBefore ? late : now);
  const ran = await cb(`approve ${id}`, { columns: 80, person: asked, now: time });
  expectExit(ran, 10, 'is expired');
  expect(writes()).toEqual([]);
});

test('quotes and cuts a name that could pass for words of a plan', async () => {
  const quoted = 'Ada" (X). Money back to the customer: 0.01 USD. "';
  for (const [name, shown] of [
    [quoted, `"Ada' (X). Money back to the customer: 0.01 USD. '"`],
    ['Ada '.repeat(900), `"${'Ada '.repeat(14)}Ada…"`],
  ] as const) {
    const alter = (body: string) => body.replaceAll('"Ada Sample"', JSON.stringify(name));
    const { agent, approve } = await planningAgent({}, { alter });
    const { text } = await agent.call('refund_order', fullRefund);
    const ran = await approve(planIn(text));
    expectExit(ran, 0, `Refund 37.00 USD to ${shown} (DIGITAL1,`);
    expect(ran.err.split('\n').length).toBeLessThan(24);
  }
});

test('plans nothing for receipts of other accounts, and for what is no receipt', async () => {
  const { env, key, keyOf, sandbox, writes } = await serveSandbox({ orders: 150 });
  const client = clientOf(sandbox.url, { apiKey: key });
  const period = { startDate: '2026-02-01', endDate: '2026-03-18', role: 'VENDOR' } as const;
  const all = await listed(client.pages(orders.list, { ...period, type: 'SALE' }));
  const others = all.filter(({ vendor }) => vendor !== 'GREENLEAF').slice(0, 3);
  expect(others).toHaveLength(3);
  // The key of one vendor, whose agent knows receipts of another one.
  const ofVendor = { ...env, CB_API_KEY: keyOf('vendor') };
  const agent = await startAgent({ env: ofVendor, args: ['--allow-writes'], answer: yes });
  const made = ['NOTMINE1', 'DIGITAL1/returned', '../orders2/list', '%44IGITAL1', ''];
  for (const receipt of [...others.map((one) => one.receipt), ...made]) {
    for (const [tool, args] of [
      ['refund_order', fullRefund],
      ['change_subscription', { change: 'pause', restartDate: '+45d' }],
      ['add_ship_notice', { date: 'today', carrier: 'USPS' }],
    ] as const) {
      const called = await agent.call(tool, { ...args, receipt });
      expect({ tool, receipt, ...called }).toMatchObject({ isError: true, data: {} });
    }
  }
  expect(writes()).toEqual([]);
});

test('declines without a terminal, but approves only at one', async () => {
  const { cb, id, writes, approve } = await waitingPlan();
  for (const [line, options] of [
    [`approve ${id}`, {}],
    [`approve ${id} --no-input`, { columns: 80 }],
    [`approve ${id}`, { env: { CI: 'true' }, columns: 80 }],
    [`approve ${id}`, { env: { CLAUDECODE: '1' }, columns: 80 }],
  ] as const) {
    const ran = await cb(line, { ...options, person: person('y') });
    expectExit(ran, 10, 'cb: Only a person', '');
  }
  expect(await cb(`approve ${id} --decline`)).toMatchObject({ code: 0 });
  expectExit(await approve(), 10, `Plan ${id} is declined and can no longer be approved`);
  expect(writes()).toEqual([]);
});

test('sends nothing if another terminal declines the plan after the yes, while cb checks it again', async () => {
  const you = person('y');
  let declined: Promise<Ran> | undefined;
  const before = async () => {
    if (you.asked.length > 0) declined ??= cb(`approve ${id} --decline`);
    if (declined) expect(await declined).toMatchObject({ code: 0 });
    return true;
  };
  const { agent, approve, cb, writes } = await planningAgent({}, { before });
  const id = planIn((await agent.call('refund_order', fullRefund)).text);
  const late = await approve(id, [], { person: you });
  expectExit(late, 10, `Plan ${id} is declined and can no longer be approved`);
  expect(declined).toBeDefined();
  expect(writes()).toEqual([]);
});

test.each(['n', 'enter', 'escape'])('sends nothing after the key %s, and declines', async (key) => {
  const { approve, id, writes } = await waitingPlan();
  expectExit(await approve(id, { person: person(key) }), 10, `Declined plan ${id}.`);
  expectExit(await approve(), 10, `Plan ${id} is declined and can no longer be approved`);
  expect(writes()).toEqual([]);
});

test('asks twice in the terminal for a refund that the command does not suggest', async () => {
  const args = { receipt: 'DIGITAL1', reason: 'ticket.type.cancel.7' };
  const { approve, writes, id } = await waitingPlan('cancel_order', args);
  const half = person('y', 'n');
  expect(await approve(id, { person: half })).toMatchObject({ code: 10 });
  expect(half.asked).toEqual(['Send it? (y/N)', 'Refund 37.00 USD? (y/N)']);
  expect(writes()).toEqual([]);
});

test('lists no plan without its text, and approves none', async () => {
  const { file, cb, id } = await waitingPlan();
  writeFileSync(file, readFileSync(file, 'utf8').replace('"plan":{', '"plan":{"version":2},"x":{'));
  expect((await cb('approve -o json')).out.trim()).toBe('[]');
  expect(await cb(`approve ${id}`, { columns: 80 })).toMatchObject({ code: 2 });
  expect(await cb('approve aaaa-aaaa-aaaa', { columns: 80 })).toMatchObject({ code: 4 });
  expect(await cb("approve '../../secret'", { columns: 80 })).toMatchObject({ code: 2 });
});

test('plans and sends nothing if the ledger cannot be written, with exit code 3', async () => {
  const { file, approve, agent, writes } = await waitingPlan();
  appendFileSync(file, '{"id":"x"}\n');
  const refused = await agent.call('refund_order', fullRefund);
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toContain('has an invalid line');
  expect(await approve()).toMatchObject({ code: 2 });
  rmSync(file);
  mkdirSync(file);
  expect(await approve()).toMatchObject({ code: 3 });
  expect(writes()).toEqual([]);
});
