/** What a key was allowed a moment ago: it tells a 403 by rate from one that means no. */
import type { Clock } from './clock.ts';

export interface Evidence {
  /** Takes note that the same was allowed just now. */
  allowed(what: Subject): void;
  /** Seconds since the same was last allowed; undefined when that was no moment ago. */
  ago(what: Subject): number | undefined;
  /** What told of a limit once goes on telling after a wait of so many milliseconds. */
  outlast(what: Subject, wait: number): void;
  /** A write may change what single things answer. */
  written(): void;
}

export interface Subject {
  readonly path: string;
  readonly url: string;
  /** The path is about no single thing, so that only the key decides. */
  readonly general: boolean;
}

/**
 * Milliseconds. Long enough for a list of slow pages that are read a few at a time; too short for a
 * permission to be taken away more often than a limit is met.
 */
const moment = 60_000;

export function evidenceOf(clock: Clock): Evidence {
  const paths = memoryOf(clock);
  const urls = memoryOf(clock);
  return {
    allowed: ({ path, url, general }) => (general ? paths.add(path) : urls.add(url)),
    ago: ({ path, url, general }) => (general ? paths.ago(path) : urls.ago(url)),
    outlast: ({ path, url, general }, wait) =>
      general ? paths.outlast(path, wait) : urls.outlast(url, wait),
    written: () => urls.clear(),
  };
}

function memoryOf(clock: Clock) {
  // In the order of coming: the oldest go first.
  const known = new Map<string, { readonly at: number; readonly until: number }>();
  return {
    add(name: string): void {
      const at = clock.now();
      known.delete(name);
      for (const [old, { until }] of known) {
        if (until >= at) break;
        known.delete(old);
      }
      known.set(name, { at, until: at + moment });
    },
    ago(name: string): number | undefined {
      const one = known.get(name);
      if (!one || clock.now() > one.until) return undefined;
      return Math.round((clock.now() - one.at) / 1000);
    },
    outlast(name: string, wait: number): void {
      const one = known.get(name);
      if (one) known.set(name, { ...one, until: clock.now() + wait + moment });
    },
    clear: () => known.clear(),
  };
}
