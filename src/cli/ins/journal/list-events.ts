/** `cb ins list`: the events of the journal. */
import { eventPages } from '../../../ins/journal/journal-queries.ts';
import type { Pages } from '../../../output/stream.ts';
import type { Database } from '../../../storage/sqlite.ts';
import { showPages } from '../../display/show.ts';
import type { OutputOptions } from '../../flags/show-flags.ts';
import { requireShowable } from '../../flags/show-flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import {
  type EventFilterFlags,
  eventFilterFrom,
  journalResource,
  journalRow,
} from './event-rows.ts';
import { readJournal } from './own-journal.ts';

export async function listEvents(
  cmd: CommandContext,
  flags: EventFilterFlags,
  output: OutputOptions,
): Promise<void> {
  requireShowable(output, journalResource);
  const filter = await eventFilterFrom(cmd, flags);
  await readJournal(cmd, async (database) => {
    const pages = pagesOf(database, filter);
    await showPages(cmd, output, { resource: journalResource }, pages);
  });
}

async function* pagesOf(database: Database, filter: Parameters<typeof eventPages>[1]): Pages {
  let number = 0;
  for (const entries of eventPages(database, filter)) {
    number += 1;
    const rows = entries.map((entry) => journalRow(database, entry));
    yield { number, more: true, rows, totals: [] };
  }
}
