/** Faults on demand: those of the store, which every process on it obeys, or of one server alone. */

import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { AnalyticsStatus, Reply } from '../request/handlers.ts';
import type { Clock } from '../lifecycle/clock.ts';
import type { Database } from '../store/driver.ts';
import { deleteSetting, readText, writeSetting } from '../store/setting.ts';
import {
  type Effect,
  type Ending,
  type Fault,
  type Faults,
  parseFaults,
} from './fault-list.ts';

/** Counts since the faults were set; both lists are in the order of the faults. */
interface Progress {
  /** Requests of the methods that the faults apply to. */
  readonly requests: number;
  /** How often each fault was chosen. */
  readonly times: readonly number[];
  /** For each rate limit the times, in milliseconds since 1970, of the requests it passed in the last second. */
  readonly passed: readonly (readonly number[])[];
}

const NO_PROGRESS: Progress = { requests: 0, times: [], passed: [] };

/** The faults of one request. */
export interface RequestFaults {
  /** Names of the faults, joined by `+`; empty for none. */
  readonly names: string;
  /** Milliseconds before anything happens. */
  readonly wait: number;
  readonly bytesPerSecond?: number;
  /** How the request ends; absent if it is answered. */
  readonly ending?: Ending;
  /** The response in place of the service's. */
  readonly instead?: Reply;
}

export const NO_FAULTS: RequestFaults = { names: '', wait: 0 };

/** Decides about the next request. Only the first fault that ends a request is chosen. */
function chooseFaults(
  faults: Faults,
  before: Progress,
  now: number,
): { readonly chosen: RequestFaults; readonly progress: Progress } {
  const requests = before.requests + 1;
  const times = faults.each.map((_, i) => before.times[i] ?? 0);
  const passed = faults.each.map((_, i) => recentOf(before.passed[i] ?? [], now));
  let chosen = NO_FAULTS;
  faults.each.forEach((fault, i) => {
    const { name, when, effect } = fault;
    if (when.kind !== 'always' && isEnded(chosen)) return;
    const drawn = drawFraction(faults.seed, requests, name);
    const count = times[i] ?? 0;
    if (!applies(fault, { drawn, times: count, passed: passed[i] ?? [], now })) return;
    times[i] = count + 1;
    const names = chosen.names ? `${chosen.names}+${name}` : name;
    chosen = { ...chosen, names, ...consequence(chosen, effect, drawn) };
  });
  return { chosen, progress: { requests, times, passed } };
}

interface Chance {
  readonly drawn: number;
  readonly times: number;
  readonly passed: number[];
  readonly now: number;
}

/** Counts a request that a rate limit passes. */
function applies({ when }: Fault, { drawn, times, passed, now }: Chance): boolean {
  switch (when.kind) {
    case 'always':
      return true;
    case 'share':
      return drawn < when.share;
    case 'next':
      return times < when.count;
    case 'beyond':
      if (passed.length >= when.perSecond) return true;
      passed.push(now);
      return false;
  }
}

function isEnded({ ending, instead }: RequestFaults): boolean {
  return ending !== undefined || instead !== undefined;
}

function consequence(
  { wait }: RequestFaults,
  effect: Effect,
  drawn: number,
): Partial<RequestFaults> {
  switch (effect.kind) {
    case 'latency':
      return { wait: wait + effect.least + drawn * (effect.most - effect.least) };
    case 'slow-body':
      return { bytesPerSecond: effect.bytesPerSecond };
    case 'status':
      return { instead: statusReply(effect.status, effect.retryAfter) };
    default:
      return { ending: effect.kind };
  }
}

function statusReply(status: number, retryAfter: string | undefined): Reply {
  const body = STATUS_CODES[status] ?? 'Fault';
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
  return { status, type: 'text/plain', body, headers };
}

function recentOf(instants: readonly number[], now: number): number[] {
  return instants.filter((instant) => instant > now - 1000 && instant <= now);
}

/** Returns a number from 0 up to 1 that does not depend on the other faults. */
function drawFraction(seed: number, request: number, name: string): number {
  const digest = createHash('sha256').update(`${seed}/${request}/${name}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

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
