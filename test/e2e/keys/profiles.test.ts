/** Storing, using, showing, and removing keys. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const config = '.config/clickbank-cli/config.json';

test('checks a key from stdin, stores it in a private file, and uses it', async () => {
  const { cb, folder } = home();
  const { sandbox, keyOf } = await serveSandbox();
  const login = await cb(`login --with-key --base-url ${sandbox.url}`, {
    stdin: `${keyOf('read-only')}\n`,
  });
  expect(login).toMatchObject({ code: 0, out: '' });
  expect(login.err).toContain('Permissions of the key: api_order_read');
  expect(statSync(join(folder, config)).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, '.config/clickbank-cli')).mode & 0o777).toBe(0o700);
  expect(await cb('orders active MONTHLY1')).toMatchObject({ code: 0, out: 'active\n' });
});

test('reads a config.json with a byte order mark, as Notepad writes it, and changes it', async () => {
  const { cb, folder } = home();
  const { sandbox, key } = await serveSandbox();
  const login = `login --with-key --no-check --base-url ${sandbox.url}`;
  await cb(login, { stdin: key });
  const file = join(folder, config);
  writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
  expect(await cb('orders active MONTHLY1')).toMatchObject({ code: 0, out: 'active\n' });
  expect((await cb(`${login} --profile other`, { stdin: key })).code).toBe(0);
  const { out } = await cb('profiles list -o csv --fields name --no-header');
  expect(out).toBe('default\nother\nsandbox\n');
});

test('asks for a key on a terminal without showing it', async () => {
  const { cb, folder } = home();
  const { sandbox, key } = await serveSandbox();
  const who = person(key);
  const login = await cb(`login --base-url ${sandbox.url}`, { columns: 80, person: who });
  expect(login.code).toBe(0);
  expect(who.asked).toEqual(['API key:']);
  const whoami = await cb('whoami -o json');
  expect(JSON.parse(whoami.out)).toMatchObject({
    profile: 'default',
    baseUrl: sandbox.url,
    roles: expect.arrayContaining(['api_order_read', 'api_order_write']),
  });
  for (const ran of [login, whoami, await cb('profiles list -o json')]) {
    expect(ran.out + ran.err).not.toContain(key);
  }
  expect(readFileSync(join(folder, config), 'utf8')).toContain(key);
});

test('does not store a key that the service rejects', async () => {
  const { cb, folder } = home();
  const { sandbox } = await serveSandbox();
  const login = await cb(`login --with-key --base-url ${sandbox.url}`, { stdin: 'API-WRONG' });
  expect(login.code).toBe(3);
  expect(existsSync(join(folder, config))).toBe(false);
});

test('warns about an unusual prefix, but accepts it', async () => {
  const login = await home().cb('login --with-key --no-check', { stdin: 'KEY-1234' });
  expect(login).toMatchObject({ code: 0, err: expect.stringContaining("begin with 'API-'") });
});

test.each([
  ['login --with-key', '', 3],
  ['login --with-key --no-check', 'API-1\nAPI-2', 2],
  ['login', '', 2],
  ['login --with-key --no-check --profile sandbox', 'API-1', 2],
  ["login --with-key --no-check --profile 'a b'", 'API-1', 2],
  ['login --with-key --no-check --base-url http://api.example.com', 'API-1', 3],
])(
  'stores nothing for %s with %j on stdin and ends with exit code %i',
  async (line, stdin, code) => {
    const { cb, folder } = home();
    expect((await cb(line, { stdin })).code).toBe(code);
    expect(existsSync(join(folder, config))).toBe(false);
  },
);

test.each(['login API-LEAKED11', 'login --with-key API-LEAKED11', 'login --key API-LEAKED11'])(
  'accepts and repeats no key on the command line: cb %s',
  async (line) => {
    const { cb, folder } = home();
    const { code, out, err } = await cb(line);
    expect(code).toBe(2);
    expect(out + err).not.toContain('LEAKED');
    expect(existsSync(join(folder, config))).toBe(false);
  },
);

test('lists, switches, and removes profiles', async () => {
  const { cb } = home();
  await cb('login --with-key --no-check', { stdin: 'API-ONE' });
  await cb('login --with-key --no-check --profile shop2', { stdin: 'API-TWO' });
  const list = async () =>
    JSON.parse((await cb('profiles list -o json')).out).map(
      ({ name, current }: { name: string; current: boolean }) => (current ? `${name}*` : name),
    );
  expect(await list()).toEqual(['default*', 'shop2', 'sandbox']);
  await cb('profiles use shop2');
  expect(await list()).toEqual(['default', 'shop2*', 'sandbox']);
  expect((await cb('profiles use shop3')).code).toBe(3);
  expect((await cb('logout')).code).toBe(0);
  expect(await list()).toEqual(['default', 'sandbox']);
  expect((await cb('profiles remove default')).code).toBe(0);
  expect((await cb('profiles remove default')).code).toBe(3);
  expect(await list()).toEqual(['sandbox']);
});

test('refuses to log out of the sandbox, which stays in use', async () => {
  const { cb } = await sandboxHome(60);
  await cb('profiles use sandbox');
  for (const line of ['logout', 'profiles remove sandbox']) {
    const { code, err } = await cb(line);
    expect(code).toBe(2);
    expect(err).toContain('The sandbox is built in and has no key to remove.');
  }
  expect((await cb('orders list --limit 1')).code).toBe(0);
});

test('prefers the option over the environment, and the environment over the stored profile', async () => {
  const { cb } = await sandboxHome(60);
  const { sandbox, keyOf, env: environment } = await serveSandbox();
  await cb(`login --with-key --no-check --profile stored --base-url ${sandbox.url}`, {
    stdin: keyOf('vendor'),
  });
  const who = async (line: string, env = {}) =>
    JSON.parse((await cb(`${line} -o json`, { env })).out).profile;
  expect(await who('whoami')).toBe('stored');
  expect(await who('whoami', environment)).toBeNull();
  expect(await who('whoami --profile stored', environment)).toBe('stored');
  expect(await who('whoami', { CB_PROFILE: 'sandbox:read-only' })).toBe('sandbox:read-only');
  expect(await who('--sandbox whoami', environment)).toBe('sandbox');
});
