/** What the copy lacks for a metric, and how old it is. */
import { pacificDay } from '../../dates/pacific.ts';
import { nounOf, oldestRead, type SourceState } from '../../workflows/sync/views/missing-days.ts';
import type { CopyView } from '../../workflows/sync/views/view.ts';
import { shellWord } from '../grammar/say.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import type { MetricFlags } from './metric-options.ts';

/** Milliseconds after which a copy is worth a note. */
const aDay = 24 * 3_600_000;

/** Throws a Failure if days are missing, or notes them on stderr if the user allows it. */
export function requireComplete(
  { messages }: CommandContext,
  states: readonly SourceState[],
  { allowIncomplete, database }: MetricFlags,
): void {
  for (const { firstDay, missing, ended } of states) {
    if (ended !== undefined) messages.say(`note: ${ended}`);
    if (!missing) continue;
    if (allowIncomplete) {
      messages.say(`note: ${missing.says}`);
      continue;
    }
    const sync = database === undefined ? 'cb sync' : `cb sync ${shellWord(database)}`;
    const since = missing.first < firstDay ? ` --since ${missing.first}` : '';
    throw new Failure(exitCodes.incomplete, missing.says, {
      hint: `Run \`${sync}${since}\`, or add --allow-incomplete to show what the copy has.`,
    });
  }
}

/** Writes a note to stderr if the rows of a metric were last read more than a day ago. */
export function tellAge(
  { messages }: CommandContext,
  view: CopyView,
  states: readonly SourceState[],
  now: Date,
): void {
  const oldest = oldestRead(states);
  if (oldest === undefined || now.getTime() - Date.parse(oldest) <= aDay) return;
  const day = pacificDay(Math.floor(Date.parse(oldest) / 1000));
  messages.say(
    `note: The ${nounOf(view)} of the copy are from ${day}. To bring them up to date, run cb sync.`,
  );
}
