/** Aliases: names that a user gives to command lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb as program } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';

const file = '.config/clickbank-cli/config.json';

/** A home with a sandbox and these aliases. */
async function homeWith(aliases: Readonly<Record<string, string>>) {
  const made = await sandboxHome();
  const at = join(made.folder, file);
  await made.cb("alias set placeholder 'orders list'");
  writeFileSync(at, JSON.stringify({ ...JSON.parse(readFileSync(at, 'utf8')), aliases }));
  return made;
}

test.each([
  ["monthly 'orders get MONTHLY1 --fields receipt'", '--sandbox monthly', 'tsv'],
  ["monthly 'orders get MONTHLY1 --fields receipt'", 'monthly --sandbox', 'tsv'],
  // In place of another word for a command, also after options of cb and their values.
  ["refunds 'orders get MONTHLY1'", 'refunds --sandbox --fields receipt', 'tsv'],
  ["refunds 'orders get MONTHLY1'", '--timeout 30s --sandbox refunds --fields receipt', 'tsv'],
  ["refunds 'orders get MONTHLY1'", '--json --sandbox refunds --fields receipt', 'json'],
  ["one '--sandbox orders get MONTHLY1'", 'one --fields receipt', 'tsv'],
  // The value of an option is no alias.
  ["json 'tickets close 1003'", '-o json --sandbox orders get MONTHLY1 --fields receipt', 'json'],
])('runs the command of the alias %s with cb %s', async (alias, line, format) => {
  const { cb } = await sandboxHome();
  expect(await cb(`alias set ${alias}`)).toEqual({ code: 0, out: '', err: '' });
  const direct = await cb(`--sandbox orders get MONTHLY1 --fields receipt -o ${format}`);
  expect(direct.code).toBe(0);
  expect(await cb(line)).toEqual(direct);
});

test('replaces placeholders with arguments, and appends other arguments', async () => {
  const { cb } = await homeWith({
    one: 'orders get $1 --sandbox',
    some: 'orders list --sandbox --start-date $1 --end-date $2',
    all: 'orders $@ --sandbox',
    none: 'orders get --sandbox',
  });
  const receipt = (ran: { readonly out: string }) => JSON.parse(ran.out)[0]?.receipt;
  expect(receipt(await cb('one MONTHLY1 -o json'))).toBe('MONTHLY1');
  expect(receipt(await cb('none MONTHLY1 -o json'))).toBe('MONTHLY1');
  expect(receipt(await cb('all get MONTHLY1 -o json'))).toBe('MONTHLY1');
  expect(await cb('some -7d today -o json --limit 1')).toMatchObject({ code: 0 });
  const needs = "cb: The alias 'some' needs 2 arguments, but got 1. It stands for: orders list ";
  expectExit(await cb('some -7d'), 2, `${needs}--sandbox --start-date $1 --end-date $2`);
  const commands = { some: 'orders list', one: 'orders get', none: 'orders get', all: 'orders' };
  for (const [name, command] of Object.entries(commands)) {
    expect(await cb(`${name} --help`)).toEqual(await cb(`${command} --help`));
  }
});

test('splits an alias into words like a shell, and keeps an argument as one word', async () => {
  const get = 'orders get MONTHLY1 --sandbox -o json --query';
  const { cb } = await homeWith({ query: `${get} "[].$1"`, literal: `${get} $1` });
  expect((await cb('query receipt')).out).toContain('MONTHLY1');
  expect((await cb("literal '[].{a: receipt}'")).out).toContain('"a"');
});

test('prints names and commands with cb alias list', async () => {
  const { cb } = home();
  expect(await cb('alias list -o json')).toMatchObject({ code: 0, out: '[]\n' });
  await cb("alias set week 'orders list --period last-7-days'");
  await cb("alias set all 'cb orders $@'");
  expect(JSON.parse((await cb('alias list -o json')).out)).toEqual([
    { name: 'all', command: 'orders $@' },
    { name: 'week', command: 'orders list --period last-7-days' },
  ]);
  expect((await cb('alias list -o csv')).out).toBe(
    'name,command\nall,orders $@\nweek,orders list --period last-7-days\n',
  );
});

test('says on a terminal what has changed', async () => {
  const { cb } = home();
  for (const [line, says] of [
    ["set week 'orders list'", "Added the alias 'week'. Run it with: cb week\n"],
    ["set week 'orders count'", "Changed the alias 'week', which stood for: orders list\n"],
    ['delete week', "Deleted the alias 'week', which stood for: orders count\n"],
  ]) {
    const { err } = await cb(`alias ${line}`, { columns: 100, env: { NO_COLOR: '1' } });
    expect(err).toBe(says);
  }
  expectExit(await cb('alias delete week'), 2, "There is no alias 'week'.");
});

test('rejects an alias of another alias', async () => {
  const { cb } = await homeWith({ a: 'b', b: 'a', orders: 'tickets list' });
  expectExit(await cb("alias set c 'b --limit 1'"), 2, "Unknown command 'b' in the alias");
  expectExit(await cb('alias delete c'), 2, "There is no alias 'c'.");
  expect(await cb('a')).toMatchObject({ code: 2 });
  expect(await cb('--sandbox orders count --period today')).toMatchObject({ code: 0 });
});

test('requires --yes for an alias of a command that writes, and prints errors as JSON if it contains -o json', async () => {
  const { cb } = await homeWith({
    pause: 'orders pause $1 --restart-date +45d --sandbox',
    bad: 'orders list --sandbox --period nonsense -o json',
  });
  expect(JSON.parse((await cb('bad')).err)).toMatchObject({ code: 2 });
  expectExit(await cb('pause MONTHLY1'), 10, '--yes');
  expect(await cb('pause MONTHLY1 --dry-run')).toMatchObject({ code: 0 });
});

test('keeps aliases when profiles change, and profiles when aliases change', async () => {
  const { cb } = home();
  await cb("alias set week 'orders list'");
  await cb('login --with-key --no-check', { stdin: 'API-MADEUP1' });
  await cb('login --with-key --no-check --profile shop', { stdin: 'API-MADEUP2' });
  await cb('config set pace 4');
  await cb('profiles use shop');
  await cb('logout --profile default');
  expect((await cb('alias list --no-header')).out).toBe('week\torders list\n');
  await cb('alias delete week');
  expect((await cb('profiles list -o json')).out).toContain('shop');
});

test('lists aliases in help, also in that of the built program, and offers them in completion', async () => {
  const { cb, folder } = await homeWith({ week: 'orders list --period last-7-days' });
  // The built program prints stored pages.
  const built = program(['-h'], { home: folder }).ended();
  for (const { out } of [await cb('help'), await cb('--help'), await built]) {
    expect(out).toMatch(/\nAliases:\n {2}week +orders list --period last-7-days\n/);
  }
  expect((await cb('help week')).out).toBe((await cb('orders list --help')).out);
  expect((await cb("__complete -- ''")).out).toContain('week\torders list --period last-7-days\n');
  expect((await cb('__complete -- week --lim')).out).toContain('--limit\t');
  expect((await cb('__complete -- --sandbox week -o js')).out).toContain('json\t');
});
