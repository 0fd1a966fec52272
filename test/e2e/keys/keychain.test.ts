/** Stores keys in the system keychain, or in the file without one. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { keep } from '../../../src/profiles/keychain.ts';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { canary } from '../../support/canary.ts';
import { home } from '../../support/cb.ts';
import { doctor, write } from '../../support/doctor.ts';
import { preload } from '../../support/preload.ts';
import { expectExit } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';

const config = '.config/clickbank-cli/config.json';
const loginArgs = ['login', '--keychain', '--with-key', '--no-check'];

function storedIn(at: string) {
  return JSON.parse(readFileSync(join(at, config), 'utf8')).profiles.default;
}

/** Other systems would use the real keychain of the user. */
const onLinux = process.platform === 'linux';

test.runIf(onLinux)('stores the key in the file and says so without a keychain', async () => {
  const ran = cb(loginArgs, { stdin: canary });
  const says =
    /note: The keychain can't be used: .* The key is stored in the file instead.* as profile 'default'\./;
  expectExit(await ran.ended(), 0, says);
  expect(storedIn(ran.home)).toEqual({ baseUrl: 'https://api.clickbank.com', key: canary });
  const { out } = await cb(['profiles', 'list', '-o', 'json'], { home: ran.home }).ended();
  expect(JSON.parse(out)[0]).toMatchObject({ name: 'default', keyIn: 'file' });
});

/** Records that it was asked for the package, and fails. */
const absent = `
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) => {
  if (!name.startsWith('@napi-rs/')) return load(name, ...rest);
  process.stderr.write('LOADED');
  throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
};
`;

/** A profile whose key is in a keychain. */
const kept = {
  current: 'shop',
  profiles: { shop: { baseUrl: 'https://api.clickbank.com', keychain: 'shop 1' } },
};

test('loads the package only for the keychain, and names it and uses the file if it is missing', async () => {
  const at = emptyHome();
  const env = preload(at, absent);
  const inFile = cb(['login', '--with-key', '--no-check'], { home: at, stdin: canary, env });
  expect((await inFile.ended()).err).not.toContain('LOADED');
  expect((await cb(['logout'], { home: at, env }).ended()).err).not.toContain('LOADED');
  const missing = await cb(loginArgs, { home: at, stdin: canary, env }).ended();
  expectExit(missing, 0, /LOADED.* the optional package @napi-rs\/keyring is not installed/);
  expect(storedIn(at).key).toBe(canary);
});

test('ends with exit code 3 and says what to do if the keychain cannot be used', async (own) => {
  own.skip(!onLinux, 'needs Linux');
  const at = emptyHome();
  write({ ...home(), folder: at }, kept);
  const listed = await cb(['orders', 'list', '--period', 'today'], { home: at }).ended();
  expectExit(listed, 3, /The keychain can't be used: .*Unlock the keychain, or .*cb login/);
  const left = await cb(['logout'], { home: at }).ended();
  expectExit(left, 0, "The key is still in the keychain, as 'shop 1'");
});

test('shows in cb doctor and cb profiles list that a key is in the keychain', async () => {
  const made = home();
  write(made, kept);
  const { code, find } = await doctor(made);
  expect(code).toBe(0);
  expect(find('profile shop')?.found).toContain('key in the keychain');
  const { out } = await made.cb('profiles list -o json');
  expect(JSON.parse(out)[0]).toMatchObject({ name: 'shop', keyIn: 'keychain' });
});

/** The names of the entries of a keychain; only for what runs in this process. */
const entries = vi.hoisted(() => new Set<string>());

vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    readonly setPassword: () => Promise<unknown>;
    readonly deleteCredential: () => Promise<unknown>;

    constructor(_: string, name: string) {
      this.setPassword = async () => entries.add(name);
      this.deleteCredential = async () => entries.delete(name);
    }
  },
}));

