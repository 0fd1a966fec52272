/** One row of many: looked at, journalled, sent, and read back when its answer is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api/client.ts';
import type { Operation } from '../operations/operation.ts';
import type { Entry } from './batch-rows.ts';
import { careOf, type Told } from './care.ts';
import { mayHaveArrived, readBack } from './careful.ts';
import { exitCodes } from './exit-codes.ts';
import { failureFrom } from './failure.ts';
import type { Fate, Journal, JournalEntry } from './journal.ts';

export type Outcome = Exclude<JournalEntry, { readonly state: 'sending' }>;

export interface Writing {
  readonly api: Api;
  readonly operation: Operation;
  readonly journal: Journal;
  readonly allowDuplicate: boolean;
}

/** So often is a row sent that is known not to be done. */
const mostSends = 6;

/** Brings one row to an end and writes it down. Throws only where no row can go on. */
export async function writeRow(
  writing: Writing,
  entry: Entry,
  fate: Fate | undefined,
): Promise<Outcome> {
  const outcome = await outcomeOf(writing, entry, fate);
  await writing.journal.add(outcome);
  return outcome;
}

async function outcomeOf(writing: Writing, entry: Entry, fate: Fate | undefined): Promise<Outcome> {
  const row = entry.line;
  if (fate?.mark !== undefined && isOpen(fate.last)) {
    const told = await tell(writing, entry, fate);
    if (told === undefined) {
      return { row, state: 'unknown', why: 'it was sent, and nobody can tell what became of it' };
    }
    if (told.done) return { row, state: 'done' };
  }
  for (let sends = 1; ; sends++) {
    const outcome = await sendOnce(writing, entry, sends);
    if (outcome) return outcome;
  }
}

function isOpen({ state }: JournalEntry): boolean {
  return state === 'sending' || state === 'unknown';
}

/** A request of a run that was ended may still have been on its way for a moment. */
function tell({ api, operation }: Writing, { args }: Entry, { mark }: Fate): Promise<Told> {
  const care = careOf(operation);
  if (!care || mark === undefined) return Promise.resolve(undefined);
  return readBack(api, care, args, mark, { arrived: 'perhaps' });
}

/** Undefined when it is not done, and may be sent again. */
async function sendOnce(
  { api, operation, journal, allowDuplicate }: Writing,
  { line: row, args }: Entry,
  sends: number,
): Promise<Outcome | undefined> {
  const care = careOf(operation);
  try {
    const seen = await care?.look(api, args);
    if (seen?.same !== undefined && !allowDuplicate) return { row, state: 'already' };
    const mark = seen?.mark ?? null;
    await journal.add({ row, state: 'sending', mark });
    try {
      await api.ask(operation, args);
      return { row, state: 'done' };
    } catch (error) {
      if (!mayHaveArrived(error)) {
        if (!isPassing(error) || sends >= mostSends) throw error;
        await sleep(waitAfter(error, sends));
        return undefined;
      }
      const { message: why } = failureFrom(error);
      const told = care && (await readBack(api, care, args, mark, error));
      if (told === undefined) return { row, state: 'unknown', why };
      if (told.done) return { row, state: 'done' };
      return sends < mostSends ? undefined : { row, state: 'failed', why };
    }
  } catch (error) {
    const { code, message: why } = failureFrom(error);
    if (code === exitCodes.key || code === exitCodes.internal) throw error;
    return { row, state: 'failed', why };
  }
}

interface Passing {
  readonly passing?: boolean;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** It did not arrive, and the reason may pass: a rate limit, a refused connection. */
function isPassing(error: unknown): boolean {
  return (error as Passing).passing === true;
}

function waitAfter(error: unknown, sends: number): number {
  return Math.min(60, (error as Passing).retryAfter ?? 0.25 * 2 ** sends) * 1000;
}
