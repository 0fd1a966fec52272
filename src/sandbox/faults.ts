/** Faults on demand: those of the store, which every process on it obeys, or of one server alone. */
import type { Clock } from './clock.ts';
import { decideFate, type Fate, NO_PROGRESS, type Progress, UNHARMED } from './faults-fate.ts';
import { type AnalyticsStatus, type Faults, parseFaults } from './faults-spec.ts';
import type { Database } from './store/driver.ts';
import { readFaultProgress, readFaults, writeFaultProgress, writeFaults } from './store/fault.ts';

/** What is set, and what came of it so far. */
export interface FaultsStatus {
  /** As given; null where there are none. */
  readonly faults: string | null;
  /** Requests since they were set, of the methods that they are about. */
  readonly requests: number;
  readonly took: readonly { readonly fault: string; readonly times: number }[];
}

export interface FaultSource {
  /** Decides about the next request, and counts it. */
  meet(method: string): Fate;
  /** Sets the faults of the store, or ends them; those of this server alone end. Throws BadFaults. */
  set(faults: string | undefined): void;
  status(): FaultsStatus;
  analyticsStatus(): AnalyticsStatus;
}

/** `own` are the faults of this server alone, in place of the store's. */
export function faultsOf(db: Database, clock: Clock, own: Faults | undefined): FaultSource {
  const shared = storedFaults(db);
  let source = own === undefined ? shared : ownFaults(own);
  return {
    meet: (method) => source.meet(method, clock.now().getTime()),
    set(text) {
      writeFaults(db, text === undefined ? undefined : parseFaults(text).text);
      source = shared;
    },
    status: () => source.status(),
    analyticsStatus: () => source.faults()?.analyticsStatus ?? 'GREEN',
  };
}

interface Source {
  meet(method: string, now: number): Fate;
  status(): FaultsStatus;
  faults(): Faults | undefined;
}

function ownFaults(faults: Faults): Source {
  let progress = NO_PROGRESS;
  return {
    meet(method, now) {
      if (!isAbout(faults, method)) return UNHARMED;
      const decided = decideFate(faults, progress, now);
      progress = decided.progress;
      return decided.fate;
    },
    status: () => statusOf(faults, progress),
    faults: () => faults,
  };
}

/** Reads the store anew for every request: another process may have set other faults. */
function storedFaults(db: Database): Source {
  let known: Faults | undefined;

  function read(): Faults | undefined {
    const text = readFaults(db);
    if (text !== known?.text) known = text === undefined ? undefined : parseFaults(text);
    return known;
  }

  const progress = () => (readFaultProgress(db) as Progress | undefined) ?? NO_PROGRESS;

  function decide(now: number): Fate {
    const faults = read();
    if (!faults) return UNHARMED;
    const decided = decideFate(faults, progress(), now);
    writeFaultProgress(db, decided.progress);
    return decided.fate;
  }

  return {
    meet(method, now) {
      const faults = read();
      return faults && isAbout(faults, method) ? db.immediately(() => decide(now)) : UNHARMED;
    },
    status() {
      const faults = read();
      return faults ? statusOf(faults, progress()) : { faults: null, requests: 0, took: [] };
    },
    faults: read,
  };
}

function isAbout({ only }: Faults, method: string): boolean {
  return only.size === 0 || only.has(method);
}

function statusOf({ text, each }: Faults, { requests, times }: Progress): FaultsStatus {
  const took = each.map((fault, i) => ({ fault: fault.text, times: times[i] ?? 0 }));
  return { faults: text, requests, took };
}
