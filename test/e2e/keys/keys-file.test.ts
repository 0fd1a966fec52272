/** The file of keys: private, written atomically, of one owner, and safe for concurrent writers. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { canary } from '../../support/canary.ts';
import { home } from '../../support/cb.ts';
import { doctor, folder, shop, write } from '../../support/doctor.ts';
import { preload } from '../../support/preload.ts';
import { expectExit } from '../../support/refusal.ts';
import { tier } from '../../support/tier.ts';

const live = 'https://api.clickbank.com';

function modes(at: string) {
  const octal = (path: string) => (statSync(path).mode & 0o777).toString(8);
  return { file: octal(join(at, folder, 'config.json')), folder: octal(join(at, folder)) };
}

function profilesIn(at: string): Record<string, { key: string; settings?: object }> {
  return JSON.parse(readFileSync(join(at, folder, 'config.json'), 'utf8')).profiles;
}

const loginArgs = ['login', '--with-key', '--no-check'];

function login(name: string, at: string) {
  return cb([...loginArgs, '--profile', name], { home: at, stdin: canary });
}

test.each(['000', '777'])('stores keys privately under umask %s', async (umask) => {
  const ran = shell(`umask ${umask}; echo ${canary} | cb login --with-key --no-check`);
  expect(await ran.ended()).toMatchObject({ code: 0 });
  expect(modes(ran.home)).toEqual({ file: '600', folder: '700' });
  await shell(`umask ${umask}; cb config set pace 4`, { home: ran.home }).ended();
  expect(modes(ran.home)).toEqual({ file: '600', folder: '700' });
});

test.each(['0640', '0604'])('makes a file that others can read private: mode %s', async (mode) => {
  const made = home();
  const file = write(made, shop(live));
  chmodSync(file, mode);
  chmodSync(join(made.folder, folder), 0o777);
  const first = await made.cb('profiles list');
  const says = `${file} was accessible to other users (mode ${mode})`;
  expectExit(first, 0, says, expect.stringContaining('shop'));
  expect(first.err.match(/^warning: .*accessible to other users/gm)).toHaveLength(2);
  expect(modes(made.folder)).toEqual({ file: '600', folder: '700' });
  expect((await made.cb('profiles list')).err).toBe('');
});

test('does not fix permissions during completion, where a warning would be invisible', async () => {
  const made = home();
  chmodSync(write(made, shop(live)), 0o644);
  expect((await made.cb("__complete -- --profile ''")).out).toContain('shop');
  expect(modes(made.folder).file).toBe('644');
});

test('rejects a symbolic link instead of the file, and does not change its target', async () => {
  const made = home();
  const file = write(made, shop(live));
  const elsewhere = join(made.folder, 'elsewhere.json');
  renameSync(file, elsewhere);
  symlinkSync(elsewhere, file);
  const before = readFileSync(elsewhere, 'utf8');
  for (const line of ['profiles list', 'orders list --period today', 'config set pace 4']) {
    expectExit(await made.cb(line), 3, /symbolic link.*XDG_CONFIG_HOME/s);
  }
  expect((await made.cb(loginArgs.join(' '), { stdin: canary })).code).toBe(3);
  expect(readFileSync(elsewhere, 'utf8')).toBe(before);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect((await doctor(made)).find('config-link')).toMatchObject({ status: 'error' });
  writeFileSync(elsewhere, '');
});

test('rejects a symbolic link instead of the folder, but accepts one above it', async () => {
  const made = home();
  const elsewhere = join(made.folder, 'elsewhere');
  mkdirSync(join(made.folder, '.config'));
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, join(made.folder, folder));
  expectExit(await made.cb('login --with-key --no-check', { stdin: canary }), 3, 'symbolic link');
  expect(readdirSync(elsewhere)).toEqual([]);

  const other = home();
  mkdirSync(join(other.folder, 'dotfiles'));
  symlinkSync(join(other.folder, 'dotfiles'), join(other.folder, '.config'));
  expect((await other.cb('login --with-key --no-check', { stdin: canary })).code).toBe(0);
  expect(modes(other.folder)).toEqual({ file: '600', folder: '700' });
});

test.runIf(process.getuid?.() === 0)('rejects files and folders of another user', async () => {
  for (const whose of ['file', 'folder']) {
    const made = home();
    const file = write(made, shop(live));
    chownSync(whose === 'file' ? file : join(made.folder, folder), 12_345, 12_345);
    for (const line of ['profiles list', 'config set pace 4']) {
      expectExit(await made.cb(line), 3, 'another user (ID 12345)');
    }
    expect((await doctor(made)).find('config-owner')).toMatchObject({ status: 'error' });
  }
});

test.each(['mkdir', 'mkfifo'])('rejects a file of keys that %s has made', async (program) => {
  const made = home();
  mkdirSync(join(made.folder, folder), { recursive: true });
  execFileSync(program, [join(made.folder, folder, 'config.json')]);
  expectExit(await made.cb('profiles list'), 3, 'not a regular file');
});

test.each([
  ['cut off', `{"profiles": {"shop": {"key": "${canary}`],
  ['empty', ''],
  ['a list', '[]'],
  ['nothing', 'null'],
  ['without profiles', '{"profiles": 7}'],
  ['a key alone', canary],
])('says what to do about a file that is %s, and does not quote it', async (_, content) => {
  const made = home();
  const file = write(made, content);
  const says = /config\.json.*Fix the JSON, or move the file away and run `cb login` again/;
  for (const line of ['orders list --period today', 'profiles list', loginArgs.join(' ')]) {
    for (const flags of ['', ' --debug', ' -o json']) {
      expectExit(await made.cb(`${line}${flags}`, { stdin: canary }), 3, says);
    }
  }
  expect(readFileSync(file, 'utf8')).toBe(content);
  writeFileSync(file, '');
});

test.each([
  { baseUrl: 7, key: canary },
  { baseUrl: live, keyCommand: [] },
  { baseUrl: live, keyCommand: [''] },
])('ends with exit code 3 for the profile %j, which a new login replaces', async (invalid) => {
  const made = home();
  write(made, { current: 'shop', profiles: { shop: invalid } });
  expectExit(await made.cb('orders list --period today'), 3, 'cb login --profile shop');
  const login = 'login --with-key --no-check --profile shop';
  expect((await made.cb(login, { stdin: canary })).code).toBe(0);
  expect((await made.cb('profiles list -o tsv')).out).toContain(`shop\t${live}\ttrue\tfile`);
});

test('stores eight concurrent logins and their settings', async () => {
  const at = emptyHome();
  const names = Array.from({ length: 8 }, (_, number) => `shop${number}`);
  const ended = await Promise.all(names.map((name) => login(name, at).ended()));
  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  expect(Object.keys(profilesIn(at)).sort()).toEqual(names);
  const user = home(at);
  await Promise.all(names.map((name) => user.cb(`config set pace 4 --profile ${name}`)));
  for (const { settings } of Object.values(profilesIn(at))) expect(settings).toEqual({ pace: 4 });
});

test('leaves the old or the new file if a login is killed at any time', async () => {
  const at = emptyHome();
  expect((await login('first', at).ended()).code).toBe(0);
  const began = performance.now();
  await login('second', at).ended();
  const whole = performance.now() - began;
  const tries = tier(3, 24);
  for (let number = 0; number < tries; number++) {
    const one = login(`shop${number}`, at);
    setTimeout(() => one.child.kill('SIGKILL'), whole * (0.4 + (0.7 * number) / tries));
    await one.ended();
    const profiles = profilesIn(at);
    expect(profiles).toMatchObject({ first: { key: canary }, second: { key: canary } });
  }
  await login('last', at).ended();
  expect(profilesIn(at)).toMatchObject({ first: {}, second: {}, last: {} });
  expect(readdirSync(join(at, folder))).toEqual(['config.json']);
});

/** A home with one profile, and a login that runs with a replaced function of Node. */
async function loginWith(replacement: string) {
  const at = emptyHome();
  await login('first', at).ended();
  const before = readFileSync(join(at, folder, 'config.json'), 'utf8');
  const env = preload(at, `const fs = require('node:fs');${replacement}`);
  const ran = cb([...loginArgs, '--profile', 'second'], { home: at, stdin: canary, env });
  const ended = await ran.ended();
  expect(readFileSync(join(at, folder, 'config.json'), 'utf8')).toBe(before);
  return { at, ended, child: ran.child, files: readdirSync(join(at, folder)) };
}

