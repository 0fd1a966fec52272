/** A profile whose key stays in a password manager: a command prints it. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyFrom } from '../../../src/profiles/key-command.ts';
import { home } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';

async function manager() {
  const { sandbox, key } = await serveSandbox();
  const at = home();
  const script = join(at.folder, 'manager');
  const prints = (text: string, code = 0) => {
    writeFileSync(script, `#!/bin/sh\nprintf '%s' '${text}'\nexit ${code}\n`);
    chmodSync(script, 0o700);
  };
  prints(`${key}\n`);
  const config = () => readFileSync(join(at.folder, '.config/clickbank-cli/config.json'), 'utf8');
  return { ...at, sandbox, key, script, prints, config };
}

test('keeps a command instead of the key, and runs it without a shell each time', async () => {
  const { cb, sandbox, key, script, config } = await manager();
  const login = `login --base-url ${sandbox.url} --key-command '${script} read $HOME;x'`;
  const stored = await cb(login);
  expect(stored).toMatchObject({ code: 0 });
  expect(stored.err).toContain('Stored a command for the key for');
  expect(config()).not.toContain(key);
  expect(JSON.parse(config()).profiles.default).toEqual({
    baseUrl: sandbox.url,
    keyCommand: [script, 'read', '$HOME;x'],
  });
  expect(await cb('quickstats accounts -o json')).toMatchObject({ code: 0 });
  expect(JSON.parse((await cb('profiles list -o json')).out)[0]).toMatchObject({
    keyIn: 'command',
  });
  const other = await cb('quickstats accounts', { env: { CB_BASE_URL: 'https://other.example' } });
  expect(other).toMatchObject({ code: 3 });
  expect((await cb('doctor -o json')).out).toContain(`key from the command ${script}`);
});

test('says how the command fails, and shows nothing that it prints', async () => {
  const { cb, sandbox, script, prints } = await manager();
  await cb(`login --base-url ${sandbox.url} --key-command ${script}`);
  for (const [text, code, why] of [
    ['SECRET-1', 7, 'it ended with exit code 7'],
    ['SECRET-1 and more', 0, 'it did not print a key alone'],
    ['', 0, 'it did not print a key alone'],
  ] as const) {
    prints(text, code);
    const ran = await cb('quickstats accounts --debug');
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toContain(`The key command ${script} failed: ${why}.`);
    expect(ran.err).not.toContain('SECRET');
  }
  const gone = await cb(`login --profile b --key-command ${script}-gone`);
  expect(gone).toMatchObject({ code: 3 });
  expect(gone.err).toContain("it can't be started (ENOENT");
});

test('stops a command that takes too long', async () => {
  await expect(keyFrom(['sleep', '60'], 20)).rejects.toThrow('it was stopped by SIGTERM');
});

test.each([
  ["login --key-command 'op read x' --with-key", "--key-command and --with-key can't be combined."],
  ["login --key-command 'op read x' --keychain", "--key-command and --keychain can't be combined."],
  ["login --key-command ''", '--key-command is empty.'],
])('refuses %s', async (line, message) => {
  const { code, err } = await home().cb(line);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
