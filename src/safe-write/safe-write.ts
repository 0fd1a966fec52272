/**
 * Sends all writes: reads first, sends once, and if the response does not show what was done, searches for
 * the write until it is found or the time is up. A write is never sent twice, and one that may have
 * been sent is never reported as not done.
 */
import type { Client } from '../client/client.ts';
import { type Clock, cancelledBy, realClock } from '../client/clock.ts';
import { ApiError } from '../client/errors.ts';
import { reasonOf, WorkflowError } from '../client/workflow-error.ts';
import type { Arguments, Operation, Params, Reply, Returns } from '../operations/operation.ts';
import { verifierOf, whyUnverifiable } from './rules.ts';
import type { FoundWrite, Snapshot } from './verifier.ts';

export interface Verification {
  /** Milliseconds to search for a write after its response was lost. */
  readonly wait: number;
  readonly clock: Clock;
  /** Ends the search early; the outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
  onSearch?(lost: unknown): void;
}

/** Long enough for a gateway that delivers a request late and for reads that lag behind. */
export const defaultVerifyWait = 10_000;

/** Milliseconds between reads; the last value repeats. */
const gaps: readonly number[] = [500, 1000, 2000, 3000, 4000];

/** An operation, or what names a request without one. */
export type Recorded = Pick<Operation, 'command' | 'params'>;

/** Called before a write is sent, which is not sent if this throws. Returns what to call with its outcome. */
export type RecordWrite = (
  operation: Recorded,
  args: object,
  before: Snapshot | undefined,
) => Promise<(outcome: WriteOutcome) => Promise<void>>;

/**
 * Sends a write that can't be looked for, and records it: it is done if the service says so, and not done only if the
 * service, or what came before it, clearly says that. Throws what `send` throws.
 */
export async function sendRecorded<T>(
  record: RecordWrite,
  operation: Recorded,
  args: object,
  send: () => Promise<T>,
): Promise<T> {
  const recordEnd = await record(operation, args, undefined);
  const reply = await send().catch(async (cause) => {
    await recordEnd({ state: mayBeDone(cause) ? 'unknown' : 'not-done', cause });
    throw cause;
  });
  await recordEnd({ state: 'done', result: { reply: reply as never, how: 'answered' } });
  return reply;
}

/** For a write that can't be looked for. One gateway may have delivered what the next one refused with a 429. */
export function mayBeDone(cause: unknown): boolean {
  return !(cause instanceof ApiError) || cause.maybeDone || cause.kind === 'rate-limit';
}

export interface WriteOptions extends Partial<Omit<Verification, 'wait'>> {
  readonly wait?: number | undefined;
  /** Send even if an equal ticket or notice already exists. */
  readonly allowDuplicate?: boolean | undefined;
  readonly record?: RecordWrite | undefined;
}

export interface WriteResult<R extends Returns = Returns> {
  readonly reply: Reply<R>;
  /** As received; absent if the response was lost and the write was verified by reading back. */
  readonly body?: string;
  readonly how: 'answered' | 'verified';
}

export type WriteOutcome<R extends Returns = Returns> =
  | { readonly state: 'done'; readonly result: WriteResult<R> }
  | { readonly state: 'not-done'; readonly cause: unknown }
  /** `isUnsure`: what was found may be the write of somebody else, and no later look would know more. */
  | { readonly state: 'unknown'; readonly cause: unknown; readonly isUnsure?: boolean };

/**
 * Sends a write that the caller has planned and confirmed: refuses it if an equal ticket or ship notice exists, sends it
 * once, and if the response is lost, searches for the write for up to `wait` milliseconds.
 *
 * Resolves only if the write is done. Otherwise throws a WorkflowError: `existing-match` (nothing was sent), `not-done`,
 * or `unknown-outcome` (check before you repeat it); or the ApiError of a read before the write (nothing was sent).
 */
export async function writeOnce<P extends Params, R extends Returns>(
  client: Client,
  operation: Operation<P, R>,
  args: Arguments<P>,
  options: WriteOptions,
): Promise<WriteResult<R>> {
  const { allowDuplicate = false, wait = defaultVerifyWait, clock = realClock } = options;
  const { record, signal, ...rest } = options;
  const look = await verifierOf(operation)?.look(client, args);
  if (look?.existingMatch !== undefined && !allowDuplicate) {
    throw new WorkflowError('existing-match', `${look.existingMatch}.`);
  }
  if (signal?.aborted) throw cancelledBy(signal);
  const verification = { ...rest, signal, wait, clock };
  const recordEnd = await record?.(operation, args, look?.snapshot);
  const outcome = await sendOnce(client, operation, args, look?.snapshot, verification);
  await recordEnd?.(outcome);
  if (outcome.state === 'done') return outcome.result;
  throw outcome.state === 'unknown'
    ? unknownOutcome(outcome.cause, whyUnverifiable(operation))
    : new WorkflowError('not-done', reasonOf(outcome.cause), { cause: outcome.cause });
}

/** Sends a write once. `before` is undefined if nothing could be read before it. Never throws. */
export async function sendOnce<P extends Params, R extends Returns>(
  client: Client,
  operation: Operation<P, R>,
  args: Arguments<P>,
  before: Snapshot | undefined,
  verification: Verification,
): Promise<WriteOutcome<R>> {
  const { clock, wait } = verification;
  try {
    const { reply, body } = await client.exchange(operation, args);
    return { state: 'done', result: { reply, body, how: 'answered' } };
  } catch (cause) {
    const verdict = verdictOf(cause, operation);
    // A canceled request means that further requests are canceled too.
    if (verdict === 'unsent') return { state: 'not-done', cause };
    if (verdict === 'cancelled') return { state: 'unknown', cause };
    const isShort = verdict === 'refused';
    if (!isShort) verification.onSearch?.(cause);
    const query = {
      ...{ before, until: clock.now() + (isShort ? 0 : wait) },
      endsWhenThere: verdict === 'there',
    };
    const { found, isComplete } = await findWrite(client, operation, args, query, verification);
    if (found && (verdict === 'open' || !found.isUnsure)) {
      return doneBy<R>(operation.returns.kind === 'nothing' ? {} : found);
    }
    if (found) return { state: 'unknown', cause, isUnsure: true };
    const isKnown = verdict === 'limited' ? isComplete : verdict !== 'open';
    return { state: isKnown ? 'not-done' : 'unknown', cause };
  }
}

/**
 * - `unsent`: it is certain that the write is not done
 * - `refused`: ClickBank refused it; one look shows whether a gateway had delivered it before
 * - `there`: ClickBank refused it because what it asks for is there, perhaps by the write itself
 * - `limited`: too many requests; not done, if a search does not find it
 * - `open`: its outcome is unknown, unless a search finds it
 */
type Verdict = 'unsent' | 'refused' | 'there' | 'limited' | 'open' | 'cancelled';

function verdictOf(cause: unknown, operation: Operation): Verdict {
  if (!(cause instanceof ApiError)) return 'open';
  const { kind, maybeDone, status, message } = cause;
  if (maybeDone) return kind === 'cancelled' ? 'cancelled' : 'open';
  if (kind === 'rate-limit') return 'limited';
  if (status === undefined) return 'unsent';
  return verifierOf(operation)?.refusedIfThere?.test(message) ? 'there' : 'refused';
}

interface Query {
  readonly before: Snapshot | undefined;
  readonly until: number;
  /** Also ends when what the write asks for is there by another write. */
  readonly endsWhenThere?: boolean;
}

/**
 * Searches for a write until it is found; the last read is not before `until`, by `clock.now()`. Nothing found proves
 * nothing: the outcome is unknown. `isComplete`: the last read was not before `until`, and succeeded.
 */
export async function findWrite<P extends Params>(
  client: Client,
  operation: Operation<P>,
  args: Arguments<P>,
  { before, until, endsWhenThere = false }: Query,
  { clock, signal }: Verification,
): Promise<{ readonly found?: FoundWrite | undefined; readonly isComplete: boolean }> {
  const verifier = verifierOf(operation);
  if (!verifier || before === undefined || before === null) return { isComplete: false };
  for (let reads = 0; !signal?.aborted; reads++) {
    const look = await verifier.look(client, args).catch(() => undefined);
    const found = look?.find(args, before);
    const left = until - clock.now();
    const isOver = left <= 0 || (endsWhenThere && look?.isThere === true);
    if (found || isOver) return { found, isComplete: look !== undefined };
    const gap = gaps[Math.min(reads, gaps.length - 1)] ?? 0;
    await clock.sleep(Math.min(gap, left), signal).catch(() => undefined);
  }
  return { isComplete: false };
}

export function doneBy<R extends Returns>({ reply }: FoundWrite): WriteOutcome<R> {
  return { state: 'done', result: { reply: reply as Reply<R>, how: 'verified' } };
}

/** The error of a write that may be done; `why` says why it can't be verified. */
export function unknownOutcome(cause: unknown, why?: string): WorkflowError {
  const message = `The outcome is unknown: ${reasonOf(cause).replace(/\.$/, '')}.`;
  const reason = why === undefined ? '' : ` It can't be checked here: ${why}.`;
  const hint = `Check whether it was done before you run it again.${reason}`;
  return new WorkflowError('unknown-outcome', message, { hint, cause });
}
