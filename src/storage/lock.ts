/**
 * A lock on a file, held by one process at a time: a file `NAME.lock` beside it that names the holder.
 *
 * It is beside the file itself, so it works for every symbolic link to the file, and in every container that mounts the
 * folder. The lock of a process of this machine that has ended is taken over. Whether a process of another host or
 * container still runs can't be known from here, so its lock is refused.
 */
import { randomBytes } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  canonicalPath,
  codeOf,
  hasHardLinks,
  isFullDisk,
  shownCode,
  siblingPath,
} from './files.ts';
import { type Identity, identityOf, livenessOf, type Processes } from './lock-owner.ts';

/** The content of a lock file. It never holds arguments, which may contain a key. */
interface LockRecord extends Identity {
  /** Different each time a lock is acquired. */
  readonly nonce: string;
  readonly command?: string | undefined;
  readonly since: string;
}

export interface LockOptions {
  readonly processes: Processes;
  /** As in `orders list`: never arguments, which may contain a key. */
  readonly command?: string | undefined;
  /** Milliseconds to wait for a running process that holds the lock; 0 gives up at once. */
  readonly patience: number;
  /** The same for a lock whose holder can't be looked up, which may have ended long ago (default: `patience`). */
  readonly patienceElsewhere?: number;
  /** Refuse a file that has several hard links, since each of its names has a lock file of its own. */
  readonly singleName?: boolean;
}

export type Lock = ReturnType<typeof lockOn>;

/** `unclear`: whether the holder still runs can't be known; `lost`: see `assertHeld`; `linked`: several hard links. */
type LockProblem = 'held' | 'unclear' | 'lost' | 'linked' | 'unusable';

interface Names {
  /** Without symbolic links. */
  readonly file: string;
  readonly lockFile: string;
}

/** The message and the hint are for the user. */
export class LockError extends Error {
  override readonly name = 'LockError';
  readonly problem: LockProblem;
  readonly hint: string;

  constructor(problem: LockProblem, names: Names, cause?: unknown, holder?: LockRecord) {
    const { file, lockFile } = names;
    const [message, hint] = {
      held: [
        `${describe(holder)} is using ${file}.`,
        'Wait until it ends, then run the command again.',
      ],
      unclear: [
        `${describe(holder)} may still be using ${file}: cb can't check that from here.`,
        `Nothing was changed. If no cb process is using the file, delete ${lockFile}.`,
      ],
      lost: [
        `The lock file ${lockFile} was deleted or replaced while this process was using ${file}.`,
        'This process wrote nothing more to it. Run the command again.',
      ],
      linked: [
        `${file} has several hard links, so cb cannot keep other processes from changing it.`,
        'Nothing was sent. Replace the file with a copy of itself.',
      ],
      unusable: [
        `Cannot lock ${file}: the lock file ${lockFile} cannot be used (${shownCode(cause)}).`,
        isFullDisk(cause)
          ? 'Nothing was changed. Free some space, or use a file on another disk.'
          : 'Nothing was changed. Use a file in a folder that you can write to.',
      ],
    }[problem];
    super(message, { cause });
    this.problem = problem;
    this.hint = hint ?? '';
  }
}

/** As in "Another cb process (PID 4711 on host x, `cb orders list …`, since 2026-03-18 12:03 UTC)". */
function describe(holder: LockRecord | undefined): string {
  if (!holder) return 'Another cb process';
  const { pid, host, command, since } = holder;
  const running = command === undefined ? '' : `\`cb ${command} …\`, `;
  const time = since.slice(0, 16).replace('T', ' ');
  return `Another cb process (PID ${pid} on host ${host}, ${running}since ${time} UTC)`;
}

/** The suffix of a draft: the ID of its process, and a random part. */
const draftForm = /^\.(\d{1,10})-[0-9a-f]{8}$/;
const longestDraft = '.1234567890-01234567'.length;

/** How long to wait for a process that only reads and replaces a file. */
export const inTurn = { patience: 45_000, patienceElsewhere: 5000 } as const;

/** Milliseconds between attempts, and for which contenders for the lock of a process that has ended try again. */
const interval = 20;
const contention = 5000;

/** Resolves when this process holds the lock. Throws a LockError. */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock> {
  const { processes, command, patience, patienceElsewhere = 0, singleName } = options;
  const names = namesOf(path);
  const nonce = randomBytes(8).toString('hex');
  const since = new Date().toISOString();
  const text = `${JSON.stringify({ nonce, ...identityOf(processes), command, since })}\n`;
  const start = performance.now();
  for (;;) {
    const refused = tryToTake(names, text, processes);
    if (!refused) break;
    const { error, isChanging } = refused;
    const usual = error.problem === 'unclear' ? patienceElsewhere : patience;
    const longest = isChanging ? Math.max(usual, contention) : usual;
    if (performance.now() - start >= longest) throw error;
    await sleep(interval * (0.5 + Math.random()));
  }
  const lock = lockOn(names, text);
  if (!singleName || !hasHardLinks(names.file)) return lock;
  lock.release();
  throw new LockError('linked', names);
}

