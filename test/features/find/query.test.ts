/** What the words of a search stand for, and what matches them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { personMatcher, readQuery } from '../../../src/features/find/find.ts';

const jane = {
  ...{ firstName: 'Jane', lastName: 'Doe', fullName: 'Jane Doe' },
  emails: ['jane.doe@example.com'],
};

const matching = [
  ...['jane doe', 'JANE   DOE', 'doe jane', 'doe', 'jane', 'jane.doe', 'Jane.Doe@EXAMPLE.com'],
  ...['do%', 'jane d%', '%@example.com', '%ane.d%'],
];
const others = [
  ...['do', 'jane d', 'jane@example.com', 'jane_doe@example.com', 'jane.doe@example'],
  ...['janexdoe', 'j.*'],
];

test.each([...matching, ...others])("tells whether %s matches Jane Doe's orders", (words) => {
  expect(personMatcher(readQuery([words]))(jane)).toBe(matching.includes(words));
});

test.each([
  ['Van Dyke', { firstName: 'Mary', lastName: 'Van Dyke', fullName: 'Mary Van Dyke', emails: [] }],
  ['mary van dyke', { firstName: 'Mary', lastName: 'Van Dyke', fullName: null, emails: [] }],
  ['ÉMILE zola', { firstName: 'E\u0301mile', lastName: 'Zola', fullName: null, emails: [] }],
  ['jean-luc', { firstName: 'Jean-Luc', lastName: 'Roux', fullName: null, emails: [] }],
  ['a-%@b-c.example', { firstName: null, lastName: null, emails: ['A-1@b-c.example'] }],
  ["o'brien", { firstName: 'Pat', lastName: "O'Brien", fullName: null, emails: [] }],
])('%s matches a name with several words, accents or an apostrophe', (words, person) => {
  expect(personMatcher(readQuery([words]))(person)).toBe(true);
});

test('searches for a receipt only if it has a digit, for a name of eight letters as both, and for digits as a ticket ID, and as a receipt if there are eight', () => {
  expect(readQuery(['monthly1'])).toMatchObject({ receipt: 'MONTHLY1', filters: [] });
  expect(readQuery(['monthly1-b002'])).toMatchObject({ receipt: 'MONTHLY1-B002', filters: [] });
  const anderson = readQuery(['anderson']);
  expect(anderson.receipt).toBe('ANDERSON');
  expect(anderson.filters).toContainEqual({ by: 'lastName', value: 'Anderson' });
  expect(readQuery(['1001'])).toMatchObject({ ticketId: '1001', receipt: undefined, filters: [] });
  expect(readQuery(['12345678'])).toMatchObject({ ticketId: '12345678', receipt: '12345678' });
});

test('asks for last names and addresses in several cases, since ClickBank may distinguish them', () => {
  const { filters } = readQuery(['jane', 'van dyke']);
  const names = filters.map(({ by, value }) => `${by}=${value}`);
  expect(names).toContain('lastName=Van Dyke');
  expect(names).toContain('lastName=DYKE');
  expect(names).toContain('lastName=jane');
  expect(names.filter((name) => name.startsWith('email'))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('refuses more words than a name has', () => {
  expect(() => readQuery(['a b c', 'd e f g'])).toThrow(/at most 6 words, but 7 were typed/);
});

test('matches any value by itself, and sends % only where it was typed, apart from the rest of an address', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6, unit: 'grapheme' }), (text) => {
      const email = text.replaceAll(/[%\s]/g, 'x');
      const query = readQuery([email]);
      const matches = personMatcher(query);
      expect(matches({ emails: [email] }) || matches({ lastName: email, emails: [] })).toBe(true);
      expect(matches({ lastName: `${email}x`, emails: [`${email}x`] })).toBe(false);
      const wild = query.filters.filter(({ value }) => value.includes('%'));
      expect(wild.filter(({ by, value }) => by !== 'email' || !value.endsWith('@%'))).toEqual([]);
    }),
  );
});

test.each(['%', '%%', 'a', '%a%', '', ' % '])('refuses %j, which nearly all match', (text) => {
  expect(() => readQuery([text])).toThrow(/Invalid search/);
});
