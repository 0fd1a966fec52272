/** Spaces requests out, so that a fast machine stays under the rate limit. */
import { cancelledBy } from '../abort.ts';
import type { Clock } from '../clock.ts';

export interface Pace {
  /** Resolves when the next request may be sent, in the order of the calls. */
  turn(signal?: AbortSignal): Promise<void>;
  /** Sends nothing for this time from now. */
  hold(milliseconds: number): void;
}

export interface Spacing {
  /** Resolves when the next request may be sent. Called again only after that. */
  (signal?: AbortSignal): Promise<void>;
  /** Holds back all processes that share the pace, for this time or as long as possible. */
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
    if (signal?.aborted) throw cancelledBy(signal);
    do {
      await released(signal);
      await spacing(signal);
      // A hold may have begun while this request waited.
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

/** An even rate for this process alone, in requests a second; Infinity does not wait. */
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
