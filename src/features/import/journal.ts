/** The journal of an import: the ledger of its rows, beside its input. A file has one journal under all of its names. */
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { badInput } from '../../client/workflow-error.ts';
import type { Entry, SharedFacts } from '../../ledger/entry.ts';
import { type LedgerHeader, readLedger } from '../../ledger/ledger.ts';
import { existingPath, hasHardLinks, shownCode, siblingPath } from '../../storage/files.ts';
import { type Account, createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import type { ImportRow } from './rows.ts';

/** What identifies an import, apart from the account. */
export interface ImportFacts {
  /** The operation, as in the catalogue. */
  readonly command: string;
  /** SHA-256 of the input. */
  readonly input: string;
  /** SHA-256 of the columns and of the options that fill them. */
  readonly settings: string;
  /** The day that words such as `today` refer to, the same on every run. */
  readonly day: string;
}

interface ImportHeader extends LedgerHeader, Omit<ImportFacts, 'command'> {
  readonly facts: Required<Pick<SharedFacts, 'origin' | 'operation' | 'account' | 'service'>>;
}

/** The entries of the rows, by their lines in the input. */
export type RowHistory = ReadonlyMap<number, Entry>;

/**
 * What is known about an import; undefined if it has no journal. With `allowDuplicate`, rows that were never sent because an
 * equal ticket or notice existed count as new. Throws a LedgerError.
 */
export async function readJournal(path: string, allowDuplicate = false) {
  const content = await readLedger<ImportHeader>({ path, noun: 'journal' });
  if (!content) return undefined;
  const known = [...content.entries].filter(
    ([, { isThere, sentAt }]) => !(allowDuplicate && isThere && sentAt === undefined),
  );
  const rows: RowHistory = new Map(known.map(([id, one]) => [Number(id), one]));
  return { ...content, rows };
}

/** Its canonical path; undefined for neither `input` nor `journal`. Throws if another name of the input has another journal. */
export function journalPathOf(input: string | undefined, journal: string | undefined) {
  const beside = input === undefined ? undefined : existingPath(input);
  if (journal === undefined && beside !== undefined && hasHardLinks(beside)) {
    throw badInput(`${input} has several hard links, and each name would have its own journal.`, {
      hint: 'Name the journal with --journal.',
    });
  }
  const named = journal ?? (beside && siblingPath(beside, '.cb-journal'));
  return named && existingPath(named);
}

/**
 * Throws if an earlier run may have sent rows that the journal does not know: it is gone although there are results of
 * these rows, or it is an old copy and the results say that more rows are done or unknown.
 */
export async function requireNoResults(
  results: string,
  rows: readonly ImportRow[],
  journal: string,
  history: RowHistory | undefined,
): Promise<void> {
  const text = await readFile(results, 'utf8').catch(() => '');
  const form = history ? /^(\d+,[^,]*,)"?(?:done|unknown)\b/ : /^(\d+,[^,]*,)/;
  const known = new Set(text.split('\n').map((line) => form.exec(line)?.[1]));
  const isMissing = ({ line, key }: ImportRow) =>
    known.has(`${line},${key},`) && !history?.has(line);
  if (!rows.some(isMissing)) return;
  const lack = history ? 'does not list them' : 'is missing';
  throw badInput(`${results} has results for these rows, but their journal ${journal} ${lack}.`, {
    hint: 'Nothing was sent. Restore the journal. If you have checked that no row was done, delete the results, or pass --restart.',
  });
}

/** Renames a journal to an unused name and returns it; undefined if there is no journal. */
export async function retireJournal(path: string): Promise<string | undefined> {
  let name = `${path}.old`;
  for (let i = 2; existsSync(name); i++) name = `${path}.old${i}`;
  try {
    await rename(path, name);
    return name;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw badInput(`The journal ${path} can't be renamed (${shownCode(cause)}).`, { cause });
  }
}

/** The account of an import and its name in messages. */
export interface ImportAccount extends Account {
  readonly name: string;
  /** The key comes from a profile, not from the environment. */
  readonly isProfile: boolean;
}

export function importHeader(
  { command, ...facts }: ImportFacts,
  account: ImportAccount,
): ImportHeader {
  const fingerprint = createFingerprint(account);
  return {
    ledger: 1,
    facts: { origin: 'import', operation: command, account: fingerprint, service: account.name },
    ...facts,
  };
}

/** Throws if the journal belongs to another file, other columns, or (if specified) another account. */
export function requireSameImport(
  { header }: { readonly header: ImportHeader },
  now: ImportFacts,
  account: ImportAccount | undefined,
  path: string,
): void {
  const { facts: old } = header;
  const isOther = account !== undefined && !matchesFingerprint(old.account, account);
  const differences = [
    header.input !== now.input && 'the input has changed',
    old.operation !== now.command && `it was started by cb ${old.operation}`,
    header.settings !== now.settings && 'the columns or the options that fill them have changed',
    isOther && old.service === account.name
      ? `it was started with another API key for ${account.name}`
      : isOther && `it was started with ${old.service}, not ${account.name}`,
  ];
  const difference = differences.find(Boolean);
  if (!difference) return;
  throw badInput(`${path} belongs to another import: ${difference}. Nothing was sent.`, {
    hint: 'Run the same command as before, or set the old journal aside with --restart.',
  });
}