function namesOf(path: string): Names {
  try {
    const file = canonicalPath(path);
    return { file, lockFile: siblingPath(file, '.lock', longestDraft) };
  } catch (cause) {
    throw new LockError('unusable', { file: path, lockFile: `${path}.lock` }, cause);
  }
}

/**
 * Returns undefined if this process has the lock now. A free lock belongs to whoever creates its file. The lock of a
 * process that has ended is replaced only by a process that sees no other draft after it wrote its own: of two
 * processes, the one that looks later sees the draft of the other, or else the lock that the other has taken already.
 * `isChanging` if another process is acquiring the lock or has just released it, so that the next attempt may succeed.
 */
function tryToTake(names: Names, text: string, processes: Processes) {
  const { lockFile } = names;
  const draft = `${lockFile}.${processes.own}-${randomBytes(4).toString('hex')}`;
  try {
    const found = readLock(lockFile);
    const holder = recordIn(found ?? '');
    const liveness = holder ? livenessOf(holder, processes) : 'elsewhere';
    if (found !== undefined && liveness !== 'ended') {
      const problem = liveness === 'running' ? 'held' : 'unclear';
      // Without hard links, a new lock file is empty for a moment.
      const isChanging = found === '';
      return { error: new LockError(problem, names, undefined, holder), isChanging };
    }
    const isOther = removeEndedDrafts(lockFile, processes);
    const changing = { error: new LockError('held', names), isChanging: true };
    if (isOther && found !== undefined) return changing;
    try {
      writeFileSync(draft, text, { flag: 'wx', mode: 0o644 });
      if (found === undefined) return create(draft, lockFile) ? undefined : changing;
      if (removeEndedDrafts(lockFile, processes, draft) || readLock(lockFile) !== found) {
        return changing;
      }
      renameSync(draft, lockFile);
      return undefined;
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (cause) {
    throw new LockError('unusable', names, cause);
  }
}

/** Returns false if the file exists. A link appears with its content, so a killed process leaves no empty lock file. */
function create(draft: string, lockFile: string): boolean {
  try {
    linkSync(draft, lockFile);
    return true;
  } catch {
    // The file exists, or the file system has no hard links.
  }
  try {
    copyFileSync(draft, lockFile, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a running process has a draft too. Removes those of processes that were killed. */
function removeEndedDrafts(lockFile: string, processes: Processes, own?: string): boolean {
  const name = basename(lockFile);
  let isOther = false;
  for (const one of readdirSync(dirname(lockFile))) {
    const draft = join(dirname(lockFile), one);
    const [, pid] = (one.startsWith(name) && draftForm.exec(one.slice(name.length))) || [];
    const text = pid === undefined || draft === own ? undefined : readLock(draft);
    if (text === undefined) continue;
    const owner = recordIn(text);
    // A draft that is still empty has only the ID in its name.
    const ofId = processes.isRunning(Number(pid)) ? 'running' : 'ended';
    const liveness = owner ? livenessOf(owner, processes) : ofId;
    if (liveness === 'ended') rmSync(draft, { force: true });
    isOther ||= liveness === 'running';
  }
  return isOther;
}

/** Undefined if there is no lock file. Throws for a file that is not one, which must not be replaced. */
function readLock(lockFile: string): string | undefined {
  try {
    const text = readFileSync(lockFile, 'utf8');
    // After a power failure, a lock file may be empty.
    if (text === '' || text.startsWith('{"nonce":"')) return text;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  throw Object.assign(new Error(`${lockFile} is not a lock file.`), {
    code: 'not a lock file of cb',
  });
}

/** Undefined for a damaged file. Its texts are used in messages. */
function recordIn(text: string): LockRecord | undefined {
  try {
    const record: LockRecord = JSON.parse(text);
    const { pid, host, since, command = '' } = record;
    const areTexts = [host, since, command].every((one) => typeof one === 'string');
    return Number.isSafeInteger(pid) && areTexts ? record : undefined;
  } catch {
    return undefined;
  }
}

function lockOn(names: Names, text: string) {
  const { lockFile } = names;
  return {
    /** Throws a LockError if the lock file was deleted or replaced while this process was suspended. */
    assertHeld(): void {
      let cause: unknown;
      try {
        if (readLock(lockFile) === text) return;
      } catch (error) {
        cause = error;
      }
      throw new LockError('lost', names, cause);
    },
    release(): void {
      try {
        if (readLock(lockFile) === text) rmSync(lockFile, { force: true });
      } catch {
        // Unreadable now; the next process finds that this one has ended.
      }
    },
  };
}
