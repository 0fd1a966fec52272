/** Two runs on one file at the same time, and folders that are missing or unusable. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { type Home, home, type Ran, sandboxHome } from '../../support/cb.ts';
import { doctor } from '../../support/doctor.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson, servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';

const rows = Array.from({ length: 20 }, (_, i) => `PARCEL01,T${i}`);
const importing = '--sandbox ship notice import --carrier USPS --date today --yes';

async function notices(at: Home): Promise<number> {
  return (await sandboxJson(at, 'ship notice list PARCEL01')).length;
}

async function withInput(name = 'shipped.csv') {
  const at = await sandboxHome(60);
  const file = join(at.folder, name);
  writeFileSync(file, ['receipt,tracking', ...rows].join('\n'));
  return { ...at, file };
}

const journal = 'shipped.csv --journal';

test.each([
  ['a link to the input', 'shipped.csv', 'link.csv'],
  ['a link to the journal', 'shipped.csv', `${journal} journal`],
  ['a link to the folder of the journal', `${journal} real/journal`, `${journal} linked/journal`],
])('refuses the second of two simultaneous imports through %s', async (_, ...lines) => {
  const at = await withInput();
  mkdirSync(join(at.folder, 'real'));
  const links = { 'link.csv': 'shipped.csv', journal: 'shipped.csv.cb-journal', linked: 'real' };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(at.folder, link));
  const before = await notices(at);
  const ran = await Promise.all(lines.map((line) => at.cb(`${importing} ${line}`)));
  expect(ran.map(({ code }) => code).sort()).toEqual([0, 2]);
  const says =
    /Another cb process \(PID \d+ on host .*, `cb ship notice import …`, since .* UTC\) is using .*journal/;
  expect(ran.map(({ err }) => err).join('')).toMatch(says);
  expect(await notices(at)).toBe(before + rows.length);
  // Afterwards, both names lead to the same journal, in which all rows are done.
  for (const line of lines) expect((await at.cb(`${importing} ${line}`)).code).toBe(0);
  expect(await notices(at)).toBe(before + rows.length);
});

test('sends a single write soon after it finds the ledger locked by a process of another host', async () => {
  const at = await servedShop();
  const folder = join(at.folder, '.local/share/clickbank-cli');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ofAnotherHost = { nonce: '1', host: 'nas', boot: 'b', pid: 7, since: '2026-03-18' };
  writeFileSync(join(folder, 'ledger.ndjson.lock'), JSON.stringify(ofAnotherHost));
  const start = performance.now();
  const sent = await at.cb('tickets comment 1001 --comment Hello --yes');
  expectExit(sent, 0, /cb log will not show this write.*\(PID 7 on host nas/);
  expect(performance.now() - start).toBeLessThan(25_000);
});

const order = JSON.stringify({ orderData: { receipt: 'A' } });

test('refuses the second of two simultaneous exports through a linked folder', async () => {
  let second: Promise<Ran> | undefined;
  const { cb, folder } = await servedHome(async (reply) => {
    // Answers the first run when the second one has ended.
    if (second) return void reply.end(order);
    second = cb('orders list --period today --out linked/orders.csv');
    await second;
    reply.end(order);
  });
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'linked'));
  const first = await cb('orders list --period today --out real/orders.csv');
  expect(first).toMatchObject({ code: 0, err: '' });
  const says = /`cb orders list …`.* is using .*real\/orders\.csv\.part\. Wait until it ends/;
  expectExit(await (second as Promise<Ran>), 2, says);
  expect(readdirSync(join(folder, 'real'))).toEqual(['orders.csv']);
});

test.each(['csv', 'json', 'xml --raw'])(
  'keeps the mode of the file that --out replaces: %s',
  async (format) => {
    const { cb, folder } = await servedHome((reply) => reply.end(order));
    const file = join(folder, `orders.${format.replace(' --raw', '')}`);
    writeFileSync(file, 'old', { mode: 0o600 });
    const line = `orders list --period today --out orders.${format}`;
    expect((await cb(line)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('A');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  },
);

test('exports to a file and imports from one whose name has 250 bytes', async () => {
  const name = `${'n'.repeat(246)}.csv`;
  const at = await withInput(name);
  const before = await notices(at);
  expect((await at.cb(`${importing} ${name}`)).code).toBe(0);
  expect((await at.cb(`${importing} ${name}`)).err).toContain('Nothing was sent');
  expect(await notices(at)).toBe(before + rows.length);
  const exported = `${'e'.repeat(246)}.csv`;
  const listing = '--sandbox orders list --period last-7-days';
  expect((await at.cb(`${listing} --out ${exported}`)).code).toBe(0);
  expect((await at.cb(`${listing} --out ${exported} --resume`)).code).toBe(0);
  expect(readFileSync(join(at.folder, exported), 'utf8')).toContain('receipt');
});

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
    expectExit(ran, 2, 'cb: The current folder no longer exists.', '');
    expect(ran.err.split('\n')).toHaveLength(3);
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
    const folders = ['config', 'data', 'state'];
    const xdg = folders.map((name) => [`XDG_${name.toUpperCase()}_HOME`, join(at, name)]);
    const env = { HOME, ...Object.fromEntries(xdg) };
    const seed = ['sandbox', 'seed', '--orders', '60'];
    expect((await cb(seed, { home: at, env }).ended()).code).toBe(0);
    expect(folders).toEqual(expect.arrayContaining(readdirSync(at)));
  },
  60_000,
);

test('refuses without any home folder only what needs one, with exit code 3', async () => {
  const service = await serve((reply) => reply.end('7'));
  const made = home('');
  const { env } = service;
  expect((await made.cb('orders list --help', { env })).code).toBe(0);
  for (const line of ['profiles list', 'config path', '--sandbox orders count']) {
    expectExit(await made.cb(line, { env }), 3, /There is no home folder.*Set HOME/);
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
    const found = expect.stringContaining('ignored');
    expect(find(name)).toMatchObject({ status: 'warning', found });
  }
  const absolute = { XDG_CONFIG_HOME: join(made.folder, 'absolute') };
  const { out } = await made.cb('config path', { env: absolute });
  expect(out).toContain('/absolute/clickbank-cli');
});
