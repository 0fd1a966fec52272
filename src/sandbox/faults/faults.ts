/** Faults on demand: those of the store, which apply to every process that uses it, or of one server. */
import { createHash } from 'node:crypto';
import { METHODS, STATUS_CODES } from 'node:http';
import { parseDuration } from '../../dates/duration.ts';
import type { Database } from '../../storage/sqlite.ts';
import { type AnalyticsStatus, analyticsStatuses, type Reply } from '../http/handlers.ts';
import type { Clock } from '../services/clock.ts';
import { readText, writeSetting } from '../store/store.ts';

/** Counts since the faults were set. Both lists are in the order of the faults. */
interface Progress {
  /** Requests of the methods that the faults apply to. */
  readonly requests: number;
  readonly times: readonly number[];
  /** For each rate limit, when it allowed requests in the last second, in milliseconds since 1970. */
  readonly passed: readonly (readonly number[])[];
}

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
    const drawn = drawFraction(faults.seed, requests, name);
    const before = times[i] ?? 0;
    if (applies && !applies({ drawn, times: before, passed: passed[i] ?? [], now })) continue;
    times[i] = before + 1;
    const { wait = 0, ...changes } = effect(drawn);
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

/** `ownFaults` replace the faults of the store for this server. */
export function faultsOf(db: Database, clock: Clock, ownFaults: string | undefined) {
  let own = ownFaults === undefined ? undefined : { faults: ownFaults, faultProgress: 'null' };
  let parsed: Faults | undefined;

  const read = (name: 'faults' | 'faultProgress') => (own ? own[name] : readText(db, name));

  /** Reads the store every time, since another process may have changed the faults. */
  function current(): Faults | undefined {
    const text = read('faults');
    if (text !== parsed?.text) parsed = text === undefined ? undefined : parseFaults(text);
    return parsed;
  }

  const readProgress = (): Progress =>
    JSON.parse(read('faultProgress') ?? 'null') ?? { requests: 0, times: [], passed: [] };

  function chooseNext(): RequestFaults {
    const faults = current();
    if (!faults) return NO_FAULTS;
    const { chosen, progress } = chooseFaults(faults, readProgress(), clock.now().getTime());
    if (own) own = { ...own, faultProgress: JSON.stringify(progress) };
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
        writeSetting(db, 'faultProgress', undefined);
        writeSetting(db, 'faults', text);
      });
      own = undefined;
    },
    /** The faults as set (null for none), and the requests with the affected methods since then. */
    status() {
      const { text = null, each = [] } = current() ?? {};
      const { requests, times } = readProgress();
      const took = each.map((fault, i) => ({ fault: fault.text, times: times[i] ?? 0 }));
      return { faults: text, requests, took };
    },
    analyticsStatus: (): AnalyticsStatus => current()?.analyticsStatus ?? 'GREEN',
    hasNullRows: (): boolean => current()?.hasNullRows ?? false,
  };
}

const endings = ['refuse', 'cut-before', 'cut-after', 'truncate', 'garbage'] as const;

/** The faults of one request. */
export interface RequestFaults {
  /** Names of the faults, joined by `+`; empty for none. */
  readonly names: string;
  /** Milliseconds before anything happens. */
  readonly wait: number;
  readonly bytesPerSecond?: number;
  /** How the request fails; undefined if it gets a response. */
  readonly ending?: (typeof endings)[number];
  /** The response to send instead of the service's. */
  readonly instead?: Reply;
}

/** Whether a fault applies to a request. A rate limit adds requests that it allows to `passed`. */
type Condition = (chance: {
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly drawn: number;
  /** The number of times the fault was chosen before. */
  readonly times: number;
  /** When the rate limit allowed requests in the last second, in milliseconds since 1970. */
  readonly passed: number[];
  readonly now: number;
}) => boolean;

type Effect = (drawn: number) => Partial<RequestFaults>;

interface Fault {
  /** As typed, without blanks. */
  readonly text: string;
  readonly name: string;
  /** Undefined if the fault applies to every request. */
  readonly applies?: Condition;
  readonly effect: Effect;
}

export interface Faults {
  readonly text: string;
  readonly seed: number;
  /** Upper-case methods; empty for all. */
  readonly only: ReadonlySet<string>;
  readonly each: readonly Fault[];
  /** The status that the analytics service reports; GREEN by default. */
  readonly analyticsStatus?: AnalyticsStatus;
  /** Test fees in lists of orders have null in every field that can be null. */
  readonly hasNullRows: boolean;
}

/** Names the invalid part of a list. The command line recognizes it by its name. */
export class BadFaults extends Error {
  override readonly name = 'BadFaults';
  constructor(part: string, says: string) {
    super(`'${part}' ${says}`);
  }
}

const NAMES = [
  'latency',
  ...endings,
  'a status such as 503',
  'slow-body',
  'analytics-status',
  'null-row',
  'only',
  'seed',
];
/** In milliseconds. */
const LONGEST_WAIT = 600_000;

/** The parts of a list, without blanks; the name is empty in a part of another form. */
export function partsOf(list: string) {
  return list.split(',').map((part) => {
    const text = part.replaceAll(/\s/g, '');
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    return { text, name, value };
  });
}

