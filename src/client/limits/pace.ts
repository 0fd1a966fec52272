/** Lets requests out one after the other, so that a fast machine stays under the service's limit. */
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';

export interface Pace {
  /** Resolves when the next request may go out, in the order of asking. */
  turn(signal?: AbortSignal): Promise<void>;
  /** Nothing goes out for so long from now. */
  hold(milliseconds: number): void;
}

export interface Spacing {
  /** Resolves when the next request may go out; asked again only after that. */
  (signal?: AbortSignal): Promise<void>;
  /** Takes the time to come from all who share it, for so long or for as long as it can. */
  hold?(milliseconds: number): void;
}

export function paceOf(spacing: Spacing, clock: Clock): Pace {
  let last: Promise<void> = Promise.resolve();
  let heldUntil = Number.NEGATIVE_INFINITY;
  const released = async (signal?: AbortSignal) => {
    for (let left = heldUntil - clock.now(); left > 0; left = heldUntil - clock.now()) {
      await clock.sleep(left, signal);
    }
  };
  const take = async (signal?: AbortSignal) => {
    if (signal?.aborted) throw new ApiError('cancelled', 'cancelled');
    do {
      await released(signal);
      await spacing(signal);
      // The hold may have begun while this request waited for its place.
    } while (heldUntil > clock.now());
  };
  return {
    turn(signal) {
      const mine = last.then(() => take(signal));
      last = mine.catch(() => undefined);
      return mine;
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds);
      spacing.hold?.(milliseconds);
    },
  };
}

/** The rate of this process alone: so many a second, evenly; Infinity does not wait. */
export function spacingOf(perSecond: number, clock: Clock): Spacing {
  const apart = 1000 / perSecond;
  let free = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = clock.now();
    const mine = Math.max(now, free);
    if (mine > now) await clock.sleep(mine - now, signal);
    free = mine + apart;
  };
}
