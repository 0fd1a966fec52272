/** Writes one row of an import: checks, journals, sends once, verifies, and journals the outcome. */
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
  readonly client: Client;
  readonly operation: Operation;
  readonly journal: Pick<Journal, 'add'>;
  readonly allowDuplicate: boolean;
  /** Send rows of unknown outcome again if they are not found. */
  readonly retryUnknown: boolean;
  readonly verification: Verification;
  /** When the run started, by `clock.now()` and by `clock.wall()`. */
  readonly started: { readonly now: number; readonly wall: number };
}

/** A finished write for the same receipt, and until when reads may not show it yet. */
export interface EarlierWrite {
  readonly args: Arguments;
  readonly before: Snapshot;
  /** By `clock.now()`. */
  readonly until: number;
}

/** Maximum number of attempts for a row whose write certainly failed. */
const maxSends = 6;

/** Maximum wait before a row is sent again, in seconds. */
const longestPause = 60;

/**
 * Searches for a row that an earlier run sent and whose outcome is unknown. Reads may lag behind writes, and
 * requests may be delivered late, so it searches until the full time has passed since the row was sent.
 */
export async function findOpenRow(
  writer: RowWriter,
  { line: row, args }: ImportRow,
  history: RowHistory,
): Promise<RowState> {
  const { client, operation, journal, verification, retryUnknown, started } = writer;
  const { wait, clock } = verification;
  // A row that will be sent again is searched for during the full time from now.
  const since = retryUnknown ? started.wall : history.sentAt;
  const query = { before: history.snapshot, until: started.now + remaining(writer, since, wait) };
  const found = await findWrite(client, operation, args, query, verification);
  const outcome: RowOutcome = found
    ? { state: 'done' }
    : { state: 'unknown', why: whyOf(history.last) };
  const state = { row, at: clock.wall(), ...outcome };
  if (found || history.last.state === 'sending') await journal.add(state);
  return state;
}

/** Why the outcome of a row from an earlier run is unknown. */
export function whyOf(last: RowHistory['last']): string {
  return 'why' in last ? last.why : 'cb ended before the response arrived';
}

/** Milliseconds left of `wait` since a wall-clock time. The clock may have been set back. */
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
 * Sends one row and journals its state. Sends it again only if it certainly failed. Throws
 * if no further row can be sent, such as for a rejected key or an unwritable journal.
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
  /** What existed before the row, if it is done. */
  readonly before?: Snapshot;
  /** The error, if the row is certainly not done. */
  readonly error?: unknown;
}

async function tryRow(
  writer: RowWriter,
  { line: row, args }: ImportRow,
  earlier: EarlierWrite | undefined,
): Promise<Attempt> {
  const { client, operation, journal, allowDuplicate, verification } = writer;
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
  const sent = await sendOnce(client, operation, args, before, verification);
  if (sent.state === 'done') return { outcome: { state: 'done' }, before };
  if (sent.state === 'not-done') return failed(sent.cause);
  return { outcome: { state: 'unknown', why: reasonOf(sent.cause) } };
}

function failed(error: unknown): Attempt {
  return { outcome: { state: 'failed', why: reasonOf(error) }, error };
}

/**
 * If the snapshot did not show an earlier write yet, that write could later be mistaken for this one. So the read
 * is repeated until the earlier write is visible or its time has passed.
 */
async function lookBefore(
  { client, operation, verification: { clock, signal } }: RowWriter,
  args: Arguments,
  earlier: EarlierWrite | undefined,
): Promise<Look | undefined> {
  const verifier = verifierOf(operation);
  const isAmbiguous = earlier !== undefined && verifier?.mayMistake?.(earlier.args, args);
  for (;;) {
    const look = await verifier?.look(client, args);
    if (!look || !isAmbiguous || look.find(earlier.args, earlier.before)) return look;
    const left = earlier.until - clock.now();
    if (left <= 0) return look;
    await clock.sleep(Math.min(500, left), signal);
  }
}

/** Whether the error affects all rows. */
function isForAll(error: unknown): boolean {
  if (error instanceof ApiError) return error.kind === 'key' || error.kind === 'cancelled';
  return true;
}

/** The write was not sent, for a temporary reason such as a rate limit or a refused connection. */
function isTemporary(error: unknown): error is ApiError {
  return error instanceof ApiError && error.passing && !error.maybeDone;
}

/** Milliseconds. */
function pauseAfter({ retryAfter }: ApiError, sends: number): number {
  return Math.min(longestPause, retryAfter ?? 0.25 * 2 ** sends) * 1000;
}
