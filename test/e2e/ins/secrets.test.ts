/** `cb ins secrets`: where secrets are kept, and that none is ever shown. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { person } from '../../support/person.ts';

const secret = 'K3YOFSHOP2AB';

const fileOf = (folder: string) => join(folder, '.config/clickbank-cli/notification-secrets.json');

test('stores a secret from stdin in a file that only its owner can read', async () => {
  const { folder, cb } = home();
  const added = await cb('ins secrets add shop2 --with-secret', { stdin: `${secret}\n` });
  expect(added).toEqual({ code: 0, out: '', err: "Stored the notification secret 'shop2'.\n" });
  expect(statSync(fileOf(folder)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(fileOf(folder), 'utf8')).secrets).toEqual({ shop2: { secret } });
  const list = await cb('ins secrets list -o json');
  expect(JSON.parse(list.out)).toEqual([{ name: 'shop2', keptIn: 'file' }]);
});

test('asks for a secret without showing it, and replaces the old one', async () => {
  const { folder, cb } = home();
  for (const typed of ['FIRST1', ` ${secret} `]) {
    const asked = person(typed);
    const { code, err } = await cb('ins secrets add', { columns: 80, person: asked });
    expect([code, err]).toEqual([0, "Stored the notification secret 'default'.\n"]);
    expect(asked.asked).toEqual(['Secret key of the notifications:']);
  }
  expect(JSON.parse(readFileSync(fileOf(folder), 'utf8')).secrets).toEqual({ default: { secret } });
});

test('removes a secret, and suggests a name that is similar', async () => {
  const { folder, cb } = home();
  await cb('ins secrets add summer --with-secret', { stdin: secret });
  const wrong = await cb('ins secrets remove sumer');
  expect(wrong.code).toBe(2);
  expect(wrong.err).toBe(
    "cb: There is no notification secret 'sumer'.\n    Did you mean summer?\n",
  );
  expect((await cb('ins secrets remove summer')).code).toBe(0);
  expect(readFileSync(fileOf(folder), 'utf8')).not.toContain(secret);
});

const others = 'The secret has other characters than capital letters and digits.';

test.each([
  ['', 'The secret is empty.'],
  ['lowercase1', others],
  ['ABC DEF', others],
  ['ABCDEFGHIJKLMNOPQ', 'The secret is longer than 16 characters.'],
])('refuses the secret %j without quoting it', async (typed, why) => {
  const { cb } = home();
  const { code, err } = await cb('ins secrets add --with-secret', { stdin: typed });
  expect(code).toBe(2);
  expect(err).toMatch(`cb: ${why}\n    Nothing was stored.`);
  if (typed !== '') expect(err).not.toContain(typed);
});

test('does not quote a secret that was typed as a name', async () => {
  const { cb } = home();
  for (const line of ['ins secrets add', 'ins secrets remove', 'ins trigger SALE --secret-name']) {
    const { code, err } = await cb(`${line} ${secret}`, { env: { CB_INS_SECRET: 'OTHER1' } });
    expect(code).toBe(2);
    expect(err).not.toContain(secret);
  }
});

test.each([
  `ins secrets add --secret ${secret}`,
  `ins secrets add shop2 ${secret}`,
  `ins secrets ${secret}`,
  `ins trigger SALE --secret=${secret}`,
  `ins verify - --secret-key ${secret}`,
])('answers %s without repeating the secret', async (line) => {
  const { code, err } = await home().cb(line);
  expect(code).toBe(2);
  expect(err).toMatch(/^cb: No command takes a secret, .*\n {4}Use cb ins secrets add, and paste/);
  expect(err).not.toContain(secret);
});

test('does not quote an invalid CB_INS_SECRET', async () => {
  const { cb } = home();
  const env = { CB_INS_SECRET: 'not-valid-1' };
  const invalid = await cb('ins trigger SALE', { env });
  expect(invalid.err).toMatch(/^cb: CB_INS_SECRET is invalid\. The secret has other characters/);
  expect(invalid.err).not.toContain(env.CB_INS_SECRET);
  const { out } = await cb('doctor --no-online -o json', { env });
  const found = JSON.parse(out).find(({ check }: { check: string }) => check === 'CB_INS_SECRET');
  expect(found.status).toBe('error');
  expect(out).not.toContain(env.CB_INS_SECRET);
  const none = await cb('ins trigger SALE');
  expect(none.code).toBe(3);
  expect(none.err).toContain('Try: cb ins secrets add');
  const sandbox = await cb('ins listen --sandbox');
  expect(sandbox.code).toBe(3);
  expect(sandbox.err).toContain('Try: cb sandbox ins add http://127.0.0.1:4242');
});

test('reports a damaged file without quoting it, and never replaces it', async () => {
  const { folder, cb } = home();
  await cb('ins secrets add --with-secret', { stdin: secret });
  const damaged = `{"secrets":{"default":"${secret}"`;
  writeFileSync(fileOf(folder), damaged);
  for (const line of ['list', 'remove default', 'add --with-secret']) {
    const { code, err } = await cb(`ins secrets ${line}`, { stdin: 'OTHER1' });
    expect(code).toBe(3);
    expect(err).toContain('is damaged');
    expect(err).not.toContain(secret);
  }
  expect(readFileSync(fileOf(folder), 'utf8')).toBe(damaged);
});

test('keeps all secrets that are stored at the same time', async () => {
  const { cb } = home();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(
    names.map((name) => cb(`ins secrets add ${name} --with-secret`, { stdin: secret })),
  );
  const { out } = await cb('ins secrets list -o tsv --no-header --fields name');
  expect(out).toBe(names.map((name) => `${name}\n`).join(''));
});
