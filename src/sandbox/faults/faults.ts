/** Faults on demand: those of the store, which every process on it obeys, or of one server alone. */
import type { Clock } from '../lifecycle/clock.ts';
import type { Database } from '../store/driver.ts';
import { deleteSetting, readText, writeSetting } from '../store/setting.ts';
import {
  chooseFaults,
  NO_FAULTS,
  NO_PROGRESS,
  type Progress,
  type RequestFaults,
} from './fault-choice.ts';
import { type AnalyticsStatus, type Faults, parseFaults } from './fault-list.ts';

/** Which faults are set, and how often each was chosen so far. */
export interface FaultsStatus {
  /** As given; null if there are none. */
  readonly faults: string | null;
  /** Requests since they were set, of the methods that they apply to. */
  readonly requests: number;
  readonly took: readonly { readonly fault: string; readonly times: number }[];
}

export interface FaultSource {
  /** Decides about the next request, and counts it. */
  choose(method: string): RequestFaults;
  /** Sets or clears the faults of the store; those of this server alone end. Throws BadFaults. */
  set(faults: string | undefined): void;
  status(): FaultsStatus;
  analyticsStatus(): AnalyticsStatus;
}

/** `own` are the faults of this server alone, in place of the store's. */
export function faultsOf(db: Database, clock: Clock, own: Faults | undefined): FaultSource {
  let kept = own === undefined ? inStore(db) : inMemory(own);

  function decide(now: number): RequestFaults {
    const faults = kept.faults();
    if (!faults) return NO_FAULTS;
    const { chosen, progress } = chooseFaults(faults, kept.progress(), now);
    kept.save(progress);
    return chosen;
  }

  return {
    choose(method) {
      const only = kept.faults()?.only;
      if (!only || (only.size > 0 && !only.has(method))) return NO_FAULTS;
      return kept.alone(() => decide(clock.now().getTime()));
    },
    set(text) {
      const parsed = text === undefined ? undefined : parseFaults(text).text;
      db.immediately(() => {
        deleteSetting(db, 'faultProgress');
        if (parsed === undefined) deleteSetting(db, 'faults');
        else writeSetting(db, 'faults', parsed);
      });
      kept = inStore(db);
    },
    status() {
      const { text, each } = kept.faults() ?? { text: null, each: [] };
      const { requests, times } = text === null ? NO_PROGRESS : kept.progress();
      const took = each.map((fault, i) => ({ fault: fault.text, times: times[i] ?? 0 }));
      return { faults: text, requests, took };
    },
    analyticsStatus: () => kept.faults()?.analyticsStatus ?? 'GREEN',
  };
}

/** Where faults and their progress are kept. */
interface KeptFaults {
  faults(): Faults | undefined;
  progress(): Progress;
  save(progress: Progress): void;
  /** Runs `work` while no other process counts a request. */
  alone<T>(work: () => T): T;
}

function inMemory(faults: Faults): KeptFaults {
  let progress = NO_PROGRESS;
  return {
    faults: () => faults,
    progress: () => progress,
    save: (next) => {
      progress = next;
    },
    alone: (work) => work(),
  };
}

/** Reads the store for every request: another process may have set other faults. */
function inStore(db: Database): KeptFaults {
  let known: Faults | undefined;
  return {
    faults() {
      const text = readText(db, 'faults');
      if (text !== known?.text) known = text === undefined ? undefined : parseFaults(text);
      return known;
    },
    progress() {
      const text = readText(db, 'faultProgress');
      const stored: Progress | undefined = text === undefined ? undefined : JSON.parse(text);
      return stored ?? NO_PROGRESS;
    },
    save: (progress) => writeSetting(db, 'faultProgress', JSON.stringify(progress)),
    alone: (work) => db.immediately(work),
  };
}
