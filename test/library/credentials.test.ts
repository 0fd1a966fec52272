/** A client reads stored keys and the environment only if the program asks for them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { canary } from '../support/canary.ts';
import { home, now } from '../support/cb.ts';
import { write } from '../support/doctor.ts';
import { preload } from '../support/preload.ts';
import { serve } from '../support/server.ts';
import { runNode } from './package.ts';
import { openShop } from './shop.ts';

/** A home with profiles as `cb login` stores them. */
function homeWith(stored: object): string {
  const made = home();
  write(made, stored);
  return made.folder;
}

/** Runs a program on the built library and returns what it prints. */
async function run(code: string, folder: string, env: object = {}) {
  const file = join(folder, 'program.mjs');
  const library = JSON.stringify(resolve('dist/library/index.js'));
  const imports = `import { createClient, fromEnvironment, fromProfile } from ${library};`;
  const helpers = `const show = (value) => console.log(JSON.stringify(value));
    const failed = ({ name, kind, message, hint }) => show({ name, kind, message, hint });`;
  writeFileSync(file, `${imports}\n${helpers}\n${code}`);
  const { stdout: out, stderr: err } = await runNode([file], { env: { HOME: folder, ...env } });
  return { out, err };
}

/** Writes the names of read variables and the paths of used files to stderr when the program ends. */
const watch = `
  const fs = require('node:fs');
  const seen = new Set();
  process.env = new Proxy(process.env, {
    get: (env, name) => (seen.add('env ' + String(name)), env[name]),
    has: (env, name) => (seen.add('env ' + String(name)), name in env),
  });
  for (const name of ['openSync', 'readFileSync', 'lstatSync', 'statSync', 'existsSync', 'readdirSync', 'open', 'readFile', 'stat', 'lstat']) {
    const own = fs[name];
    fs[name] = (path, ...rest) => (seen.add('file ' + String(path)), own(path, ...rest));
  }
  const os = require('node:os');
  const homedir = os.homedir;
  os.homedir = () => (seen.add('home'), homedir());
  process.on('exit', () => fs.writeSync(2, [...seen].join('\\n')));
`;

