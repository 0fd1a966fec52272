/** Chooses the faults of one request from its number and the clock, without state of its own. */
import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Reply } from '../http/reply.ts';
import type { Effect, Ending, Fault, Faults } from './fault-list.ts';

/** Counts since the faults were set; both lists are in the order of the faults. */
export interface Progress {
  /** Requests of the methods that the faults apply to. */
  readonly requests: number;
  /** How often each fault was chosen. */
  readonly times: readonly number[];
  /** For each rate limit the times, in milliseconds since 1970, of the requests it passed in the last second. */
  readonly passed: readonly (readonly number[])[];
}

export const NO_PROGRESS: Progress = { requests: 0, times: [], passed: [] };

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
export function chooseFaults(
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
