/** Sends the rows of an import, those of a receipt in order: each is looked for, recorded, sent once, and verified. */
import { group } from 'd3-array';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { reasonOf } from '../../client/workflow-error.ts';
import { type Entry, isOpen } from '../../ledger/entry.ts';
import type { OpenLedger } from '../../ledger/ledger.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { endOf, refundOf } from '../../safe-write/recording.ts';
import { verifierOf } from '../../safe-write/rules.ts';
import { findWrite, sendOnce, type Verification } from '../../safe-write/safe-write.ts';
import type { Look, Snapshot } from '../../safe-write/verifier.ts';
import { failureFrom } from '../../shell/failure.ts';
import { stoppingCodes } from '../mirror/endpoint-write.ts';
import type { RowHistory } from './journal.ts';
import type { ImportRow } from './rows.ts';

export type RowState = Pick<Entry, 'state' | 'why' | 'isThere' | 'amount'>;

/** By line; rows that were not reached are absent. */
export type RowStates = Map<number, RowState>;

export interface ImportRun {
  readonly client: Client;
  readonly operation: Operation;
  readonly rows: readonly ImportRow[];
  readonly journal: Pick<OpenLedger, 'add'>;
  /** What earlier runs recorded. */
  readonly history: RowHistory;
  /** As `statesBefore` returns them; updated while the import runs. */
  readonly states: RowStates;
  /** Who sends the rows. */
  readonly sender?: Pick<Entry, 'by' | 'sentFrom'>;
  readonly allowDuplicate: boolean;
  /** Send rows of unknown outcome again if they are not found. */
  readonly retryUnknown: boolean;
  readonly verification: Verification;
  readonly concurrency: number;
  /** Stops the run after the rows that are being sent. */
  readonly signal: AbortSignal;
  onSend?(row: ImportRow): void;
  onRow?(): void;
}

interface StartedRun extends ImportRun {
  /** By `clock.now()` and by `clock.wall()`. */
  readonly started: { readonly now: number; readonly wall: number };
}

/** Maximum number of attempts for a row whose write certainly failed. */
const maxSends = 6;

/** Maximum wait before a row is sent again, in seconds. */
const longestPause = 60;

/** A row that was being sent when an earlier run ended may be done. */
export function statesBefore(history: RowHistory): RowStates {
  return new Map([...history].map(([line, entry]) => [line, shownState(entry)]));
}

function shownState(entry: RowState): RowState {
  if (!isOpen(entry)) return entry;
  return { state: 'unknown', why: entry.why ?? 'cb ended before the response arrived' };
}

/** Throws errors that affect all rows, after the current rows are finished. */
export async function sendRows(run: ImportRun): Promise<void> {
  const { clock } = run.verification;
  const started = { now: clock.now(), wall: clock.wall() };
  // Finished rows are included: rows that follow may have to wait until they are visible. Receipts that differ only in
  // case may be the same order.
  const waiting = group(run.rows, ({ key }) => key.toUpperCase()).values();
  const errors: unknown[] = [];
  const isStopped = () => errors.length > 0 || run.signal.aborted;
  const work = async () => {
    for (const rows of waiting) {
      await sendGroup({ ...run, started }, rows, isStopped).catch((error) => errors.push(error));
      if (isStopped()) return;
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, work));
  if (errors.length > 0) throw errors[0];
}

/**
 * Sends the rows of one receipt. Rows of unknown outcome are searched for first. If one stays unknown, nothing
 * more is sent for the receipt: a later write could be mistaken for it.
 */
async function sendGroup(
  run: StartedRun,
  group: readonly ImportRow[],
  isStopped: () => boolean,
): Promise<void> {
  const { states, history, retryUnknown } = run;
  let unknown: number | undefined;
  for (const row of group) {
    const entry = history.get(row.line);
    if (!isOpen(entry)) continue;
    await findOpenRow(run, row, entry);
    if (states.get(row.line)?.state === 'unknown' && !retryUnknown) unknown ??= row.line;
  }
  const earlier = earlierWrites(run, group);
  for (const row of group) {
    if (isStopped()) return;
    const known = states.get(row.line);
    if (known?.state === 'done' || known?.isThere) continue;
    if (unknown === undefined) {
      const sent = await sendRow(run, row, earlier);
      if (sent) earlier.push(sent);
      if (states.get(row.line)?.state === 'unknown') unknown = row.line;
    } else if (known?.state !== 'unknown') {
      const why = `not sent because the outcome of line ${unknown} is unknown`;
      states.set(row.line, { state: 'not done', why });
    }
    run.onRow?.();
  }
}

/**
 * Searches for a row that an earlier run sent and whose outcome is unknown. Reads may lag behind writes, and
 * requests may be delivered late, so it searches until the full time has passed since the row was sent.
 */
async function findOpenRow(run: StartedRun, row: ImportRow, entry: Entry): Promise<void> {
  const { client, operation, verification, retryUnknown, started, states } = run;
  // A row that will be sent again is searched for during the full time from now.
  const left = retryUnknown ? verification.wait : remaining(run, entry.sentAt);
  const query = { before: entry.before, until: started.now + left };
  const { found } = await findWrite(client, operation, row.args, query, verification);
  const state = found
    ? ({ state: 'done', ...refundOf(row.args, found) } as const)
    : shownState(entry);
  if (found || entry.state === 'sending') await record(run, row, state);
  states.set(row.line, state);
}

