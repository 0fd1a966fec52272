/** `cb sync reset`: deletes a copy, so that the next sync starts again. */
import { pacificDay } from '../../../dates/pacific.ts';
import { emptyCopy } from '../../../workflows/sync/upkeep/reset.ts';
import { statusOf } from '../../../workflows/sync/upkeep/status.ts';
import { groupedCount } from '../../display/count-of.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { nowFor } from '../../session/service-clock.ts';
import { withCopyAt } from '../open-copy.ts';
import { type CopyFlags, placeNamed } from './copy-options.ts';
import { confirmChange, requireCopy, withCopyToChange } from './copy-to-change.ts';

export async function resetCopy(
  cmd: CommandContext,
  flags: CopyFlags & { readonly yes?: boolean },
): Promise<void> {
  const place = await placeNamed(cmd, flags);
  const now = await nowFor(cmd);
  const what = await withCopyAt(place, async (sql) => {
    await requireCopy(sql);
    const tables = await statusOf(sql, pacificDay(now.getTime() / 1000));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const accounts = [...new Set(tables.map(({ account }) => account))].join(', ');
    return `${sql.label} (${groupedCount(rows, 'row')}${accounts && ` of ${accounts}`})`;
  });
  await confirmChange(cmd, `Delete the copy in ${what}?`, flags.yes);
  await withCopyToChange(cmd, place, emptyCopy);
  cmd.messages.say(`Deleted the copy in ${what}. To copy the account again, run cb sync.`);
}
