/** Commands without a key, a key that another command prints, and that a key is only in its service and its file. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { keyFrom } from '../../../src/profiles/key-command.ts';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { canary, watchKeys } from '../../support/canary.ts';
import { home } from '../../support/cb.ts';
import { preload } from '../../support/preload.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { setup } from '../../support/seeds.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const schemas = catalogue.flatMap(({ returns, examples }) =>
  returns.kind === 'schema' ? [examples[0]?.replace(/^cb /, '') ?? ''] : [],
);

test('reads all 16 schemas of the specification with or without a key', async () => {
  const { cb, asked, url } = await servedHome((reply) => reply.end('<schema/>'));
  for (const line of schemas) {
    const { code, out } = await cb(line, { env: { CB_BASE_URL: url } });
    expect({ line, code, out }).toEqual({ line, code: 0, out: '<schema/>\n' });
  }
  expect(asked.length).toBeGreaterThanOrEqual(16);
  expect(asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  await cb('orders schema');
  expect(asked.at(-1)?.headers.authorization).toBe('API-TEST');
});

const odd = 'Q7RX2MPL9CANARY4TZ8';
const write = 'tickets create A1 --type tech --reason ticket.type.tech_support.9 --yes';

test.each([
  ['orders count --period today', odd, 1],
  [write, odd, 1],
  ['orders count --period today', 'API-Q7RX2MPL9CANARY4TZ8', 0],
  ['orders count --period today', 'DEV-Q7RX2MPL9CANARY:API-Q7RX2MPL9', 0],
])(
  'sends with cb %s the key %s unchanged, with %i warnings about its prefix',
  async (line, key, count) => {
    const { cb, asked } = await servedHome((reply) => reply.end('5'), { key });
    const { err } = await cb(line, { clock: virtualClock() });
    expect(err.match(/warning: CB_API_KEY does not begin with/g) ?? []).toHaveLength(count);
    expect(err).not.toContain('CANARY');
    expect(asked[0]?.headers.authorization).toBe(key);
  },
);

test.each<[text: string, roles: string[] | null, says?: string]>([
  ['ROLE_API_ORDER_READ\nROLE_HAS_DEVELOPER_KEY\n', ['api_order_read', 'HAS_DEVELOPER_KEY']],
  ['Roles: [role_api_products_client, ROLE_USER] key: ', ['api_products_client']],
  ['api_order_read\napi_order_write\n', ['api_order_read', 'api_order_write']],
  ['', [], 'has no permissions'],
  ['SUPER_READER\n', null, 'permissions are unknown'],
])('whoami and doctor read permissions from %j', async (text, roles, says) => {
  const key = 'API-TESTKEY1';
  const { cb, url } = await servedHome((reply) => reply.end(`${text}${key}`), { key });
  const whoami = await cb('whoami -o json');
  expect(JSON.parse(whoami.out)).toMatchObject({ profile: null, baseUrl: url, roles });
  const doctor = await cb('doctor --online -o json');
  const words = says ?? `Permissions of the key: ${roles?.join(', ')}`;
  expect(doctor.out).toContain(words);
  if (roles === null) expect(whoami.err).toContain(words);
});

test('detects a key that cb writes to stdout or stderr', async () => {
  const line = 'api POST /1.3/x --dry-run -f a=API-PLANTED99';
  const env = { CB_API_KEY: 'API-PLANTED99' };
  await expect(home().cb(line, { env })).rejects.toThrow('API-PLANTED99 is in what');
  await expect(shell(`echo ${canary} >&2`).ended()).rejects.toThrow('is in what');
});

test('detects a key in any file except that of the profiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cb-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const profile = { key: 'API-PLANTED98' };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: { profile } }));
  const keys = watchKeys();
  keys.refuseBelow(folder);
  writeFileSync(join(folder, 'orders.csv.journal'), 'x API-PLANTED98 x');
  expect(() => keys.refuseBelow(folder)).toThrow(/API-PLANTED98 is in .*journal/);
});

test('fails the test run if a canary is left in its folder', async () => {
  const before = process.env.CB_TEST_RUN;
  const end = await setup();
  const folder = process.env.CB_TEST_RUN ?? '';
  process.env.CB_TEST_RUN = before;
  writeFileSync(join(folder, 'left.log'), canary);
  expect(end).toThrow('left.log');
});

test('writes no key to journals, results, or completion data', async () => {
  const answer: Parameters<typeof servedHome>[0] = (reply, _, { headers }) =>
    reply.writeHead(500).end(headers.authorization);
  const { cb, folder } = await servedHome(answer, { key: canary });
  writeFileSync(join(folder, 'in.csv'), 'receipt,tracking\nPARCEL01,T1\n');
  const line = 'ship notice import in.csv --date 2026-03-18 --carrier USPS --yes --debug';
  const ran = await cb(`${line} --max-wait 0`, { clock: virtualClock(), columns: 100 });
  expect(ran.code).not.toBe(0);
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  watchKeys().refuseBelow(folder);
});

/** Makes each request end with an uncaught error that contains the whole request. */
const failing = (fails: string) => `
const http = require('node:http');
http.request = (...args) => {
  const fault = new TypeError('sent ${canary.slice(0, 5)}' + process.env.CB_API_KEY.slice(5));
  fault.request = { args, key: process.env.CB_API_KEY };
  ${fails};
  return new (require('node:stream').Writable)();
};`;