/** `10%` is a share from 0 to 1, and `#3` is the next three. */
export function frequencyOf(value: string): { readonly share?: number; readonly next?: number } {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value)?.[1]);
  if (percent <= 100) return { share: percent / 100 };
  const next = Number(/^#(\d{1,9})$/.exec(value)?.[1]);
  return next > 0 ? { next } : {};
}

export function seedOf(part: string, value: string): number {
  const seed = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (seed <= 2_147_483_647) return seed;
  throw new BadFaults(part, 'must be a whole number from 0 to 2147483647.');
}

/** Throws BadFaults, which names the invalid part. */
export function parseFaults(list: string): Faults {
  const parts = partsOf(list);
  const only = new Set<string>();
  const each: Fault[] = [];
  let seed = 1;
  let analyticsStatus: AnalyticsStatus | undefined;
  let hasNullRows = false;
  for (const { text, name, value } of parts) {
    const refuse = (says: string) => new BadFaults(text, says);
    if (!name) {
      throw refuse('is not a fault. Use a form such as 503=10%, cut-after=#1, or latency=200ms.');
    }
    if (name === 'only') {
      if (!METHODS.includes(value.toUpperCase())) {
        throw refuse('has an invalid method. Use a form such as only=POST.');
      }
      only.add(value.toUpperCase());
    } else if (name === 'seed') seed = seedOf(text, value);
    else if (name === 'analytics-status') {
      analyticsStatus = analyticsStatuses.find((one) => one === value.toUpperCase());
      if (!analyticsStatus) {
        throw refuse('is invalid. Use GREEN, YELLOW, or RED, as in analytics-status=YELLOW.');
      }
    } else if (name === 'null-row') {
      if (value.toLowerCase() !== 'on') throw refuse('is invalid. Use null-row=on.');
      hasNullRows = true;
    } else each.push(faultOf(text, name, value));
  }
  if (each.length === 0 && !analyticsStatus && !hasNullRows)
    throw new BadFaults(list, 'contains no fault.');
  const text = parts.map((part) => part.text).join(',');
  return { text, seed, only, each, hasNullRows, ...(analyticsStatus && { analyticsStatus }) };
}

function faultOf(text: string, name: string, value: string): Fault {
  if (name === 'latency') return { text, name, effect: latencyOf(text, value) };
  if (name === 'slow-body') return { text, name, effect: slowBodyOf(text, value) };
  const ending = endings.find((one) => one === name);
  if (ending) return { text, name, applies: conditionOf(text, value), effect: () => ({ ending }) };
  if (!/^[45]\d\d$/.test(name)) {
    throw new BadFaults(text, `is not a fault. Use one of ${NAMES.join(', ')}.`);
  }
  const [, when = value, seconds] = /^(.+):(.*)$/.exec(value) ?? [];
  const retryAfter = seconds === undefined ? undefined : secondsOf(text, seconds);
  const instead = {
    status: Number(name),
    type: 'text/plain',
    body: STATUS_CODES[Number(name)] ?? 'Fault',
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
  return { text, name, applies: conditionOf(text, when), effect: () => ({ instead }) };
}

function conditionOf(part: string, value: string): Condition {
  const { share, next } = frequencyOf(value);
  if (share !== undefined) return ({ drawn }) => drawn < share;
  if (next !== undefined) return ({ times }) => times < next;
  const perSecond = Number(/^(\d{1,6})\/s$/.exec(value)?.[1]);
  if (perSecond >= 0) {
    return ({ passed, now }) => {
      if (passed.length >= perSecond) return true;
      passed.push(now);
      return false;
    };
  }
  throw new BadFaults(part, 'has an invalid frequency. Use 10%, #3 (the next three), or 10/s.');
}

/** The header Retry-After takes whole seconds. */
function secondsOf(part: string, value: string): number {
  const seconds = (parseDuration(value, 's') ?? Number.NaN) / 1000;
  if (Number.isInteger(seconds) && seconds <= 86_400) return seconds;
  throw new BadFaults(
    part,
    'has an invalid Retry-After. Use whole seconds such as 7 or 30s, up to 24h.',
  );
}

function latencyOf(part: string, value: string): Effect {
  const [, from = '', to = from, unit = ''] = /^([\d.]+)(?:-([\d.]+))?([a-z]+)$/i.exec(value) ?? [];
  const least = parseDuration(`${from}${unit}`);
  const most = parseDuration(`${to}${unit}`);
  if (least !== undefined && most !== undefined && least <= most && most <= LONGEST_WAIT) {
    return (drawn) => ({ wait: least + drawn * (most - least) });
  }
  throw new BadFaults(
    part,
    'has an invalid time. Use a time such as 200ms, 50-300ms, or 2s, up to 10m.',
  );
}

const bytesIn: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };

function slowBodyOf(part: string, value: string): Effect {
  const [, amount, unit = ''] = /^(\d{1,6})(b|kb|mb)\/s$/i.exec(value) ?? [];
  const bytesPerSecond = Number(amount) * (bytesIn[unit.toLowerCase()] ?? 0);
  if (bytesPerSecond > 0) return () => ({ bytesPerSecond });
  throw new BadFaults(part, 'has an invalid speed. Use a speed such as 500b/s, 1kb/s, or 2mb/s.');
}
