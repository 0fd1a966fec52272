/** `cb` without arguments shows what to do next. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { write } from '../../support/doctor.ts';

function profiles(current: string | undefined, ...names: string[]) {
  const profile = { baseUrl: 'http://127.0.0.1:1', key: 'API-CANARY0123456789' };
  return { current, profiles: Object.fromEntries(names.map((name) => [name, profile])) };
}

const ofTwo = profiles('shop', 'shop', 'other');

test('shows the sandbox and the login without profiles, and the sandbox line runs', async () => {
  const made = await sandboxHome(300);
  const { code, out, err } = await made.cb('');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('No API key is stored yet');
  expect(out).toMatch(/^ {2}cb login {2}/m);
  const [, line = ''] = /^ {2}cb (--sandbox .*?) {2}/m.exec(out) ?? [];
  expect(await made.cb(line)).toMatchObject({ code: 0 });
});

test('shows the name of the profile and the daily commands, which run', async () => {
  const made = await sandboxHome(300);
  write(made, profiles('shop', 'shop'));
  const { code, out } = await made.cb('');
  expect(code).toBe(0);
  expect(out).toContain("Using profile 'shop'.");
  const lines = [...out.matchAll(/^ {2}cb (.*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
  const [today = '', summary = '', ...others] = lines;
  for (const line of [today, summary, 'find DIGITAL1']) {
    expect(await made.cb(`--sandbox ${line}`)).toMatchObject({ code: 0 });
  }
  expect(others).toEqual(['tickets work', 'find <email or receipt>']);
});

test.each<[line: string, env: Readonly<Record<string, string>>, stored: unknown, shows: RegExp]>([
  ['--sandbox', {}, undefined, /^ {2}cb --sandbox today/m],
  ['--profile other', {}, ofTwo, /^ {2}cb --profile other tickets work/m],
  ['', { CB_PROFILE: 'other' }, ofTwo, /^Using profile 'other'\./m],
  ['', { CB_API_KEY: 'API-CANARY0123456789' }, ofTwo, /^Using the API key in CB_API_KEY\./m],
  [
    '',
    {},
    profiles(undefined, 'a', 'b'),
    /^ {2}cb profiles use a {2}.*\n {2}cb profiles use b {2}/m,
  ],
  // The meanings stand below the commands if most of these are too long.
  ['', {}, ofTwo, /^ {2}cb today {3,}what you earned/m],
])('names the key or the profiles to use: cb %s with %j', async (line, env, stored, shows) => {
  const made = home();
  if (stored) write(made, stored);
  const { code, out } = await made.cb(line, { env, columns: 80 });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(shows) });
});

test.each([
  ['invalid JSON', '{"current": '],
  ['invalid profiles', '{"profiles": []}'],
  ['a current profile that does not exist', profiles('gone', 'shop')],
])('suggests cb doctor with exit code 3 for a configuration with %s', async (_, content) => {
  const made = home();
  write(made, content);
  const { code, out } = await made.cb('');
  expect(code).toBe(3);
  expect(out).toContain('There is a problem with the configuration');
  expect(out).toMatch(/^ {2}cb doctor/m);
});
