/**
 * Imports a file, from its rows to the summary: reads and checks it, confirms it, sends its rows, and writes the
 * results.
 */

import { createReadStream } from 'node:fs';
import { reasonOf } from '../../client/workflow-error.ts';
import { countOf } from '../../decimals/decimals.ts';
import { isFinished, isOpen } from '../../ledger/entry.ts';
import { LedgerError, openLedger } from '../../ledger/ledger.ts';
import type { Operation } from '../../operations/operation.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import type { Verification } from '../../safe-write/safe-write.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { placeOf } from '../../shell/display/sink.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, usage } from '../../shell/failure.ts';
import { pathOf } from '../../shell/folders.ts';
import { ledgerOf, processOf, userOf } from '../../shell/ledger.ts';
import { lock } from '../../shell/lock.ts';
import { messageOf } from '../../shell/options/findings.ts';
import { type Typed, wholeNumber } from '../../shell/options/flags.ts';
import { type OutputOptions, readShowFlags } from '../../shell/options/show-flags.ts';
import { readArguments } from '../../shell/options/values.ts';
import { verificationFor } from '../../shell/options/write-options.ts';
import { requirePrompts } from '../../shell/prompts/ask.ts';
import { sandboxFile } from '../../shell/session/sandbox-session.ts';
import { todayOf } from '../../shell/session/service-clock.ts';
import { type Session, withApi } from '../../shell/session/session.ts';
import { codeOf, isFullDisk, shownCode } from '../../storage/error-code.ts';
import { digestedStream, digestOf } from '../../storage/fingerprint.ts';
import { siblingPath } from '../../storage/path.ts';
import type { AllFlags } from '../mirror/endpoint-command.ts';
import { requireWholeFile } from './check-rows.ts';
import { columnsOf } from './columns.ts';
import {
  type ImportAccount,
  type ImportFacts,
  importHeader,
  journalFile,
  journalPathOf,
  readJournal,
  requireNoResults,
  requireSameImport,
  retireJournal,
} from './identity.ts';
import { checkImport, confirmImport, planImport } from './import-confirmation.ts';
import type { BatchFlags } from './import-flags.ts';
import { type Checks, progressOn, showSummary, writeResults } from './import-report.ts';
import { type ImportRows, readRows } from './rows.ts';
import { type ImportRun, rowsLeft, runImport, statesBefore } from './run.ts';
import { readTable } from './table.ts';
import { whyOf } from './write-row.ts';

export type ImportFlags = AllFlags & BatchFlags;

/** Sends a request for each row of the file; options of the operation fill columns that are missing or empty. */
export async function importFile(
  cmd: CommandContext,
  operation: Operation,
  file: string,
  flags: ImportFlags,
): Promise<void> {
  const names = Object.keys(operation.params).filter((name) => flags[name] !== undefined);
  const defaults = Object.fromEntries(names.map((name) => [name, flags[name]]));
  // These two options are for the requests and the file, not for the summary.
  const { concurrency, delimiter, ...shown } = flags;
  const output = readShowFlags(cmd, shown);
  await runBatch(cmd, output, { operation, file, defaults, flags });
}

async function runBatch(cmd: CommandContext, output: OutputOptions, batch: Batch): Promise<void> {
  const { flags } = batch;
  if (output.format === 'raw') {
    throw usage('--raw prints one response as received, but an import sends many requests.', {
      hint: 'Nothing was sent. Use -o json for a summary that programs can read.',
    });
  }
  const concurrency = wholeNumber('--concurrency', flags.concurrency ?? '4', 1, 64);
  const { onSearch: _, ...verification } = verificationFor(cmd, flags.verifyWait);
  const path = journalPath(cmd, batch);
  const before = flags.restart || path === undefined ? undefined : await readJournal(path);
  const day = before?.header.day ?? (await todayOf(cmd));
  const { rows, facts } = await readImport(cmd, batch, day);
  if (path !== undefined && !flags.restart) {
    await requireNoResults(resultsPath(cmd, batch, path), rows.valid, path, before?.rows);
  }
  if (flags.dryRun) {
    if (before) requireSameImport(before, facts, undefined, path ?? '');
    const { toSend, lookedFor } = rowsLeft(rows.valid, before?.rows, flags.retryUnknown);
    for (const { line } of lookedFor) {
      cmd.messages.say(`note: Line ${line} has an unknown outcome and would only be searched for.`);
    }
    await planImport(cmd, output, { ...batch, concurrency, all: rows }, toSend);
    return;
  }
  if (path === undefined) {
    throw usage('Rows from standard input require --journal <file>, so that no row is sent twice.');
  }
  if (!flags.yes) requirePrompts(cmd);
  // Report an unwritable result file before anything is sent.
  const results = resultsPath(cmd, batch, path);
  placeOf(cmd.context, results, '--results');
  await sendImport(cmd, output, {
    ...batch,
    path,
    results,
    facts,
    rows,
    concurrency,
    verification,
  });
}

interface Import extends Batch {
  readonly path: string;
  readonly results: string;
  readonly facts: ImportFacts;
  readonly rows: ImportRows;
  readonly concurrency: number;
  readonly verification: Verification;
}

