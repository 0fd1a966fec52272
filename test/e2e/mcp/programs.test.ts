/** The built program, driven by the official clients of the protocol and by a shell. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { binary, cb, emptyHome } from '../../support/binary.ts';
import { serveSandbox } from '../../support/sandbox.ts';

/** How a client starts the server. */
function parameters(env: Readonly<Record<string, string>>) {
  return {
    ...{ command: process.execPath, args: [binary, 'mcp'], stderr: 'pipe' as const },
    env: { PATH: process.env.PATH ?? '', HOME: emptyHome(), ...env },
  };
}

const info = { name: 'test', version: '1.0.0' };

test.each([
  ['2.x in the protocol of 2025', 'legacy'],
  ['2.x in the protocol of 2026', { pin: '2026-07-28' }],
] as const)('answers the official client %s', async (_, mode) => {
  const { env } = await serveSandbox();
  const client = new Client(info, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport(parameters(env)));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('order_timeline');
  const result = await client.callTool({
    name: 'order_timeline',
    arguments: { receipt: 'MONTHLY1' },
  });
  expect(result.structuredContent).toMatchObject({ receipt: 'MONTHLY1' });
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    expect({ uri, length: JSON.stringify(contents).length > 200 }).toMatchObject({ length: true });
  }
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    ...['daily_check', 'refund_customer', 'why_refunds_rose'],
  ]);
  const prompt = await client.getPrompt({
    name: 'refund_customer',
    arguments: { customer: 'ada@example.com' },
  });
  expect(JSON.stringify(prompt.messages)).toContain('ada@example.com');
  await expect(client.getPrompt({ name: 'refund_customer' })).rejects.toThrow(
    'customer is missing',
  );
  await expect(client.readResource({ uri: 'clickbank://x' })).rejects.toThrow('no resource');
});

test('answers the official client of the previous major version', async () => {
  const { env } = await serveSandbox();
  const client = new EarlierClient(info);
  onTestFinished(() => client.close());
  await client.connect(new EarlierTransport(parameters(env)));
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

test('writes only messages of the protocol to stdout, one on each line', async () => {
  const { env } = await serveSandbox();
  const running = cb(['mcp', '--debug'], { env, stdin: { open: true } });
  running.type(`${JSON.stringify(initialize)}\n`);
  await running.until(/"id":1/);
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

test('ends with 0 if nothing comes on stdin', async () => {
  const { env } = await serveSandbox();
  expect(await cb(['mcp'], { env }).ended()).toEqual({ code: 0, out: '', err: '' });
});

test('ends with 0 if the reader of stdout is gone', async () => {
  const { env } = await serveSandbox();
  const running = cb(['mcp'], { env, stdin: { open: true } });
  running.type(`${JSON.stringify(initialize)}\n`);
  await running.until(/"id":1/);
  running.child.stdout?.destroy();
  running.type(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
  expect(await running.ended()).toMatchObject({ code: 0, err: '' });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends with %s while stdin is open', async (signal, code) => {
  const { env } = await serveSandbox();
  const running = cb(['mcp'], { env, stdin: { open: true } });
  running.type(`${JSON.stringify(initialize)}\n`);
  await running.until(/"id":1/);
  running.child.kill(signal);
  expect(await running.ended()).toMatchObject({ code, err: 'cb: Interrupted.\n' });
});

test('ends with 3 and what to do if there is no key', async () => {
  const { code, out, err } = await cb(['mcp'], { stdin: { open: true } }).ended();
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toContain('cb: There is no API key yet.');
});
