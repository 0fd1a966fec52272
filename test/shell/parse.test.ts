/** What commander gets: the line as it was typed, after aliases, and another one only if it has refused that. */
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { commandTree } from '../../src/program.ts';
import { parseLine } from '../../src/shell/parse.ts';
import { home, sandboxHome, world } from '../support/cb.ts';

afterEach(() => vi.restoreAllMocks());

/** The arrays that commander got while a line ran. */
async function parsed(cb: ReturnType<typeof home>['cb'], line: string) {
  const parse = vi.spyOn(Command.prototype, 'parseAsync');
  const ran = await cb(line);
  return { ...ran, lines: parse.mock.calls.map(([tokens]) => tokens?.join(' ')) };
}

test.each([
  'orders list --limit 1 --json',
  '--sandbox -o csv orders list --limit=1',
  'orders',
  '--profile sandbox orders count --period today',
  'tickets close 1001 --comment=--json --dry-run --sandbox',
])("gives commander 'cb %s' token for token, once", async (line) => {
  const { cb } = await sandboxHome(60);
  expect((await parsed(cb, line)).lines).toEqual([line]);
});

test('replaces an alias, and nothing else', async () => {
  const { cb } = await sandboxHome(60);
  await cb("alias set one 'orders list --limit 1'");
  const { code, lines } = await parsed(cb, '--sandbox one -o json');
  expect({ code, lines }).toEqual({ code: 0, lines: ['--sandbox orders list --limit 1 -o json'] });
});

test.each([
  ['list orders --limit 1 --sandbox', 'orders list --limit 1 --sandbox'],
  ['orders list -json --limit 1 --sandbox', 'orders list --json --limit 1 --sandbox'],
  ['orders list -o=json --limit 1 --sandbox', 'orders list --output=json --limit 1 --sandbox'],
  ['--limit 1 --sandbox orders list', '--sandbox orders list --limit 1'],
])("runs 'cb %s' once more after it was refused, as 'cb %s'", async (line, corrected) => {
  const { cb } = await sandboxHome(60);
  const { code, lines } = await parsed(cb, line);
  expect({ code, lines }).toEqual({ code: 0, lines: [line, corrected] });
});

test('never runs a corrected line that writes, whoever corrected it', async () => {
  const { context } = world(home().folder, {});
  const line = ['tickets', 'close', '1001', '--yes'];
  const running = parseLine(line, commandTree(), { context, code: 0 }, true);
  await expect(running).rejects.toThrow("Type 'cb tickets close' as its help shows it.");
});

test("takes the token after an option for its value, or refuses the line: 'cb tickets close 1001 --comment --no-input'", async () => {
  const { code, err, lines } = await parsed(
    home().cb,
    'tickets close --comment --no-input 1003 1001',
  );
  expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 });
  expect(err).toContain('--comment needs a value.');
});
