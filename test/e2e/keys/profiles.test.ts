/** Storing, using, showing, and removing keys; and the settings of profiles. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const config = '.config/clickbank-cli/config.json';

test('checks a key from stdin, stores it in a private file unless the service rejects it, and uses it', async () => {
  const { cb, folder } = home();
  const { sandbox, keyOf } = await serveSandbox();
  const login = `login --with-key --base-url ${sandbox.url}`;
  expectExit(await cb(login, { stdin: 'API-WRONG' }), 3, 'Copy the key again from ClickBank');
  expect(existsSync(join(folder, config))).toBe(false);
  const stored = await cb(login, { stdin: `${keyOf('read-only')}\n` });
  expectExit(stored, 0, 'Permissions of the key: api_order_read', '');
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

test('names a step that replaces the key in use, and no command with an impossible name', async () => {
  const { cb } = await withProfiles('shop');
  const { sandbox } = await serveSandbox();
  const stored = `login --with-key --no-check --profile bad --base-url ${sandbox.url}`;
  await cb(stored, { stdin: 'API-WRONG' });
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: 'API-WRONG' };
  expectExit(await cb('orders count --profile bad'), 3, /run `cb doctor --online`/);
  expectExit(await cb('orders count', { env }), 3, /run `cb doctor --online`/);
  const { code, out } = await cb('doctor --online -o csv', { env });
  expect(code).toBe(3);
  expect(out).toMatch(/^reach bad,ok,/m);
  expect(out).toMatch(/^key bad,error,.*,cb login --profile bad$/m);
  expect(out).toContain('Set CB_API_KEY to a valid key');
  const { err } = await cb("orders count --profile 'a b'");
  expect(err).toBe("cb: There is no profile 'a b'.\n    Profiles: sandbox, bad, shop.\n");
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
  // No key on the command line is accepted or repeated.
  ['login API-LEAKED11', 'API-1', 2],
  ['login --with-key API-LEAKED11', 'API-1', 2],
  ['login --key API-LEAKED11', 'API-1', 2],
  ['login --with-key --no-check --profile API-LEAKED11LEAKED11LEAKED11', 'API-1', 2],
  ['login --no-check --key-command API-LEAKED11LEAKED11LEAKED11', 'API-1', 2],
])('stores nothing and shows no key for cb %s with %j', async (line, stdin, expected) => {
  const { cb, folder } = home();
  const { code, out, err } = await cb(line, { stdin });
  expect(code).toBe(expected);
  expect(out + err).not.toContain('LEAKED');
  expect(existsSync(join(folder, config))).toBe(false);
});

test.each([
  'logout --sandbox',
  'logout --all-profiles',
  'logout --profile default,other',
  'login --with-key --no-check --all-profiles',
  'config set pace 4 --all-profiles',
  'config set pace 4 --sandbox --profile default',
])('changes no profile that the options do not name alone: cb %s', async (line) => {
  const { cb, folder } = await withProfiles('default', 'other');
  const before = readFileSync(join(folder, config), 'utf8');
  expect((await cb(line, { stdin: 'API-NEW' })).code).toBe(2);
  expect(readFileSync(join(folder, config), 'utf8')).toBe(before);
});

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

test('logs in and out of the profile in CB_PROFILE, unless --profile names another one', async () => {
  const { cb } = await withProfiles('default', 'other');
  const env = { CB_PROFILE: 'shop2' };
  const login = 'login --with-key --no-check';
  const names = async () => (await cb('profiles list -o csv --fields name --no-header')).out;
  expect((await cb(login, { env, stdin: 'API-TWO' })).err).toContain("as profile 'shop2'");
  expect(await names()).toBe('default\nother\nshop2\nsandbox\n');
  expect((await cb(`${login} --profile third`, { env, stdin: 'API-THREE' })).code).toBe(0);
  expect((await cb('logout --profile other', { env })).code).toBe(0);
  expect(await names()).toBe('default\nshop2\nthird\nsandbox\n');
  expect((await cb('logout', { env })).code).toBe(0);
  expect(await names()).toBe('default\nthird\nsandbox\n');
  const invalid = await cb(login, { env: { CB_PROFILE: 'my shop' }, stdin: 'API-TWO' });
  expectExit(invalid, 2, 'Invalid profile name. Use letters,');
});

test.each([{ CB_API_KEY: 'API-OTHER' }, { CB_PROFILE: 'other' }])(
  'says that %j is used instead of the selected or stored profile',
  async (env) => {
    const [name] = Object.keys(env);
    const { cb } = await withProfiles('default', 'other');
    const login = 'login --with-key --no-check --profile default';
    expect((await cb(login, { stdin: 'API-NEW', env })).err).toContain('add --profile default');
    const warned = `warning: ${name} is set, and cb uses it instead.`;
    expect((await cb('profiles use default', { env })).err).toContain(warned);
    expect((await cb('profiles use default')).err).not.toContain('warning');
  },
);

test('keeps a key of the sandbox as the current profile, and refuses to log out of the sandbox, which stays in use', async () => {
  const { cb } = await withProfiles('default');
  const listed = async () =>
    (await cb('profiles list -o csv --fields name,current --no-header')).out;
  expectExit(await cb('profiles use sandbox:nope'), 2, "The sandbox has no key 'nope'.");
  await cb('profiles use sandbox:read-only');
  expect(await listed()).toBe('default,false\nsandbox:read-only,true\n');
  await cb('profiles use default');
  const refused = async (line: string) =>
    expectExit(await cb(line), 2, 'The sandbox is built in and has no key to remove.');
  await refused('--sandbox logout');
  await cb('profiles use sandbox');
  await refused('logout');
  await refused('profiles remove sandbox');
  expect(await listed()).toBe('default,false\nsandbox,true\n');
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

async function withProfiles(...names: string[]) {
  const made = home();
  for (const name of names) {
    const login = `login --with-key --no-check --profile ${name}`;
    expect((await made.cb(login, { stdin: 'API-ONE' })).code).toBe(0);
  }
  return made;
}

test('keeps a setting of a profile, also with another key, until it is unset or the profile removed', async () => {
  const { cb } = await withProfiles('shop', 'work');
  const pace = async (flags = '') => (await cb(`config get pace -o json ${flags}`)).out.trim();
  expect(await pace()).toBe('8');
  expect(await cb('config set pace 4 --profile work')).toEqual({ code: 0, out: '', err: '' });
  expect(await pace('--profile work')).toBe('4');
  expect((await cb('config get pace', { env: { CB_PROFILE: 'work' } })).out).toBe('4\n');
  expect(await pace()).toBe('8');
  expect((await cb('config unset pace --profile work')).code).toBe(0);
  expect(await pace('--profile work')).toBe('8');
  await cb('config set pace 3');
  const login = 'login --with-key --no-check --profile shop';
  await cb(login, { stdin: 'API-TWO' });
  expect(await pace()).toBe('3');
  await cb('logout --profile shop');
  await cb(login, { stdin: 'API-THREE' });
  expect(await pace('--profile shop')).toBe('8');
});

test('lists all settings with their values, and prints the path of the file', async () => {
  const { cb, folder } = await withProfiles('shop');
  const out = `${join(folder, config)}\n`;
  expect(await cb('config path')).toEqual({ code: 0, out, err: '' });
  await cb('config set pace 2.5');
  expect((await cb('config list -o csv --fields name,value,isSet --no-header')).out).toBe(
    'pace,2.5,true\npager,on,false\naccount,,false\nrefund-rate,15%,false\nchargeback-rate,1%,false\nmin-sales,100,false\n',
  );
  expect((await cb('config list -o json')).out).toContain('Requests per second');
});

test('reads a file without settings', async () => {
  const { cb, folder } = await withProfiles('shop');
  const stored = { current: 'shop', profiles: { shop: { baseUrl: 'http://127.0.0.1', key: 'A' } } };
  writeFileSync(join(folder, config), JSON.stringify(stored));
  expect((await cb('config get pace')).out).toBe('8\n');
  await cb('config set pace 5');
  expect(JSON.parse(readFileSync(join(folder, config), 'utf8')).profiles.shop).toEqual({
    ...stored.profiles.shop,
    settings: { pace: 5 },
  });
});

test('rejects an invalid value in the file before sending anything', async () => {
  const { cb, folder } = await withProfiles('shop');
  await cb('config set pace 4');
  const path = join(folder, config);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"pace": *4/, '"pace": "fast"'));
  const ran = await cb('orders count --period today');
  expectExit(ran, 3, /setting pace\b.*cb config unset pace/s);
  expect((await cb('config unset pace')).code).toBe(0);
  expect((await cb('config get pace')).out).toBe('8\n');
});
