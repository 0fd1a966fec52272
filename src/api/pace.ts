/** Keeps requests apart, so that a fast machine stays under the service's limit. */
import type { Clock } from './clock.ts';

export interface Pace {
  /** Resolves when the next request may go out. */
  turn(signal?: AbortSignal): Promise<void>;
}

/** Turns in the order of asking, `perSecond` of them a second; Infinity does not wait. */
export function paceOf(perSecond: number, clock: Clock): Pace {
  const apart = 1000 / perSecond;
  let free = 0;
  return {
    async turn(signal) {
      const now = clock.now();
      const mine = Math.max(now, free);
      free = mine + apart;
      if (mine > now) await clock.sleep(mine - now, signal);
    },
  };
}
