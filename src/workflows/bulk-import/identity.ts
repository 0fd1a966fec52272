/** Assigns a journal to an import: each file has one journal, regardless of the name used. */
import { type Account, createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import { canonicalPath, hasHardLinks, siblingPath } from '../../storage/path.ts';
import { badInput } from '../errors.ts';
import type { JournalContent, JournalHeader } from './journal.ts';

export interface ImportFiles {
  /** Absolute path of the input; undefined for standard input. */
  readonly input: string | undefined;
  /** Absolute path of the journal, if specified. */
  readonly journal: string | undefined;
}

/**
 * The canonical path of the journal; undefined for standard input without a specified journal. Throws if a second
 * name of the file could have a second journal.
 */
export function journalPathOf({ input, journal }: ImportFiles): string | undefined {
  if (journal === undefined && input === undefined) return undefined;
  const path = existingPath(journal ?? siblingPath(realInput(input ?? ''), '.cb-journal'));
  if (hasHardLinks(path)) {
    throw badInput(
      `The journal ${path} has several hard links, so two imports could use it at the same time.`,
      { code: 'linked-journal' },
    );
  }
  return path;
}

function realInput(input: string): string {
  const path = existingPath(input);
  if (!hasHardLinks(path)) return path;
  throw badInput(`${input} has several hard links, and each name would have its own journal.`, {
    code: 'linked-input',
  });
}

/** Resolves symbolic links if the folder exists; opening the file reports a missing one. */
function existingPath(path: string): string {
  try {
    return canonicalPath(path);
  } catch {
    return path;
  }
}

/** The account of an import and its name in messages. */
export interface ImportAccount extends Account {
  readonly name: string;
  /** The key comes from a profile, not from the environment. */
  readonly isProfile: boolean;
}

/** What identifies an import, apart from the account. */
export type ImportFacts = Pick<JournalHeader, 'command' | 'input' | 'settings' | 'day'>;

export function journalHeader(facts: ImportFacts, account: ImportAccount): JournalHeader {
  return { version: 2, ...facts, account: createFingerprint(account), service: account.name };
}

/** Throws if the journal belongs to another file, other columns, or (if specified) another account. */
export function requireSameImport(
  { header }: JournalContent,
  facts: ImportFacts,
  account: ImportAccount | undefined,
  path: string,
): void {
  const difference = changeOf(header, facts) ?? (account && accountChange(header, account));
  if (difference === undefined) return;
  throw badInput(`${path} belongs to another import: ${difference}. Nothing was sent.`, {
    code: 'other-import',
  });
}

function changeOf(old: JournalHeader, now: ImportFacts): string | undefined {
  if (old.input !== now.input) return 'the input has changed';
  if (old.command !== now.command) return `it was started by cb ${old.command}`;
  if (old.settings !== now.settings)
    return 'the columns or the options that fill them have changed';
  return undefined;
}

function accountChange(old: JournalHeader, now: ImportAccount): string | undefined {
  if (matchesFingerprint(old.account, now)) return undefined;
  if (old.service === now.name) return `it was started with another API key for ${now.name}`;
  return `it was started with ${old.service}, not ${now.name}`;
}
