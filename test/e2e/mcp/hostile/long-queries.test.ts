/** Queries that would never end, and approvals at once: the server continues, no process stays, and one request is sent. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../../../../src/client/clock.ts';
import { startSandbox } from '../../../../src/sandbox/http/server.ts';
import { agentWithCopy, startAgent } from '../../../support/agent.ts';
import { fullRefund, planningAgent } from '../../../support/approvals.ts';
import { cb, emptyHome } from '../../../support/binary.ts';
import { home } from '../../../support/cb.ts';
import { hasTerminals, onTerminal } from '../../../support/pty.ts';
import { rawAgent } from '../../../support/raw-agent.ts';
import { expectExit } from '../../../support/refusal.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { isLong } from '../../../support/tier.ts';

const endless =
  'with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r';

/** The machine may be busy. */
const slowly = { timeout: 60_000 };

/** The processes that a process has started. */
function childrenOf(parent: number | undefined): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => statusOf(pid).includes(`\nPPid:\t${parent}\n`)).map(Number);
}

function isRunning(pid: number | undefined): boolean {
  // A process that has ended and whose parent has not noticed is a zombie.
  return /\nState:\t[^ZX]/.test(statusOf(pid));
}

function statusOf(pid: number | string | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** The built server, with a query that runs in the process `query`, and more that wait for it. */
async function runningQuery(calls = 1) {
  const { env } = await serveSandbox({ orders: 20 });
  const folder = emptyHome();
  const synced = await home(folder).cb('sync --since -3d --tables orders', { env });
  expect(synced).toMatchObject({ code: 0 });
  const server = cb(['mcp'], { env, home: folder, stdin: { open: true } });
  const agent = await rawAgent((line) => server.type(line), server.child.stdout as Readable);
  for (let id = 2; id < 2 + calls; id++) agent.call(id, 'query_copy', { sql: endless });
  const children = () => childrenOf(server.child.pid);
  await expect.poll(children, slowly).toHaveLength(1);
  const [query] = children();
  return { server, agent, query, children };
}

test('runs one query at a time, answers other calls meanwhile, and ends a query when its call is canceled', async () => {
  const { server, agent, query, children } = await runningQuery(2);
  for (let id = 100; id < 120; id++) {
    agent.send({ id, method: 'ping' });
    expect(await agent.until((message) => message.id === id)).toMatchObject({ result: {} });
  }
  agent.call(9, 'find_orders', { limit: 1 });
  expect(await agent.until(({ id }) => id === 9)).toMatchObject({ result: {} });
  expect(children()).toEqual([query]);
  expect(isRunning(query)).toBe(true);
  for (const requestId of [2, 3]) {
    agent.send({ method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
  }
  await expect.poll(() => isRunning(query), slowly).toBe(false);
  agent.call(4, 'query_copy', { sql: 'select count(*) as n from orders' });
  const { result } = await agent.until(({ id }) => id === 4);
  expect(result).not.toHaveProperty('isError');
  await expect.poll(children, slowly).toEqual([]);
  server.child.stdin?.end();
  expect(await server.ended()).toMatchObject({ code: 0, err: '' });
});

const ends = [
  ['it is killed', null, (child: ChildProcess) => child.kill('SIGKILL')],
  ['stdin closes', 0, (child: ChildProcess) => child.stdin?.end()],
  ['it gets SIGTERM', 143, (child: ChildProcess) => child.kill('SIGTERM')],
] as const;

test.each(isLong ? ends : [ends[0]])(
  'leaves no process behind when %s during a query',
  async (_, code, end) => {
    const { server, query } = await runningQuery(2);
    end(server.child);
    expect(await server.ended()).toMatchObject({ code });
    await expect.poll(() => isRunning(query), slowly).toBe(false);
  },
);

/** A clock on which 30 seconds take another time. */
function clockWith(patience: number) {
  const sleep = (time: number, signal?: AbortSignal) =>
    realClock.sleep(time === 30_000 ? patience : time, signal);
  return { clock: { ...realClock, sleep } };
}

test('ends a query after 30 seconds', async () => {
  const agent = await agentWithCopy(clockWith(0));
  const text = expect.stringMatching(/^The query was ended after 30 seconds\.\nRead fewer rows/);
  const ended = await agent.call('query_copy', { sql: endless });
  expect(ended).toMatchObject({ isError: true, text });
});

test('cuts long values', async () => {
  const agent = await agentWithCopy(clockWith(300_000));
  const long = "printf('%.*c', 10000000, '''') as a, zeroblob(90000) as b, 'x' as c, 7 as d";
  const edge =
    "replace(hex(zeroblob(500)), '0', '''') as e, replace(hex(zeroblob(500)), '0', '😀') as f, zeroblob(1000) as g";
  const { data } = await agent.call('query_copy', { sql: `select ${long}, ${edge}` });
  expect(data.rows).toEqual([
    [
      ...[`${"'".repeat(1000)}…`, `x'${'00'.repeat(1000)}…'`, 'x', 7],
      ...["'".repeat(1000), `${'😀'.repeat(500)}…`, `x'${'00'.repeat(1000)}'`],
    ],
  ]);
});

/** A plan made now, because the terminal uses this machine's clock. */
async function planForTerminals() {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 60 } });
  onTestFinished(() => sandbox.close());
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: sandbox.keys[0]?.key ?? '' };
  const folder = emptyHome();
  const agent = await startAgent({ env, folder, now: () => new Date(), args: ['--allow-writes'] });
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
  const first = new Map<string, string>();
  const alter = (body: string, request: string) => {
    // Always what was read first, as if nothing had happened since.
    const known = request.startsWith('GET') ? (first.get(request) ?? body) : body;
    first.set(request, known);
    return known;
  };
  const { agent, approve, writes } = await planningAgent({}, { alter });
  const one = await agent.call('refund_order', fullRefund);
  const other = await agent.call('refund_order', fullRefund);
  expect(await approve(one.data.plan)).toMatchObject({ code: 0 });
  const second = await approve(other.data.plan);
  expectExit(second, 10, `plan ${one.data.plan} about the same order or ticket`);
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
