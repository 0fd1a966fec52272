/** Lines of messages on narrow terminals. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrapLine } from '../../../src/output/table/display-width.ts';

test('breaks a longer line between words, and indents further lines', () => {
  expect(wrapLine('cb: Invalid --limit. Use a number from 1 to 9.', 24)).toEqual([
    'cb: Invalid --limit. Use',
    '    a number from 1 to',
    '    9.',
  ]);
  expect(wrapLine('      deeper than one message', 20)).toEqual([
    '      deeper than',
    '      one message',
  ]);
});

test('does not cut a word that is wider than the terminal', () => {
  const path = `/home/${'folder/'.repeat(9)}file`;
  expect(wrapLine(`cb: ${path} is missing.`, 30)).toEqual([
    'cb:',
    `    ${path}`,
    '    is missing.',
  ]);
});

test('keeps a command to copy on one line', () => {
  expect(wrapLine('    Log in with `cb login --profile shop` first.', 30)).toEqual([
    '    Log in with',
    '    `cb login --profile shop`',
    '    first.',
  ]);
  expect(wrapLine('    Log in first. Try: cb login --profile shop', 34)).toEqual([
    '    Log in first.',
    '    Try: cb login --profile shop',
  ]);
});

test('keeps lines within the terminal and loses no word', () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abc.-') });
  fc.assert(
    fc.property(fc.array(word), fc.integer({ min: 20, max: 60 }), (words, width) => {
      const lines = wrapLine(words.join(' '), width);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      expect(lines.join(' ').split(/ +/).join(' ').trim()).toBe(words.join(' '));
    }),
  );
});
