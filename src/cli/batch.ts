/** Many writes out of one file, each exactly once, wherever it is stopped and run again. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Operation } from '../operations/operation.ts';
import { canonicalPath, hasHardLinks, siblingPath } from '../storage/path.ts';
import { confirm, requireSomebodyToAsk } from './ask.ts';
import { columnsOf } from './batch-columns.ts';
import type { BatchFlags } from './batch-flags.ts';
import { showPlan } from './batch-report.ts';
import { type Rows, readRows } from './batch-rows.ts';
import { runRows } from './batch-run.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import type { Typed } from './flags.ts';
import { pathOf } from './folders.ts';
import {
  type Journal,
  type JournalContent,
  type JournalHeader,
  openJournal,
  readJournal,
  retireJournal,
} from './journal.ts';
import { lock } from './lock.ts';
import { isBuiltIn, type Session, withApi } from './session.ts';
import type { Shell } from './shell.ts';
import type { Showing } from './show-flags.ts';
import { readTable } from './table-input.ts';

export interface Batch {
  readonly operation: Operation;
  /** A file, or `-` for stdin. */
  readonly file: string;
  /** What stands for columns that are missing or empty. */
  readonly defaults: Typed;
  readonly flags: BatchFlags;
}

export async function runBatch(shell: Shell, showing: Showing, batch: Batch): Promise<void> {
  const { operation, flags, defaults } = batch;
  const input = await readInput(shell, batch.file);
  const table = readTable(input, batch.file, delimiterFrom(flags.delimiter));
  const columns = columnsOf(operation, table, flags);
  const path = journalPath(shell, batch);
  const before = flags.restart || path === undefined ? undefined : await readJournal(path);
  const today = before?.header.day ?? (await shell.today());
  const allowDuplicate = flags.allowDuplicate === true;
  const rows = readRows(operation, table, columns, defaults, { today, allowDuplicate });
  if (columns.ignored.length > 0) {
    shell.messages.say(`note: these columns are not used: ${columns.ignored.join(', ')}`);
  }
  refuseBadRows(shell, rows, table.rows.length, flags.skipInvalid === true);
  for (const note of rows.notes) shell.messages.say(`note: ${note}`);
  if (flags.dryRun) {
    await showPlan(shell, showing, operation, rows.entries);
    return;
  }
  if (path === undefined) {
    throw usage('rows from stdin need --journal FILE, so that none is ever sent twice');
  }
  if (!flags.yes) requireSomebodyToAsk(shell);
  const marks = {
    version: 1,
    command: operation.command,
    input: digest(input),
    settings: digest(JSON.stringify([columns.params, columns.usDates, Object.entries(defaults)])),
    day: today,
  } as const;
  await workOn(shell, showing, batch, { path, marks, rows });
}

interface Work {
  readonly path: string;
  readonly marks: Omit<JournalHeader, 'service'>;
  readonly rows: Rows;
}

/** The journal is this process's alone from here on; what is under way is finished on Ctrl-C. */
async function workOn(shell: Shell, showing: Showing, batch: Batch, work: Work): Promise<void> {
  const { flags, file } = batch;
  const { path, marks, rows } = work;
  const concurrency = concurrencyFrom(flags.concurrency);
  const patient = {
    ...shell,
    context: { ...shell.context, signal: new AbortController().signal },
  };
  const release = await lock(shell.context, path);
  try {
    await withApi(patient, { concurrency }, async (api, session) => {
      const header = { ...marks, service: serviceOf(session) };
      const old = flags.restart ? await retire(shell, path) : await readJournal(path);
      if (old) requireSame(old, header, path);
      const left = rows.entries.filter(({ line }) => !isOver(old, line));
      if (!flags.yes && left.length > 0) await askFor(shell, batch, left, header.service);
      const opened = await openJournal(path, header, old);
      const journal: Journal = {
        ...opened,
        // Each row is journaled before it is sent.
        async add(entry) {
          release.assertHeld();
          await opened.add(entry);
        },
      };
      try {
        await runRows(shell, showing, {
          ...{ api, operation: batch.operation, journal, concurrency, rows },
          allowDuplicate: flags.allowDuplicate === true,
          fates: old?.fates ?? new Map(),
          results: resultsPath(shell, flags, file, path),
        });
      } finally {
        await journal.close();
      }
    });
  } finally {
    await release();
  }
}

function isOver(old: JournalContent | undefined, line: number): boolean {
  const state = old?.fates.get(line)?.last.state;
  return state === 'done' || state === 'already';
}

async function retire({ messages }: Shell, path: string): Promise<undefined> {
  const name = await retireJournal(path);
  if (name !== undefined) messages.say(`note: the old journal is now ${name}`);
}

/** A journal of another file, or of other columns, would take one row for another. */
function requireSame({ header: old }: JournalContent, now: JournalHeader, path: string): void {
  const changed =
    (old.input !== now.input && 'the input has changed') ||
    (old.command !== now.command && `it was begun by ${old.command}`) ||
    (old.settings !== now.settings && 'the columns or the flags that fill them have changed') ||
    (old.service !== now.service && `it was begun on ${old.service}, and this is ${now.service}`);
  if (!changed) return;
  throw usage(`${path} is about something else: ${changed}; nothing was sent`, {
    hint: 'go on as it was begun, or put the old journal away with --restart',
  });
}

/** The built-in sandbox has another port on every run. */
function serviceOf({ profile, baseUrl }: Session): string {
  if (profile !== undefined && isBuiltIn(profile)) return profile;
  return profile === undefined ? baseUrl : `${profile} (${baseUrl})`;
}

async function askFor(
  shell: Shell,
  { operation }: Batch,
  left: Rows['entries'],
  service: string,
): Promise<void> {
  const first = left.slice(0, 3).map(({ line, args }) => {
    const values = Object.entries(args).map(([name, value]) => `${name}=${value}`);
    return `  line ${line}: ${values.join(' ')}`;
  });
  shell.messages.say([...first, ...(left.length > 3 ? ['  …'] : [])].join('\n'));
  await confirm(shell, `${operation.command}: ${left.length} rows (${service})?`);
}

/** Names every row that is wrong. */
function refuseBadRows(shell: Shell, { bad }: Rows, all: number, skip: boolean): void {
  for (const { line, why } of bad) shell.messages.say(`line ${line}: ${why}`);
  if (bad.length === 0 || skip) return;
  throw usage(`${bad.length} of ${all} rows are wrong; nothing was sent`, {
    hint: '--skip-invalid sends the others',
  });
}

async function readInput({ context }: Shell, file: string): Promise<Buffer> {
  if (file === '-') return buffer(context.stdin);
  return readFile(pathOf(context, file)).catch((cause: NodeJS.ErrnoException) => {
    throw usage(`${file} can't be read (${cause.code})`, { cause });
  });
}

/** One file has one journal, whichever symbolic link leads to it. */
function journalPath({ context }: Shell, { file, flags }: Batch): string | undefined {
  if (flags.journal !== undefined) return existingPath(pathOf(context, flags.journal));
  if (file === '-') return undefined;
  const input = existingPath(pathOf(context, file));
  if (hasHardLinks(input)) {
    throw usage(
      `${file} has several hard links, and each of these names would have its own journal.`,
      {
        hint: 'Name the journal with --journal FILE.',
      },
    );
  }
  return existingPath(siblingPath(input, '.cb-journal'));
}

/** Without symbolic links, where the folder exists; the lock reports a missing one. */
function existingPath(path: string): string {
  try {
    return canonicalPath(path);
  } catch {
    return path;
  }
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
