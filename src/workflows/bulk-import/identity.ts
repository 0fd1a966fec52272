/** Which journal belongs to which import: one file has one journal, by whatever name it is reached. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import { siblingPath } from '../../storage/path.ts';
import { badInput } from '../errors.ts';
import type { JournalContent, JournalHeader } from './journal.ts';

export interface ImportFiles {
  /** Absolute path of the input; undefined for standard input. */
  readonly input: string | undefined;
  /** Absolute path given with --journal. */
  readonly journal: string | undefined;
}

/**
 * The real path of the journal; undefined for standard input without --journal. Throws where a second
 * name of the file could lead to a second journal.
 */
export async function journalPathOf({ input, journal }: ImportFiles): Promise<string | undefined> {
  if (journal === undefined && input === undefined) return undefined;
  const path = await realJournal(
    journal ?? siblingPath(await realInput(input ?? ''), '.cb-journal'),
  );
  if ((await linksOf(path)) > 1) {
    throw badInput(
      `The journal ${path} has several names (hard links), so two imports could use it at once.`,
      {
        hint: 'remove the other names, or name another file with --journal',
      },
    );
  }
  return path;
}

async function realInput(input: string): Promise<string> {
  const path = await realpath(input).catch((cause: NodeJS.ErrnoException) => {
    throw badInput(`${input} can't be read (${cause.code}).`, { cause });
  });
  if ((await linksOf(path)) === 1) return path;
  throw badInput(
    `${input} has several names (hard links), so it could be imported once for each.`,
    {
      hint: 'import a copy, or name the journal with --journal',
    },
  );
}

/** A journal that does not exist yet is created in the real folder. */
async function realJournal(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const link = await lstat(path).catch(() => undefined);
  if (!link?.isSymbolicLink()) return join(folder, basename(path));
  throw badInput(`The journal ${path} is a symbolic link to a file that does not exist.`, {
    hint: 'remove the link',
  });
}

async function linksOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.nlink : 1;
}

/** The account of an import and its name in messages. */
export interface ImportAccount extends Account {
  readonly name: string;
  /** The key comes from a profile, not from the environment. */
  readonly isProfile: boolean;
}

/** What an import is about, apart from the account. */
export type ImportFacts = Pick<JournalHeader, 'command' | 'input' | 'settings' | 'day'>;

export function journalHeader(facts: ImportFacts, account: ImportAccount): JournalHeader {
  return { version: 2, ...facts, account: createFingerprint(account), service: account.name };
}

/** Throws where the journal belongs to another file, other columns or, if one is given, another account. */
export function requireSameImport(
  { header }: JournalContent,
  facts: ImportFacts,
  account: ImportAccount | undefined,
  path: string,
): void {
  const difference = changeOf(header, facts) ?? (account && accountChange(header, account));
  if (difference === undefined) return;
  throw badInput(`${path} belongs to another import: ${difference}; nothing was sent`, {
    hint: 'continue as it was started, or set the old journal aside with --restart',
  });
}

function changeOf(old: JournalContent['header'], now: ImportFacts): string | undefined {
  if (old.input !== now.input) return 'the input has changed';
  if (old.command !== now.command) return `it was started by cb ${old.command}`;
  if (old.settings !== now.settings) return 'the columns or the flags that fill them have changed';
  return undefined;
}

function accountChange(old: JournalContent['header'], now: ImportAccount): string | undefined {
  if (old.version === 1) return legacyAccountChange(old.service, now);
  if (matchesFingerprint(old.account, now)) return undefined;
  if (old.service === now.name) return `it was started with another API key for ${now.name}`;
  return `it was started with ${old.service}, and this is ${now.name}`;
}

/** Version 1 recorded no key: a profile stands for one account, the environment for any. */
function legacyAccountChange(service: string, now: ImportAccount): string | undefined {
  if (service !== now.name) return `it was started with ${service}, and this is ${now.name}`;
  if (now.isProfile) return undefined;
  return 'it was started by an older version of cb, which did not record whose key CB_API_KEY was';
}