/** Locks the journal. Ctrl-C lets requests in progress finish. */
async function sendImport(
  cmd: CommandContext,
  output: OutputOptions,
  batch: Import,
): Promise<void> {
  const { flags, operation, path, facts, rows, concurrency, verification } = batch;
  const signal = new AbortController().signal;
  const patient = { ...cmd, context: { ...cmd.context, signal } };
  const release = await lock(cmd.context, path, exitCodes.key);
  try {
    await withApi(patient, { concurrency }, async (client, session) => {
      const account = await accountOf(cmd, session);
      const old = flags.restart ? await warnOfRestart(cmd, path) : await readJournal(path);
      if (old) requireSameImport(old, facts, account, path);
      const { toSend, retried } = rowsLeft(rows.valid, old?.rows, flags.retryUnknown);
      await requireWholeFile(client, rows, toSend);
      const options = { concurrency, readAmounts: flags.yes !== true };
      const checks = await checkImport(cmd, client, operation, toSend, options);
      await confirmImport(cmd, { flags, account, toSend, retried, checks });
      // After the confirmation: if it is declined, the old journal must remain.
      if (flags.restart) await retire(cmd, path);
      const journal = await openLedger(journalFile(path), importHeader(facts, account), old);
      await know(cmd, path);
      const run: ImportRun = {
        ...{ client, operation, concurrency, verification },
        journal: {
          add: (line) => {
            // Each row is recorded before it is sent, so this also guards the write.
            release.assertHeld();
            return journal.add(line);
          },
        },
        history: old?.rows ?? new Map(),
        by: userOf(cmd.context),
        sentFrom: processOf(cmd.context),
        rows: rows.valid,
        allowDuplicate: flags.allowDuplicate === true,
        retryUnknown: flags.retryUnknown === true,
        signal: cmd.context.signal,
      };
      await finishImport(cmd, output, run, batch, checks).finally(journal.close);
    });
  } finally {
    await release();
  }
}

async function finishImport(
  cmd: CommandContext,
  output: OutputOptions,
  run: ImportRun,
  { rows, results }: Import,
  checks: Checks,
): Promise<void> {
  const states = statesBefore(run.history);
  const record = () => writeResults(cmd, results, rows, checks, states);
  await record().catch((error: unknown) => {
    throw notSaved(error, results, 'Nothing was sent.');
  });
  const left = rows.valid.filter(({ line }) => !isFinished(run.history.get(line))).length;
  if (left === 0 && rows.valid.length > 0) {
    cmd.messages.say('All rows were already done. Nothing was sent.');
  }
  const progress = progressOn(cmd, left, 'sent');
  const sent = new Set<string>();
  const journal: ImportRun['journal'] = {
    async add(line) {
      const isAdded = await run.journal.add(line);
      if ('state' in line && isAdded) {
        const isSending = line.state === 'sending';
        if (isSending) sent.add(line.id);
        // If its outcome can't be added, the results must not say that it was not sent.
        states.set(Number(line.id), isSending ? { state: 'unknown', why: whyOf(line) } : line);
      }
      return isAdded;
    },
  };
  let stopped: unknown;
  try {
    await runImport({ ...run, journal, onRow: progress.step }, states);
  } catch (error) {
    stopped = error;
  }
  progress.end();
  const isJournal = stopped instanceof LedgerError;
  const problem = await record().then(
    () => (isJournal ? stopped : undefined),
    (error: unknown) => error,
  );
  if (problem !== undefined) {
    const why = stopped === undefined ? '' : `${reasonOf(stopped)} `;
    const file = problem === stopped ? undefined : results;
    throw notSaved(problem, file, `${why}${sent.size} of ${countOf(left, 'row')} were sent.`);
  }
  if (stopped !== undefined) throw stopped;
  await showSummary(cmd, output, rows, states, results);
}

/** A results file, or the journal, that can't be written; `told` says what was sent. */
function notSaved(error: unknown, results: string | undefined, told: string): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  if (codeOf(cause) === undefined) return error;
  const file = results && `The results file ${results} can't be written (${shownCode(cause)}). `;
  const first = isFullDisk(cause) ? 'Free some space, and run' : 'Run';
  return new Failure(exitCodes.incomplete, `${file ?? ''}${told}`, {
    hint: `${first} the same command again: it continues with the rows that are left, and sends no row twice.`,
    cause: error,
  });
}

/** Warns about recorded rows, which a new journal does not know. */
async function warnOfRestart({ messages }: CommandContext, path: string): Promise<undefined> {
  const old = await readJournal(path).catch(() => 'unreadable' as const);
  if (old === 'unreadable') {
    messages.say(
      'warning: The old journal is damaged. Rows that it records as done are sent again.',
    );
    return;
  }
  const sent = [...(old?.rows.values() ?? [])].filter((row) => isFinished(row) || isOpen(row));
  if (sent.length === 0) return;
  messages.say(
    `warning: The old journal records ${countOf(sent.length, 'row')} as done or unknown. Rows that are in the file are sent again.`,
  );
}

