/** `cb mcp install`, `cb mcp log`, and a session of `cb mcp` from its start to its end. */
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { startAgent } from '../../support/agent.ts';
import { home, world } from '../../support/cb.ts';
import { jsonLines } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop, serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { leaves } from '../../support/tree.ts';

/** The log of calls, below the home. */
const calls = '.local/share/clickbank-cli/mcp/calls.ndjson';

test.each(['legacy', 'modern'] as const)(
  'answers a client of the %s protocol, also about resources and prompts, and ends with 0 when it closes stdin',
  async (era) => {
    const agent = await startAgent({ ...(await serveSandbox()), era });
    const { client } = agent;
    const { data, text, isError } = await agent.call('find_orders', { limit: 2 });
    expect(isError).toBe(false);
    expect(data.rows).toHaveLength(2);
    expect(text).toMatch(
      /^2 transactions from 2026-03-12 to 2026-03-18, and there are more: pass cursor "[\w.]+"\.\n/,
    );
    expect(client.getServerVersion()).toMatchObject({ name: 'clickbank-cli' });
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
    expect(await agent.close()).toBe(0);
    expect(agent.stderr()).toBe('');
  },
);

test('refuses wrong arguments without sending a request', async () => {
  const { env, sandbox } = await serveSandbox();
  const agent = await startAgent({ env, args: ['--allow-writes'] });
  const before = sandbox.requests.length;
  const pause = { change: 'pause', receipt: 'MONTHLY1', restartDate: '+45d' };
  const product = { change: 'change product', receipt: 'MONTHLY1', oldSku: 'CLUB-M', newSku: 'X' };
  for (const [args, says, tool = 'find_orders'] of [
    [{ limit: 1000 }, 'Invalid arguments: limit must be <= 100. Nothing was sent.'],
    [{ limitt: 1 }, "There is no argument 'limitt'. The arguments are customer,"],
    [{ type: [] }, 'type must not be empty.'],
    [{ type: 'GIFT' }, "'type' must be one of SALE, RFND,"],
    [{ startDate: '2026-02-30' }, "Invalid startDate '2026-02-30'."],
    [{ endDate: '-9d' }, 'endDate (2026-03-09) must not be before startDate (2026-03-12).'],
    [{ limit: 7, cursor: '000000000000.1.7' }, 'The cursor belongs to another list.'],
    [{}, "The argument 'metric' is missing.", 'metrics'],
    [{ ...pause, numPeriods: 2 }, 'numPeriods does not belong to pause.', 'change_subscription'],
    // A change of product must say whether to refund.
    [product, 'applyProratedRefund is missing.', 'change_subscription'],
  ] as const) {
    const { isError, text } = await agent.call(tool, args);
    expect({ args, isError, text }).toMatchObject({ isError: true });
    expect(text).toContain(says);
  }
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

test('logs every call in a private file without the key, and lists the calls, newest first', async () => {
  const { cb, folder, env, key } = await servedShop();
  expect(JSON.parse((await cb('mcp log -o json')).out)).toEqual([]);
  const agent = await startAgent({ env, folder });
  await agent.call('find_orders', { customer: `name ${key}` });
  await agent.call('find_orders', { limit: 0 });
  await expect(agent.call('refund')).resolves.toMatchObject({ isError: true });
  await agent.call('find_orders', { limit: 1 });
  await agent.call('get_ticket', { id: '999999' });
  await agent.close();
  const file = join(folder, calls);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(key);
  const failed = { tool: 'get_ticket', outcome: 'failed', message: expect.stringContaining('403') };
  expect(jsonLines(text)).toMatchObject([
    { event: 'start', allowsWrites: false },
    { tool: 'find_orders', by: 'test-agent 1.0.0', outcome: 'done' },
    { tool: 'find_orders', arguments: { limit: 0 }, outcome: 'refused' },
    { tool: 'refund', outcome: 'refused', message: "There is no tool 'refund'." },
    { tool: 'find_orders', outcome: 'done' },
    failed,
    { event: 'end' },
  ]);
  expect(JSON.parse((await cb('mcp log --limit 2 -o json')).out)).toMatchObject([
    failed,
    { tool: 'find_orders', outcome: 'done', requests: 1, arguments: '{"limit":1}' },
  ]);
});

test('aborts the requests of a call that the client cancels, and ends at once when stdin closes during a call', async () => {
  const { env, asked } = await serve(() => undefined);
  const agent = await startAgent({ env });
  const stop = new AbortController();
  const begin = async (options = {}) => {
    const before = asked.length;
    const call = agent.client.callTool({ name: 'find_orders', arguments: {} }, options);
    const isLost = expect(call).rejects.toThrow();
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    return { isLost };
  };
  const canceled = await begin({ signal: stop.signal });
  stop.abort();
  await canceled.isLost;
  const log = () => readFileSync(join(agent.folder, calls), 'utf8');
  await expect.poll(log).toContain('"outcome":"failed"');
  const open = await begin();
  expect(await agent.close()).toBe(0);
  await agent.client.close();
  await open.isLost;
});

const cursor = '.cursor/mcp.json';
const server = { command: 'cb', args: ['mcp', '--sandbox'] };

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o640 });
  return file;
}

