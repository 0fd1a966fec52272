/** How the sentence about a write names what others have typed. */
import { expect, test } from 'vitest';
import { quoted } from '../../src/safe-write/sentence.ts';

test.each([
  ['Ada\n  Sample', '"Ada Sample"'],
  ['“Refund”, "now"', `"'Refund', 'now'"`],
  ['a'.repeat(60), `"${'a'.repeat(60)}"`],
  ['😀'.repeat(61), `"${'😀'.repeat(59)}…"`],
])('quotes %j', (name, expected) => {
  expect(quoted(name)).toBe(expected);
});
