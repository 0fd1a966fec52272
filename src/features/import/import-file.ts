/** Imports a file: reads and checks it, confirms it, sends its rows, and writes the results and the summary. */
import { createReadStream } from 'node:fs';
import { ApiError } from '../../client/errors.ts';
import { reasonOf } from '../../client/workflow-error.ts';
import { countOf, groupedCount } from '../../decimals/decimals.ts';
import { isFinished, isOpen } from '../../ledger/entry.ts';
import { LedgerError, openLedger } from '../../ledger/ledger.ts';
import type { Operation } from '../../operations/operation.ts';
import { isBuiltIn } from '../../profiles/credentials.ts';
import type { CommandContext } from '../../shell/context.ts';
import type { FlagsOf } from '../../shell/define.ts';
import { showIfRead } from '../../shell/display/show.ts';
import { fileOf, placeOf } from '../../shell/display/sink.ts';
import { exitCodes, Failure, failureFrom, usage } from '../../shell/failure.ts';
import { pathOf } from '../../shell/folders.ts';
import { ledgerOf, lock } from '../../shell/lock.ts';
import { type WriteFlags, wholeNumber } from '../../shell/options/flags.ts';
import { type OutputOptions, readShowFlags } from '../../shell/options/show-flags.ts';
import { delimiterFrom } from '../../shell/options/values.ts';
import { verificationFor } from '../../shell/options/write-options.ts';
import { sandboxFile } from '../../shell/session/sandbox-session.ts';
import { type Session, todayOf, withApi } from '../../shell/session/session.ts';
import { senderOf } from '../../shell/session/write-recorder.ts';
import { requirePrompts } from '../../shell/terminal/ask.ts';
import { codeOf, existingPath, isFullDisk, shownCode, siblingPath } from '../../storage/files.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { isRefusal } from '../mirror/endpoint-write.ts';
import { columnsOf, presetNames } from './columns.ts';
import {
  type Checks,
  checkRows,
  confirmImport,
  requireAllowRefund,
  showPlan,
  showSummary,
  writeResults,
} from './import-report.ts';
import {
  type ImportAccount,
  type ImportFacts,
  importHeader,
  journalPathOf,
  type RowHistory,
  readJournal,
  requireNoResults,
  requireSameImport,
  retireJournal,
} from './journal.ts';
import { type ImportRow, type ImportRows, readRows, readTable } from './rows.ts';
import { type ImportRun, sendRows, statesBefore } from './send-rows.ts';

export const importOptions = {
  map: ['--map <pairs>', "Column names, such as 'Order - Number=receipt,Code=sku'"],
  preset: ['--preset <name>', `Column names of a shipping tool: ${presetNames.join(', ')}`],
  delimiter: ['--delimiter <character>', 'Column separator of the CSV file (default: detected)'],
  skipInvalid: ['--skip-invalid', 'Skip invalid rows and send the others'],
  retryUnknown: ['--retry-unknown', 'Send rows with unknown outcome again, after looking for them'],
  journal: ['--journal <file>', 'Journal file (default: FILE.cb-journal)'],
  restart: ['--restart', 'Start again with a new journal'],
  results: ['--results <file>', 'Result file with one line per row (default: FILE.results.csv)'],
  concurrency: ['--concurrency <n>', 'Number of receipts to send at the same time (default: 4)'],
} as const;

export type ImportFlags = FlagsOf<typeof importOptions, unknown> & WriteFlags;

interface Batch {
  readonly operation: Operation;
  /** A file, or `-` for standard input. */
  readonly file: string;
  readonly flags: ImportFlags;
  readonly concurrency: number;
}

function requireOther(
  option: string,
  target: string | undefined,
  kept: readonly (string | undefined)[],
): void {
  const replaced = kept.find((one) => one && target && existingPath(one) === existingPath(target));
  if (replaced === undefined) return;
  throw usage(`${option} would replace ${replaced}, which the import needs to continue.`);
}