test('leaves no key in the keychain that no file names', async () => {
  const key = { owner: 'shop', text: canary, isInKeychain: true };
  const names: (string | undefined)[] = [];
  const save = async (name?: string) => {
    names.push(name);
    return { keychain: names.at(-2) };
  };
  for (const _ of [1, 2]) expect(await keep(key, save, () => undefined)).toBe('keychain');
  expect([...entries]).toEqual(names.slice(1));
  const fail = async () => Promise.reject(new Error('full'));
  await expect(keep(key, fail, () => undefined)).rejects.toThrow('full');
  expect([...entries]).toEqual(names.slice(1));
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

const hasKeyring = isInstalled('dbus-run-session') && isInstalled('gnome-keyring-daemon');

/** Runs shell lines in a session with its own unlocked keyring. */
function inSession(at: string, env: Record<string, string>, ...lines: string[]) {
  const unlock = 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  writeFileSync(join(at, 'session.sh'), [unlock, ...lines, ''].join('\n'));
  const runner =
    'export -f cb exec_cb; dbus-run-session -- bash session.sh 2>&1 | grep -v "^dbus-daemon"';
  return shell(runner, { home: at, env }).ended();
}

test('uses, replaces, and removes a key in the keychain without writing it to a file', async (own) => {
  own.skip(!hasKeyring, 'needs a keyring');
  const used: (string | undefined)[] = [];
  const { url } = await serve((reply, _, { headers }) => {
    used.push(headers.authorization);
    reply.end('api_order_read');
  });
  const at = emptyHome();
  const login = `cb login --keychain --with-key --base-url ${url}`;
  const { out } = await inSession(
    at,
    { FIRST: 'API-FIRST-KEY', SECOND: 'API-SECOND-KEY' },
    `printf %s "$FIRST" | ${login}`,
    'cp .config/clickbank-cli/config.json first.json',
    'cb whoami -o json',
    `printf %s "$SECOND" | ${login}`,
    'cb whoami -o tsv --no-header',
    'cb doctor --online -o json',
    'cb logout',
    'printf "left: "; cat .config/clickbank-cli/config.json | tr -d "\\t\\n"',
  );
  expect(out).toContain(' in the keychain as profile');
  expect(out).toMatch(/"keyIn": "keychain"/);
  expect(out).toContain('left: {"profiles": {}}');
  expect(new Set(used)).toEqual(new Set(['API-FIRST-KEY', 'API-SECOND-KEY']));
  expect(JSON.parse(readFileSync(join(at, 'first.json'), 'utf8')).profiles.default).toEqual({
    baseUrl: url,
    keychain: expect.stringMatching(/^default [0-9a-f]{8}$/),
  });
  expect(existsSync(join(at, config))).toBe(true);
  for (const key of ['API-FIRST-KEY', 'API-SECOND-KEY']) expect(out).not.toContain(key);
});

test('stores a secret of notifications in the keychain, and removes it', async (own) => {
  own.skip(!hasKeyring, 'needs a keyring');
  const at = emptyHome();
  const { out } = await inSession(
    at,
    { SECRET: 'KEYCHAIN1AB' },
    'printf %s "$SECRET" | cb ins secrets add --with-secret --keychain',
    'cp .config/clickbank-cli/notification-secrets.json stored.json',
    'cb ins secrets list -o tsv --no-header',
    'cb ins trigger SALE | cb ins decrypt -o tsv --no-header --fields transactionType',
    'cb ins secrets remove default',
    'printf "left: "; cat .config/clickbank-cli/notification-secrets.json | tr -d "\\n "',
  );
  expect(out).toContain("Stored the notification secret 'default' in the keychain.");
  expect(out).toContain('default\tkeychain\nSALE\nleft: {"version":1,"secrets":{}}');
  expect(JSON.parse(readFileSync(join(at, 'stored.json'), 'utf8')).secrets).toEqual({
    default: { keychain: expect.stringMatching(/^notifications default [0-9a-f]{8}$/) },
  });
  expect(out).not.toContain('KEYCHAIN1AB');
});