test('keeps the old file if a login is killed while writing, and removes the draft at the next login', async () => {
  // Kills cb in the middle of a write, before `fsync` of the new file.
  const { at, child, files } = await loginWith(`
    const { fsyncSync } = fs;
    fs.fsyncSync = (file) => { fsyncSync(file); process.kill(process.pid, 'SIGKILL'); };`);
  expect(child.signalCode).toBe('SIGKILL');
  const left = files.filter((name) => !/^config\.json(\.lock)?$/.test(name));
  expect(left).toHaveLength(1);
  expect(statSync(join(at, folder, left[0] ?? '')).mode & 0o777).toBe(0o600);
  expect((await login('third', at).ended()).code).toBe(0);
  expect(readdirSync(join(at, folder))).toEqual(['config.json']);
  expect(Object.keys(profilesIn(at))).toEqual(['first', 'third']);
});

test('keeps the old file if the disk is full', async () => {
  // The lock file still fits.
  const { ended, files } = await loginWith(`
    const { writeSync } = fs;
    fs.writeSync = (file, ...rest) => {
      if (file <= 2 || String(rest[0]).includes('nonce')) return writeSync(file, ...rest);
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };`);
  expectExit(ended, 3, /can't be written \(ENOSPC: the disk is full\).*unchanged/);
  expect(files).toEqual(['config.json']);
});
