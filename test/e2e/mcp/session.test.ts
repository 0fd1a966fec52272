/** A session of `cb mcp` from its start to its end. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../support/agent.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

test.each(['legacy', 'modern'] as const)(
  'answers a client of the %s protocol and ends with 0 when it closes stdin',
  async (era) => {
    const { env } = await serveSandbox();
    const agent = await startAgent({ env, era });
    const { data, text, isError } = await agent.call('find_orders', { limit: 2 });
    expect(isError).toBe(false);
    expect(data.rows).toHaveLength(2);
    expect(text).toMatch(
      /^2 transactions from 2026-03-12 to 2026-03-18, and there are more: pass cursor "[\w.]+"\.\n/,
    );
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'clickbank-cli' });
    expect(await agent.close()).toBe(0);
    expect(agent.stderr()).toBe('');
  },
);

test('refuses wrong arguments without sending a request', async () => {
  const { env, sandbox } = await serveSandbox();
  const agent = await startAgent({ env });
  const before = sandbox.requests.length;
  for (const [args, says] of [
    [{ limit: 1000 }, 'Invalid arguments: limit must be <= 100. Nothing was sent.'],
    [{ limitt: 1 }, "There is no argument 'limitt'. The arguments are customer,"],
    [{ type: 'GIFT' }, "'type' must be one of SALE, RFND,"],
    [{ startDate: '2026-02-30' }, "Invalid startDate '2026-02-30'."],
    [{ startDate: 'today', endDate: '-3d' }, 'must not be before startDate'],
    [{ limit: 7, cursor: '000000000000.1.7' }, 'The cursor belongs to another list.'],
  ] as const) {
    const { isError, text } = await agent.call('find_orders', args);
    expect({ args, isError, text }).toMatchObject({ isError: true });
    expect(text).toContain(says);
  }
  expect((await agent.call('metrics')).text).toContain("The argument 'metric' is missing.");
  expect(sandbox.requests.length).toBe(before);
});

test('stops at the maximum number of requests of the session', async () => {
  const { env, sandbox } = await serveSandbox();
  const agent = await startAgent({ env, args: ['--max-requests', '2'] });
  const before = sandbox.requests.length;
  await agent.call('find_orders');
  await agent.call('find_orders');
  const third = await agent.call('find_orders');
  expect(third.isError).toBe(true);
  expect(third.text).toContain('This session has sent 2 requests, which is its limit.');
  expect(sandbox.requests.length - before).toBe(2);
});

test('logs every call in a private file, without the key', async () => {
  const { env, key } = await serveSandbox();
  const agent = await startAgent({ env });
  await agent.call('find_orders', { customer: `name ${key}` });
  await agent.call('find_orders', { limit: 0 });
  await expect(agent.call('refund')).resolves.toMatchObject({ isError: true });
  await agent.close();
  const file = join(agent.folder, '.local/share/clickbank-cli/mcp/calls.ndjson');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(key);
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries).toMatchObject([
    { event: 'start', allowsWrites: false },
    { tool: 'find_orders', by: 'test-agent 1.0.0', outcome: 'done' },
    { tool: 'find_orders', arguments: { limit: 0 }, outcome: 'refused' },
    { tool: 'refund', outcome: 'refused', message: "There is no tool 'refund'." },
    { event: 'end' },
  ]);
});

test('aborts the requests of a call that the client cancels', async () => {
  const { env, asked } = await serve(() => undefined);
  const agent = await startAgent({ env });
  const stop = new AbortController();
  const params = { name: 'find_orders', arguments: {} };
  const call = agent.client.callTool(params, { signal: stop.signal });
  call.catch(() => undefined);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  stop.abort();
  await expect(call).rejects.toThrow();
  const file = join(agent.folder, '.local/share/clickbank-cli/mcp/calls.ndjson');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"outcome":"failed"');
});

test('ends at once when stdin closes during a call', async () => {
  const { env, asked } = await serve(() => undefined);
  const agent = await startAgent({ env });
  const call = agent.client.callTool({ name: 'find_orders', arguments: {} });
  const isLost = expect(call).rejects.toThrow();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(await agent.close()).toBe(0);
  await agent.client.close();
  await isLost;
});
