/**
 * One contract in every runtime, against the sandbox over a socket. `npm run runtimes` installs the runtimes; those that
 * are missing are skipped. They run with an environment that names no home folder, and Deno without permission to
 * read files or the environment.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { buildProgram, buildWorker, source } from './contract/bundles.ts';
import type { Limits } from './contract/checks.ts';
import { startHost } from './contract/host.ts';
import { project } from './package.ts';
import { openShop } from './shop.ts';

const packages = resolve('node_modules/.cache/runtimes/node_modules');
const deno = join(packages, '@deno/linux-x64-glibc/deno');
const bun = join(packages, '@oven/bun-linux-x64/bin/bun');
const workerd = join(packages, '@cloudflare/workerd-linux-64/bin/workerd');
const howToInstall = 'It is not installed. npm run runtimes installs it.';

/** Without the guard of the tests, which Deno would load from a file; its own permissions are stricter. */
const denoOptions = [
  ...['-u', 'NODE_OPTIONS', deno],
  ...['run', '--quiet', '--no-prompt', '--no-remote', '--allow-net=127.0.0.1'],
];

interface Runtime {
  readonly name: string;
  readonly program: string;
  /** Runs the program, which is then among the options. */
  readonly starter?: string;
  readonly options?: readonly string[];
  readonly carrier?: 'fetch';
  /** All by default. */
  readonly writes?: Limits['writes'];
}

const inDeno = { program: deno, starter: '/usr/bin/env', options: denoOptions };

const runtimes: readonly Runtime[] = [
  { name: `Node ${process.versions.node}`, program: process.execPath },
  { name: 'Node 22', program: join(packages, 'node-22/bin/node') },
  { name: 'Node 24', program: join(packages, 'node-24/bin/node') },
  { name: 'Bun', program: bun },
  { ...inDeno, name: 'Deno' },
  { name: 'Node with fetch', program: process.execPath, carrier: 'fetch' },
  { name: 'Bun with fetch', program: bun, carrier: 'fetch' },
  { ...inDeno, name: 'Deno with fetch', carrier: 'fetch', writes: 'none' },
];

/** As many lines as there are checks, each `ok NAME`. */
function expectAllOk(output: string): void {
  const lines = output.trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(lines.length).toBeGreaterThan(15);
}

test.for(runtimes)('keeps the contract in $name', async (runtime, { skip }) => {
  const { program, starter = program, options = [], carrier, writes = 'all' } = runtime;
  if (!existsSync(program)) skip(howToInstall);
  const folder = project({});
  await buildProgram(folder);
  const control = await startHost();
  const args = [...options, 'program.mjs', control, writes, ...(carrier ? [carrier] : [])];
  const env = { DENO_DIR: join(folder, 'deno') };
  const { stdout, stderr } = await promisify(execFile)(starter, args, { cwd: folder, env });
  expect(stderr).toBe('');
  expectAllOk(stdout);
});

/** Without nodejs_compat, and with loopback as its only network. */
function configOf(variables: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = "${text}")`,
  );
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  bindings = [${bindings.join(', ')}],
  compatibilityDate = "2026-11-01",
);
`;
}

/** Serves `worker.mjs` of a folder until the test ends, and returns its URL. */
async function startWorkerd(folder: string, variables = {}): Promise<string> {
  writeFileSync(join(folder, 'config.capnp'), configOf(variables));
  const args = ['serve', 'config.capnp', '--control-fd=3'];
  // workerd prints a stack for each certificate that it refuses.
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
  const server = spawn(workerd, args, { cwd: folder, env: {}, stdio: [...stdio] });
  onTestFinished(() => void server.kill());
  const told = await new Promise<string>((done, fail) => {
    server.on('error', fail).on('exit', () => fail(new Error('workerd ended')));
    server.stdio[3]?.once('data', (data) => done(String(data)));
  });
  return `http://127.0.0.1:${JSON.parse(told.split('\n', 1)[0] ?? '').port}`;
}

test('keeps the contract in workerd over fetch', async ({ skip }) => {
  if (!existsSync(workerd)) skip(howToInstall);
  const folder = project({});
  await buildWorker(folder, source('worker.ts'));
  const [control, url] = [await startHost(), await startWorkerd(folder)];
  const response = await fetch(`${url}/?control=${encodeURIComponent(control)}`);
  expectAllOk(await response.text());
});

test('runs the program of the documentation in workerd', async ({ skip }) => {
  if (!existsSync(workerd)) skip(howToInstall);
  const page = readFileSync('docs/library-runtimes.md', 'utf8');
  const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const folder = project({ 'main.js': program });
  await buildWorker(folder, join(folder, 'main.js'));
  const { sandbox, client } = await openShop();
  const { baseUrl, apiKey } = sandbox;
  const url = await startWorkerd(folder, { CLICKBANK_URL: baseUrl, CLICKBANK_KEY: apiKey });
  const day = { startDate: '2026-03-18', endDate: '2026-03-18' };
  const count = await client.orders.count(day);
  expect(count).toBeGreaterThan(0);
  expect(await (await fetch(url)).text()).toBe(String(count));
});
