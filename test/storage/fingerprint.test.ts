/** Fingerprints distinguish accounts without containing their keys. */
import { expect, test } from 'vitest';
import { createFingerprint, matchesFingerprint } from '../../src/storage/fingerprint.ts';

const account = { baseUrl: 'https://api.example.com', key: 'API-ONE' };

test('matches the same service and key', () => {
  expect(matchesFingerprint(createFingerprint(account), { ...account })).toBe(true);
});

test.each([
  ['another key', { ...account, key: 'API-TWO' }],
  ['another service', { ...account, baseUrl: 'https://api.example.org' }],
  ['a key that begins in the URL', { baseUrl: 'https://api.example.comA', key: 'PI-ONE' }],
])('does not match %s', (_, other) => {
  expect(matchesFingerprint(createFingerprint(account), other)).toBe(false);
});

test('contains no key, and differs each time', () => {
  const [one, two] = [createFingerprint(account), createFingerprint(account)];
  expect(one).not.toContain('API-ONE');
  expect(one).not.toBe(two);
});

test.each(['', 'hmac-sha256::', 'sha256:00:00', 'sandbox'])(
  'does not accept %j as a fingerprint',
  (text) => {
    expect(matchesFingerprint(text, account)).toBe(false);
  },
);
