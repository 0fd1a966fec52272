import { isBuiltIn } from '../../profiles/find-service.ts';
import { siblingPath } from '../../storage/path.ts';
import {
  type ImportAccount,
  type ImportFacts,
  journalHeader,
  journalPathOf,
  requireSameImport,
} from '../../workflows/bulk-import/identity.ts';
import {
  isFinished,
  isOpen,
  openJournal,
  readJournal,
  retireJournal,
} from '../../workflows/bulk-import/journal.ts';
import type { ImportRows } from '../../workflows/bulk-import/rows.ts';
import {
  type ImportRun,
  rowsLeft,
  runImport,
  statesBefore,
} from '../../workflows/bulk-import/run.ts';
import type { Verification } from '../../workflows/safe-write/safe-write.ts';
import { placeOf } from '../display/sink.ts';
import type { Showing } from '../flags/show-flags.ts';
import { wholeNumber } from '../flags/whole-number.ts';
import { verificationFor } from '../flags/write-options.ts';
import { requireSomebodyToAsk } from '../prompts/ask.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import { lock } from '../runtime/lock.ts';
import type { Shell } from '../runtime/shell.ts';
import { type Session, withApi } from '../session/session.ts';
import { checkImport, confirmImport, planImport } from './import-confirmation.ts';
import type { BatchFlags } from './import-flags.ts';
import { type Batch, readImport } from './import-input.ts';
import { type Checks, progressOn, showSummary, writeResults } from './import-report.ts';

export async function runBatch(shell: Shell, showing: Showing, batch: Batch): Promise<void> {
  const { flags } = batch;
  if (showing.format === 'raw') {
    throw usage('--raw prints one response as received, but an import sends many requests.', {
      hint: 'Nothing was sent. Use -o json for a summary that programs can read.',
    });
  }
  const concurrency = wholeNumber('--concurrency', flags.concurrency ?? '4', 1, 64);
  const { onSearch: _, ...verification } = await verificationFor(shell, flags.verifyWait);
  const path = journalPath(shell, batch);
  const before = flags.restart || path === undefined ? undefined : await readJournal(path);
  const day = before?.header.day ?? (await shell.today());
  const { rows, facts } = await readImport(shell, batch, day);
  if (flags.dryRun) {
    if (before) requireSameImport(before, facts, undefined, path ?? '');
    const { toSend, unknown } = rowsLeft(rows.valid, before?.rows ?? new Map(), isRetry(flags));
    for (const { line } of isRetry(flags) ? [] : unknown) {
      shell.messages.say(`note: Line ${line} has an unknown outcome and would only be looked for.`);
    }
    await planImport(shell, showing, { ...batch, concurrency }, toSend);
    return;
  }
  if (path === undefined) {
    throw usage('Rows from standard input need --journal FILE, so that none is sent twice.');
  }
  if (!flags.yes) requireSomebodyToAsk(shell);
  // A result file that can't be written must be known before anything is sent.
  const results = resultsPath(shell, flags, batch.file, path);
  placeOf(shell.context, results, '--results');
  await sendImport(shell, showing, batch, {
    path,
    results,
    facts,
    rows,
    concurrency,
    verification,
  });
}

interface Import {
  readonly path: string;
  /** Path of the result file. */
  readonly results: string;
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
  { path, results, facts, rows, concurrency, verification }: Import,
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
      const history = old?.rows ?? new Map();
      const { toSend, unknown } = rowsLeft(rows.valid, history, isRetry(flags));
      const wishes = { concurrency, readAmounts: flags.yes !== true };
      const checks = await checkImport(shell, api, operation, toSend, wishes);
      const retried = isRetry(flags) ? unknown : [];
      await confirmImport(shell, { flags, account, toSend, retried, checks });
      // Not before the yes: after a no, the old journal must still be in force.
      if (flags.restart) await retire(shell, path);
      const journal = await openJournal(path, journalHeader(facts, account), old);
      const add: typeof journal.add = async (entry) => {
        // Each row is journaled before it is sent.
        release.assertHeld();
        await journal.add(entry);
      };
      const run: ImportRun = {
        ...{ api, operation, concurrency, history, verification },
        journal: { ...journal, add },
        rows: rows.valid,
        allowDuplicate: flags.allowDuplicate === true,
        retryUnknown: isRetry(flags),
        signal: shell.context.signal,
      };
      await finishImport(shell, showing, run, { rows, checks, results }).finally(journal.close);
    });
  } finally {
    await release();
  }
}

interface Report {
  readonly rows: ImportRows;
  readonly checks: Checks;
  /** Path of the result file. */
  readonly results: string;
}

/** Runs the import, writes its result file, and says what became of each row. */
async function finishImport(
  shell: Shell,
  showing: Showing,
  run: ImportRun,
  { rows, checks, results }: Report,
): Promise<void> {
  const states = statesBefore(run.history);
  const record = () => writeResults(shell, results, rows, checks, states);
  await record();
  const left = rows.valid.filter(({ line }) => !isFinished(run.history.get(line))).length;
  if (left === 0 && rows.valid.length > 0) {
    shell.messages.say('All rows were already done. Nothing was sent.');
  }
  const progress = progressOn(shell, left, 'sent');
  try {
    await runImport({ ...run, onRow: progress.step }, states);
  } finally {
    progress.end();
    await record();
  }
  await showSummary(shell, showing, rows, states, results);
}

function isRetry({ retryUnknown = false }: BatchFlags): boolean {
  return retryUnknown;
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
    const { sandboxFile } = await import('../session/sandbox-session.ts');
    return { name: profile, baseUrl: `sandbox:${sandboxFile(context)}`, key, isProfile: true };
  }
  const name = profile === undefined ? baseUrl : `${profile} (${baseUrl})`;
  return { name, baseUrl, key, isProfile: profile !== undefined };
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
