/** In the executable, takes the place of the package `@libsql/…`. A system loads libraries from files only. */
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { makeFolder } from '../../storage/files.ts';
import { standardFolder } from '../../storage/standard-folder.ts';

/** The name of the file, which contains its SHA-256; the build defines it. */
declare const CB_LIBRARY: string;

/** Returns what the library exports. Throws MissingDriver if it can't be kept in a private folder. */
export function loadLibrary(): unknown {
  const { env, platform } = process;
  const state = standardFolder('state', { env, platform, home: homedir() });
  const folder = join(state ?? '', 'library');
  const library = { exports: {} };
  try {
    if (state === undefined) throw new Error('there is no home folder');
    process.dlopen(library, libraryFile(folder));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The database library can't be loaded from ${folder}: ${why}.`;
    throw Object.assign(new Error(message, { cause: error }), { name: 'MissingDriver' });
  }
  return library.exports;
}

/** Writes the library if the file is missing or differs from the one in the executable in any byte. */
function libraryFile(folder: string): string {
  makeFolder(folder);
  const { uid, mode } = lstatSync(folder);
  const isPrivate = process.getuid === undefined || (uid === process.getuid() && !(mode & 0o077));
  if (!isPrivate) throw new Error('others can write to the folder; delete it');
  const file = join(folder, CB_LIBRARY);
  const bytes = Buffer.from(getRawAsset('libsql.node') as ArrayBuffer);
  if (holds(file, bytes)) return file;
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, bytes, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  removeOthers(folder);
  return file;
}

function holds(file: string, bytes: Buffer): boolean {
  try {
    return lstatSync(file).size === bytes.length && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}

/** Those of earlier versions of cb. */
function removeOthers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name === CB_LIBRARY || !name.endsWith('.node')) continue;
    try {
      rmSync(join(folder, name));
    } catch {
      // Windows keeps a library that a running program uses.
    }
  }
}
