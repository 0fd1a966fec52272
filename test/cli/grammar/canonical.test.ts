/** Natural spellings of command lines, and the canonical command lines that they stand for. */
import { expect, test } from 'vitest';
import { canonicalArgv } from '../../../src/cli/grammar/canonical.ts';
import { Unclear } from '../../../src/cli/grammar/mistake.ts';
import { unclear } from '../../../src/cli/grammar/unknown-command.ts';
import { allPhrases, answers, otherWords } from '../../../src/cli/grammar/words.ts';
import { commandTree } from '../../../src/cli/runtime/program.ts';
import { world } from '../../support/cb.ts';
import { allCommands, leaves } from '../../support/tree.ts';

const tree = commandTree(world('/nowhere', {}).context);
const canonical = (line: string) => canonicalArgv(line.split(' '), tree).join(' ');

test.each(leaves.map(({ path }) => path))("keeps 'cb %s' unchanged", (path) => {
  expect(canonical(`${path} --limit 3 x`)).toBe(`${path} --limit 3 x`);
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
  ['--perod today orders list', 'orders list --perod today'],
  ['--nonsense orders list', 'orders list --nonsense'],
  ['orders list --json', 'orders list --output=json'],
  ['orders list -n5', 'orders list --limit 5'],
  ['tickets comment 1001 --comment -n5', 'tickets comment 1001 --comment -n5'],
  ['tickets comment 1001 --comment -n 5', 'tickets comment 1001 --comment -n 5'],
  ['tickets comment 1001 -n5', 'tickets comment 1001 --limit 5'],
  ['orders list help', 'orders list --help'],
  ['help show order', 'help orders get'],
  ['help dates', 'help dates'],
  ['orders get help me', 'orders get --help me'],
  ['tickets comment 1001 help', 'tickets comment 1001 help'],
  ['sandbox exec -- cb order ls --json', 'sandbox exec -- cb order ls --json'],
  ['constructor __proto__ toString', 'constructor __proto__ toString'],
])("rewrites 'cb %s' to 'cb %s'", (line, expected) => {
  expect(canonical(line)).toBe(expected);
  expect(canonical(expected)).toBe(expected);
});

function answerTo(line: string) {
  try {
    return canonical(line);
  } catch (error) {
    return error instanceof Unclear ? unclear(error) : error;
  }
}

test.each([
  ['cancel MONTHLY1', /Use cb tickets create MONTHLY1 --type cncl to cancel/],
  ['product update CLUB-M', /Use cb products save CLUB-M to create or change/],
  ['tickets open', /Use cb tickets list --status open to list open tickets/],
])("rejects 'cb %s', which could mean a write, and says what to type", (line, hint) => {
  expect(answerTo(line)).toMatchObject({ code: 2, hint: expect.stringMatching(hint) });
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
