/** What V8 made of cb's files is kept between calls, and trusted only where the user alone can have written it. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, emptyHome } from '../support/binary.ts';
import { runAndListFiles } from '../support/loaded-files.ts';
import { serve } from '../support/server.ts';

const help = ['orders', 'list', '--help'];
const topic = ['help', 'dates'];

/** A home in which cb is called; `folder` is where it keeps what was compiled. */
function openHome() {
  const home = emptyHome();
  const folder = join(home, 'clickbank-cli/compiled');
  return {
    home,
    folder,
    kept: () => join(folder, readdirSync(folder)[0] ?? ''),
    async cb(
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
      flags?: string[],
    ) {
      const folders = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home };
      const ended = await runAndListFiles(binary, args, { ...folders, ...env }, flags);
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      const names = (files: readonly string[]) =>
        files
          .filter((file) => file.includes('/dist/'))
          .map((file) => basename(file).replace(/-[A-Z0-9]{8}(?=\.js$)/, ''));
      return { ...ended, files: names(ended.files), recalled: names(ended.recalled) };
    },
  };
}

/** A home in which the help of a command has been asked for. */
async function warmHome() {
  const home = openHome();
  const { stdout } = await home.cb(help);
  return { ...home, stdout };
}

test('the second call runs the code that the first one compiled', async () => {
  const { cb } = openHome();
  expect((await cb(help)).recalled).toEqual([]);
  const { files, recalled } = await cb(help);
  expect(recalled).toContain('commander.js');
  // These three are read before it is known where code is kept.
  const early = ['loader.js', 'main.js', 'folders.js'];
  expect([...early, ...recalled].sort()).toEqual(files.sort());
});

test('each kind of call adds what it loads, once', async () => {
  const { cb, kept } = await warmHome();
  const stamp = () => statSync(kept()).ino;
  const first = stamp();
  await cb(help);
  expect(stamp()).toBe(first);
  expect((await cb(topic)).recalled).not.toContain('topics.js');
  const second = stamp();
  expect(second).not.toBe(first);
  expect((await cb(topic)).recalled).toContain('topics.js');
  expect((await cb(help)).recalled).toContain('orders.js');
  expect(stamp()).toBe(second);
});

