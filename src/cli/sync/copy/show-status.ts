/** `cb sync status`: a row for each account and table. */
import { pacificDay } from '../../../dates/pacific.ts';
import { endedSentence } from '../../../workflows/sync/access.ts';
import { accountsIn } from '../../../workflows/sync/database/copy.ts';
import { statusOf, type TableStatus } from '../../../workflows/sync/upkeep/status.ts';
import { onePage, showPages } from '../../display/show.ts';
import type { OutputOptions } from '../../flags/show-flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { nowFor } from '../../session/service-clock.ts';
import { withCopyAt } from '../open-copy.ts';
import { statusResource } from '../sync-resources.ts';
import { type CopyFlags, placeNamed } from './copy-options.ts';
import { requireCopy } from './copy-to-change.ts';

export async function showStatus(
  cmd: CommandContext,
  flags: CopyFlags,
  output: OutputOptions,
): Promise<void> {
  const place = await placeNamed(cmd, flags);
  const now = await nowFor(cmd);
  await withCopyAt(place, async (copy) => {
    await requireCopy(copy);
    const tables = await statusOf(copy, pacificDay(now.getTime() / 1000));
    const rows = tables.map((table) => ({ ...table, lagMinutes: lagOf(table, now) }));
    await showPages(cmd, output, { resource: statusResource }, onePage(rows));
    for (const account of await accountsIn(copy)) {
      const ended = endedSentence(account);
      if (ended !== undefined) cmd.messages.say(`note: ${ended}`);
    }
    cmd.messages.tell(`The copy is in ${copy.label}.`);
  });
}

/** Minutes since the table was last read. */
function lagOf({ lastRead }: TableStatus, now: Date): number | null {
  return lastRead === null ? null : Math.floor((now.getTime() - Date.parse(lastRead)) / 60_000);
}
