/** Locks files for commands, and reports who holds a lock. */
import { isFullDisk, shownCode } from '../../storage/error-code.ts';
import { acquireLock, LockError, type LockProblem } from '../../storage/lock.ts';
import type { LockRecord } from '../../storage/lock-file.ts';
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
export function lock(
  context: Context,
  path: string,
  unusable: ExitCode = exitCodes.usage,
): Promise<Release> {
  return acquire(context, path, { patience: 0, singleName: true }, unusable);
}

/** Locks a file that is read and replaced at once: waits its turn for up to 45 seconds. */
export function lockInTurn(context: Context, path: string): Promise<Release> {
  return acquire(context, path, { patience: turn }, exitCodes.key);
}

/** `unusable` is the exit code for a lock file that cannot be created. */
async function acquire(
  context: Context,
  path: string,
  wishes: { readonly patience: number; readonly singleName?: boolean },
  unusable: ExitCode,
): Promise<Release> {
  const { processes, command } = context;
  const onWatch = (problem: LockError) => messagesOf(context).tell(watchNote(problem));
  try {
    const held = await acquireLock(path, { ...wishes, processes, command, onWatch });
    const assertHeld = () => {
      try {
        held.assertHeld();
      } catch (error) {
        throw failureOf(error, unusable);
      }
    };
    return Object.assign(async () => held.release(), { assertHeld });
  } catch (error) {
    throw failureOf(error, unusable);
  }
}

function watchNote({ file, holder }: LockError): string {
  return `${sentenceStart(holder)} was using ${file}. Waiting up to 30s to see whether it is still running.`;
}

function failureOf(error: unknown, unusable: ExitCode): unknown {
  if (!(error instanceof LockError)) return error;
  const [code, message, hint] = wordings[error.problem](error);
  return new Failure(error.problem === 'unusable' ? unusable : code, message, {
    hint,
    cause: error,
  });
}

type Wording = (error: LockError) => readonly [code: ExitCode, message: string, hint?: string];

const wordings: Readonly<Record<LockProblem, Wording>> = {
  held: ({ file, holder }) => [
    exitCodes.usage,
    `${sentenceStart(holder)} is using ${file}.`,
    'Wait until it ends, then run the command again.',
  ],
  linked: ({ file }) => [
    exitCodes.usage,
    `${file} has several hard links, so cb cannot keep other processes from changing it.`,
    'Nothing was sent. Replace the file with a copy of itself.',
  ],
  lost: ({ file }) => [
    exitCodes.incomplete,
    `Another process took over ${file} while this one was suspended.`,
    'This process wrote nothing more to it. Run the command again.',
  ],
  unusable: ({ file, lockFile, cause }) => {
    return [
      exitCodes.key,
      `Cannot lock ${file}: the lock file ${lockFile} cannot be used (${shownCode(cause)}).`,
      isFullDisk(cause)
        ? 'Nothing was changed. Free some space, or use a file on another disk.'
        : 'Nothing was changed. Use a file in a folder that you can write to.',
    ];
  },
};

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