/** Sends a request for each row of the file; options of the operation fill columns that are missing or empty. */
export async function importFile(
  cmd: CommandContext,
  operation: Operation,
  file: string,
  flags: ImportFlags,
): Promise<void> {
  const { context } = cmd;
  // These two options are for the requests and the file, not for the summary.
  const { concurrency: typedConcurrency, delimiter, ...shown } = flags;
  const output = readShowFlags(cmd, shown);
  if (output.format === 'raw') {
    throw usage('--raw prints one response as received, but an import sends many requests.', {
      hint: 'Nothing was sent. Use -o json for a summary that programs can read.',
    });
  }
  const concurrency = wholeNumber('--concurrency', typedConcurrency ?? '4', 1, 64);
  const { onSearch: _, ...verification } = verificationFor(cmd, flags.verifyWait);
  const input = file === '-' ? undefined : pathOf(context, file);
  const path = journalPathOf(
    input,
    flags.journal === undefined ? undefined : pathOf(context, flags.journal),
  );
  requireOther('--journal', path, [input]);
  const { restart, allowDuplicate = false } = flags;
  const before =
    restart || path === undefined ? undefined : await readJournal(path, allowDuplicate);
  const day = before?.header.day ?? (await todayOf(cmd));
  const batch = { operation, file, flags, concurrency };
  const { rows, facts } = await readInput(cmd, batch, day);
  const beside = file === '-' && path !== undefined ? path : file;
  const results = pathOf(context, flags.results ?? siblingPath(beside, '.results.csv'));
  requireOther('--results', results, [input, path]);
  const out = fileOf(output.out);
  requireOther('--out', out && pathOf(context, out), [input, path, results]);
  if (path !== undefined && !flags.restart) {
    await requireNoResults(results, rows.valid, path, before?.rows);
  }
  if (flags.dryRun) {
    if (before) requireSameImport(before, facts, undefined, path ?? '');
    await planImport(cmd, output, batch, rows, before?.rows);
    return;
  }
  if (path === undefined) {
    throw usage('Rows from standard input require --journal <file>, so that no row is sent twice.');
  }
  if (rows.total === 0) {
    cmd.messages.say(`${file} has no rows. Nothing was sent.`);
    await showSummary(cmd, output, rows, new Map(), { results: null });
    return;
  }
  if (!flags.yes) requirePrompts(cmd);
  // Report an unwritable result file before anything is sent.
  placeOf(context, results, '--results');
  // Ctrl-C lets requests in progress finish.
  const signal = { value: new AbortController().signal };
  const patient = { ...cmd, context: Object.create(context, { signal }) as typeof context };
  const release = await lock(context, path, exitCodes.key);
  try {
    await withApi(patient, { concurrency }, async (client, session) => {
      const account = accountOf(cmd, session);
      if (restart) await warnOfRestart(cmd, path);
      const old = restart ? undefined : await readJournal(path, allowDuplicate);
      if (old) requireSameImport(old, facts, account, path);
      const { toSend, retried } = rowsLeft(rows.valid, old?.rows, flags.retryUnknown);
      const options = { concurrency, isUnseen: flags.yes === true };
      const checks = await checkRows(cmd, client, operation, rows, toSend, options);
      await confirmImport(cmd, { flags, account, toSend, retried, checks });
      // After the confirmation: if it is declined, the old journal must remain.
      const retired = flags.restart ? await retireJournal(path) : undefined;
      if (retired !== undefined) {
        cmd.messages.say(`note: The old journal is now ${retired}.`);
        await tellLedger(cmd, retired);
      }
      const journal = await openLedger(
        { path, noun: 'journal' },
        importHeader(facts, account),
        old,
      );
      await tellLedger(cmd, path);
      const history = old?.rows ?? new Map();
      const run: ImportRun = {
        ...{ client, operation, concurrency, verification, history },
        sender: senderOf(cmd, session, 'import', flags.yes),
        rows: rows.valid,
        journal: {
          add: (line) => {
            // Each row is recorded before it is sent, so this also guards the write.
            release.assertHeld();
            return journal.add(line);
          },
        },
        states: statesBefore(history),
        allowDuplicate,
        retryUnknown: flags.retryUnknown === true,
        signal: context.signal,
      };
      const record = () => writeResults(cmd, results, rows, checks, run.states);
      const stopped = await sendAll(cmd, run, results, record).finally(journal.close);
      await showSummary(cmd, output, rows, run.states, { results, isRestart: restart, stopped });
    });
  } finally {
    await release();
  }
}

