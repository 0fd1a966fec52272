/** Locks files for commands, and tells who holds a lock. */
import type { Lock, LockError, LockOptions } from '../storage/lock.ts';
import type { LockRecord } from '../storage/lock-record.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { messagesOf } from './messages.ts';

/** Releases a lock. */
export interface Release {
  (): Promise<void>;
  /** Throws a Failure (exit code 8) if another process took over the lock while this one was suspended. */
  assertHeld(): void;
}

/** Longer than it takes to find out that a process on another host has ended. */
const turn = 45_000;

/**
 * Locks a file that is changed in place until it is released. Throws a usage failure if another process
 * holds the lock, or if the file has several hard links.
 */
export function lock(context: Context, path: string): Promise<Release> {
  return acquire(context, path, { patience: 0, singleName: true });
}

/** Locks a file that is read and replaced at once: waits its turn for up to 45 seconds. */
export function lockInTurn(context: Context, path: string): Promise<Release> {
  return acquire(context, path, { patience: turn }, exitCodes.key);
}

type Wishes = Pick<LockOptions, 'patience' | 'singleName'>;

/** `unusable` is the exit code for a lock file that cannot be created. */
async function acquire(
  context: Context,
  path: string,
  wishes: Wishes,
  unusable: ExitCode = exitCodes.usage,
): Promise<Release> {
  const { acquireLock } = await import('../storage/lock.ts');
  const { processes, user, command } = context;
  const onWatch = (problem: LockError) => messagesOf(context).tell(watchNote(problem));
  try {
    return releaseOf(await acquireLock(path, { ...wishes, processes, user, command, onWatch }));
  } catch (error) {
    throw failureOf(error, unusable);
  }
}

function releaseOf(lock: Lock): Release {
  const release = async () => lock.release();
  return Object.assign(release, {
    assertHeld() {
      try {
        lock.assertHeld();
      } catch (error) {
        throw failureOf(error);
      }
    },
  });
}

function watchNote({ file, holder }: LockError): string {
  return `${sentenceStart(holder)} was using ${file}. Waiting up to 30 s to see whether it still runs.`;
}

function failureOf(error: unknown, unusable: ExitCode = exitCodes.usage): unknown {
  if (!(error instanceof Error) || error.name !== 'LockError') return error;
  const problem = error as LockError;
  const { file, lockFile, holder } = problem;
  const { code } = (problem.cause ?? {}) as NodeJS.ErrnoException;
  if (problem.problem === 'held') {
    const message = `${sentenceStart(holder)} is using ${file}. Wait until it ends.`;
    return new Failure(exitCodes.usage, message, { cause: error });
  }
  if (problem.problem === 'linked') {
    const message = `${file} has several hard links, so cb cannot keep other processes from changing it.`;
    const hint = 'Nothing was sent. Replace it by a copy of itself.';
    return new Failure(exitCodes.usage, message, { hint, cause: error });
  }
  if (problem.problem === 'lost') {
    const message = `Another process took over ${file} while this one was suspended.`;
    const hint = 'This process wrote nothing more to it. Run the command again.';
    return new Failure(exitCodes.incomplete, message, { hint, cause: error });
  }
  const why = `the lock file ${lockFile} cannot be used (${code ?? 'unknown reason'})`;
  const hint = 'Nothing was changed. Use a file in a folder that you can write to.';
  return new Failure(unusable, `${file} cannot be locked: ${why}.`, { hint, cause: error });
}

/** As in "Another cb process (PID 4711 on host x, `cb orders list …`, since 2026-03-18 12:03 UTC)". */
function sentenceStart(holder: LockRecord | undefined): string {
  if (!holder) return 'Another cb process';
  const { pid, host, command, since } = holder;
  const facts = [
    `PID ${pid} on host ${host}`,
    ...(command === undefined ? [] : [`\`cb ${command} …\``]),
    `since ${since.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return `Another cb process (${facts.join(', ')})`;
}
