/** SECURITY.md names tests that are there. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const promises = readFileSync(new URL('SECURITY.md', root), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, promise = '', held = '']) => ({ promise, held }));

test('There are promises', () => {
  expect(promises.length).toBeGreaterThan(20);
});

test.each(promises)('$promise: held by a test', ({ held }) => {
  const files = [...held.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(files).not.toEqual([]);
  expect(files.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
