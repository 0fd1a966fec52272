/** The rows of a batch at work: several receipts at once, the rows of one receipt in their order. */
import type { Row } from '../output/rows.ts';
import { progressOn, writeResults } from './batch-report.ts';
import type { Entry, Rows } from './batch-rows.ts';
import { type Writing, writeRow } from './batch-write.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import type { Fate, JournalEntry } from './journal.ts';
import type { Shell } from './shell.ts';
import { showValue } from './show.ts';
import type { Showing } from './show-flags.ts';

export interface Run extends Writing {
  readonly rows: Rows;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly concurrency: number;
  /** The result file. */
  readonly results: string;
}

type States = Map<number, JournalEntry>;

/** Ends with exit code 8 where a row is not done. */
export async function runRows(shell: Shell, showing: Showing, run: Run): Promise<void> {
  const { entries, bad } = run.rows;
  const states: States = new Map([...run.fates].map(([line, { last }]) => [line, last]));
  const record = () => writeResults(shell, run.results, entries, bad, (line) => states.get(line));
  // A result file that can't be written is known before anything is sent.
  await record();
  const left = entries.filter(({ line }) => !isOver(states.get(line)));
  if (left.length === 0 && entries.length > 0) {
    shell.messages.say('all rows are done already; nothing was sent');
  }
  try {
    await sendAll(shell, run, left, states);
  } finally {
    await record();
  }
  await conclude(shell, showing, run, states);
}

function isOver(entry: JournalEntry | undefined): boolean {
  return entry?.state === 'done' || entry?.state === 'already';
}

/** What is under way is finished when one is stopped, or fails for all. */
async function sendAll(
  shell: Shell,
  run: Run,
  left: readonly Entry[],
  states: States,
): Promise<void> {
  const progress = progressOn(shell, left.length);
  const groups = groupsOf(left).values();
  const halt = { failed: undefined as unknown, now: false };
  const isStopped = () => halt.now || shell.context.signal.aborted;
  const worker = async () => {
    for (const group of groups) {
      await sendGroup(run, group, states, { isStopped, onRow: progress.step }).catch((error) => {
        halt.failed ??= error;
        halt.now = true;
      });
      if (isStopped()) return;
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, worker));
  progress.end();
  if (halt.failed !== undefined) throw halt.failed;
}

interface Watch {
  isStopped(): boolean;
  onRow(): void;
}

/** Behind a row of unknown fate nothing is sent: it could not be told any more. */
async function sendGroup(
  run: Run,
  group: readonly Entry[],
  states: States,
  { isStopped, onRow }: Watch,
): Promise<void> {
  let unknown: number | undefined;
  for (const entry of group) {
    if (isStopped()) return;
    if (unknown === undefined) {
      const outcome = await writeRow(run, entry, run.fates.get(entry.line));
      states.set(entry.line, outcome);
      if (outcome.state === 'unknown') unknown = entry.line;
    } else {
      const why = `not sent, since what became of line ${unknown} is unknown`;
      if (!run.fates.get(entry.line)?.mark) {
        states.set(entry.line, { row: entry.line, state: 'failed', why });
      }
    }
    onRow();
  }
}

function groupsOf(entries: readonly Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.key);
    if (group) group.push(entry);
    else groups.set(entry.key, [entry]);
  }
  return [...groups.values()];
}

async function conclude(shell: Shell, showing: Showing, run: Run, states: States): Promise<void> {
  const { entries, bad } = run.rows;
  const count = (...wanted: string[]) =>
    entries.filter(({ line }) => wanted.includes(states.get(line)?.state ?? 'none')).length;
  const summary: Row = {
    rows: entries.length + bad.length,
    done: count('done'),
    alreadyThere: count('already'),
    failed: count('failed') + bad.length,
    unknown: count('unknown', 'sending'),
    notSentYet: count('none'),
    results: run.results,
  };
  await showValue(shell, showing, summary, { layout: 'cards' });
  shell.context.signal.throwIfAborted();
  const open = Number(summary.failed) + Number(summary.unknown);
  if (open === 0) return;
  for (const { line } of entries) {
    const state = states.get(line);
    if (state && 'why' in state) shell.messages.say(`line ${line}: ${state.state}: ${state.why}`);
  }
  throw new Failure(exitCodes.incomplete, `${open} of ${summary.rows} rows are not done`, {
    hint: `see ${run.results}; the same command goes on with them`,
  });
}
