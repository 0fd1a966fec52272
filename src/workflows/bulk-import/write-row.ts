/** One row of an import: looked at, recorded, sent once, verified, and recorded again. */
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { reasonOf } from '../errors.ts';
import { verifierOf } from '../safe-write/rules.ts';
import { findWrite, sendOnce, type Verification } from '../safe-write/safe-write.ts';
import type { Look, Snapshot } from '../safe-write/verifier.ts';
import type { Journal, RowHistory, RowOutcome, RowState } from './journal.ts';
import type { ImportRow } from './rows.ts';

export interface RowWriter {
  readonly api: Client;
  readonly operation: Operation;
  readonly journal: Pick<Journal, 'add'>;
  readonly allowDuplicate: boolean;
  /** Rows of unknown outcome are sent again if they are not found. */
  readonly retryUnknown: boolean;
  readonly verification: Verification;
  /** When the run started, by `clock.now()` and by `clock.wall()`. */
  readonly started: { readonly now: number; readonly wall: number };
}

/** A write on the same receipt that is done, and until when reads may not show it yet. */
export interface EarlierWrite {
  readonly args: Arguments;
  readonly before: Snapshot;
  /** By `clock.now()`. */
  readonly until: number;
}

/** The most times that a row is sent which certainly did not arrive. */
const maxSends = 6;

/** The longest wait before a row is sent again, in seconds. */
const longestPause = 60;

/**
 * Looks for a row that an earlier run sent and whose outcome is unknown. Reads may lag behind writes and
 * requests may be passed on late, so it is looked for until the full time has passed since it was sent.
 */
export async function findOpenRow(
  writer: RowWriter,
  { line: row, args }: ImportRow,
  history: RowHistory,
): Promise<RowState> {
  const { api, operation, journal, verification, retryUnknown, started } = writer;
  const { wait, clock } = verification;
  // What will be sent again is looked for during the whole time from now on.
  const since = retryUnknown ? started.wall : history.sentAt;
  const query = { before: history.snapshot, until: started.now + remaining(writer, since, wait) };
  const found = await findWrite(api, operation, args, query, verification);
  const outcome: RowOutcome = found
    ? { state: 'done' }
    : { state: 'unknown', why: whyOf(history.last) };
  const state = { row, at: clock.wall(), ...outcome };
  if (found || history.last.state === 'sending') await journal.add(state);
  return state;
}

/** Why the outcome of a row is unknown that was being sent when an earlier run ended. */
export function whyOf(last: RowHistory['last']): string {
  return 'why' in last ? last.why : 'cb ended before the answer came';
}

/** Milliseconds left of `wait` since a time by the wall clock, which may have been set back. */
function remaining({ started }: RowWriter, since: number | undefined, wait: number): number {
  const passed = since === undefined ? 0 : started.wall - since;
  return wait - Math.min(wait, Math.max(0, passed));
}

export function earlierWriteOf(
  writer: RowWriter,
  { args }: ImportRow,
  { last, snapshot }: RowHistory,
): EarlierWrite | undefined {
  if (last.state !== 'done' || snapshot === undefined || last.at === undefined) return undefined;
  const left = remaining(writer, last.at, writer.verification.wait);
  return left === 0 ? undefined : { args, before: snapshot, until: writer.started.now + left };
}

/**
 * Sends one row and records its state. Sends it again only where it certainly did not arrive. Throws
 * where no row can go on: a key that is refused, a journal that can't be written.
 */
export async function writeRow(
  writer: RowWriter,
  entry: ImportRow,
  earlier: EarlierWrite | undefined,
): Promise<{ readonly state: RowState; readonly done?: EarlierWrite }> {
  const { journal, verification } = writer;
  const { clock, signal } = verification;
  for (let sends = 1; ; sends++) {
    const { outcome, before, error } = await tryRow(writer, entry, earlier);
    const state = { row: entry.line, at: clock.wall(), ...outcome };
    await journal.add(state);
    if (error === undefined) {
      if (before === undefined) return { state };
      return { state, done: { args: entry.args, before, until: clock.now() + verification.wait } };
    }
    if (isForAll(error)) throw error;
    if (!isTemporary(error) || sends === maxSends || signal?.aborted) return { state };
    await clock.sleep(pauseAfter(error, sends), signal).catch(() => undefined);
    if (signal?.aborted) return { state };
  }
}

interface Attempt {
  readonly outcome: RowOutcome;
  /** What existed before the row, if it was sent and is done. */
  readonly before?: Snapshot;
  /** Why the row is certainly not done. */
  readonly error?: unknown;
}

async function tryRow(
  writer: RowWriter,
  { line: row, args }: ImportRow,
  earlier: EarlierWrite | undefined,
): Promise<Attempt> {
  const { api, operation, journal, allowDuplicate, verification } = writer;
  let look: Look | undefined;
  try {
    look = await lookBefore(writer, args, earlier);
  } catch (error) {
    return failed(error);
  }
  if (look?.existingMatch !== undefined && !allowDuplicate) {
    const why = `not sent: ${look.existingMatch}`;
    return { outcome: look.isOtherItem ? { state: 'failed', why } : { state: 'existing' } };
  }
  const before = look?.snapshot ?? null;
  await journal.add({ row, at: verification.clock.wall(), state: 'sending', snapshot: before });
  const sent = await sendOnce(api, operation, args, before, verification);
  if (sent.state === 'done') return { outcome: { state: 'done' }, before };
  if (sent.state === 'not-done') return failed(sent.cause);
  return { outcome: { state: 'unknown', why: reasonOf(sent.cause) } };
}

function failed(error: unknown): Attempt {
  return { outcome: { state: 'failed', why: reasonOf(error) }, error };
}

/**
 * A snapshot that does not show an earlier write yet would make it look like this one later: so the look
 * is repeated until the earlier write is seen, or must have been.
 */
async function lookBefore(
  { api, operation, verification: { clock, signal } }: RowWriter,
  args: Arguments,
  earlier: EarlierWrite | undefined,
): Promise<Look | undefined> {
  const verifier = verifierOf(operation);
  const isAmbiguous = earlier !== undefined && verifier?.mayMistake?.(earlier.args, args);
  for (;;) {
    const look = await verifier?.look(api, args);
    if (!look || !isAmbiguous || look.find(earlier.args, earlier.before)) return look;
    const left = earlier.until - clock.now();
    if (left <= 0) return look;
    await clock.sleep(Math.min(500, left), signal);
  }
}

/** What ends every row: there is no use in going on. */
function isForAll(error: unknown): boolean {
  if (error instanceof ApiError) return error.kind === 'key' || error.kind === 'cancelled';
  return true;
}

/** It did not arrive, and the reason may pass: a rate limit, a refused connection. */
function isTemporary(error: unknown): error is ApiError {
  return error instanceof ApiError && error.passing && !error.maybeDone;
}

/** Milliseconds. */
function pauseAfter({ retryAfter }: ApiError, sends: number): number {
  return Math.min(longestPause, retryAfter ?? 0.25 * 2 ** sends) * 1000;
}
