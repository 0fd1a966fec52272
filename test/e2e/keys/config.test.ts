/** Settings belong to a profile, and are told and refused in plain words. */
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

test('A setting holds for its profile until it is unset', async () => {
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

test('All settings are listed with what holds', async () => {
  const { cb } = await withProfiles('shop');
  await cb('config set pace 2.5');
  expect(JSON.parse((await cb('config list -o json')).out)).toEqual([
    { name: 'pace', value: 2.5, isSet: true, summary: expect.stringContaining('a second') },
    { name: 'history', value: 'on', isSet: false, summary: expect.stringContaining('completion') },
    { name: 'pager', value: 'on', isSet: false, summary: expect.stringContaining('CB_PAGER') },
  ]);
});

test('A new key leaves the settings as they are, and a profile takes its own along', async () => {
  const { cb } = await withProfiles('shop');
  await cb('config set pace 3');
  await cb('login --with-key --no-check --profile shop', { stdin: 'API-TWO' });
  expect((await cb('config get pace')).out).toBe('3\n');
  await cb('logout');
  await cb('login --with-key --no-check --profile shop', { stdin: 'API-THREE' });
  expect((await cb('config get pace')).out).toBe('8\n');
});

test('A file from before there were settings is read', async () => {
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
  ['config set pac 4', /there is no setting 'pac' \(did you mean pace\?\)/],
  ['config get colour', /there is no setting 'colour' \(there are: pace, history, pager\)/],
  ['config set history maybe', /history must be on or off, not 'maybe'/],
  ['config set pace 11', /pace must be a number from 0\.1 to 10.*limit, not '11'/],
  ['config set pace 0.05', /pace must be a number from 0\.1 to 10/],
  ['config set pace fast', /not 'fast'/],
  ['config set pace 4 --sandbox', /the sandbox is built in and has no settings/],
  ['config list --profile sandbox:read-only', /the sandbox is built in/],
  ['config unset', /missing required argument 'name'/],
])('cb %s is a usage error, and nothing is stored', async (line, why) => {
  const { cb, folder } = await withProfiles('shop');
  const before = readFileSync(join(folder, file), 'utf8');
  expect(await cb(line)).toMatchObject({ code: 2, err: expect.stringMatching(why) });
  expect(readFileSync(join(folder, file), 'utf8')).toBe(before);
});

test('A profile that is not there has no settings', async () => {
  const empty = await home().cb('config list');
  expect(empty).toMatchObject({ code: 3, err: expect.stringContaining('cb login') });
  const { cb } = await withProfiles('shop');
  const { code, err } = await cb('config set pace 4 --profile work');
  expect(code).toBe(3);
  expect(err).toMatch(/no profile 'work' \(there are: sandbox, shop\)/);
});

test('A value that somebody wrote into the file is refused before anything is sent', async () => {
  const { cb, folder } = await withProfiles('shop');
  await cb('config set pace 4');
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"pace": *4/, '"pace": "fast"'));
  const ran = await cb('orders count --period today');
  expect(ran.code).toBe(3);
  expect(ran.err).toMatch(/setting pace must be .*cb config unset pace/);
  expect((await cb('config unset pace')).code).toBe(0);
  expect((await cb('config get pace')).out).toBe('8\n');
});

test('The path of the file is printed', async () => {
  const { cb, folder } = await withProfiles('shop');
  expect(await cb('config path')).toEqual({ code: 0, out: `${join(folder, file)}\n`, err: '' });
});
