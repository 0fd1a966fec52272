/** Control characters and escape sequences in data never reach a terminal, and lines of messages fit it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrapLine } from '../../../src/output/table/display-width.ts';
import { plain, visible, visibleDrawing } from '../../../src/output/table/terminal-text.ts';
import { steering } from '../support.ts';

const introducers = fc.constantFrom(
  ...['\u001b', '\u001b[', '\u001b]', '\u001bP', '\u009b', '\u009d', '\u0007', '\u001b\\'],
  ...['\u009c', '31m', '\u200d', '\ud83d'],
);

const hostile = fc
  .array(fc.oneof(introducers, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

describe('text on a terminal', () => {
  test('contains no control characters, whatever was sent', () => {
    fc.assert(
      fc.property(hostile, (sent) => {
        expect(plain(sent)).not.toMatch(steering);
        expect(plain(sent)).not.toContain('\n');
        expect(plain(plain(sent))).toBe(plain(sent));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['a color', 'a\u001b[1;31mb\u001b[0m', 'ab'],
    ['a color in one character', 'a\u009b31mb', 'ab'],
    ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['the target of a link', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a device control string', 'a\u001bP$q\u001b\\b', 'ab'],
    ['a sequence inside another one', '\u001b\u001b[31m[32mx', '[32mx'],
    ['the start of an unterminated sequence', 'a\u001b]0;b', 'a]0;b'],
    ['characters that move the cursor', 'paid\rfree\b', 'paidfree'],
    ['marks that reverse text', 'x\u202egnp.exe\u202c', 'xgnp.exe'],
    ['invisible characters', 'ad\u200bm\u00adin\u200d\ufeff', 'admin'],
  ])('omits %s', (_, sent, expected) => {
    expect(plain(sent)).toBe(expected);
  });

  test('has one space in place of each line break and tab', () => {
    expect(plain('a\r\nb\tc\nd\u2028e')).toBe('a b c d e');
  });

  test.each(['Zoë', 'می\u200cخواهم', 'क्\u200dष', '👨‍👩‍👧', '👩🏽‍🚀', '❤️‍🔥', '日本', '葛\u{e0100}'])(
    'keeps %s unchanged',
    (text) => {
      expect(plain(text)).toBe(text);
    },
  );
});

describe('data on a terminal', () => {
  test('contains no control characters, and as JSON keeps its value', () => {
    fc.assert(
      fc.property(hostile, (sent) => {
        const json = JSON.stringify(sent);
        expect(visible(json)).not.toMatch(steering);
        expect(JSON.parse(visible(json))).toBe(sent);
        expect(visible(sent).replaceAll('\t', '').replaceAll('\r\n', '')).not.toMatch(steering);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['a window title', 'a\u001b]0;x\u0007', 'a\\u001b]0;x\\u0007'],
    ['a carriage return', 'paid\rfree', 'paid\\u000dfree'],
    ['a tag beyond the first plane', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['a mark that reverses text', 'a\u202eb', 'a\\u202eb'],
  ])('shows %s as an escape', (_, sent, expected) => {
    expect(visible(sent)).toBe(expected);
  });

  test.each(['a\tb\r\nc\n', 'می\u200cخواهم', '👨‍👩‍👧', 'Zoë'])('keeps %j', (text) => {
    expect(visible(text)).toBe(text);
  });

  test('keeps the colors that cb wrote, and no other sequences', () => {
    const drawn = '\u001b[32mACTIVE\u001b[39m\u001b[2J\u0007\n';
    expect(visibleDrawing(drawn)).toBe('\u001b[32mACTIVE\u001b[39m\\u001b[2J\\u0007\n');
  });
});

describe('a line of a message on a narrow terminal', () => {
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
});
