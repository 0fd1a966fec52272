/** Queries of an agent that would never end, or need all memory: the server continues, and no process is left behind. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { realClock } from '../../../../src/client/clock.ts';
import { startAgent } from '../../../support/agent.ts';
import { cb, emptyHome } from '../../../support/binary.ts';
import { home } from '../../../support/cb.ts';
import { syncedHome } from '../../../support/copy.ts';
import { rawAgent } from '../../../support/raw-agent.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { isLong } from '../../../support/tier.ts';

const endless =
  'with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r';

/** The machine may be busy. */
const slowly = { timeout: 60_000 };

/** The processes that a process has started. */
function childrenOf(parent: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => statusOf(name).includes(`\nPPid:\t${parent}\n`))
    .map(Number);
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

async function agentWithCopy(patience: number) {
  const { folder } = await syncedHome('--sandbox sync --since -10d --tables orders', 60);
  const sleep = (time: number, signal?: AbortSignal) =>
    realClock.sleep(time === 30_000 ? patience : time, signal);
  return startAgent({ folder, args: ['--sandbox'], clock: { ...realClock, sleep } });
}

test('ends a query after 30 seconds', async () => {
  const agent = await agentWithCopy(0);
  expect(await agent.call('query_copy', { sql: endless })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^The query was ended after 30 seconds\.\nRead fewer rows/),
  });
});

test.skipIf(!isLong)('refuses a query that needs too much memory', async () => {
  const agent = await agentWithCopy(300_000);
  const sql =
    "with recursive r(n, x) as (select 1, 'x' union all select n + 1, x || x from r) select max(x) from r";
  expect(await agent.call('query_copy', { sql })).toMatchObject({
    isError: true,
    text: 'The query needs more than 1 GB of memory.\nRead fewer or shorter values.',
  });
});

test('cuts long values', async () => {
  const agent = await agentWithCopy(300_000);
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
