/** `cb ins resend`: delivers events of the journal again. */

import { countOf } from '../../../decimals/decimals.ts';
import { integer, resource, text } from '../../../operations/resource.ts';
import type { Row } from '../../../output/rows/rows.ts';
import type { Pages } from '../../../output/stream.ts';
import type { CommandContext } from '../../../shell/command-context.ts';
import { showPages } from '../../../shell/display/show.ts';
import { exitCodes } from '../../../shell/exit-codes.ts';
import { Failure, usage } from '../../../shell/failure.ts';
import { wholeNumber } from '../../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../../shell/options/show-flags.ts';
import {
  type DestinationFlags,
  destinationsOfJournal,
  type NamedDestination,
} from './destinations.ts';
import { type EventFilterFlags, eventFilterFrom } from './event-rows.ts';
import type { Journal } from './journal.ts';
import { eventContent, eventEntry, eventIds } from './journal-queries.ts';
import { withJournal } from './own-journal.ts';

const resentResource = resource('event', ['id', 'type', 'receipt', 'destination', 'result'], {
  ...{ id: integer, type: text, receipt: text, destination: text, result: text },
});

/** Milliseconds for which a running listener leaves an event to this command. */
export const lease = 60_000;

export async function resend(
  cmd: CommandContext,
  flags: EventFilterFlags & DestinationFlags,
  output: OutputOptions,
  typed: readonly string[],
): Promise<void> {
  requireShowable(output, resentResource);
  const named = typed.map((id) => wholeNumber('<id>', id, 1));
  const isFiltered = flags.failed !== undefined || flags.since !== undefined;
  if (named.length === 0 && !isFiltered) {
    throw usage('The events to resend are missing.', {
      hint: 'Name their IDs, or use --failed or --since.',
      next: 'cb ins list',
    });
  }
  if (named.length > 0 && isFiltered) {
    throw usage('Both IDs and --failed or --since were given.', { hint: 'Use one or the other.' });
  }
  const filter = await eventFilterFrom(cmd, flags);
  await withJournal(cmd, async (journal) => {
    const { database } = journal;
    const unknown = named.find((id) => eventEntry(database, id) === undefined);
    if (unknown !== undefined) {
      throw new Failure(exitCodes.refused, `There is no event ${unknown} in the journal.`, {
        next: 'cb ins list',
      });
    }
    const ids = named.length > 0 ? [...new Set(named)] : eventIds(database, filter);
    const destinations = await destinationsOfJournal(cmd, flags, journal);
    const failed = new Set<number>();
    /** One attempt for each event, in their order; a running listener tries again what fails. */
    async function* pages(): Pages {
      for (const [index, id] of ids.entries()) {
        cmd.context.signal.throwIfAborted();
        const rows: Row[] = [];
        for (const to of destinations) {
          const { isDone, text: result } = await sendNow(cmd, journal, id, to);
          if (!isDone) failed.add(id);
          const { type = '', receipt = '' } = eventEntry(database, id) ?? {};
          rows.push({ id, type, receipt, destination: to.label, result });
        }
        yield { number: index + 1, more: true, rows, totals: [] };
      }
    }
    await showPages(cmd, output, { resource: resentResource }, pages(), { isLive: true });
    const arrived = ids.length - failed.size;
    cmd.messages.say(`Sent ${countOf(ids.length, 'event')}; ${arrived} arrived.`);
    if (failed.size > 0) cmd.endWith(exitCodes.incomplete);
  });
}

/** Delivers an event once and records the result. A failed delivery is due again after a minute. */
export async function sendNow(
  { context }: CommandContext,
  journal: Journal,
  id: number,
  { kind, destination }: NamedDestination,
) {
  const now = () => context.now().getTime();
  await journal.reopen(id, kind, now() + lease);
  const content = eventContent(journal.database, id) ?? { text: '', body: null };
  const result = await destination(content, context.signal);
  const dueAt = result.isDone ? undefined : now() + lease;
  await journal.record(id, kind, { at: now(), result: result.text, isDone: result.isDone, dueAt });
  return result;
}
