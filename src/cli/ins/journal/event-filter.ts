/** Which events of the journal a command is about. */
import { dayForms } from '../../../dates/forms.ts';
import { parseDay } from '../../../dates/words.ts';
import { zonedDays } from '../../../dates/zoned-days.ts';
import { eventTypeNames } from '../../../ins/event-types.ts';
import type { EventFilter } from '../../../ins/journal/journal-queries.ts';
import { nearest } from '../../flags/nearest.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { todayOf } from '../../session/service-clock.ts';
import { timeZoneOf } from '../../terminal/zone.ts';

export interface EventFilterFlags {
  readonly type?: readonly string[];
  readonly receipt?: string;
  readonly since?: string;
  readonly failed?: boolean;
}

const hour = 3_600_000;

export async function eventFilterFrom(
  cmd: CommandContext,
  { type, receipt, since, failed }: EventFilterFlags,
): Promise<EventFilter> {
  return {
    types: type?.map(typeFrom),
    receipt: receipt?.toUpperCase(),
    since: since === undefined ? undefined : await sinceFrom(cmd, since),
    isFailed: failed,
  };
}

/** Types are accepted in any case, and with `_` for `-`. New types of the service can be named as they are. */
function typeFrom(typed: string): string {
  const plain = (text: string) => text.toUpperCase().replaceAll('_', '-');
  const found = eventTypeNames.find((name) => plain(name) === plain(typed));
  if (found) return found;
  const near = nearest(typed, eventTypeNames);
  if (!near) return typed;
  throw usage(`Unknown type of notification '${typed}'.`, { hint: `Did you mean ${near}?` });
}

/** A day, from its beginning, or a number of hours such as `2h`. */
async function sinceFrom(cmd: CommandContext, typed: string): Promise<number> {
  const [, hours] = /^-?(\d{1,4})\s*h(?:ours?)?$/i.exec(typed.trim()) ?? [];
  if (hours !== undefined) return cmd.context.now().getTime() - Number(hours) * hour;
  const day = parseDay(typed, await todayOf(cmd, 'machine'));
  if (day !== undefined) {
    return zonedDays({ first: day, last: day }, timeZoneOf(cmd).name).start * 1000;
  }
  throw usage(`Invalid --since '${typed}'.`, { hint: `Use ${dayForms}, or hours such as 2h.` });
}
