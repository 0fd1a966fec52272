/** --text-ids wraps text that a spreadsheet would convert, and nothing else. */
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { lines, shown } from '../support.ts';

async function cell(value: string | boolean | LosslessNumber): Promise<string | undefined> {
  const csv = { textIds: true, delimiter: '\t' };
  return lines(await shown('csv', [[{ a: value, b: '' }]], { csv }))[1]?.replace(/\t$/, '');
}

test.each([
  ...'1E234567 1e5 12E-3 1,5E3 00123456 01234 123456789012345678 1,000 1.5'.split(' '),
  ...['-5', '+5', '(5)', '5%', '$5', '5 €', '£1,000.00', '1 1/2', '１２３', '+49 30 123456'],
  ...'1-2|3/4|1.2.|18.3.2026|1/2/26|10:30|10:30:15|10:30 PM|5 p|5 a.m.'.split('|'),
  ...'MAR1|mar-1|1-MAR|1 Mar 2026|March 5|Dec 12, 2026|SEPT1|Mär 1|1. Mai'.split('|'),
  ...['1-déc', '3 août', 'enero 5', '5-mag', '1 mrt', 'dez/26', '+1-555-0100', '-2+3'],
  ...['TRUE', 'false', 'Wahr', '#N/A', '#REF!'],
])('keeps %j as typed', async (text) => {
  expect(await cell(text)).toBe(`"=""${text}"""`);
});

test.each([
  ...['4F6TAE4U', 'COOK-02', 'MARK1', 'MAR', 'May', 'Jane 5', 'BA2 7EL', 'Jack Kelly', 'Zoë', 'A1'],
  ...'12 Main Street|1E|E5|TRUEST|2026-03-18|2026-03-18T15:11:38-08:00||-|%'.split('|'),
])('does not wrap %j', async (text) => {
  expect(await cell(text)).toBe(text === '-' ? "'-" : text);
});

test('guards formulas and does not wrap them', async () => {
  for (const text of ['=1+1', '=1"&A1', '@SUM(A1)', '-2+3+cmd', '+A1', '=TRUE', '-MAR1*A1']) {
    expect((await cell(text))?.replace(/^"|"$/g, '').replaceAll('""', '"')).toBe(`'${text}`);
  }
});

test('does not wrap numbers, booleans, and text that is too long for a formula', async () => {
  expect(await cell(new LosslessNumber('11.90'))).toBe('11.90');
  expect(await cell(true)).toBe('true');
  expect(await cell('1'.repeat(255))).toContain('="');
  expect(await cell('1'.repeat(256))).toBe('1'.repeat(256));
});
