/** `cb completion install` puts the script where the shell looks for it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';

test.each([
  ['bash', '.local/share/bash-completion/completions/cb', '/bin/bash'],
  ['zsh', '.zfunc/_cb', '/usr/bin/zsh'],
  ['fish', '.config/fish/completions/cb.fish', '/opt/bin/fish'],
])(
  'replaces an older script of %s, and changes nothing the second time',
  async (shell, file, path) => {
    const { cb, folder } = home();
    const env = { SHELL: path };
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'complete -c cb -a old');
    const first = await cb('completion install', { env });
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toContain(`Wrote ${join(folder, file)}.`);
    const written = readFileSync(join(folder, file), 'utf8');
    expect(written).toBe((await cb(`completion ${shell}`)).out);
    const second = await cb(`completion install ${shell}`);
    expect(second.err).toContain('is up to date');
    expect(readFileSync(join(folder, file), 'utf8')).toBe(written);
  },
);

test('names the lines that .zshrc lacks for zsh, until they are there', async () => {
  const { cb, folder } = home();
  expect((await cb('completion install zsh')).err).toContain('fpath=(~/.zfunc $fpath)');
  writeFileSync(join(folder, '.zshrc'), 'fpath=(~/.zfunc $fpath)\n');
  expect((await cb('completion install zsh')).err).not.toContain('fpath=');
});

test('prints the line for the PowerShell profile, and adds it once with --yes', async () => {
  const { cb, folder } = home();
  const file = join(folder, '.config/powershell/Microsoft.PowerShell_profile.ps1');
  const shown = await cb('completion install powershell');
  expect(shown.out).toBe('cb completion powershell | Out-String | Invoke-Expression\n');
  expect(existsSync(file)).toBe(false);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'Set-Alias ll ls');
  await cb('completion install powershell --yes');
  await cb('completion install pwsh --yes');
  expect(readFileSync(file, 'utf8')).toBe(`Set-Alias ll ls\n${shown.out}`);
});

test.each([
  [
    'completion install tcsh',
    {},
    /Unknown shell 'tcsh'\..*Use one of bash, zsh, fish, powershell\./s,
  ],
  ['completion install', { SHELL: '/bin/ksh' }, /\$SHELL is ksh/],
  ['completion install', {}, /\$SHELL is not set/],
])('ends with exit code 2 for cb %s with %o', async (line, env, why) => {
  const { code, err } = await home().cb(line, { env });
  expect(code).toBe(2);
  expect(err).toMatch(why);
});

test('names a file that cannot be written, with exit code 2', async () => {
  const { cb, folder } = home();
  writeFileSync(join(folder, '.zfunc'), '');
  const { code, err } = await cb('completion install zsh');
  expect(code).toBe(2);
  expect(err).toMatch(/_cb can't be written \(\w+\)\..*print the script/s);
});
