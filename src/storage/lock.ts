/**
 * A lock on a file, held by one process at a time: a file `NAME.lock` beside it that names the holder.
 *
 * It is beside the file itself, so it works for every symbolic link to the file, and in every container
 * that mounts the folder. A user who can't write to that folder can't block the lock.
 *
 * The lock of a process that has ended is taken over at once if that process can be looked up.
 * From another host or container, it is taken over when its heartbeat, the modification time of the lock
 * file, has not changed for 30 seconds as seen by this process; clocks are not compared. A process that was
 * suspended for that long finds out with `assertHeld`.
 */
import { utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isHeldBy,
  type LockFile,
  type LockRecord,
  longestEnding,
  readChain,
  removeQuietly,
  takeLock,
} from './lock-file.ts';
import { identityOf, livenessOf, type Processes } from './lock-owner.ts';
import { canonicalPath, hasHardLinks, siblingPath } from './path.ts';

/** Milliseconds between heartbeats, checks of another process's heartbeat, and attempts. */
const heartbeatInterval = 2000;
const watchInterval = 500;
const attemptInterval = 20;

/** Milliseconds without a heartbeat after which a process elsewhere is considered ended. */
const staleAfter = 30_000;

/** The clock of the lock, which tests replace so that they need not wait. */
export interface Waits {
  /** Milliseconds; only differences count. */
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

export interface LockOptions {
  readonly processes: Processes;
  /** As in `orders list`: never arguments, which may contain a key. */
  readonly command?: string | undefined;
  /** Milliseconds to wait for a process that holds the lock; 0 gives up at once. */
  readonly patience: number;
  /** Refuse a file that has several hard links, since each of its names has a lock file of its own. */
  readonly singleName?: boolean;
  /** Called once if the heartbeat of a process elsewhere must be watched. */
  onWatch?(problem: LockError): void;
  readonly waits?: Waits;
}

export interface Lock {
  /** Throws a LockError if another process took over the lock while this one was suspended. */
  assertHeld(): void;
  release(): void;
}

/** `held`: by another process; `lost`: to another process; `linked`: several hard links; otherwise `unusable`. */
export type LockProblem = 'held' | 'lost' | 'linked' | 'unusable';

interface Names {
  /** Without symbolic links. */
  readonly file: string;
  readonly lockFile: string;
}

export class LockError extends Error implements Names {
  override readonly name = 'LockError';
  readonly problem: LockProblem;
  readonly file: string;
  readonly lockFile: string;
  readonly holder: LockRecord | undefined;

  constructor(problem: LockProblem, names: Names, cause?: unknown, holder?: LockRecord) {
    super(`${names.file}: ${problem}`, { cause });
    this.problem = problem;
    this.file = names.file;
    this.lockFile = names.lockFile;
    this.holder = holder;
  }
}

const realWaits: Waits = { now: () => performance.now(), sleep };

/** Resolves when this process holds the lock. Throws a LockError. */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock> {
  const names = namesOf(path);
  const lock = lockOn(names, await take(names, options));
  if (!options.singleName || !hasHardLinks(names.file)) return lock;
  lock.release();
  throw new LockError('linked', names);
}

function namesOf(path: string): Names {
  try {
    const file = canonicalPath(path);
    return { file, lockFile: siblingPath(file, '.lock', longestEnding) };
  } catch (cause) {
    throw new LockError('unusable', { file: path, lockFile: `${path}.lock` }, cause);
  }
}

/** Returns the nonce of the lock file. */
async function take(names: Names, options: LockOptions): Promise<string> {
  const { waits = realWaits, patience, onWatch } = options;
  const observe = observer(options.processes, waits);
  const end = waits.now() + patience;
  let isWatching = false;
  for (;;) {
    const found = tryToTake(names, options, observe);
    if (typeof found === 'string') return found;
    const problem = new LockError('held', names, undefined, found.holder?.record);
    if (found.state === 'held' && waits.now() >= end) throw problem;
    if (found.state === 'unclear' && !isWatching) onWatch?.(problem);
    isWatching ||= found.state === 'unclear';
    await waits.sleep(
      found.state === 'unclear' ? watchInterval : attemptInterval * (0.5 + Math.random()),
    );
  }
}

/**
 * `held`: by a running process; `unclear`: not yet known whether it runs; `changed`: just now; `ended`:
 * the holder has ended.
 */
type State = 'held' | 'unclear' | 'changed' | 'ended';

interface Obstacle {
  readonly state: State;
  readonly holder?: LockFile;
}

function tryToTake(names: Names, options: LockOptions, observe: Observe): string | Obstacle {
  const { lockFile } = names;
  const { processes, command } = options;
  try {
    const chain = readChain(lockFile);
    const holder = chain.at(-1);
    const state = holder ? observe(holder) : 'ended';
    if (holder && state !== 'ended') return { state, holder };
    const content = { ...identityOf(processes), command, since: new Date().toISOString() };
    return takeLock(lockFile, chain, content) ?? { state: 'changed' };
  } catch (cause) {
    throw new LockError('unusable', names, cause);
  }
}

type Observe = (holder: LockFile) => State;

/** Watches the heartbeat of a holder that can't be looked up. */
function observer(processes: Processes, waits: Waits): Observe {
  let last: LockFile | undefined;
  let checkedAt = 0;
  let silence = 0;
  return (holder) => {
    const liveness = holder.record ? livenessOf(holder.record, processes) : 'elsewhere';
    if (liveness !== 'elsewhere') return liveness === 'ended' ? 'ended' : 'held';
    const before = last;
    const now = waits.now();
    const isSame = before?.nonce === holder.nonce && before.modifiedAt === holder.modifiedAt;
    // Time in which this process did not check, such as while suspended, does not count.
    silence = isSame ? silence + Math.min(now - checkedAt, 2 * watchInterval) : 0;
    last = holder;
    checkedAt = now;
    // A copy may still be being written.
    if (!before) return holder.record ? 'unclear' : 'changed';
    if (!isSame) return 'held';
    return silence >= staleAfter ? 'ended' : 'unclear';
  };
}

function lockOn(names: Names, nonce: string): Lock {
  const { lockFile } = names;
  const timer = setInterval(heartbeat(lockFile, nonce), heartbeatInterval).unref();
  return {
    assertHeld() {
      let cause: unknown;
      try {
        if (isHeldBy(lockFile, nonce)) return;
      } catch (error) {
        cause = error;
      }
      throw new LockError('lost', names, cause);
    },
    release() {
      clearInterval(timer);
      try {
        if (isHeldBy(lockFile, nonce)) removeQuietly(lockFile);
      } catch {
        // Unreadable now; the next process finds that this one has ended.
      }
    },
  };
}

/** Advances the modification time in steps, independent of the clock. */
function heartbeat(lockFile: string, nonce: string): () => void {
  let time = Date.now() / 1000;
  return () => {
    time += heartbeatInterval / 1000;
    try {
      if (isHeldBy(lockFile, nonce)) utimesSync(lockFile, time, time);
    } catch {
      // Other processes then see no heartbeat; `assertHeld` reports a lost lock.
    }
  };
}
