import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plain, visible, visibleDrawing } from '../../../src/output/table/terminal-text.ts';
import { steering } from '../support.ts';

const introducers = fc.constantFrom(
  '\u001b',
  '\u001b[',
  '\u001b]',
  '\u001bP',
  '\u009b',
  '\u009d',
  '\u0007',
  '\u001b\\',
  '\u009c',
  '31m',
  '\u200d',
  '\ud83d',
);

const hostile = fc
  .array(fc.oneof(introducers, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

describe('text on a terminal', () => {
  test('has no escape sequences or control characters', () => {
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
    ['a colour', 'a\u001b[1;31mb\u001b[0m', 'ab'],
    ['a colour in one character', 'a\u009b31mb', 'ab'],
    ['a new title of the window', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a hidden link', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a device control string', 'a\u001bP$q\u001b\\b', 'ab'],
    ['a sequence hidden in another', '\u001b\u001b[31m[32mx', '[32mx'],
    ['a sequence without its end', 'a\u001b]0;b', 'a]0;b'],
    ['an overwritten line', 'paid\rfree\b', 'paidfree'],
    ['text written backwards', 'x\u202egnp.exe\u202c', 'xgnp.exe'],
    ['hidden characters', 'ad\u200bm\u00adin\u200d\ufeff', 'admin'],
  ])('is without %s', (_, sent, expected) => {
    expect(plain(sent)).toBe(expected);
  });

  test('stays on one line: line breaks and tabs become spaces', () => {
    expect(plain('a\r\nb\tc\nd\u2028e')).toBe('a b c d e');
  });

  test.each(['Zoë', 'می\u200cخواهم', 'क्\u200dष', '👨‍👩‍👧', '👩🏽‍🚀', '❤️‍🔥', '日本', '葛\u{e0100}'])(
    'keeps %s as its reader writes it',
    (text) => {
      expect(plain(text)).toBe(text);
    },
  );
});

describe('data on a terminal', () => {
  test('has no control characters, and stays the same JSON', () => {
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
    ['a title', 'a\u001b]0;x\u0007', 'a\\u001b]0;x\\u0007'],
    ['an overwritten line', 'paid\rfree', 'paid\\u000dfree'],
    ['a tag beyond the first plane', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['text written backwards', 'a\u202eb', 'a\\u202eb'],
  ])('shows %s as an escape', (_, sent, expected) => {
    expect(visible(sent)).toBe(expected);
  });

  test.each(['a\tb\r\nc\n', 'می\u200cخواهم', '👨‍👩‍👧', 'Zoë'])('keeps %j', (text) => {
    expect(visible(text)).toBe(text);
  });

  test('keeps the colors of tables and charts, and no other escape sequences', () => {
    const drawn = '\u001b[32mACTIVE\u001b[39m\u001b[2J\u0007\n';
    expect(visibleDrawing(drawn)).toBe('\u001b[32mACTIVE\u001b[39m\\u001b[2J\\u0007\n');
  });
});