const canaries = { CB_API_KEY: canary, CB_BASE_URL: 'http://127.0.0.1:9', CB_PROFILE: 'shop' };
const noProxy = { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' };

test('reads neither the home folder nor the environment for a client with a key', async () => {
  const keys: unknown[] = [];
  const { url } = await serve((reply, _, { headers }) => {
    keys.push(headers.authorization);
    reply.writeHead(200, { 'content-type': 'application/json' }).end('null');
  });
  const shop = { baseUrl: 'http://127.0.0.1:9', key: canary };
  const folder = homeWith({ current: 'shop', profiles: { shop } });
  const code = `
    const client = createClient({ apiKey: 'API-GIVEN', baseUrl: '${url}', maxWait: 0 });
    await client.orders.list({ startDate: '2026-03-01', endDate: '2026-03-02' }).toArray();
    await client.quickstats.list().toArray();
    await client.safe.tickets.close({ id: '1' }, { wait: 0 });
    await client.close();`;
  const env = { ...canaries, ...noProxy, ...preload(folder, watch) };
  const { err } = await run(code, folder, env);
  expect(keys.length).toBeGreaterThan(2);
  expect(new Set(keys)).toEqual(new Set(['API-GIVEN']));
  const read = err.split('\n').filter((line) => !line.includes('program.mjs'));
  expect(read).not.toContain('home');
  expect(read.filter((line) => /^env (CB_|XDG_|HOME|APPDATA|.*proxy)/i.test(line))).toEqual([]);
  expect(read.filter((line) => line.startsWith('file') && line.includes(folder))).toEqual([]);
});

test('uses a stored profile, by name or the current one, for the base URL of that profile', async () => {
  const first = { baseUrl: 'https://first.example', key: 'API-FIRST01' };
  const second = { baseUrl: 'https://second.example', key: 'API-SECOND2' };
  const folder = homeWith({ current: 'second', profiles: { first, second } });
  const code = "show([await fromProfile('first'), await fromProfile()]);";
  const { out, err } = await run(code, folder, preload(folder, watch));
  expect(JSON.parse(out)).toEqual([
    { baseUrl: 'https://first.example', apiKey: 'API-FIRST01' },
    { baseUrl: 'https://second.example', apiKey: 'API-SECOND2' },
  ]);
  // The test above would notice these.
  expect(err).toContain('env XDG_CONFIG_HOME');
  expect(err).toContain('config.json');
});

test('finds profiles in the home folder of the account where HOME is not an absolute path', async () => {
  const profiles = { shop: { baseUrl: 'https://shop.example', key: 'API-SHOP123' } };
  const folder = homeWith({ profiles });
  const account = `require('node:os').userInfo = () => ({ homedir: ${JSON.stringify(folder)} });
    require('node:module').syncBuiltinESMExports();`;
  for (const HOME of ['', 'somewhere']) {
    const env = { ...preload(folder, account), HOME };
    const { out } = await run("show(await fromProfile('shop').catch(String));", folder, env);
    expect(JSON.parse(out)).toMatchObject({ apiKey: 'API-SHOP123' });
  }
});

test('reports what is missing', async () => {
  const missing = [
    ["fromProfile('shop2')", "There is no profile 'shop2'.", 'Profiles: shop.'],
    ["fromProfile('API-SECRET123')", 'There is no profile of that name.', 'Profiles: shop.'],
    ["fromProfile('sandbox')", 'The sandbox is not a stored profile.', 'Use `startSandbox`'],
    ['fromProfile()', 'There is no stored profile.', 'Run `cb login`.'],
    ['fromEnvironment()', 'CB_API_KEY is not set.', 'Set it'],
  ] as const;
  const profiles = { shop: { baseUrl: 'https://shop.example', key: 'API-SHOP123' } };
  const code = missing.map(([call]) => `await ${call}.catch(failed);`).join('\n');
  const { out } = await run(code, homeWith({ profiles }));
  for (const [index, line] of out.trim().split('\n').entries()) {
    const [, message = '', hint = ''] = missing[index] ?? [];
    const says = { message, hint: expect.stringContaining(hint) };
    expect(JSON.parse(line)).toMatchObject({ name: 'ApiError', kind: 'key', ...says });
  }
});

test('does not use the key of a profile for a base URL of the environment', async () => {
  const profiles = { shop: { baseUrl: 'https://shop.example', key: 'API-SHOP123' } };
  const env = { CB_BASE_URL: 'https://other.example' };
  const code = "await fromProfile('shop').catch(failed);";
  const { out } = await run(code, homeWith({ profiles }), env);
  expect(JSON.parse(out).message).toContain('belongs to https://shop.example');
});

test('uses the key, the base URL, and the proxy of the environment', async () => {
  const env = { CB_API_KEY: 'API-ENV1234', CB_BASE_URL: 'https://env.example' };
  const proxy = 'http://user:word@proxy.example:3128';
  const code = 'show(await fromEnvironment());';
  const { out } = await run(code, home().folder, { ...env, HTTPS_PROXY: proxy });
  expect(JSON.parse(out)).toEqual({ apiKey: 'API-ENV1234', baseUrl: 'https://env.example', proxy });
  const short = await run(code, home().folder, { ...env, HTTPS_PROXY: 'proxy.example:3128' });
  expect(JSON.parse(short.out).proxy).toBe('http://proxy.example:3128');
  const direct = { ...env, HTTPS_PROXY: proxy, NO_PROXY: 'env.example' };
  expect(JSON.parse((await run(code, home().folder, direct)).out)).not.toHaveProperty('proxy');
});

test('uses a profile that cb login stored', async () => {
  const { sandbox } = await openShop();
  const made = home();
  const login = `login --with-key --no-check --profile shop --base-url ${sandbox.baseUrl}`;
  expect((await made.cb(login, { stdin: `${sandbox.apiKey}\n` })).code).toBe(0);
  const config = join(made.folder, '.config/clickbank-cli/config.json');
  expect(readFileSync(config, 'utf8')).toContain(sandbox.apiKey);
  const code = `
    const client = createClient({ ...(await fromProfile()), now: () => new Date('${now.toISOString()}') });
    show(await client.orders.active({ receipt: 'MONTHLY1' }));
    await client.close();`;
  expect((await run(code, made.folder)).out).toBe('true\n');
});
