/** The completion script goes where the shell looks for it, once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownPlaces } from '../../../src/cli/completion/candidates.ts';
import type { Table } from '../../../src/cli/completion/table.ts';
import { home } from '../../support/cb.ts';

test.each([
  ['bash', '.local/share/bash-completion/completions/cb', '/bin/bash'],
  ['zsh', '.zfunc/_cb', '/usr/bin/zsh'],
  ['fish', '.config/fish/completions/cb.fish', '/opt/bin/fish'],
])(
  'cb completion install finds out that it is %s, and is the same twice',
  async (shell, file, path) => {
    const { cb, folder } = home();
    const env = { SHELL: path };
    const first = await cb('completion install', { env });
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toContain(`wrote ${join(folder, file)}`);
    const written = readFileSync(join(folder, file), 'utf8');
    expect(written).toBe((await cb(`completion ${shell}`)).out);
    const second = await cb(`completion install ${shell}`);
    expect(second.err).toContain('is as it should be');
    expect(readFileSync(join(folder, file), 'utf8')).toBe(written);
  },
);

test('An older script is replaced', async () => {
  const { cb, folder } = home();
  const file = join(folder, '.config/fish/completions/cb.fish');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'complete -c cb -a old');
  await cb('completion install fish');
  expect(readFileSync(file, 'utf8')).toBe((await cb('completion fish')).out);
});

test('For zsh it says what .zshrc lacks, and nothing once it is there', async () => {
  const { cb, folder } = home();
  expect((await cb('completion install zsh')).err).toContain('fpath=(~/.zfunc $fpath)');
  writeFileSync(join(folder, '.zshrc'), 'fpath=(~/.zfunc $fpath)\n');
  expect((await cb('completion install zsh')).err).not.toContain('fpath=');
});

test('For PowerShell it prints the line, and adds it once with --yes', async () => {
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
  ['completion install tcsh', {}, /<shell> must be one of bash, zsh, fish, powershell; 'tcsh' is/],
  ['completion install', { SHELL: '/bin/ksh' }, /\$SHELL is ksh/],
  ['completion install', {}, /\$SHELL is not set/],
])('cb %s with %o is a usage error', async (line, env, why) => {
  const { code, err } = await home().cb(line, { env });
  expect(code).toBe(2);
  expect(err).toMatch(why);
});

test('What is in the way is told', async () => {
  const { cb, folder } = home();
  writeFileSync(join(folder, '.zfunc'), '');
  const { code, err } = await cb('completion install zsh');
  expect(code).toBe(2);
  expect(err).toMatch(/_cb can't be written \(\w+\).*prints the script/);
});

/** PowerShell itself is tried nowhere: its table is read as it would be, its code is not run. */
test('The table in the PowerShell script holds commands, flags and values', async () => {
  const { out } = await home().cb('completion powershell');
  const [, text = ''] = /@'\n([\s\S]*?)\n'@ \| ConvertFrom-Json/.exec(out) ?? [];
  const { commands, sets, values } = JSON.parse(text) as Table;
  const list = commands.find(({ path }) => path === 'orders list');
  const flags = (list?.sets ?? []).flatMap((set) => sets[set] ?? []);
  const [, takes = ''] = flags.find(([name]) => name === '--type') ?? [];
  expect(takes).toMatch(/^values:\d+$/);
  expect(values[Number(takes.split(':')[1])]).toContainEqual(['RFND', 'refund']);
  const code = out.replace(text, '').replaceAll(/'[^'\n]*'|"[^"\n]*"|#.*$/gm, '');
  for (const [open, close] of ['()', '{}', '[]']) {
    expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length);
  }
});

test('Every place that has values of its own is in the command tree', async () => {
  const { out } = await home().cb('completion powershell');
  const [, text = ''] = /@'\n([\s\S]*?)\n'@ \| ConvertFrom-Json/.exec(out) ?? [];
  const { commands, sets } = JSON.parse(text) as Table;
  const flags = new Set(sets.flat().map(([name]) => name));
  for (const place of Object.keys(ownPlaces)) {
    const [, path, flag] = /^(.*?) ?(--[\w-]+|<\w+>)$/.exec(place) ?? [];
    if (path === '') expect(flags).toContain(flag);
    else expect(commands.find((one) => one.path === path)?.places, place).not.toEqual([]);
  }
});
