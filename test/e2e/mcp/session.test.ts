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

test.each(['legacy', 'modern'] as const)(
  'answers a client of the %s protocol and ends with 0 when it closes stdin',
  async (era) => {
    const agent = await startAgent({ ...(await serveSandbox()), era });
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
    [{ type: [] }, 'type must not be empty.'],
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
  expect(jsonLines(text)).toMatchObject([
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

const cursor = '.cursor/mcp.json';
const server = { command: 'cb', args: ['mcp', '--sandbox'] };

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o640 });
  return file;
}

test('prints the configuration of each program, on Windows with a shell for the command file', async () => {
  const { cb } = home();
  const typed = { clickbank: { type: 'stdio', ...server } };
  for (const program of ['claude', 'claude-code', 'cursor', 'vscode', 'windsurf', 'gemini']) {
    const { code, out } = await cb(`mcp install ${program} --sandbox`);
    expect(code).toBe(0);
    const plain = { mcpServers: program === 'claude-code' ? typed : { clickbank: server } };
    expect(JSON.parse(out)).toEqual(program === 'vscode' ? { servers: typed } : plain);
  }
  const { context, stdout } = world(home().folder, {});
  const windows = { ...context, platform: 'win32' };
  expect(await run(['mcp', 'install', 'claude', '--sandbox'], windows)).toBe(0);
  expect(JSON.parse(stdout.text).mcpServers.clickbank).toEqual({
    command: 'cmd',
    args: ['/c', 'cb', 'mcp', '--sandbox'],
  });
});

test('writes the file of each program', async () => {
  for (const [program, platform, file] of [
    ['claude', 'linux', '.config/Claude/claude_desktop_config.json'],
    ['claude', 'darwin', 'Library/Application Support/Claude/claude_desktop_config.json'],
    ['vscode', 'darwin', 'Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'linux', '.config/Code/User/mcp.json'],
    ['cursor', 'linux', cursor],
    ['windsurf', 'linux', '.codeium/windsurf/mcp_config.json'],
    ['gemini', 'linux', '.gemini/settings.json'],
  ] as const) {
    const { folder } = home();
    const { context, stderr } = world(folder, {});
    const argv = ['mcp', 'install', program, '--sandbox', '--write'];
    expect(await run(argv, { ...context, platform })).toBe(0);
    expect(stderr.text).toContain(`Wrote ${join(folder, file)}.`);
    expect(readFileSync(join(folder, file), 'utf8')).toContain('"clickbank": {');
  }
});

test('keeps everything else in the file, its mode and its indentation', async () => {
  const { cb, folder } = home();
  const before = `{\n\t"id": 12345678901234567890,\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"théme": "dark"\n}\n`;
  const file = write(folder, cursor, before);
  expect(await cb('mcp install cursor --sandbox --write')).toMatchObject({ code: 0 });
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

test('writes to the target of a link', async () => {
  const { cb, folder } = home();
  const target = write(folder, 'dotfiles/mcp.json', '{}');
  mkdirSync(join(folder, '.cursor'));
  symlinkSync(target, join(folder, cursor));
  expect(await cb('mcp install cursor --sandbox --write')).toMatchObject({ code: 0 });
  expect(lstatSync(join(folder, cursor)).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, 'utf8')).toContain('clickbank');
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
  const stored = await cb(`login --with-key --profile shop --base-url ${base}`, {
    stdin: `${key}\n`,
  });
  expect(stored).toMatchObject({ code: 0 });
  const { out } = await cb('mcp install claude');
  expect(JSON.parse(out).mcpServers.clickbank.args).toEqual(['mcp', '--profile', 'shop']);
  expect(out).not.toContain(key);
  expect(await cb('mcp install claude --profile other')).toMatchObject({ code: 3 });
});

test('lists the calls of agents, newest first', async () => {
  const { cb, folder, env } = await servedShop();
  expect(JSON.parse((await cb('mcp log -o json')).out)).toEqual([]);
  const agent = await startAgent({ env, folder });
  await agent.call('find_orders', { limit: 1 });
  await agent.call('get_ticket', { id: '999999' });
  await agent.close();
  const { out } = await cb('mcp log -o json');
  expect(JSON.parse(out)).toMatchObject([
    { tool: 'get_ticket', outcome: 'failed', message: expect.stringContaining('403') },
    { tool: 'find_orders', outcome: 'done', requests: 1, arguments: '{"limit":1}' },
  ]);
  expect(JSON.parse((await cb('mcp log --limit 1 -o json')).out)).toMatchObject([
    { tool: 'get_ticket' },
  ]);
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
  const limited = await cb('mcp install claude-code --skill --max-refunds 2');
  expectExit(limited, 2, '--skill can be combined only with --write.');
  const unknown = await cb('mcp install cursor --skill --write');
  expectExit(unknown, 2, 'cb does not know where Cursor keeps skills.');
});
