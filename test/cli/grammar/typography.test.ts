/** Dashes, quotation marks and spaces that were pasted from documents and chats. */
import { expect, test } from 'vitest';
import { refuseTypography } from '../../../src/cli/grammar/typography.ts';

test.each([
  [['\u2013limit', '3'], 'Did you mean --limit?'],
  [['\u2014limit=3'], 'Did you mean --limit=3?'],
  [['\u2212o', 'json'], 'Did you mean -o?'],
  [['\u2013-json'], 'Did you mean --json?'],
  [['--email', '\u201cada@example.com\u201d'], "Did you mean 'ada@example.com'?"],
  [['--last-name=\u201cvan', 'Dyke\u201d'], "Did you mean 'van Dyke'?"],
  [['--limit\u00a03'], 'Did you mean --limit 3?'],
])('rejects %j and says what to type', (tokens, hint) => {
  expect(() => refuseTypography(tokens)).toThrow(expect.objectContaining({ code: 2, hint }));
});

test.each([
  [['--comment', 'He said \u201cno\u201d']],
  [['--comment', '\u201cno\u201d, he said']],
  [['--last-name', 'O\u2019Brien']],
  [['--comment', 'a \u2013 b']],
  [['--period', '-30d']],
])('accepts %j', (tokens) => {
  expect(() => refuseTypography(tokens)).not.toThrow();
});
