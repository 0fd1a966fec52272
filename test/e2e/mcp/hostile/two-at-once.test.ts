/** Several approvals at once: one request; and keys that nobody pressed as an answer: none. */
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/http/server.ts';
import { startAgent } from '../../../support/agent.ts';
import { forwardingTo, fullRefund, planningAgent } from '../../../support/approvals.ts';
import { emptyHome } from '../../../support/binary.ts';
import { home } from '../../../support/cb.ts';
import { person } from '../../../support/person.ts';
import { hasTerminals, onTerminal } from '../../../support/pty.ts';
import { oneLine } from '../../../support/queue.ts';
import { serveSandbox } from '../../../support/sandbox.ts';

/** A plan made now, because the terminal uses this machine's clock. */
async function planForTerminals() {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 60 } });
  onTestFinished(() => sandbox.close());
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: sandbox.keys[0]?.key ?? '' };
  const folder = emptyHome();
  const options = { env, folder, now: () => new Date(), args: ['--allow-writes'] };
  const agent = await startAgent(options);
  const { data } = await agent.call('refund_order', fullRefund);
  return {
    approve: () => onTerminal(`cb approve ${data.plan}`, { home: folder, env }),
    posts: () => sandbox.requests.filter(({ method }) => method === 'POST'),
  };
}

test.skipIf(!hasTerminals)(
  'sends once if two terminals approve one plan at once, and tells the other one (needs script)',
  async () => {
    const { approve, posts } = await planForTerminals();
    const terminals = [approve(), approve()];
    for (const terminal of terminals) await terminal.until(/Send it\?/);
    for (const terminal of terminals) terminal.type('y');
    const ended = await Promise.all(terminals.map((terminal) => terminal.ended()));
    const codes = ended.map(({ out }) => /code (\d+)/.exec(out)?.[1]);
    expect(codes.toSorted()).toEqual(['0', '10']);
    expect(posts()).toHaveLength(1);
  },
);

test('sends one refund if several plans for one order are approved at once', async () => {
  const { agent, approve, writes } = await planningAgent();
  const ids: unknown[] = [];
  for (let made = 0; made < 4; made++) {
    ids.push((await agent.call('refund_order', fullRefund)).data.plan);
  }
  const cancel = { receipt: 'DIGITAL1', reason: 'ticket.type.cancel.7' };
  ids.push((await agent.call('cancel_order', cancel)).data.plan);
  const ran = await Promise.all(ids.map((id) => approve(id, ['y', 'y'])));
  expect(ran.map(({ code }) => code).toSorted()).toEqual([0, 10, 10, 10, 10]);
  expect(writes()).toHaveLength(1);
});

test('sends one refund of two plans if the reads of the service lag behind its writes', async () => {
  const { env, sandbox, writes } = await serveSandbox();
  const first = new Map<string, string>();
  const { url } = await forwardingTo(sandbox.url, {
    alter: (body, request) => {
      // Always what was read first, as if nothing had happened since.
      const known = request.startsWith('GET') ? (first.get(request) ?? body) : body;
      first.set(request, known);
      return known;
    },
  });
  const { cb, folder } = home();
  const stale = { ...env, CB_BASE_URL: url };
  const agent = await startAgent({ env: stale, folder, args: ['--allow-writes'] });
  const one = await agent.call('refund_order', fullRefund);
  const other = await agent.call('refund_order', fullRefund);
  const approve = (id: unknown) =>
    cb(`approve ${id}`, { env: stale, columns: 80, person: person('y') });
  expect(await approve(one.data.plan)).toMatchObject({ code: 0 });
  const second = await approve(other.data.plan);
  expect(second).toMatchObject({ code: 10 });
  expect(oneLine(second.err)).toContain(`plan ${one.data.plan} about the same order or ticket`);
  const third = await agent.call('refund_order', fullRefund);
  expect(third).toMatchObject({ isError: true });
  expect(third.text).toContain(`ClickBank does not yet show the write of plan ${one.data.plan}`);
  expect(writes()).toHaveLength(1);
});

test.skipIf(!hasTerminals)(
  'takes no keys that were typed before the question appeared (needs script)',
  async () => {
    const { approve, posts } = await planForTerminals();
    const terminal = approve();
    terminal.type('yyyyyyyy');
    await terminal.until(/Send it\?/);
    terminal.type('n');
    const { out } = await terminal.ended();
    expect(out).toContain('code 10');
    expect(posts()).toEqual([]);
  },
);
