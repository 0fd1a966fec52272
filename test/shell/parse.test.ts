/** What commander gets: the line as it was typed, after aliases, and another spelling only if it has refused that. */
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { commandTree } from '../../src/program.ts';
import { readArgv } from '../../src/shell/argv.ts';
import { correct } from '../../src/shell/grammar/correct.ts';
import { allPhrases, answers, otherWords } from '../../src/shell/grammar/words.ts';
import { parseLine } from '../../src/shell/parse.ts';
import { home, sandboxHome, world } from '../support/cb.ts';
import { allCommands, leaves } from '../support/tree.ts';

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

test('takes the token after an option for its value, or refuses the line', async () => {
  const line = 'tickets close --comment --no-input 1003 1001';
  const { code, err, lines } = await parsed(home().cb, line);
  expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 });
  expect(err).toContain('--comment needs a value.');
});

test.each<[line: string, read: object]>([
  ['orders list', { words: ['orders', 'list'], start: 0 }],
  ['--profile shop -o csv orders --debug list', { words: ['orders', 'list'] }],
  ['--profile=shop --tz UTC orders', { words: ['orders'] }],
  ['sandbox exec -- orders list', { words: ['sandbox', 'exec'] }],
  ['--sandbox --debug --profile', { sandbox: true, debug: true, profile: undefined }],
  // Whether errors are printed as JSON.
  ['-o json', { json: true }],
  ['-ojson', { json: true }],
  ['-o JSON', { json: true }],
  ['--output json', { json: true }],
  ['--output=json', { json: true }],
  ['-o csv', { json: false }],
  ['-o', { json: false }],
  ['sandbox exec -- program -o json', { json: false }],
  // The place of an alias.
  ['--profile shop -o csv week', { start: 4 }],
  ['-ojson --json week', { start: 2 }],
  ['--limit 3 week', { start: undefined }],
  ['--comment week', { start: undefined }],
  ['-- week', { start: undefined }],
])("reads 'cb %s' before commander: %j", (line, read) => {
  expect(readArgv(line.split(' '))).toMatchObject(read);
});

const root = commandTree();

function corrected(line: string): string | undefined {
  const found = correct(line.split(' '), root);
  return found && 'tokens' in found ? found.tokens.join(' ') : undefined;
}

test.each(leaves.map(({ path }) => path))("has no other spelling for 'cb %s'", (path) => {
  expect(corrected(`${path} --json x`)).toBeUndefined();
});

test.each([
  'orders list --sandbox --limit 3 x',
  '--sandbox orders list x',
  'help dates',
  'tickets comment 1001 help',
  'sandbox exec -- cb order ls -json',
  'constructor __proto__ toString',
])("leaves 'cb %s' as it is", (line) => {
  expect(corrected(line)).toBeUndefined();
});

const paths = new Set(allCommands.map(({ path }) => path));

/** The command in a line of the tables, without options and arguments. */
function pathIn(line: string): string {
  return line.split(/ (?=[-<])/)[0] ?? '';
}

test('maps other words only to commands that exist', () => {
  const names = new Set(allCommands.map(({ name }) => name));
  expect(Object.keys(otherWords).filter((name) => !names.has(name))).toEqual([]);
  const lines = [
    ...allPhrases.values(),
    ...[...answers.values()].flatMap((ways) => Object.values(ways)),
  ];
  const isCommand = (path: string) =>
    paths.has(path) || leaves.some((leaf) => path.startsWith(`${leaf.path} `));
  expect(lines.map(pathIn).filter((path) => !path.startsWith('-') && !isCommand(path))).toEqual([]);
});

test('rewrites a phrase or rejects it with a hint, but not both, and no name of a command', () => {
  const phrases = [...allPhrases.keys()];
  expect(phrases.filter((phrase) => answers.has(phrase) || paths.has(phrase))).toEqual([]);
  expect([...answers.keys()].filter((phrase) => paths.has(phrase))).toEqual([]);
});
