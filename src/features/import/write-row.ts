/** Writes one row of an import: checks, records, sends once, verifies, and records the outcome. */
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { reasonOf } from '../../client/workflow-error.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { OpenLedger } from '../../ledger/ledger.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { endOf } from '../../safe-write/recording.ts';
import { verifierOf } from '../../safe-write/rules.ts';
import { findWrite, sendOnce, type Verification } from '../../safe-write/safe-write.ts';
import type { Look, Snapshot } from '../../safe-write/verifier.ts';
import type { ImportRow } from './rows.ts';

/** What is known of a row. */
export type RowState = Pick<Entry, 'state' | 'why' | 'isThere'>;

export interface RowWriter {
  readonly client: Client;
  readonly operation: Operation;
  readonly journal: Pick<OpenLedger, 'add'>;
  /** Who sends the rows. */
  readonly by?: string | undefined;
  readonly sentFrom?: Entry['sentFrom'];
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
  row: ImportRow,
  entry: Entry,
): Promise<RowState> {
  const { client, operation, verification, retryUnknown, started } = writer;
  const { args } = row;
  // A row that will be sent again is searched for during the full time from now.
  const since = retryUnknown ? started.wall : timeOf(entry.sentAt);
  const until = started.now + remaining(writer, since, verification.wait);
  const query = { before: entry.before, until };
  const found = await findWrite(client, operation, args, query, verification);
  const state: RowState = found ? { state: 'done' } : { state: 'unknown', why: whyOf(entry) };
  if (found || entry.state === 'sending') await record(writer, row, state);
  return state;
}

/** Why the outcome of a row from an earlier run is unknown. */
export function whyOf({ why }: Entry): string {
  return why ?? 'cb ended before the response arrived';
}

function timeOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

async function record(
  { journal, verification, by, sentFrom }: RowWriter,
  { line, key }: ImportRow,
  state: RowState & Pick<Entry, 'before'>,
): Promise<void> {
  const at = new Date(verification.clock.wall()).toISOString();
  const isAdded = await journal.add({
    ...{ id: String(line), at, about: key },
    ...(by && { by }),
    ...(sentFrom && state.state === 'sending' && { sentFrom }),
    ...state,
  });
  if (!isAdded && state.state === 'sending') throw new Error(`Line ${line} is done already.`);
}

/** Milliseconds left of `wait` since a wall-clock time. The clock may have been set back. */
function remaining({ started }: RowWriter, since: number | undefined, wait: number): number {
  const passed = since === undefined ? 0 : started.wall - since;
  return wait - Math.min(wait, Math.max(0, passed));
}

export function earlierWriteOf(
  writer: RowWriter,
  { args }: ImportRow,
  { state, at, before }: Entry,
): EarlierWrite | undefined {
  if (state !== 'done' || before === undefined) return undefined;
  const left = remaining(writer, timeOf(at), writer.verification.wait);
  return left === 0 ? undefined : { args, before, until: writer.started.now + left };
}

/**
 * Sends one row and records its state. Sends it again only if it certainly failed. Throws
 * if no further row can be sent, such as for a rejected key or an unwritable journal.
 */
export async function writeRow(
  writer: RowWriter,
  row: ImportRow,
  earlier: EarlierWrite | undefined,
): Promise<{ readonly state: RowState; readonly done?: EarlierWrite }> {
  const { clock, signal, wait } = writer.verification;
  for (let sends = 1; ; sends++) {
    const { state, before, error } = await tryRow(writer, row, earlier);
    await record(writer, row, state);
    if (error === undefined) {
      if (before === undefined) return { state };
      return { state, done: { args: row.args, before, until: clock.now() + wait } };
    }
    if (isForAll(error)) throw error;
    if (!isTemporary(error) || sends === maxSends || signal?.aborted) return { state };
    await clock.sleep(pauseAfter(error, sends), signal).catch(() => undefined);
    if (signal?.aborted) return { state };
  }
}

interface Attempt {
  readonly state: RowState;
  /** What existed before the row, if it is done. */
  readonly before?: Snapshot;
  /** The error, if the row is certainly not done. */
  readonly error?: unknown;
}

async function tryRow(
  writer: RowWriter,
  row: ImportRow,
  earlier: EarlierWrite | undefined,
): Promise<Attempt> {
  const { client, operation, allowDuplicate, verification } = writer;
  const { args } = row;
  let look: Look | undefined;
  try {
    look = await lookBefore(writer, args, earlier);
  } catch (error) {
    return { state: { state: 'not done', why: reasonOf(error) }, error };
  }
  if (look?.existingMatch !== undefined && !allowDuplicate) {
    const why = `not sent: ${look.existingMatch}`;
    return { state: { state: 'not done', why, ...(!look.isOtherItem && { isThere: true }) } };
  }
  const before = look?.snapshot ?? null;
  await record(writer, row, { state: 'sending', before });
  const sent = await sendOnce(client, operation, args, before, verification);
  if (sent.state === 'done') return { state: { state: 'done' }, before };
  return { state: endOf(sent), ...(sent.state === 'not-done' && { error: sent.cause }) };
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