test.each([
  ['setImmediate(() => { throw fault; })', []],
  ['setImmediate(() => { throw fault; })', ['-o', 'json']],
  ['Promise.reject(fault)', ['--debug']],
] as const)('shows no key after an uncaught error: %s (%j)', async (fails, flags) => {
  const at = emptyHome();
  const { env } = await serve((reply) => reply.end('null'));
  const options = `${preload(at, failing(fails)).NODE_OPTIONS} --report-uncaught-exception`;
  const { code, out, err } = await cb(['orders', 'list', '--period', 'today', ...flags], {
    home: at,
    env: { ...env, CB_API_KEY: canary, NODE_OPTIONS: options },
  }).ended();
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('stopped because of an internal error (TypeError)');
  expect(err).not.toContain('sent');
  const isDebug = flags.some((flag) => flag === '--debug');
  expect(/^ +at .*hook\.cjs:\d+/m.test(err)).toBe(isDebug);
  if (flags.some((flag) => flag === 'json')) expect(JSON.parse(err)).toMatchObject({ code: 1 });
  // Node would write a report with the whole environment.
  expect(readdirSync(at).filter((name) => name.startsWith('report'))).toEqual([]);
});

async function manager() {
  const { sandbox, key } = await serveSandbox();
  const at = home();
  const script = join(at.folder, 'manager');
  const prints = (text: string, code = 0) => {
    writeFileSync(script, `#!/bin/sh\nprintf '%s' '${text}'\nexit ${code}\n`);
    chmodSync(script, 0o700);
  };
  prints(`${key}\n`);
  const config = () => readFileSync(join(at.folder, '.config/clickbank-cli/config.json'), 'utf8');
  return { ...at, sandbox, key, script, prints, config };
}

test('keeps a command instead of the key, and runs it without a shell each time', async () => {
  const { cb, sandbox, key, script, config } = await manager();
  const login = `login --base-url ${sandbox.url} --key-command '${script} read $HOME;x'`;
  const stored = await cb(login);
  expectExit(stored, 0, 'Stored a command for the key for');
  expect(config()).not.toContain(key);
  expect(JSON.parse(config()).profiles.default).toEqual({
    baseUrl: sandbox.url,
    keyCommand: [script, 'read', '$HOME;x'],
  });
  expect(await cb('quickstats accounts -o json')).toMatchObject({ code: 0 });
  expect((await cb('profiles list -o json')).out).toMatch(/"keyIn": "command"/);
  const env = { CB_BASE_URL: 'https://other.example' };
  expect(await cb('quickstats accounts', { env })).toMatchObject({ code: 3 });
  expect((await cb('doctor -o json')).out).toContain(`key from the command ${script}`);
});

test('says how the command fails, and shows nothing that it prints', async () => {
  const { cb, sandbox, script, prints } = await manager();
  await cb(`login --base-url ${sandbox.url} --key-command ${script}`);
  for (const [text, code, why] of [
    ['SECRET-1', 7, 'it ended with exit code 7'],
    ['SECRET-1 and more', 0, 'it did not print a key alone'],
    ['', 0, 'it did not print a key alone'],
  ] as const) {
    prints(text, code);
    const ran = await cb('quickstats accounts --debug');
    expectExit(ran, 3, `The key command ${script} failed: ${why}.`, '');
    expect(ran.err).not.toContain('SECRET');
  }
  const gone = await cb(`login --profile b --key-command ${script}-gone`);
  expectExit(gone, 3, "it can't be started (ENOENT");
});

test('keeps what is on the stdin of cb from the command', async () => {
  // It would wait for the end of stdin.
  const command = "sh -c 'cat >/dev/null; echo API-KEY'";
  const login = cb(['login', '--no-check', '--key-command', command], { stdin: { open: true } });
  expectExit(await login.ended(), 0, 'Stored a command for the key for');
});

test.each([
  ['that takes too long', ['sleep', '60']],
  ['that leaves a process behind', ['sh', '-c', 'sleep 3 & echo KEY']],
])('stops a command %s', async (_, command) => {
  await expect(keyFrom(command, 200)).rejects.toThrow('it did not end within 0.2 s');
});
