/** Natural spellings of command lines, and the command lines that they stand for. */
import { expect, test } from 'vitest';
import { commandTree } from '../../../src/program.ts';
import { correct } from '../../../src/shell/grammar/correct.ts';
import { readable } from '../../../src/shell/grammar/explain.ts';
import { allPhrases, answers, otherWords } from '../../../src/shell/grammar/words.ts';
import { allCommands, leaves } from '../../support/tree.ts';

const root = commandTree();

function corrected(line: string): string | undefined {
  const found = correct(line.split(' '), root);
  return found && 'tokens' in found ? found.tokens.join(' ') : undefined;
}

test.each(leaves.map(({ path }) => path))("has no other spelling for 'cb %s'", (path) => {
  expect(corrected(`${path} --json x`)).toBeUndefined();
});

test.each([
  ['order ls', 'orders list'],
  ['ORDERS LIST', 'orders list'],
  ['get order MONTHLY1', 'orders get MONTHLY1'],
  ['list ship notices PARCEL01', 'ship notice list PARCEL01'],
  ['refund order DIGITAL1', 'tickets refund DIGITAL1'],
  ['sales ls --limit 3', 'orders list --type SALE --limit 3'],
  ['--limit 3 orders list', 'orders list --limit 3'],
  ['orders --limit 3 list', 'orders list --limit 3'],
  ['--type refund orders list', 'orders list --type refund'],
  ['--nonsense orders list', 'orders list --nonsense'],
  ['-o json order list', '-o json orders list'],
  ['orders list -json', 'orders list --json'],
  ['orders list -o=json', 'orders list --output=json'],
  ['orders list -n5', 'orders list --limit 5'],
  ['ticket comment 1001 --comment -n5', 'tickets comment 1001 --comment -n5'],
  ['ticket comment 1001 --comment -n 5', 'tickets comment 1001 --comment -n 5'],
  ['tickets comment 1001 -n5', 'tickets comment 1001 --limit 5'],
  ['orders list help', 'orders list --help'],
  ['? orders', 'help orders'],
  ['order get help me', 'orders get --help me'],
  ['search ada', 'find ada'],
])("corrects 'cb %s' to 'cb %s'", (line, expected) => {
  expect(corrected(line)).toBe(expected);
  expect(corrected(expected)).toBeUndefined();
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

test.each([
  ['cancel MONTHLY1', /Use cb tickets create MONTHLY1 --type cncl to cancel/],
  ['product update CLUB-M', /Use cb products save CLUB-M to create or change/],
  ['tickets open', /Use cb tickets list --status open to list open tickets/],
  ['ticket close 1001', /Nothing was sent. Did you mean cb tickets close 1001/],
  ['tickets close 1001 -json', /Nothing was sent. Did you mean cb tickets close 1001 --json/],
  ['tickets close 1001 -o=json --yes', /Did you mean cb tickets close 1001 --output=json --yes/],
  ['--yes tickets close 1001', /Did you mean cb tickets close --yes 1001/],
])("does not run 'cb %s', and says what to type", (line, hint) => {
  expect(() => readable(line.split(' '), root)).toThrow(
    expect.objectContaining({ code: 2, hint: expect.stringMatching(hint) }),
  );
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

test('has no phrase with the name of a command', () => {
  expect([...allPhrases.keys(), ...answers.keys()].filter((phrase) => paths.has(phrase))).toEqual(
    [],
  );
});

test('rewrites a phrase or rejects it with a hint, but not both', () => {
  expect([...allPhrases.keys()].filter((phrase) => answers.has(phrase))).toEqual([]);
});
