/** The time zone of tables and cards. */
import { serviceZone } from '../../dates/pacific.ts';
import { zoneNamed } from '../../dates/wall-time.ts';
import type { TimeZone } from '../../output/render-options.ts';
import type { CommandContext } from '../command-context.ts';
import { usage } from '../failure.ts';

/**
 * Returns the zone of `--tz`, otherwise Pacific time, which ClickBank sends. It has a label unless it is the zone
 * of the terminal. Throws a usage failure for an unknown zone.
 */
export function timeZoneOf({ context, flags: { tz } }: CommandContext): TimeZone {
  let name: string = serviceZone;
  try {
    if (tz !== undefined) name = zoneNamed(tz);
  } catch {
    throw usage(`Unknown time zone in --tz '${tz}'.`, {
      hint: 'Use a name such as America/New_York, Europe/Berlin or UTC.',
    });
  }
  if (name === context.zone) return { name };
  return { name, label: name === serviceZone ? 'Pacific' : name };
}

/** Throws a usage failure if `--tz` asks for the days of another time zone than ClickBank's. */
export function requirePacific(cmd: CommandContext): void {
  if (cmd.flags.tz === undefined || timeZoneOf(cmd).name === serviceZone) return;
  throw usage("--tz can't be used here, because ClickBank counts these figures by Pacific day.", {
    hint: 'Leave out --tz. To list the orders of other days, use cb orders list.',
  });
}
