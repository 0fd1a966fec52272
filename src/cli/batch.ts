/** Imports: writes out of a file, each sent once, wherever the import is stopped and run again. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Operation } from '../operations/operation.ts';
import { isBuiltIn } from '../profiles/find-service.ts';
import { siblingPath } from '../storage/path.ts';
import { columnsOf } from '../workflows/bulk-import/columns.ts';
import {
  type ImportAccount,
  type ImportFacts,
  journalHeader,
  journalPathOf,
  requireSameImport,
} from '../workflows/bulk-import/identity.ts';
import {
  type Journal,
  type JournalContent,
  openJournal,
  readJournal,
  retireJournal,
} from '../workflows/bulk-import/journal.ts';
import { type ImportRow, type ImportRows, readRows } from '../workflows/bulk-import/rows.ts';
import { isFinished } from '../workflows/bulk-import/run.ts';
import { readTable } from '../workflows/bulk-import/table.ts';
import { isOpen } from '../workflows/bulk-import/write-row.ts';
import type { Verification } from '../workflows/safe-write/safe-write.ts';
import { requireSomebodyToAsk } from './ask.ts';
import { checkImport, confirmImport, planImport } from './batch-confirm.ts';
import type { BatchFlags } from './batch-flags.ts';
import { finishImport } from './batch-run.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import type { Typed } from './flags.ts';
import { pathOf } from './folders.ts';
import { lock } from './lock.ts';
import { type Session, withApi } from './session.ts';
import type { Shell } from './shell.ts';
import type { Showing } from './show-flags.ts';
import { messageOf, readArguments } from './values.ts';
import { verificationFor } from './write-options.ts';

export interface Batch {
  readonly operation: Operation;
  /** A file, or `-` for standard input. */
  readonly file: string;
  /** Values for columns that are missing or empty. */
  readonly defaults: Typed;
  readonly flags: BatchFlags;
}

export async function runBatch(shell: Shell, showing: Showing, batch: Batch): Promise<void> {
  const { flags } = batch;
  const concurrency = concurrencyFrom(flags.concurrency);
  const { onSearch: _, ...verification } = await verificationFor(shell, flags.verifyWait);
  const path = journalPath(shell, batch);
  const before = flags.restart || path === undefined ? undefined : await readJournal(path);
  const day = before?.header.day ?? (await shell.today());
  const { rows, facts } = await readImport(shell, batch, day);
  if (flags.dryRun) {
    if (before) requireSameImport(before, facts, undefined, path ?? '');
    const { toSend, unknown } = rowsToSend(rows, before, flags);
    for (const { line } of flags.retryUnknown ? [] : unknown) {
      shell.messages.say(`note: Line ${line} has an unknown outcome and would only be looked for.`);
    }
    await planImport(shell, showing, { ...batch, concurrency }, toSend);
    return;
  }
  if (path === undefined) {
    throw usage('Rows from standard input need --journal FILE, so that none is sent twice.');
  }
  if (!flags.yes) requireSomebodyToAsk(shell);
  await sendImport(shell, showing, batch, { path, facts, rows, concurrency, verification });
}

/** Reads and checks all rows. Throws where some are invalid, unless they may be skipped. */
async function readImport(shell: Shell, batch: Batch, day: ImportFacts['day']) {
  const { operation, defaults, flags, file } = batch;
  const input = await readInput(shell, file);
  const table = readTable(input, file, delimiterFrom(flags.delimiter));
  const columns = columnsOf(operation, table, flags);
  const rows = readRows(operation, table, columns, {
    defaults,
    allowDuplicate: flags.allowDuplicate === true,
    read: (values) => {
      const { args, findings } = readArguments(operation, values, day);
      const wordsOf = (weight: string) =>
        findings.filter((one) => one.weight === weight).map((one) => messageOf(operation, one));
      return { args, problems: wordsOf('problem'), notes: wordsOf('note') };
    },
  });
  if (columns.ignored.length > 0) {
    shell.messages.say(`note: These columns are not used: ${columns.ignored.join(', ')}.`);
  }
  for (const { line, duplicateOf } of rows.duplicates) {
    shell.messages.say(`note: Line ${line} is a duplicate of line ${duplicateOf} and is not sent.`);
  }
  refuseInvalidRows(shell, rows, table.rows.length, flags.skipInvalid === true);
  for (const note of rows.notes) shell.messages.say(`note: ${note}`);
  const facts: ImportFacts = {
    command: operation.command,
    input: digest(input),
    settings: digest(JSON.stringify([columns.params, columns.usDates, Object.entries(defaults)])),
    day,
  };
  return { rows, facts };
}

interface Import {
  readonly path: string;
  readonly facts: ImportFacts;
  readonly rows: ImportRows;
  readonly concurrency: number;
  readonly verification: Verification;
}