/**
 * Sends the remaining rows; `record` writes the results before the first row and at the end. Returns the request error
 * that stopped the import, if there was one.
 */
async function sendAll(
  cmd: CommandContext,
  run: ImportRun,
  results: string,
  record: () => Promise<void>,
): Promise<ApiError | undefined> {
  await record().catch((error: unknown) => {
    throw notSaved(error, results, 'Nothing was sent.');
  });
  const left = run.rows.filter(({ line }) => !isFinished(run.history.get(line))).length;
  if (left === 0 && run.rows.length > 0) {
    cmd.messages.say('All rows were already done. Nothing was sent.');
  }
  const sent = new Set<ImportRow>();
  let finished = 0;
  const onRow = () => {
    finished += 1;
    cmd.messages.status(`${finished} of ${countOf(left, 'row')} sent`);
  };
  let stopped: unknown;
  try {
    await sendRows({ ...run, onSend: (row) => sent.add(row), onRow });
  } catch (error) {
    stopped = error;
  }
  cmd.messages.status('');
  const told = () => `${sent.size} of ${countOf(left, 'row')} were sent.`;
  await record().catch((error: unknown) => {
    throw notSaved(error, results, `${stopped ? `${reasonOf(stopped)} ` : ''}${told()}`);
  });
  if (stopped instanceof LedgerError) {
    throw notSaved(stopped, undefined, `${reasonOf(stopped)} ${told()}`);
  }
  if (stopped === undefined || stopped instanceof ApiError) return stopped;
  throw stopped;
}

/** A results file, or the journal, that can't be written; `told` says what was sent. */
function notSaved(error: unknown, results: string | undefined, told: string): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  if (codeOf(cause) === undefined) return error;
  const file = results && `The results file ${results} can't be written (${shownCode(cause)}). `;
  const first = isFullDisk(cause) ? 'Free some space, and run' : 'Run';
  return new Failure(exitCodes.incomplete, `${file ?? ''}${told}`, {
    hint: `${first} the same command again (without --restart): it continues with the rows that are left, and sends no row twice.`,
    cause: error,
  });
}

/** Prints what would be sent, with the warnings of each row. Ends with the exit code of the real command. */
async function planImport(
  cmd: CommandContext,
  output: OutputOptions,
  { operation, flags, concurrency }: Batch,
  rows: ImportRows,
  history: RowHistory | undefined,
): Promise<void> {
  const { toSend, lookedFor } = rowsLeft(rows.valid, history, flags.retryUnknown);
  for (const { line } of lookedFor) {
    cmd.messages.say(`note: Line ${line} has an unknown outcome and would only be searched for.`);
  }
  let stopped: Failure | undefined;
  const checks = await withApi(cmd, { concurrency }, (client) =>
    checkRows(cmd, client, operation, rows, toSend, { concurrency, findMatches: true }),
  ).catch((error: unknown): Checks => {
    stopped = failureFrom(error);
    const isFinal = stopped.code === exitCodes.internal || stopped.code === exitCodes.usage;
    if (cmd.context.signal.aborted || isFinal) throw error;
    cmd.messages.say(`warning: The rows were not checked: ${stopped.message.replace(/\.$/, '')}.`);
    return new Map();
  });
  await showIfRead(showPlan(cmd, output, operation, toSend, checks, flags));
  if (stopped) throw stopped;
  if (flags.yes || !cmd.mayAsk) requireAllowRefund(toSend, checks, flags);
  const refused = [...checks.values()].filter(({ warnings, look }) =>
    look?.existingMatch && !flags.allowDuplicate ? look.isOther : warnings.some(isRefusal),
  ).length;
  if (refused === 0) return;
  const message = `${refused} of ${countOf(toSend.length, 'row')} would be refused.`;
  throw new Failure(exitCodes.incomplete, message, { hint: 'Nothing was sent.' });
}

/** Rows of unknown outcome are only searched for, or with `retryUnknown` sent again (`retried`). */
function rowsLeft(
  rows: readonly ImportRow[],
  history: RowHistory = new Map(),
  retryUnknown = false,
) {
  const left = rows.filter(({ line }) => !isFinished(history.get(line)));
  const unknown = left.filter(({ line }) => isOpen(history.get(line)));
  if (retryUnknown) return { toSend: left, retried: unknown, lookedFor: [] };
  const toSend = left.filter(({ line }) => !isOpen(history.get(line)));
  return { toSend, retried: [], lookedFor: unknown };
}

