/** Phrases and names of the first version that plain English has replaced: none may come back. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutComments } from './support/structure.ts';

const phrases = [
  'what to ask',
  'how to show it',
  'everything else:',
  'at most so many',
  'the longest to wait',
  'the opposite',
  'tell of many shipments',
  'shown as typed',
  'this changes something',
  'nobody can be asked',
  'no such day',
  'leave one of them away',
  'the service refused (',
  '(it can mean:',
  'what shall be done',
  'shall it be sent',
  'all that is left of it',
  'made-up',
  'or not taken',
  'a terminal only reads',
  'finishes what it starts',
  'whenever it was asked for',
  'that there is none of',
  'nothing among them is',
  'that nobody vouches for',
  'whatever node is told',
];

const names = [
  ...['lesson', 'teach', 'Shell', 'Showing', 'Told', 'Fate', 'decideFate', 'Desk', 'Manner'],
  ...['Dials', 'Witness', 'Evidence', 'spellOf', 'openShelf', 'insist', 'BeanOf'],
];

/** This file contains them all. */
const own = 'test/words.test.ts';

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && file !== own && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => !text.includes('\0'));

test('searches the whole repository', () => {
  const searched = files.map(({ file }) => file);
  expect(searched).toEqual(expect.arrayContaining(['README.md', 'src/main.ts', 'package.json']));
});

test.each(phrases)("finds '%s' in no file", (phrase) => {
  expect(files.filter(({ text }) => unwrapped(text).includes(phrase)).map(fileOf)).toEqual([]);
});

test.each(names)("finds the name '%s' in no code", (name) => {
  const word = new RegExp(`\\b${name}\\b`);
  const code = files.filter(({ file }) => file.endsWith('.ts'));
  expect(code.filter(({ text }) => word.test(withoutComments(text))).map(fileOf)).toEqual([]);
});

test.each([
  ['// Nobody is there, and nobody\n  // can be asked.', 'nobody can be asked'],
  ['/**\n * The\n * opposite of it.\n */', 'the opposite'],
  ["'Orders that are ' +\n  'made-up'", 'made-up'],
])('finds a phrase across lines: %j', (text, phrase) => {
  expect(unwrapped(text)).toContain(phrase);
});

/** Lower case, on one line, without comment marks and string concatenation. */
function unwrapped(text: string): string {
  return text
    .replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/)|#)?\s*/g, ' ')
    .replaceAll(/' \+ '/g, '')
    .toLowerCase();
}

function fileOf({ file }: { readonly file: string }): string {
  return file;
}
