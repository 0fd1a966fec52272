/** Folders of cb that can't be made. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/storage/folder.ts';
import { emptyHome } from '../support/binary.ts';

test('makes a folder and its parents for the user alone, and keeps one that exists', () => {
  const base = emptyHome();
  const folder = join(base, 'a', 'b');
  makeFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  mkdirSync(join(folder, 'c'), 0o755);
  makeFolder(join(folder, 'c'));
  expect(statSync(join(folder, 'c')).mode & 0o777).toBe(0o755);
});

test.each([
  ['a file has its name', '', 'EEXIST'],
  ['a file has the name of its parent', 'a', 'ENOTDIR'],
  ['its parent is in no file system', '/proc/self/none', 'ENOENT'],
])('throws if %s', (_, below, code) => {
  const file = join(emptyHome(), 'file');
  writeFileSync(file, '');
  const folder = below.startsWith('/') ? below : join(file, below);
  expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code }));
});
