/** The time zone of tables and cards. */
import { serviceZone } from '../../dates/day.ts';
import { zoneNamed } from '../../dates/wall-time.ts';
import type { TimeZone } from '../../output/render-options.ts';
import type { Asking } from '../context.ts';
import { usage } from '../failure.ts';
import { nearest } from '../options/nearest.ts';

/** Of `--tz`, otherwise Pacific; labeled unless it is that of the terminal. Throws a usage failure if unknown. */
export function timeZoneOf({ context, flags: { tz } }: Asking): TimeZone {
  let name: string = serviceZone;
  try {
    if (tz !== undefined) name = zoneNamed(tz);
  } catch {
    const others = 'Use the name of a time zone, such as America/New_York or UTC.';
    const near = zoneNear(tz ?? '');
    throw usage(`Invalid --tz '${tz}'.`, { hint: near ? `Did you mean ${near}?` : others });
  }
  if (name === context.zone) return { name };
  return { name, label: name === serviceZone ? 'Pacific' : name };
}

/** For `Berlin`, and for a slip such as America/NewYork. */
function zoneNear(typed: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const place = typed.trim().toLowerCase().replaceAll(/\s+/g, '_');
  const found = zones.filter((zone) => zone.toLowerCase().endsWith(`/${place}`));
  return found.length === 1 ? found[0] : nearest(typed, zones);
}

/** Throws a usage failure if `--tz` asks for the days of another time zone than ClickBank's. */
export function requirePacific(cmd: Asking): void {
  if (cmd.flags.tz === undefined || timeZoneOf(cmd).name === serviceZone) return;
  throw usage("--tz can't be used here, because ClickBank counts these figures by Pacific day.", {
    hint: 'Leave out --tz. To list the orders of other days, use cb orders list.',
  });
}
