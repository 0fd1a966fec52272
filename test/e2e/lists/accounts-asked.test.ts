/** The account of a read: chosen from those of the key, from the settings, or the only one. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const dimension = 'analytics dimension VENDOR --role VENDOR -o json';
const names = 'GREENLEAF, FITLAB24, COOKWELL, CODEMENTOR, YOGAHOME, TOPAFF1';

const hasAccount = (out: string) => JSON.parse(out)[0].accountNickName;

test('offers the accounts of the key on a terminal, and names them elsewhere', async () => {
  const { env, sandbox } = await serveSandbox();
  const { cb } = home();
  const who = person('FITLAB24');
  const chosen = await cb(`${dimension} --no-color`, { env, columns: 80, person: who });
  expect(chosen.code).toBe(0);
  expect(sandbox.requests.at(-1)?.path).toContain('account=FITLAB24');
  expect(who.offered).toEqual([names.split(', ')]);
  const missing = await cb('analytics dimension VENDOR --role VENDOR', { env });
  expect(missing).toMatchObject({ code: 2, out: '' });
  expect(missing.err).toBe(
    `cb: --account is missing.\n    Accounts of this key: ${names}. Try: cb config set account GREENLEAF\n`,
  );
});

test('needs no answer for the only account of a key', async () => {
  const { env, sandbox } = await serveSandbox({ keyName: 'affiliate' });
  const { cb } = home();
  const line = 'analytics dimension AFFILIATE --role AFFILIATE -o json';
  expect((await cb(line, { env })).code).toBe(0);
  expect(sandbox.requests.at(-1)?.path).toContain('account=TOPAFF1');
});

test('lists the accounts for a wrong one', async () => {
  const { env } = await serveSandbox();
  const { cb } = home();
  const wrong = await cb('analytics dimension VENDOR --role VENDOR --account GREENLAF', { env });
  expect(wrong.code).toBe(4);
  expect(wrong.err).toBe(
    `cb: This key has no account 'GREENLAF'.\n    Accounts of this key: ${names}.\n`,
  );
  const line = 'analytics dimension VENDOR --role VENDOR --account';
  const titled = await cb(`${line} GREENLEAF`, { env, columns: 80 });
  expect(titled.out).toMatch(/^\w+ \d+ to .*GREENLEAF as vendor/);
  // No title above an error.
  expect((await cb(`${line} GREENLAF`, { env, columns: 80 })).out).toBe('');
});

test('keeps a default account for a profile and for the sandbox', async () => {
  const { cb } = home();
  expect(await cb('--sandbox config set account cookwell')).toMatchObject({ code: 0 });
  expect((await cb('--sandbox config get account')).out).toBe('COOKWELL\n');
  expect(hasAccount((await cb(`--sandbox ${dimension}`)).out)).toBe('COOKWELL');
  const named = await cb(`--sandbox ${dimension} --account GREENLEAF`);
  expect(hasAccount(named.out)).toBe('GREENLEAF');
  await cb('--sandbox config unset account');
  expect((await cb(`--sandbox ${dimension}`)).code).toBe(2);
});

test('leads from the nickname of an affiliate to --role AFFILIATE', async () => {
  const { env } = await serveSandbox();
  const { cb } = home();
  expect((await cb('orders list --account TOPAFF1', { env })).err).toContain(
    'For what your account earned as an affiliate, use --role AFFILIATE.',
  );
  const none = await cb('orders list --vendor TOPAFF1 --period last-month', { env });
  expect(none.err).toContain('For what TOPAFF1 earned as an affiliate, use --role AFFILIATE.');
});
