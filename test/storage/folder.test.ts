/** Folders of cb that can't be made. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../src/storage/folder.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('makes a folder and its parents for the user alone, and keeps one that exists', () => {
  const base = emptyFolder();
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
  const file = join(emptyFolder(), 'file');
  writeFileSync(file, '');
  const folder = below.startsWith('/') ? below : join(file, below);
  expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code }));
});
