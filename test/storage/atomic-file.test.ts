/** Files are written atomically and keep their permissions; folders that can't be made; fingerprints without keys. */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openReplacement, writeAtomic } from '../../src/storage/atomic-file.ts';
import { makeFolder, siblingPath } from '../../src/storage/files.ts';
import { createFingerprint, matchesFingerprint } from '../../src/storage/fingerprint.ts';
import { emptyHome } from '../support/binary.ts';

function mode(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

test.each(['600', '640', '644', '664'])('keeps the mode %s of a replaced file', async (kept) => {
  const file = join(emptyHome(), 'orders.csv');
  writeFileSync(file, 'old');
  chmodSync(file, Number.parseInt(kept, 8));
  await writeAtomic(file, 'new');
  expect(mode(file)).toBe(kept);
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('creates files with the default mode or the requested private mode', async () => {
  const made = emptyHome();
  writeFileSync(join(made, 'usual'), '');
  await writeAtomic(join(made, 'new'), 'text');
  expect(mode(join(made, 'new'))).toBe(mode(join(made, 'usual')));
  writeFileSync(join(made, 'private'), '', { mode: 0o644 });
  await writeAtomic(join(made, 'private'), 'text', { mode: 0o600 });
  expect(mode(join(made, 'private'))).toBe('600');
});

test.skipIf(process.getuid?.() !== 0)('keeps the owner of the file (needs root)', async () => {
  const file = join(emptyHome(), 'orders.csv');
  writeFileSync(file, 'old');
  chownSync(file, 1234, 4321);
  chmodSync(file, 0o640);
  await writeAtomic(file, 'new');
  expect(statSync(file)).toMatchObject({ uid: 1234, gid: 4321 });
  expect(mode(file)).toBe('640');
});

test('replaces a symbolic link without copying the mode of its target', async () => {
  const made = emptyHome();
  writeFileSync(join(made, 'named'), 'named', { mode: 0o600 });
  chmodSync(join(made, 'named'), 0o666);
  symlinkSync('named', join(made, 'link'));
  await writeAtomic(join(made, 'link'), 'new', { mode: 0o600 });
  expect(lstatSync(join(made, 'link')).isFile()).toBe(true);
  expect(mode(join(made, 'link'))).toBe('600');
  expect(readFileSync(join(made, 'named'), 'utf8')).toBe('named');
});

test('keeps the old file and leaves no draft if writing fails', async () => {
  const made = emptyHome();
  const file = join(made, 'orders.csv');
  writeFileSync(file, 'old');
  const discarded = await openReplacement(file);
  await discarded.file.writeFile('half');
  await discarded.discard();
  expect(readdirSync(made)).toEqual(['orders.csv']);
  expect(readFileSync(file, 'utf8')).toBe('old');
  // A folder can't be replaced by a file, which fails only when renaming.
  mkdirSync(join(made, 'folder'));
  await expect(writeAtomic(join(made, 'folder'), 'new')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(made)).toEqual(['folder', 'orders.csv']);
});

test('removes the draft of a killed process', async () => {
  const made = emptyHome();
  const file = join(made, 'state.json');
  writeFileSync(`${file}.next`, 'half');
  await writeAtomic(file, 'whole', { draft: `${file}.next` });
  expect(readdirSync(made)).toEqual(['state.json']);
});

test('writes a file whose name has up to 255 bytes', async () => {
  for (const name of ['x'.repeat(255), 'ü'.repeat(127), '🙂'.repeat(63)]) {
    const made = emptyHome();
    await writeAtomic(join(made, name), 'text');
    expect(readdirSync(made)).toEqual([name]);
    for (const suffix of ['.part', '.part.json', '.cb-journal']) {
      const sibling = siblingPath(join(made, name), suffix);
      expect(Buffer.byteLength(basename(sibling))).toBeLessThanOrEqual(255);
      expect(dirname(sibling)).toBe(made);
      await writeAtomic(sibling, 'text');
    }
    expect(readdirSync(made)).toHaveLength(4);
  }
});

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

const account = { baseUrl: 'https://api.example.com', key: 'API-ONE' };
const shifted = { baseUrl: `${account.baseUrl}A`, key: 'PI-ONE' };
const fingerprint = createFingerprint(account);

test('contains no key, and differs each time', () => {
  expect(fingerprint).not.toContain('API-ONE');
  expect(fingerprint).not.toBe(createFingerprint(account));
});

test.each([
  ['the same service and key', fingerprint, account, true],
  ['another key', fingerprint, { ...account, key: 'API-TWO' }, false],
  ['another service', fingerprint, { ...account, baseUrl: 'https://api.example.org' }, false],
  ['a URL with a part of the key', fingerprint, shifted, false],
  ...['', 'hmac-sha256::', 'sha256:00:00', 'sandbox'].map(
    (text) => [`the text '${text}'`, text, account, false] as const,
  ),
] as const)('matches only the account itself: %s', (_, text, other, isMatch) => {
  expect(matchesFingerprint(text, other)).toBe(isMatch);
});