test('prints the configuration of each program, and writes it to its file', async () => {
  const typed = { clickbank: { type: 'stdio', ...server } };
  const usual = { mcpServers: { clickbank: server } };
  const byShell = { command: 'cmd', args: ['/c', 'cb', ...server.args] };
  for (const [program, platform, config, file] of [
    ['claude', 'linux', usual, '.config/Claude/claude_desktop_config.json'],
    ['claude', 'darwin', usual, 'Library/Application Support/Claude/claude_desktop_config.json'],
    // On Windows, a shell starts the command file.
    ['claude', 'win32', { mcpServers: { clickbank: byShell } }, undefined],
    ['claude-code', 'linux', { mcpServers: typed }, undefined],
    ['vscode', 'darwin', { servers: typed }, 'Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'linux', { servers: typed }, '.config/Code/User/mcp.json'],
    ['cursor', 'linux', usual, cursor],
    ['windsurf', 'linux', usual, '.codeium/windsurf/mcp_config.json'],
    ['gemini', 'linux', usual, '.gemini/settings.json'],
  ] as const) {
    const { folder } = home();
    const install = async (...flags: readonly string[]) => {
      const { context, stdout, stderr } = world(folder, {});
      const argv = ['mcp', 'install', program, '--sandbox', ...flags];
      expect(await run(argv, { ...context, platform })).toBe(0);
      return { out: stdout.text, err: stderr.text };
    };
    expect(JSON.parse((await install()).out)).toEqual(config);
    if (file === undefined) continue;
    expect((await install('--write')).err).toContain(`Wrote ${join(folder, file)}.`);
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toEqual(config);
  }
});

test('keeps everything else in the file, its mode and its indentation, also if it is the target of a link', async () => {
  const { cb, folder } = home();
  const before = `{\n\t"id": 12345678901234567890,\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"théme": "dark"\n}\n`;
  const file = write(folder, 'dotfiles/mcp.json', before);
  mkdirSync(join(folder, '.cursor'));
  symlinkSync(file, join(folder, cursor));
  expect(await cb('mcp install cursor --sandbox --write')).toMatchObject({ code: 0 });
  expect(lstatSync(join(folder, cursor)).isSymbolicLink()).toBe(true);
  const after = readFileSync(file, 'utf8');
  const added = `,\n\t\t"clickbank": {\n\t\t\t"command": "cb",\n\t\t\t"args": [\n\t\t\t\t"mcp",\n\t\t\t\t"--sandbox"\n\t\t\t]\n\t\t}\n\t},`;
  expect(after).toBe(before.replace('\n\t},', added));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  const again = await cb('mcp install cursor --sandbox --write');
  expect(again.err).toContain('is up to date');
  expect(readFileSync(file, 'utf8')).toBe(after);
  await cb('mcp install cursor --sandbox --write --allow-writes --max-requests 50');
  expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.clickbank.args).toEqual([
    ...['mcp', '--sandbox', '--allow-writes', '--max-requests', '50'],
  ]);
});

test('changes nothing in a file that it does not understand', async () => {
  const { cb, folder } = home();
  for (const before of [
    '{\n  // mine\n  "mcpServers": {}\n}\n',
    '{"mcpServers": {',
    '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}',
    '[]',
    '{"mcpServers": []}',
    '{"mcpServers": {"clickbank": {"command": "npx"}}}',
  ]) {
    const file = write(folder, cursor, before);
    const { code, err } = await cb('mcp install cursor --sandbox --write');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(file) });
    expect(readFileSync(file, 'utf8')).toBe(before);
  }
});

test('names the current profile, and never has a key', async () => {
  const { env, key } = await serveSandbox();
  const { cb } = home();
  const fromEnvironment = await cb('mcp install claude', { env });
  expectExit(fromEnvironment, 3, 'CB_API_KEY is not passed on', '');
  const base = env.CB_BASE_URL;
  const login = `login --with-key --profile shop --base-url ${base}`;
  expect(await cb(login, { stdin: `${key}\n` })).toMatchObject({ code: 0 });
  const { out } = await cb('mcp install claude');
  expect(JSON.parse(out).mcpServers.clickbank.args).toEqual(['mcp', '--profile', 'shop']);
  expect(out).not.toContain(key);
  expect(await cb('mcp install claude --profile other')).toMatchObject({ code: 3 });
});

test('prints and installs the skill, which begins with money and fits on a few screens', async () => {
  const { cb, folder } = home();
  const printed = await cb('mcp install claude-code --skill');
  expect(printed.code).toBe(0);
  const lines = printed.out.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(250);
  expect(lines.find((line) => line.startsWith('## '))).toBe('## Money first');
  for (const { path } of leaves) expect(printed.out).toContain(`\`cb ${path}`);
  const file = join(folder, '.claude/skills/clickbank/SKILL.md');
  for (const _ of [1, 2]) {
    const written = await cb('mcp install claude-code --skill --write');
    expect(written).toMatchObject({ code: 0, err: `Wrote ${file}.\n` });
  }
  expect(readFileSync(file, 'utf8')).toBe(printed.out);
  const unknown = await cb('mcp install cursor --skill --write');
  expectExit(unknown, 2, 'cb does not know where Cursor keeps skills.');
});
