/** Says how old a copy is. */
import { pacificDay } from '../../dates/pacific.ts';
import type { SqlReader } from '../../workflows/sync/database/sql.ts';
import type { CommandContext } from '../runtime/command-context.ts';

/** Milliseconds after which a copy is worth a note. */
const aDay = 24 * 3_600_000;

/** Writes a note to stderr if the latest sync was more than a day ago. */
export async function tellAge(
  { messages }: CommandContext,
  copy: SqlReader,
  now: Date,
): Promise<void> {
  const [row] = await copy.query<{ at: string | null }>(
    `SELECT CAST(max(synced_at) AS text) AS at FROM (
      SELECT synced_at FROM sync_days UNION ALL SELECT synced_at FROM sync_reads) AS reads`,
  );
  const read = momentOf(row?.at);
  if (read === undefined || now.getTime() - read <= aDay) return;
  const day = pacificDay(Math.floor(read / 1000));
  messages.say(`note: The copy is from ${day}. To bring it up to date, run cb sync.`);
}

/** PostgreSQL writes `2026-03-18 18:30:00+00`. */
function momentOf(text: string | null | undefined): number | undefined {
  const time = Date.parse((text ?? '').replace(' ', 'T').replace(/\+00(?::?00)?$/, 'Z'));
  return Number.isNaN(time) ? undefined : time;
}