/** Milliseconds left of the time to search, for a write at this wall-clock time. The clock may have been set back. */
function remaining({ started, verification: { wait } }: StartedRun, time: string | undefined) {
  const passed = time === undefined ? 0 : started.wall - Date.parse(time);
  return wait - Math.min(wait, Math.max(0, passed));
}

async function record(
  { journal, verification, sender: { by, sentFrom } = {}, states, onSend }: StartedRun,
  row: ImportRow,
  state: RowState & Pick<Entry, 'before'>,
): Promise<void> {
  const { line, key } = row;
  const isSending = state.state === 'sending';
  const isAdded = await journal.add({
    ...{ id: String(line), at: new Date(verification.clock.wall()).toISOString(), about: key },
    ...(by && { by }),
    ...(sentFrom && isSending && { sentFrom }),
    ...state,
  });
  if (!isAdded && isSending) throw new Error(`Line ${line} is done already.`);
  // If the outcome can't be added later, the results must not say that the row was not sent.
  states.set(line, shownState(state));
  if (isSending) onSend?.(row);
}

/** A finished write for the same receipt, and until when reads may not show it yet. */
interface EarlierWrite {
  readonly args: Arguments;
  readonly before: Snapshot;
  /** By `clock.now()`. */
  readonly until: number;
}

function earlierWrites(run: StartedRun, group: readonly ImportRow[]): EarlierWrite[] {
  return group.flatMap(({ line, args }): EarlierWrite[] => {
    const { state, at, before } = run.history.get(line) ?? {};
    if (state !== 'done' || before === undefined) return [];
    const left = remaining(run, at);
    return left === 0 ? [] : [{ args, before, until: run.started.now + left }];
  });
}

/**
 * Sends one row and records its state; returns the write if it is done. Sends it again only if it certainly failed.
 * Throws if no further row can be sent, such as for a rejected key, a lost network or an unwritable journal.
 */
async function sendRow(
  run: StartedRun,
  row: ImportRow,
  earlier: readonly EarlierWrite[],
): Promise<EarlierWrite | undefined> {
  const { clock, signal, wait } = run.verification;
  for (let sends = 1; ; sends++) {
    const { state, before, error, isRead } = await tryRow(run, row, earlier);
    await record(run, row, state);
    if (before !== undefined) return { args: row.args, before, until: clock.now() + wait };
    if (error === undefined) return undefined;
    if (!(error instanceof ApiError)) throw error;
    // Only what was not sent, for a temporary reason such as a rate limit or a refused connection.
    const isFinal = isRead || !error.retryable || sends === maxSends;
    if (isFinal && stoppingCodes.includes(failureFrom(error).code)) throw error;
    if (isFinal || signal?.aborted) return undefined;
    const pause = Math.min(longestPause, error.retryAfter ?? 0.25 * 2 ** sends);
    await clock.sleep(pause * 1000, signal).catch(() => undefined);
    if (signal?.aborted) return undefined;
  }
}

interface Attempt {
  readonly state: RowState & Pick<Entry, 'before'>;
  /** What existed before the row, if it is done. */
  readonly before?: Snapshot;
  /** The error, if the row is certainly not done. */
  readonly error?: unknown;
  /** The error is from a read, which the client has already retried. */
  readonly isRead?: true;
}

async function tryRow(
  run: StartedRun,
  row: ImportRow,
  earlier: readonly EarlierWrite[],
): Promise<Attempt> {
  const { client, operation, allowDuplicate, verification } = run;
  let look: Look | undefined;
  try {
    look = await lookBefore(run, row.args, earlier);
  } catch (error) {
    return { state: { state: 'not done', why: reasonOf(error) }, error, isRead: true };
  }
  if (look?.existingMatch !== undefined && !allowDuplicate) {
    const why = `not sent: ${look.existingMatch}`;
    return { state: { state: 'not done', why, ...(!look.isOther && { isThere: true }) } };
  }
  const before = look?.snapshot ?? null;
  await record(run, row, { state: 'sending', before });
  const sent = await sendOnce(client, operation, row.args, before, verification);
  if (sent.state === 'done') {
    return { state: { state: 'done', ...refundOf(row.args, sent.result) }, before };
  }
  return { state: endOf(sent), ...(sent.state === 'not-done' && { error: sent.cause }) };
}

/** Reads until each earlier write is visible or its time has passed: later, it could be mistaken for this one. */
async function lookBefore(
  { client, operation, verification: { clock, signal } }: StartedRun,
  args: Arguments,
  earlier: readonly EarlierWrite[],
): Promise<Look | undefined> {
  const verifier = verifierOf(operation);
  const ambiguous = earlier.filter(
    (one) => one.until > clock.now() && verifier?.mayMistake?.(one.args, args),
  );
  for (;;) {
    const look = await verifier?.look(client, args);
    const unseen = ambiguous.filter((one) => look && !look.find(one.args, one.before));
    const left = Math.max(0, ...unseen.map(({ until }) => until - clock.now()));
    if (left === 0) return look;
    await clock.sleep(Math.min(500, left), signal);
  }
}
