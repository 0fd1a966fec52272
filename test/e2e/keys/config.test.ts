/** Settings of profiles, and their errors. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';

const file = '.config/clickbank-cli/config.json';

async function withProfiles(...names: string[]) {
  const made = home();
  for (const name of names) {
    const login = `login --with-key --no-check --profile ${name}`;
    expect((await made.cb(login, { stdin: 'API-ONE' })).code).toBe(0);
  }
  return made;
}

test('keeps a setting of a profile until it is unset', async () => {
  const { cb } = await withProfiles('shop', 'work');
  const pace = async (flags = '') => (await cb(`config get pace -o json ${flags}`)).out.trim();
  expect(await pace()).toBe('8');
  expect(await cb('config set pace 4 --profile work')).toEqual({ code: 0, out: '', err: '' });
  expect(await pace('--profile work')).toBe('4');
  expect((await cb('config get pace', { env: { CB_PROFILE: 'work' } })).out).toBe('4\n');
  expect(await pace()).toBe('8');
  expect((await cb('config unset pace --profile work')).code).toBe(0);
  expect(await pace('--profile work')).toBe('8');
});

test('lists all settings with their values', async () => {
  const { cb } = await withProfiles('shop');
  await cb('config set pace 2.5');
  expect(JSON.parse((await cb('config list -o json')).out)).toEqual([
    { name: 'pace', value: 2.5, isSet: true, summary: expect.stringContaining('per second') },
    { name: 'pager', value: 'on', isSet: false, summary: expect.stringContaining('pager') },
    {
      name: 'refund-rate',
      value: '15%',
      isSet: false,
      summary: expect.stringContaining('cb check'),
    },
    { name: 'chargeback-rate', value: '1%', isSet: false, summary: expect.any(String) },
    { name: 'min-sales', value: 100, isSet: false, summary: expect.stringContaining('skips') },
  ]);
});

test('keeps the settings when the key changes, and removes them with the profile', async () => {
  const { cb } = await withProfiles('shop');
  await cb('config set pace 3');
  await cb('login --with-key --no-check --profile shop', { stdin: 'API-TWO' });
  expect((await cb('config get pace')).out).toBe('3\n');
  await cb('logout');
  await cb('login --with-key --no-check --profile shop', { stdin: 'API-THREE' });
  expect((await cb('config get pace')).out).toBe('8\n');
});

test('reads a file without settings', async () => {
  const { cb, folder } = await withProfiles('shop');
  const stored = { current: 'shop', profiles: { shop: { baseUrl: 'http://127.0.0.1', key: 'A' } } };
  writeFileSync(join(folder, file), JSON.stringify(stored));
  expect((await cb('config get pace')).out).toBe('8\n');
  await cb('config set pace 5');
  expect(JSON.parse(readFileSync(join(folder, file), 'utf8')).profiles.shop).toEqual({
    ...stored.profiles.shop,
    settings: { pace: 5 },
  });
});

test.each([
  ['config set pac 4', /There is no setting 'pac'\.\n +Did you mean pace\?/],
  [
    'config get colour',
    /There is no setting 'colour'\.\n +Settings: pace, pager, refund-rate, chargeback-rate, min-sales\./,
  ],
  ['config set pager maybe', /Invalid pager 'maybe'\. Use on or off\./],
  ['config set pace 11', /Invalid pace '11'\. Use a number from 0\.1 to 10/],
  ['config set pace 0.05', /Invalid pace '0\.05'/],
  ['config set pace fast', /'fast'/],
  ['config set pace 4 --sandbox', /The sandbox is built in and has no settings/],
  ['config list --profile sandbox:read-only', /The sandbox is built in/],
  ['config unset', /<name> is missing\.\n +Use cb config unset <name>/],
])('cb %s is a usage error, and nothing is stored', async (line, why) => {
  const { cb, folder } = await withProfiles('shop');
  const before = readFileSync(join(folder, file), 'utf8');
  expect(await cb(line)).toMatchObject({ code: 2, err: expect.stringMatching(why) });
  expect(readFileSync(join(folder, file), 'utf8')).toBe(before);
});

test('rejects settings of a profile that does not exist', async () => {
  const empty = await home().cb('config list');
  expect(empty).toMatchObject({ code: 3, err: expect.stringContaining('cb login') });
  const { cb } = await withProfiles('shop');
  const { code, err } = await cb('config set pace 4 --profile work');
  expect(code).toBe(3);
  expect(err).toMatch(
    /no profile 'work'\.\n +Profiles: sandbox, shop\. Try: cb login --profile work/,
  );
});

test('rejects an invalid value in the file before sending anything', async () => {
  const { cb, folder } = await withProfiles('shop');
  await cb('config set pace 4');
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"pace": *4/, '"pace": "fast"'));
  const ran = await cb('orders count --period today');
  expect(ran.code).toBe(3);
  expect(ran.err).toMatch(/setting pace\b.*cb config unset pace/s);
  expect((await cb('config unset pace')).code).toBe(0);
  expect((await cb('config get pace')).out).toBe('8\n');
});

test('prints the path of the file', async () => {
  const { cb, folder } = await withProfiles('shop');
  expect(await cb('config path')).toEqual({ code: 0, out: `${join(folder, file)}\n`, err: '' });
});
