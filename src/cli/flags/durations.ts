/** Reads durations that are values of options. */
import { durationText, parseDuration, type TimeUnit } from '../../dates/duration.ts';
import { usage } from '../runtime/failure.ts';

export interface DurationLimits {
  /** The unit of a bare number. If absent, a bare number is rejected. */
  readonly bare?: TimeUnit;
  /** Milliseconds. */
  readonly least?: number;
  readonly most: number;
  /** As in `30s or 2m`. */
  readonly examples: string;
}

/** Milliseconds. Throws a usage failure that names the option, its limits and examples. */
export function durationFrom(
  option: string,
  typed: string,
  { bare, least = 0, most, examples }: DurationLimits,
): number {
  const found = parseDuration(typed, bare);
  if (found !== undefined && found >= least && found <= most) return found;
  const limits =
    least > 0
      ? `from ${durationText(least)} to ${durationText(most)}`
      : `up to ${durationText(most)}`;
  throw usage(`Invalid ${option} '${typed}'.`, {
    hint: `Use a time ${limits}, such as ${examples}.`,
  });
}