/** For cb log, which reads the journals of all imports that it knows. */
async function know({ context, messages }: CommandContext, path: string): Promise<void> {
  try {
    await ledgerOf(context).record({ import: path, at: context.now().toISOString() });
  } catch (error) {
    messages.say(`warning: cb log will not show this import: ${reasonOf(error)}`);
  }
}

async function retire(cmd: CommandContext, path: string): Promise<void> {
  const name = await retireJournal(path);
  if (name === undefined) return;
  cmd.messages.say(`note: The old journal is now ${name}.`);
  await know(cmd, name);
}

/** The port of the built-in sandbox changes on every run, so its data file identifies it. */
async function accountOf({ context }: CommandContext, session: Session): Promise<ImportAccount> {
  const { profile, baseUrl, key } = session;
  if (profile !== undefined && isBuiltIn(profile)) {
    return { name: profile, baseUrl: `sandbox:${sandboxFile(context)}`, key, isProfile: true };
  }
  const name = profile === undefined ? baseUrl : `${profile} (${baseUrl})`;
  return { name, baseUrl, key, isProfile: profile !== undefined };
}

function journalPath({ context }: CommandContext, { file, flags }: Batch): string | undefined {
  return journalPathOf({
    input: file === '-' ? undefined : pathOf(context, file),
    journal: flags.journal === undefined ? undefined : pathOf(context, flags.journal),
  });
}

function resultsPath({ context }: CommandContext, { file, flags }: Batch, journal: string): string {
  const path = flags.results ?? siblingPath(file === '-' ? journal : file, '.results.csv');
  return pathOf(context, path);
}

interface Batch {
  readonly operation: Operation;
  /** A file, or `-` for standard input. */
  readonly file: string;
  readonly defaults: Typed;
  readonly flags: BatchFlags;
}

/** Reads and checks all rows. Throws if some are invalid, unless they may be skipped. */
async function readImport(cmd: CommandContext, batch: Batch, day: ImportFacts['day']) {
  const { operation, defaults, flags, file } = batch;
  const input = digestedStream(readInput(cmd, file));
  const table = await readTable(input.content, file, delimiterFrom(flags.delimiter));
  const columns = columnsOf(operation, table, { ...flags, map: mapFrom(flags.map) });
  const rows = await readRows(operation, table, columns, {
    defaults,
    signal: cmd.context.signal,
    allowDuplicate: flags.allowDuplicate === true,
    read: (values) => {
      const { args, findings } = readArguments(operation, values, day);
      const messagesOf = (weight: string) =>
        findings
          .filter((one) => one.weight === weight)
          .map((one) => messageOf(operation, one, day));
      return { args, problems: messagesOf('problem'), notes: messagesOf('note') };
    },
  });
  if (columns.ignored.length > 0) {
    cmd.messages.say(`note: These columns are not used: ${columns.ignored.join(', ')}.`);
  }
  for (const { line, why } of rows.duplicates) {
    cmd.messages.say(`note: Line ${line} is a ${why} and is not sent.`);
  }
  refuseInvalidRows(cmd, rows, flags.skipInvalid === true);
  for (const note of rows.notes) cmd.messages.say(`note: ${note}`);
  const facts: ImportFacts = {
    command: operation.command,
    input: input.digest(),
    settings: digestOf(JSON.stringify([columns.params, columns.usDates, Object.entries(defaults)])),
    day,
  };
  return { rows, facts };
}

function refuseInvalidRows(
  cmd: CommandContext,
  { invalid, total }: ImportRows,
  skip: boolean,
): void {
  for (const { line, why } of invalid) cmd.messages.say(`Line ${line}: ${why}`);
  if (invalid.length === 0 || skip) return;
  throw usage(
    `${invalid.length} of ${total} rows ${invalid.length === 1 ? 'is' : 'are'} invalid. Nothing was sent.`,
    { hint: 'Correct them, or pass --skip-invalid to send the other rows.' },
  );
}

async function* readInput(
  { context }: CommandContext,
  file: string,
): AsyncGenerator<Uint8Array, void> {
  try {
    const stream = file === '-' ? context.stdin : createReadStream(pathOf(context, file));
    for await (const part of stream) {
      context.signal.throwIfAborted();
      yield part;
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === undefined || context.signal.aborted) throw cause;
    throw usage(`${file} can't be read (${code}).`, { cause });
  }
}

function delimiterFrom(typed: string | undefined): string | undefined {
  const mark = typed === '\\t' || typed === 'tab' ? '\t' : typed;
  if (mark === undefined || mark.length === 1) return mark;
  throw usage(`Invalid --delimiter '${typed}'. Use one character, or tab.`);
}

/** `Column=parameter,…` */
function mapFrom(typed: string | undefined): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const pair of typed?.split(',') ?? []) {
    const at = pair.lastIndexOf('=');
    const [column, param] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || param === '') throw usage(`Invalid --map '${pair}'. Use 'Column=parameter'.`);
    if ([...map.values()].includes(param))
      throw usage(`--map names the parameter '${param}' twice.`);
    map.set(column, param);
  }
  return map;
}
