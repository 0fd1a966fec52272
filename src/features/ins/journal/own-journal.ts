/** Opens the journal of this user for a command. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { realClock } from '../../../client/clock.ts';
import type { CommandContext, Context } from '../../../shell/context.ts';
import { exitCodes, Failure } from '../../../shell/failure.ts';
import { dataFolder } from '../../../shell/folders.ts';
import { lock } from '../../../shell/lock.ts';
import { databaseFailure } from '../../../shell/session/sandbox-session.ts';
import { serviceWords } from '../../../shell/shell-word.ts';
import { makeFolder } from '../../../storage/files.ts';
import { type Database, openForReading } from '../../../storage/sqlite.ts';
import { rateLimiter } from '../listener.ts';
import { type Journal, openJournal, pendingIn, requireJournal } from './journal.ts';

export function journalFile(context: Context): string {
  return join(dataFolder(context), 'notifications.sqlite');
}

/** Runs `work` with the journal, which is created if there is none. */
export function withJournal<T>(
  { context }: CommandContext,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const file = journalFile(context);
  return opened(file, openJournal(file), work);
}

/** As withJournal, for the only listener: throws a usage failure if another one is running. */
export async function withLockedJournal(
  cmd: CommandContext,
  work: (journal: Journal) => Promise<void>,
): Promise<void> {
  const file = journalFile(cmd.context);
  makeFolder(dirname(file));
  const release = await lock(cmd.context, file);
  try {
    await withJournal(cmd, work);
  } finally {
    await release();
  }
}

/** Runs `read` with the journal of this user. Throws a Failure if there is none. */
export async function readJournal<T>(
  cmd: CommandContext,
  read: (database: Database) => Promise<T>,
): Promise<T> {
  const file = journalFile(cmd.context);
  if (!existsSync(file)) {
    throw new Failure(exitCodes.key, 'There is no journal of notifications yet.', {
      hint: 'The first notification that cb receives creates it.',
      next: ['cb', ...serviceWords(cmd), 'ins listen'].join(' '),
    });
  }
  return opened(file, openForReading(file), (database) => {
    requireJournal(database, file);
    return read(database);
  });
}

/** Events whose receipts wait to be refreshed in the copy. */
export async function waitingForCopy(cmd: CommandContext): Promise<number> {
  if (!existsSync(journalFile(cmd.context))) return 0;
  return readJournal(cmd, async (database) => pendingIn(database, 'sync'));
}

async function opened<J extends { close(): void }, T>(
  file: string,
  opening: Promise<J>,
  work: (journal: J) => Promise<T>,
): Promise<T> {
  let journal: J | undefined;
  try {
    journal = await opening;
    return await work(journal);
  } catch (error) {
    throw databaseFailure(error, `The journal ${file} can't be used`);
  } finally {
    journal?.close();
  }
}

/** Says ten lines at once and then one a second; the next line counts those that were left out. */
export function sparing({ context, messages }: CommandContext): (text: string) => void {
  const { clock = realClock } = context;
  const mayAppear = rateLimiter({ perSecond: 1, burst: 10 });
  let leftOut = 0;
  return (text) => {
    if (!mayAppear(clock.now())) {
      leftOut += 1;
      return;
    }
    messages.say(leftOut > 0 ? `${text} (${leftOut} similar lines were left out.)` : text);
    leftOut = 0;
  };
}
