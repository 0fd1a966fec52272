/**
 * Files that say how far an export has come: a checksum on the first line, JSON on the second. They are
 * replaced as a whole, so after a crash such a file is the last one or the one before.
 */
import { readFile, rm } from 'node:fs/promises';
import { badInput, reasonOf } from '../../client/workflow-error.ts';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { shownCode, siblingPath } from '../../storage/files.ts';
import { digestOf } from '../../storage/fingerprint.ts';

interface Versioned {
  readonly version: number;
}

/**
 * Undefined if no file exists. Throws a WorkflowError (`bad-input`) for a damaged file or another version;
 * `hint` says what to do about that.
 */
export async function readStateFile<T extends Versioned>(
  path: string,
  version: T['version'],
  hint: string,
): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw badInput(`Cannot read ${path} (${shownCode(cause)}).`, { cause });
  });
  if (text === undefined) return undefined;
  try {
    if (text.startsWith('{')) throw new Error('an older version of cb wrote it');
    const [checksum, body = ''] = text.split('\n');
    if (checksum !== digestOf(body)) throw new Error('it is damaged (wrong checksum)');
    const state = JSON.parse(body) as T;
    if (state.version === version) return state;
    throw new Error(`it has the unknown version ${state.version}`);
  } catch (cause) {
    throw badInput(`${path} can't be used: ${reasonOf(cause)}.`, { hint, cause });
  }
}

export async function writeStateFile(path: string, state: Versioned): Promise<void> {
  const body = JSON.stringify(state);
  const text = `${digestOf(body)}\n${body}\n`;
  await writeAtomic(path, text, { mode: 0o600, draft: siblingPath(path, '.next') });
}

export async function removeStateFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(siblingPath(path, '.next'), { force: true });
}