/** Holds the journal for this process alone. Ctrl-C lets requests that are under way finish. */
async function sendImport(
  shell: Shell,
  showing: Showing,
  batch: Batch,
  { path, facts, rows, concurrency, verification }: Import,
): Promise<void> {
  const { flags, operation } = batch;
  const patient = {
    ...shell,
    context: { ...shell.context, signal: new AbortController().signal },
  };
  const release = await lock(shell.context, path);
  try {
    await withApi(patient, { concurrency }, async (api, session) => {
      const account = await accountOf(shell, session);
      const old = flags.restart ? await warnOfRestart(shell, path) : await readJournal(path);
      if (old) requireSameImport(old, facts, account, path);
      const { toSend, unknown } = rowsToSend(rows, old, flags);
      const checks = await checkImport(shell, api, { operation, concurrency }, toSend);
      const retried = flags.retryUnknown ? unknown : [];
      await confirmImport(shell, { flags, account }, { toSend, retried, checks });
      // Not before the yes: after a no, the old journal must still be in force.
      if (flags.restart) await retire(shell, path);
      const opened = await openJournal(path, journalHeader(facts, account), old);
      const journal: Journal = {
        ...opened,
        // Each row is journaled before it is sent.
        async add(entry) {
          release.assertHeld();
          await opened.add(entry);
        },
      };
      try {
        const results = resultsPath(shell, flags, batch.file, path);
        const history = old?.rows ?? new Map();
        const run = { api, operation, journal, concurrency, history, verification };
        await finishImport(shell, showing, run, { rows, checks, flags, results });
      } finally {
        await journal.close();
      }
    });
  } finally {
    await release();
  }
}

interface RowsToSend {
  readonly toSend: readonly ImportRow[];
  readonly unknown: readonly ImportRow[];
}

/** Rows of unknown outcome are sent only with --retry-unknown. */
function rowsToSend(
  { valid }: ImportRows,
  old: JournalContent | undefined,
  { retryUnknown = false }: BatchFlags,
): RowsToSend {
  const left = valid.filter(({ line }) => !isFinished(old?.rows.get(line)));
  const unknown = left.filter(({ line }) => isOpen(old?.rows.get(line)));
  return { unknown, toSend: retryUnknown ? left : left.filter((row) => !unknown.includes(row)) };
}

/** What the old journal records is not known to the new one. */
async function warnOfRestart({ messages }: Shell, path: string): Promise<undefined> {
  const old = await readJournal(path).catch(() => 'unreadable' as const);
  if (old === 'unreadable') {
    messages.say(
      'warning: the old journal is damaged; rows that it records as done are sent again',
    );
    return;
  }
  const sent = [...(old?.rows.values() ?? [])].filter((row) => isFinished(row) || isOpen(row));
  if (sent.length === 0) return;
  messages.say(
    `warning: The old journal records ${sent.length === 1 ? '1 row' : `${sent.length} rows`} as done or unknown. Those that are in the file are sent again.`,
  );
}

async function retire({ messages }: Shell, path: string): Promise<void> {
  const name = await retireJournal(path);
  if (name !== undefined) messages.say(`note: The old journal is now ${name}.`);
}

/** The built-in sandbox has another port on every run: its data file stands for its URL. */
async function accountOf({ context }: Shell, session: Session): Promise<ImportAccount> {
  const { profile, baseUrl, key } = session;
  if (profile !== undefined && isBuiltIn(profile)) {
    const { sandboxFile } = await import('./sandbox-session.ts');
    return { name: profile, baseUrl: `sandbox:${sandboxFile(context)}`, key, isProfile: true };
  }
  const name = profile === undefined ? baseUrl : `${profile} (${baseUrl})`;
  return { name, baseUrl, key, isProfile: profile !== undefined };
}

function refuseInvalidRows(
  shell: Shell,
  { invalid }: ImportRows,
  total: number,
  skip: boolean,
): void {
  for (const { line, why } of invalid) shell.messages.say(`line ${line}: ${why}`);
  if (invalid.length === 0 || skip) return;
  throw usage(
    `${invalid.length} of ${total} rows ${invalid.length === 1 ? 'is' : 'are'} invalid. Nothing was sent.`,
    {
      hint: 'Correct them, or pass --skip-invalid to send the others.',
    },
  );
}

async function readInput({ context }: Shell, file: string): Promise<Buffer> {
  if (file === '-') return buffer(context.stdin);
  return readFile(pathOf(context, file)).catch((cause: NodeJS.ErrnoException) => {
    throw usage(`${file} can't be read (${cause.code})`, { cause });
  });
}

function journalPath({ context }: Shell, { file, flags }: Batch): string | undefined {
  return journalPathOf({
    input: file === '-' ? undefined : pathOf(context, file),
    journal: flags.journal === undefined ? undefined : pathOf(context, flags.journal),
  });
}

function resultsPath({ context }: Shell, { results }: BatchFlags, file: string, journal: string) {
  return pathOf(context, results ?? siblingPath(file === '-' ? journal : file, '.results.csv'));
}

function delimiterFrom(typed: string | undefined): string | undefined {
  const mark = typed === '\\t' || typed === 'tab' ? '\t' : typed;
  if (mark === undefined || mark.length === 1) return mark;
  throw usage(`--delimiter must be one character, or tab, not '${typed}'`);
}

function concurrencyFrom(typed = '4'): number {
  const number = /^\d{1,2}$/.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= 64) return number;
  throw new Failure(exitCodes.usage, `--concurrency must be 1 to 64, not '${typed}'`);
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