/** Warns about recorded rows, which a new journal does not know. */
async function warnOfRestart({ messages }: CommandContext, path: string): Promise<void> {
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
async function tellLedger({ context, messages }: CommandContext, path: string): Promise<void> {
  try {
    await ledgerOf(context).record({ import: path, at: context.now().toISOString() });
  } catch (error) {
    messages.say(`warning: cb log will not show this import: ${reasonOf(error)}`);
  }
}

/** The port of the built-in sandbox changes on every run, so its data file identifies it. */
function accountOf({ context }: CommandContext, session: Session): ImportAccount {
  const { profile, baseUrl, key } = session;
  if (profile !== undefined && isBuiltIn(profile)) {
    return { name: profile, baseUrl: `sandbox:${sandboxFile(context)}`, key, isProfile: true };
  }
  const name = profile === undefined ? baseUrl : `${profile} (${baseUrl})`;
  return { name, baseUrl, key, isProfile: profile !== undefined };
}

/** Lines that are shown of a file that is refused: a column that is wrong is wrong in every row. */
const mostShown = 20;

/** Reads and checks all rows. Throws if some are invalid, unless they may be skipped. */
async function readInput(cmd: CommandContext, batch: Batch, day: string) {
  const { operation, flags, file } = batch;
  const { messages, context } = cmd;
  const names = Object.keys(operation.params).filter((name) => flags[name] !== undefined);
  const defaults = Object.fromEntries(names.map((name) => [name, flags[name]]));
  const input = await bytesOf(cmd, file);
  const table = readTable(input, file, delimiterFrom(flags.delimiter));
  const columns = columnsOf(operation, table.header, mapFrom(flags.map), flags.preset);
  const { allowDuplicate = false } = flags;
  const options = { defaults, day, signal: context.signal, allowDuplicate };
  const rows = await readRows(operation, table, columns, options);
  if (columns.ignored.length > 0) {
    const unused = columns.ignored.join(', ');
    messages.say(`note: These columns are not used: ${unused}. To use one, add it to --map.`);
  }
  for (const { line, why } of rows.duplicates) {
    messages.say(`note: Line ${line} is a ${why} and is not sent.`);
  }
  const { invalid } = rows;
  const shown = flags.skipInvalid ? invalid : invalid.slice(0, mostShown);
  for (const { line, why } of shown) messages.say(`Line ${line}: ${why}`);
  const more = invalid.length - shown.length;
  if (more > 0)
    messages.say(`${groupedCount(more, 'more row')} ${more === 1 ? 'is' : 'are'} invalid.`);
  if (invalid.length > 0 && !flags.skipInvalid) {
    const are = invalid.length === 1 ? 'is' : 'are';
    throw usage(`${invalid.length} of ${rows.total} rows ${are} invalid. Nothing was sent.`, {
      hint: 'Correct them, or pass --skip-invalid to send the other rows.',
    });
  }
  for (const note of rows.notes) messages.say(`note: ${note}`);
  const facts: ImportFacts = {
    command: operation.command,
    input: digestOf(input),
    settings: digestOf(JSON.stringify([columns.params, columns.usDates, Object.entries(defaults)])),
    day,
  };
  return { rows, facts };
}

/** In bytes; far more than the rows of a day take up. */
const largestFile = 64 * 1024 * 1024;

async function bytesOf({ context }: CommandContext, file: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = file === '-' ? context.stdin : createReadStream(pathOf(context, file));
    for await (const part of stream) {
      context.signal.throwIfAborted();
      size += part.length;
      if (size > largestFile) {
        throw usage(`${file} is larger than 64 MiB. Nothing was sent.`, {
          hint: 'Split the file, and import the parts one after the other.',
        });
      }
      parts.push(part);
    }
  } catch (cause) {
    if (codeOf(cause) === undefined || context.signal.aborted) throw cause;
    throw usage(`${file} can't be read (${shownCode(cause)}).`, { cause });
  }
  return Buffer.concat(parts);
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
