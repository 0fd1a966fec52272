/** What the copy lacks for a metric, and how old it is. */
import { pacificDay } from '../../dates/pacific.ts';
import { daysText } from '../../workflows/sync/local/coverage.ts';
import type { SourceState } from '../../workflows/sync/views/missing-days.ts';
import type { CopyView } from '../../workflows/sync/views/view.ts';
import { shellWord } from '../grammar/say.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import type { MetricFlags } from './metric-options.ts';

/** Milliseconds after which a copy is worth a note. */
const aDay = 24 * 3_600_000;

const nouns = {
  orders: 'orders',
  subscriptions: 'subscriptions',
  analytics_days: 'analytics',
} as const;

/** Throws a Failure if days are missing, or notes them on stderr if the user allows it. */
export function requireComplete(
  { messages }: CommandContext,
  { source = 'orders' }: CopyView,
  states: readonly SourceState[],
  { allowIncomplete, database }: MetricFlags,
): void {
  for (const { account, firstDay, missing } of states) {
    const [first] = missing;
    if (first === undefined) continue;
    const copy = states.length === 1 ? 'The copy' : `The copy of ${account}`;
    const message = `${copy} does not have all ${nouns[source]} of ${daysText(missing)}.`;
    if (allowIncomplete) {
      messages.say(`note: ${message}`);
      continue;
    }
    const sync = ['cb sync', ...(database === undefined ? [] : [shellWord(database)])].join(' ');
    const since = first < firstDay ? ` --since ${first}` : '';
    throw new Failure(exitCodes.incomplete, message, {
      hint: `Run \`${sync}${since}\`, or add --allow-incomplete to show what the copy has.`,
    });
  }
}

/** Writes a note to stderr if the rows of a metric were last read more than a day ago. */
export function tellAge(
  { messages }: CommandContext,
  { source = 'orders' }: CopyView,
  states: readonly SourceState[],
  now: Date,
): void {
  const [oldest] = states.flatMap(({ readAt }) => readAt ?? []).sort();
  if (oldest === undefined || now.getTime() - Date.parse(oldest) <= aDay) return;
  const day = pacificDay(Math.floor(Date.parse(oldest) / 1000));
  messages.say(
    `note: The ${nouns[source]} of the copy are from ${day}. To bring them up to date, run cb sync.`,
  );
}
