/** `cb mcp install` and `cb mcp log`. */
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { startAgent } from '../../support/agent.ts';
import { home, world } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { leaves } from '../../support/tree.ts';

const cursor = '.cursor/mcp.json';
const server = { command: 'cb', args: ['mcp', '--sandbox'] };

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o640 });
  return file;
}

test('prints the configuration of each program', async () => {
  const { cb } = home();
  const typed = { clickbank: { type: 'stdio', ...server } };
  for (const program of ['claude', 'claude-code', 'cursor', 'vscode', 'windsurf', 'gemini']) {
    const { code, out } = await cb(`mcp install ${program} --sandbox`);
    expect(code).toBe(0);
    const plain = { mcpServers: program === 'claude-code' ? typed : { clickbank: server } };
    expect(JSON.parse(out)).toEqual(program === 'vscode' ? { servers: typed } : plain);
  }
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

test('starts a command file through the shell of Windows', async () => {
  const { context, stdout } = world(home().folder, {});
  const windows = { ...context, platform: 'win32' };
  expect(await run(['mcp', 'install', 'claude', '--sandbox'], windows)).toBe(0);
  expect(JSON.parse(stdout.text).mcpServers.clickbank).toEqual({
    command: 'cmd',
    args: ['/c', 'cb', 'mcp', '--sandbox'],
  });
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
  expect(fromEnvironment).toMatchObject({ code: 3, out: '' });
  expect(fromEnvironment.err).toContain('CB_API_KEY is not passed on');
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

test('names the command that adds the server where another program keeps the file', async () => {
  const { cb } = home();
  const { code, err } = await cb('mcp install claude-code --sandbox --write');
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(
      'run `claude mcp add --scope user clickbank -- cb mcp --sandbox`.',
    ),
  });
});

test('lists the calls of agents, newest first', async () => {
  const { env } = await serveSandbox();
  const { cb, folder } = home();
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
  const unknown = await cb('mcp install cursor --skill --write');
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.err).toContain('cb does not know where Cursor keeps skills.');
});
