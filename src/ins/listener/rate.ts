/** Limits how many requests are accepted in a second. */

export interface Rate {
  /** Requests a second, on average. */
  readonly perSecond: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
}

/** Returns a function that takes the time in milliseconds, and says whether one more request is accepted then. */
export function rateLimiter({ perSecond, burst }: Rate): (now: number) => boolean {
  let tokens = burst;
  let before: number | undefined;
  return (now) => {
    const passed = Math.max(0, now - (before ?? now));
    before = now;
    tokens = Math.min(burst, tokens + (passed * perSecond) / 1000);
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
