/** Folders that are missing or unusable: the home folder, the XDG folders, and the current folder. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { doctor } from '../../support/doctor.ts';
import { serve } from '../../support/server.ts';

const inGone = 'mkdir gone && cd gone && rmdir ../gone &&';

test('refuses in a deleted folder only what needs the folder, in one sentence', async () => {
  const { env, asked } = await serve((reply) => reply.end('7'));
  const count = 'cb orders count --period today';
  for (const line of ['cb --version', 'cb orders --help', count, `${count} --out "$HOME/n.csv"`]) {
    const ran = await shell(`${inGone} ${line}`, { env }).ended();
    expect({ line, ...ran }).toMatchObject({ code: 0, err: '' });
  }
  const before = asked.length;
  for (const line of [`${count} --out n.csv`, 'cb ship notice import in.csv --yes']) {
    const ran = await shell(`${inGone} ${line}`, { env }).ended();
    expect({ line, ...ran }).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(/^cb: The current folder no longer exists\.\n.*\n$/);
  }
  expect(asked).toHaveLength(before);
});

test.skipIf(!existsSync('/proc/self'))(
  'ends at once with the reason for a home folder below /proc (needs /proc)',
  async () => {
    const nobody = home('/proc/nobody');
    for (const line of [
      'login --with-key --no-check',
      '--sandbox orders count',
      'orders list --period today --since-last sheet --profile sandbox',
      'completion install bash',
    ]) {
      const ran = await nobody.cb(line, { stdin: 'API-TEST' });
      expect([2, 3]).toContain(ran.code);
      expect(ran.err).toMatch(/\/proc\/nobody.*ENOENT/);
    }
    const { env } = await serve((reply) => reply.end('7'));
    const counted = await nobody.cb('orders count --period today', { env });
    expect(counted).toEqual({ code: 0, out: '7\n', err: '' });
  },
);

test.each(['', 'relative/home'])(
  'writes nothing to the current folder with HOME=%j',
  async (HOME) => {
    const at = emptyHome();
    const path = await cb(['config', 'path'], { home: at, env: { HOME } }).ended();
    expect(path).toMatchObject({ code: 0, out: expect.stringContaining(userInfo().homedir) });
    const state = { XDG_STATE_HOME: join(at, 'state'), XDG_CONFIG_HOME: join(at, 'config') };
    const env = { HOME, XDG_DATA_HOME: join(at, 'data'), ...state };
    const seed = ['sandbox', 'seed', '--orders', '60'];
    expect((await cb(seed, { home: at, env }).ended()).code).toBe(0);
    expect(['config', 'data', 'state']).toEqual(expect.arrayContaining(readdirSync(at)));
  },
  60_000,
);

test('refuses without any home folder only what needs one, with exit code 3', async () => {
  const service = await serve((reply) => reply.end('7'));
  const made = home('');
  const { env } = service;
  expect((await made.cb('orders list --help', { env })).code).toBe(0);
  for (const line of ['profiles list', 'config path', '--sandbox orders count']) {
    const { code, err } = await made.cb(line, { env });
    expect({ line, code }).toEqual({ line, code: 3 });
    expect(err).toMatch(/There is no home folder.*Set HOME/s);
  }
  expect(service.asked).toEqual([]);
  expect(readdirSync(made.folder)).toEqual([]);
});

test('ignores XDG folders that are not absolute paths, and cb doctor says so', async () => {
  const made = home();
  const names = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME'];
  const env = Object.fromEntries(names.map((name) => [name, 'relative']));
  await made.cb('login --with-key --no-check', { env, stdin: 'API-TEST' });
  expect(existsSync(join(made.folder, '.config/clickbank-cli/config.json'))).toBe(true);
  expect(existsSync(join(made.folder, 'relative'))).toBe(false);
  const { find } = await doctor(made, '', { env });
  for (const name of names) {
    expect(find(name)).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/ignored/),
    });
  }
  const absolute = { XDG_CONFIG_HOME: join(made.folder, 'absolute') };
  const { out } = await made.cb('config path', { env: absolute });
  expect(out).toContain('/absolute/clickbank-cli');
});

test('names a file in place of a folder, with exit code 3', async () => {
  const made = home();
  writeFileSync(join(made.folder, '.config'), '');
  const ran = await made.cb('login --with-key --no-check', { stdin: 'API-TEST' });
  expect(ran).toMatchObject({ code: 3, err: expect.stringMatching(/Cannot use .*\.config/) });
});
