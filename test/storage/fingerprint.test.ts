/** Fingerprints distinguish accounts without containing their keys. */
import { expect, test } from 'vitest';
import { createFingerprint, matchesFingerprint } from '../../src/storage/fingerprint.ts';

const account = { baseUrl: 'https://api.example.com', key: 'API-ONE' };
const fingerprint = createFingerprint(account);

test('contains no key, and differs each time', () => {
  expect(fingerprint).not.toContain('API-ONE');
  expect(fingerprint).not.toBe(createFingerprint(account));
});

test.each([
  ['the same service and key', fingerprint, account, true],
  ['another key', fingerprint, { ...account, key: 'API-TWO' }, false],
  ['another service', fingerprint, { ...account, baseUrl: 'https://api.example.org' }, false],
  [
    'a URL with a part of the key',
    fingerprint,
    { baseUrl: `${account.baseUrl}A`, key: 'PI-ONE' },
    false,
  ],
  ...['', 'hmac-sha256::', 'sha256:00:00', 'sandbox'].map(
    (text) => [`the text '${text}'`, text, account, false] as const,
  ),
] as const)('matches only the account itself: %s', (_, text, other, isMatch) => {
  expect(matchesFingerprint(text, other)).toBe(isMatch);
});
