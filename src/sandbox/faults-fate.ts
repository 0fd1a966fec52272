/** What befalls one request, out of the faults, its number and the clock: no chance, no state. */
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Effect, Ending, Fault, Faults } from './faults-spec.ts';
import type { Reply } from './reply.ts';

/** Counted since the faults were set; both lists are in the order of the faults. */
export interface Progress {
  /** Those that the faults are about. */
  readonly requests: number;
  /** How often each fault took place. */
  readonly times: readonly number[];
  /** Milliseconds since 1970 of what each limit let through in its last second. */
  readonly passed: readonly (readonly number[])[];
}

export const NO_PROGRESS: Progress = { requests: 0, times: [], passed: [] };

export interface Fate {
  /** Names of the faults, joined by `+`; empty for none. */
  readonly names: string;
  /** Milliseconds before anything happens. */
  readonly wait: number;
  readonly bytesPerSecond?: number;
  /** How it ends, unless well. */
  readonly ending?: Ending;
  /** Answered in place of the service. */
  readonly instead?: Reply;
}

export const UNHARMED: Fate = { names: '', wait: 0 };

/** The next request, and the progress after it. The first fault in the list that fits ends it. */
export function decideFate(
  faults: Faults,
  before: Progress,
  now: number,
): { readonly fate: Fate; readonly progress: Progress } {
  const requests = before.requests + 1;
  const times = faults.each.map((_, i) => before.times[i] ?? 0);
  const passed = faults.each.map((_, i) => recentOf(before.passed[i] ?? [], now));
  let fate = UNHARMED;
  faults.each.forEach((fault, i) => {
    const ends = fault.when.kind !== 'always';
    if (ends && isEnded(fate)) return;
    const drawn = drawFraction(faults.seed, requests, fault.name);
    const befalls = applies(fault, { drawn, times: times[i] ?? 0, passed: passed[i] ?? [], now });
    if (!befalls) return;
    times[i] = (times[i] ?? 0) + 1;
    fate = suffer(fate, fault, drawn);
  });
  return { fate, progress: { requests, times, passed } };
}

interface Chance {
  readonly drawn: number;
  readonly times: number;
  readonly passed: number[];
  readonly now: number;
}

/** Counts a request that a limit lets through. */
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

function isEnded({ ending, instead }: Fate): boolean {
  return ending !== undefined || instead !== undefined;
}

function suffer(fate: Fate, { name, effect }: Fault, drawn: number): Fate {
  const names = fate.names ? `${fate.names}+${name}` : name;
  return { ...fate, names, ...consequence(fate, effect, drawn) };
}

function consequence(fate: Fate, effect: Effect, drawn: number): Partial<Fate> {
  switch (effect.kind) {
    case 'latency':
      return { wait: fate.wait + effect.least + drawn * (effect.most - effect.least) };
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

/** From 0 up to 1: the same for the same numbers, whatever other faults there are. */
function drawFraction(seed: number, request: number, name: string): number {
  const digest = createHash('sha256').update(`${seed}/${request}/${name}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
