/** Runs an import, writes its result file, and says what became of each row. */
import type { Row } from '../output/rows.ts';
import type { RowHistory } from '../workflows/bulk-import/journal.ts';
import type { ImportRows } from '../workflows/bulk-import/rows.ts';
import {
  type ImportRun,
  isFinished,
  type RowStates,
  runImport,
} from '../workflows/bulk-import/run.ts';
import type { RowState } from '../workflows/bulk-import/write-row.ts';
import type { BatchFlags } from './batch-flags.ts';
import { type Checks, progressOn, statusOf, writeResults } from './batch-report.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import type { Shell } from './shell.ts';
import { showIfRead, showValue } from './show.ts';
import type { Showing } from './show-flags.ts';

interface Report {
  readonly rows: ImportRows;
  readonly checks: Checks;
  readonly flags: BatchFlags;
  /** Path of the result file. */
  readonly results: string;
}

/** Ends with exit code 8 where a row failed or its outcome is unknown. */
export async function finishImport(
  shell: Shell,
  showing: Showing,
  run: Omit<ImportRun, 'rows' | 'allowDuplicate' | 'retryUnknown' | 'signal' | 'onRow'>,
  report: Report,
): Promise<void> {
  const { rows, checks, flags, results } = report;
  const states: RowStates = new Map(
    [...run.history].map(([line, { last }]) => [line, stateOf(last)]),
  );
  const record = () => writeResults(shell, results, rows, checks, states);
  // A result file that can't be written must be known before anything is sent.
  await record();
  const left = rows.valid.filter(({ line }) => !isFinished(run.history.get(line)));
  if (left.length === 0 && rows.valid.length > 0) {
    shell.messages.say('All rows were already done. Nothing was sent.');
  }
  const progress = progressOn(shell, left.length, 'sent');
  try {
    const options = {
      allowDuplicate: flags.allowDuplicate === true,
      retryUnknown: flags.retryUnknown === true,
      signal: shell.context.signal,
      onRow: progress.step,
    };
    await runImport({ ...run, rows: rows.valid, ...options }, states);
  } finally {
    progress.end();
    await record();
  }
  await conclude(shell, showing, report, states);
}

/** A row that was being sent when an earlier run ended may be done. */
function stateOf(last: RowHistory['last']): RowState {
  if (last.state !== 'sending') return last;
  return { row: last.row, state: 'unknown', why: 'cb ended before the answer came' };
}

async function conclude(
  shell: Shell,
  showing: Showing,
  { rows: { valid, duplicates, invalid }, results }: Report,
  states: RowStates,
): Promise<void> {
  const count = (wanted: RowState['state'] | undefined) =>
    valid.filter(({ line }) => states.get(line)?.state === wanted).length;
  const summary = {
    rows: valid.length + duplicates.length + invalid.length,
    done: count('done'),
    alreadyThere: count('existing'),
    duplicates: duplicates.length,
    failed: count('failed') + invalid.length,
    unknown: count('unknown'),
    notSentYet: count(undefined),
    results,
  };
  for (const { line, key } of valid) {
    const state = states.get(line);
    if (state && 'why' in state) shell.messages.say(`line ${line} (${key}): ${statusOf(state)}`);
  }
  await showIfRead(showValue(shell, showing, summary as Row, { layout: 'cards' }));
  shell.context.signal.throwIfAborted();
  const { rows, failed, unknown } = summary;
  if (failed + unknown === 0) return;
  const parts = [
    ...(failed > 0 ? [`${failed} of ${rows} rows failed`] : []),
    ...(unknown > 0 ? [`the outcome of ${unknown} of ${rows} rows is unknown`] : []),
  ];
  const again = 'Run the same command again to send what failed.';
  const look = 'Look before you send unknown rows again with --retry-unknown.';
  const hints = [...(failed > 0 ? [again] : []), ...(unknown > 0 ? [look] : [])];
  throw new Failure(exitCodes.incomplete, `${sentenceStart(parts.join(', and '))}.`, {
    hint: [`See ${results}.`, ...hints].join(' '),
  });
}

function sentenceStart(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
