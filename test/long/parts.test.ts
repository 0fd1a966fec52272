/** The lists of files that no other test reads: a folder that moves must move there too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { areas } from '../mutants/areas.ts';
import { parts } from './parts.ts';

const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}${name.includes('.') ? '' : '/'}`,
  ),
);

test('names only test files that exist, and have a long tier, in the parts of npm run test:long', () => {
  const named = parts.flatMap(({ files = [] }) => files.map((file) => `test/${file}.test.ts`));
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
  const withTier = files.filter(
    (file) =>
      file.endsWith('.test.ts') && /import .*support\/tier\.ts/.test(readFileSync(file, 'utf8')),
  );
  expect(withTier.length).toBeGreaterThan(15);
  expect(withTier.filter((file) => !named.includes(file))).toEqual([]);
});

test('names only code and tests that exist in the areas of npm run test:mutants', () => {
  const named = areas.flatMap(({ sources, tests }) => [...sources, ...tests]);
  expect(named.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
});
