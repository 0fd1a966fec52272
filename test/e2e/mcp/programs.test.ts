/** Official clients of the protocol, and the built program, driven by one of them and by a shell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../support/agent.ts';
import { binary, cb, emptyHome } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const info = { name: 'test', version: '1.0.0' };

test.each(['legacy', 'modern'] as const)(
  'lists and reads resources and prompts (%s protocol)',
  async (era) => {
    const { env } = await serveSandbox();
    const { client } = await startAgent({ env, era });
    const { resources } = await client.listResources();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect({ uri, isLong: JSON.stringify(contents).length > 200 }).toEqual({ uri, isLong: true });
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      ...['daily_check', 'refund_customer', 'why_refunds_rose'],
    ]);
    const args = { customer: 'ada@example.com' };
    const prompt = await client.getPrompt({ name: 'refund_customer', arguments: args });
    expect(JSON.stringify(prompt.messages)).toContain('ada@example.com');
    const missing = client.getPrompt({ name: 'refund_customer' });
    await expect(missing).rejects.toThrow('customer is missing');
    await expect(client.readResource({ uri: 'clickbank://x' })).rejects.toThrow('no resource');
  },
);

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
  const messages = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]));
});

test('ends with 0 if nothing comes on stdin, and with 3 and what to do if there is no key', async () => {
  const { env } = await serveSandbox();
  expect(await home().cb('mcp', { env })).toEqual({ code: 0, out: '', err: '' });
  expect(await home().cb('mcp')).toMatchObject({
    ...{ code: 3, out: '', err: expect.stringContaining('cb: There is no API key yet.') },
  });
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