test('only the user can read and write what is kept', async () => {
  const { folder, kept } = await warmHome();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(kept()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('CB_NO_CODE_CACHE keeps nothing, and uses nothing that was kept', async () => {
  const cold = openHome();
  await cold.cb(help, { CB_NO_CODE_CACHE: '1' });
  expect(existsSync(cold.folder)).toBe(false);
  const { cb, stdout } = await warmHome();
  expect(await cb(help, { CB_NO_CODE_CACHE: '1' })).toMatchObject({ stdout, recalled: [] });
});

test('--version neither keeps nor uses anything', async () => {
  const { cb, folder } = openHome();
  await cb(['--version']);
  expect(existsSync(folder)).toBe(false);
});

/** Turns a byte around in the code of every file, of which there are two copies each. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  const headEnd = bytes.indexOf('\n') + 1;
  const { files } = JSON.parse(bytes.toString('latin1', 0, headEnd));
  let at = headEnd;
  for (const [, size] of files) {
    bytes.writeUInt8(bytes.readUInt8(at + size / 2) ^ 0xff, at + size / 2);
    at += 2 * size;
  }
  writeFileSync(file, bytes);
}

test.each([
  ['is damaged', damage],
  ['ends early', (file: string) => truncateSync(file, 2000)],
  ['is empty', (file: string) => truncateSync(file, 0)],
  ['is no code at all', (file: string) => writeFileSync(file, '{"sets":[],"files":[["x",-1]]}\n')],
  ['can be written by the group', (file: string) => chmodSync(file, 0o660)],
  ['can be written by everybody', (file: string) => chmodSync(file, 0o602)],
  [
    'is a link',
    (file: string) => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
  ],
  ['is of another version of Node', (file: string) => renameSync(file, file.replace('-v', '-v9'))],
  [
    'is of another build',
    (file: string) => renameSync(file, join(file, '..', `0${basename(file)}`)),
  ],
])('what was kept is not used when the file %s', async (_, spoil) => {
  const { cb, kept, stdout } = await warmHome();
  spoil(kept());
  expect(await cb(help)).toMatchObject({ stdout, recalled: [] });
});

test('a single damaged byte takes away the code of its file alone', async () => {
  const { cb, kept, stdout } = await warmHome();
  const before = await cb(help);
  const bytes = readFileSync(kept());
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
  writeFileSync(kept(), bytes);
  const { stdout: after, recalled } = await cb(help);
  expect({ after, many: recalled.length }).toEqual({
    after: stdout,
    many: before.recalled.length - 1,
  });
});

test.each([
  ['can be written by everybody', (folder: string) => chmodSync(folder, 0o777)],
  [
    'is a link',
    (folder: string) => {
      renameSync(folder, `${folder}.real`);
      symlinkSync(`${folder}.real`, folder);
    },
  ],
])('nothing is used, nor kept, when the folder %s', async (_, spoil) => {
  const { cb, folder, kept, stdout } = await warmHome();
  spoil(folder);
  const before = statSync(kept()).ino;
  expect(await cb(topic)).toMatchObject({ recalled: [] });
  expect(await cb(help)).toMatchObject({ stdout, recalled: [] });
  expect(statSync(kept()).ino).toBe(before);
});

test.runIf(process.getuid?.() === 0)('nothing is used that belongs to another user', async () => {
  const { cb, folder, kept } = await warmHome();
  chownSync(kept(), 12345, 12345);
  expect((await cb(help)).recalled).toEqual([]);
  chownSync(kept(), 0, 0);
  chownSync(folder, 12345, 12345);
  expect((await cb(help)).recalled).toEqual([]);
});

test('cb works where nothing can be kept', async () => {
  const { cb, home } = openHome();
  const file = join(home, 'file');
  writeFileSync(file, '');
  const { stdout } = await cb(help, { XDG_STATE_HOME: join(file, 'state') });
  expect(stdout).toContain('orders list');
  expect(readdirSync(home)).toEqual(['file']);
});

test('code for other flags of V8 is refused, and replaced only when it is a day old', async () => {
  const { cb, kept, stdout } = await warmHome();
  const flags = ['--no-opt'];
  const before = statSync(kept()).ino;
  expect(await cb(help, {}, flags)).toMatchObject({ stdout, recalled: [] });
  expect(statSync(kept()).ino).toBe(before);
  const old = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(kept(), old, old);
  await cb(help, {}, flags);
  expect((await cb(help, {}, flags)).recalled).toContain('commander.js');
});

test('calls at the same time leave one whole file', async () => {
  const { cb, folder } = openHome();
  await Promise.all(
    [help, topic, ['orders', '--help'], ['tickets', '--help']].map((args) => cb(args)),
  );
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await cb(help)).recalled).toContain('commander.js');
});

test('a call that takes longer keeps its code too, before it changes how V8 works', async () => {
  const { url } = await serve((reply) => {
    setTimeout(() => reply.end('{"orderData":[{"receipt":"ABCD1234"}]}'), 600);
  });
  const { cb } = openHome();
  const key = { CB_API_KEY: 'API-KEY', CB_BASE_URL: url };
  const list = ['orders', 'list', '--start-date', '2026-03-01', '--end-date', '2026-03-02'];
  await cb(list, key);
  expect((await cb(list, key)).recalled).toContain('transport.js');
});

test('what other builds have kept is removed, but for the newest three', async () => {
  const { cb, folder } = openHome();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const number of [1, 2, 3, 4, 5]) {
    const file = join(folder, `${number}-v20.18.0-x64.code`);
    appendFileSync(file, 'code');
    utimesSync(file, number, number);
  }
  await cb(help);
  const others = readdirSync(folder).filter((name) => /^\d-/.test(name));
  expect(others.map((name) => name[0])).toEqual(['3', '4', '5']);
  expect((await cb(help)).recalled).toContain('commander.js');
});
