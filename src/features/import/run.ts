/** Sends the rows of an import: several receipts at a time, the rows of one receipt in order. */
import { isFinished, isOpen } from '../../ledger/entry.ts';
import type { RowHistory } from './identity.ts';
import type { ImportRow } from './rows.ts';
import {
  type EarlierWrite,
  earlierWriteOf,
  findOpenRow,
  type RowState,
  type RowWriter,
  whyOf,
  writeRow,
} from './write-row.ts';

export interface ImportRun extends Omit<RowWriter, 'started'> {
  readonly rows: readonly ImportRow[];
  readonly history: RowHistory;
  readonly concurrency: number;
  /** Stops the run after the rows that are being sent. */
  readonly signal: AbortSignal;
  onRow?(): void;
}

/** The state of each row by line; rows that were not reached are absent. */
export type RowStates = Map<number, RowState>;

/** A row that was being sent when an earlier run ended may be done. */
export function statesBefore(history: RowHistory): RowStates {
  const states: RowStates = new Map();
  for (const [row, entry] of history) {
    states.set(row, isOpen(entry) ? { state: 'unknown', why: whyOf(entry) } : entry);
  }
  return states;
}

/** Rows of unknown outcome are only searched for, or with `retryUnknown` sent again (`retried`). */
export function rowsLeft(
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

/** Updates `states` while it runs. Throws errors that affect all rows, after the current rows are finished. */
export async function runImport(run: ImportRun, states: RowStates): Promise<void> {
  const { clock } = run.verification;
  const started = { now: clock.now(), wall: clock.wall() };
  const groups = groupsOf(run.rows).values();
  const end = new AbortController();
  const isStopped = () => end.signal.aborted || run.signal.aborted;
  let thrown: unknown;
  const work = async () => {
    for (const group of groups) {
      try {
        await runGroup({ ...run, started }, group, states, isStopped);
      } catch (error) {
        thrown ??= error;
        end.abort();
      }
      if (isStopped()) return;
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, work));
  if (thrown !== undefined) throw thrown;
}

type GroupRun = ImportRun & RowWriter;

/**
 * Sends the rows of one receipt. Rows of unknown outcome are searched for first. If one stays unknown, nothing
 * more is sent for the receipt: a later write could be mistaken for it.
 */
async function runGroup(
  run: GroupRun,
  group: readonly ImportRow[],
  states: RowStates,
  isStopped: () => boolean,
): Promise<void> {
  let unknown: number | undefined;
  for (const row of group) {
    const entry = run.history.get(row.line);
    if (!isOpen(entry)) continue;
    const state = await findOpenRow(run, row, entry);
    states.set(row.line, state);
    if (state.state === 'unknown' && !run.retryUnknown) unknown ??= row.line;
  }
  let earlier = latestDone(run, group);
  for (const row of group) {
    if (isStopped()) return;
    const known = states.get(row.line) ?? run.history.get(row.line);
    if (known?.state === 'done' || known?.isThere) continue;
    if (unknown !== undefined) {
      const why = `not sent because the outcome of line ${unknown} is unknown`;
      if (known?.state !== 'unknown') states.set(row.line, { state: 'not done', why });
    } else {
      const { state, done } = await writeRow(run, row, earlier);
      states.set(row.line, state);
      earlier = done ?? earlier;
      if (state.state === 'unknown') unknown = row.line;
    }
    run.onRow?.();
  }
}

function latestDone(run: GroupRun, group: readonly ImportRow[]): EarlierWrite | undefined {
  const writes = group.flatMap((row) => {
    const entry = run.history.get(row.line);
    return (entry && earlierWriteOf(run, row, entry)) ?? [];
  });
  return writes.sort((a, b) => b.until - a.until)[0];
}

/**
 * Includes finished rows: rows that follow may have to wait until they are visible. Receipts
 * that differ only in case may be the same order.
 */
function groupsOf(rows: readonly ImportRow[]): Map<string, ImportRow[]> {
  const groups = new Map<string, ImportRow[]>();
  for (const row of rows) {
    const receipt = row.key.toUpperCase();
    const group = groups.get(receipt);
    if (group) group.push(row);
    else groups.set(receipt, [row]);
  }
  return groups;
}
