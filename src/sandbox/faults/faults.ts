/** Faults on demand: those of the store, which apply to every process that uses it, or of one server. */
import { createHash } from 'node:crypto';
import type { Database } from '../../storage/sqlite.ts';
import type { Clock } from '../lifecycle/clock.ts';
import type { AnalyticsStatus } from '../request/handlers.ts';
import { deleteSetting, readText, writeSetting } from '../store/setting.ts';
import { type Faults, parseFaults, type RequestFaults } from './fault-list.ts';

/** Counts since the faults were set. Both lists are in the order of the faults. */
interface Progress {
  /** Requests of the methods that the faults apply to. */
  readonly requests: number;
  readonly times: readonly number[];
  /** For each rate limit, when it allowed requests in the last second, in milliseconds since 1970. */
  readonly passed: readonly (readonly number[])[];
}

const NO_PROGRESS: Progress = { requests: 0, times: [], passed: [] };

export const NO_FAULTS: RequestFaults = { names: '', wait: 0 };

/** Chooses the faults of the next request. Only the first fault that ends a request is chosen. */
function chooseFaults(faults: Faults, before: Progress, now: number) {
  const requests = before.requests + 1;
  const times = faults.each.map((_, i) => before.times[i] ?? 0);
  const passed = faults.each.map((_, i) =>
    (before.passed[i] ?? []).filter((instant) => instant > now - 1000 && instant <= now),
  );
  let chosen = NO_FAULTS;
  for (const [i, { name, applies, effect }] of faults.each.entries()) {
    const isEnded = chosen.ending !== undefined || chosen.instead !== undefined;
    if (applies && isEnded) continue;
    const chance = {
      drawn: drawFraction(faults.seed, requests, name),
      times: times[i] ?? 0,
      passed: passed[i] ?? [],
      now,
    };
    if (applies && !applies(chance)) continue;
    times[i] = chance.times + 1;
    const { wait = 0, ...changes } = effect(chance.drawn);
    const names = chosen.names ? `${chosen.names}+${name}` : name;
    chosen = { ...chosen, ...changes, names, wait: chosen.wait + wait };
  }
  return { chosen, progress: { requests, times, passed } };
}

/** Returns a number from 0 to 1 (exclusive) that does not depend on the other faults. */
export function drawFraction(seed: number, request: number, name: string): number {
  const digest = createHash('sha256').update(`${seed}/${request}/${name}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

export interface FaultsStatus {
  /** As set; null if there are none. */
  readonly faults: string | null;
  /** Requests with the affected methods since the faults were set. */
  readonly requests: number;
  readonly took: readonly { readonly fault: string; readonly times: number }[];
}

/** `ownFaults` replace the faults of the store for this server. */
export function faultsOf(db: Database, clock: Clock, ownFaults: Faults | undefined) {
  let own = ownFaults && { faults: ownFaults, progress: NO_PROGRESS };
  let parsed: Faults | undefined;

  /** Reads the store every time, since another process may have changed the faults. */
  function current(): Faults | undefined {
    if (own) return own.faults;
    const text = readText(db, 'faults');
    if (text !== parsed?.text) parsed = text === undefined ? undefined : parseFaults(text);
    return parsed;
  }

  function progressOf(): Progress {
    return own
      ? own.progress
      : (JSON.parse(readText(db, 'faultProgress') ?? 'null') ?? NO_PROGRESS);
  }

  function chooseNext(): RequestFaults {
    const faults = current();
    if (!faults) return NO_FAULTS;
    const { chosen, progress } = chooseFaults(faults, progressOf(), clock.now().getTime());
    if (own) own = { ...own, progress };
    else writeSetting(db, 'faultProgress', JSON.stringify(progress));
    return chosen;
  }

  return {
    /** Chooses the faults of the next request, and counts it. */
    choose(method: string): RequestFaults {
      const only = current()?.only;
      if (!only || (only.size > 0 && !only.has(method))) return NO_FAULTS;
      return own ? chooseNext() : db.immediately(chooseNext);
    },
    /** Sets or clears the faults of the store, and drops those of this server. Throws BadFaults. */
    set(list: string | undefined): void {
      const text = list === undefined ? undefined : parseFaults(list).text;
      db.immediately(() => {
        deleteSetting(db, 'faultProgress');
        if (text === undefined) deleteSetting(db, 'faults');
        else writeSetting(db, 'faults', text);
      });
      own = undefined;
    },
    status(): FaultsStatus {
      const { text, each } = current() ?? { text: null, each: [] };
      const { requests, times } = text === null ? NO_PROGRESS : progressOf();
      const took = each.map((fault, i) => ({ fault: fault.text, times: times[i] ?? 0 }));
      return { faults: text, requests, took };
    },
    analyticsStatus: (): AnalyticsStatus => current()?.analyticsStatus ?? 'GREEN',
    hasNullRows: (): boolean => current()?.hasNullRows ?? false,
  };
}
