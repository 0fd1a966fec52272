/** Parses a list of faults such as `503=10%,cut-after=#1,only=POST`. */
import { METHODS } from 'node:http';

/** Which requests a fault applies to. */
export type When =
  | { readonly kind: 'always' }
  /** A share of all requests, from 0 to 1. */
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'next'; readonly count: number }
  /** Requests beyond so many in one second. */
  | { readonly kind: 'beyond'; readonly perSecond: number };

/** What a fault changes: how long the request takes, or how it ends. */
export type Effect =
  | { readonly kind: 'latency'; readonly least: number; readonly most: number }
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: Ending };

export type Ending = (typeof endings)[number];

export interface Fault {
  /** As typed, without blanks. */
  readonly text: string;
  readonly name: string;
  readonly when: When;
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
}

export type AnalyticsStatus = (typeof analyticsStatuses)[number];

const analyticsStatuses = ['GREEN', 'YELLOW', 'RED'] as const;

/** Names the invalid part of a list. The command line recognizes it by its name. */
class BadFaults extends Error {
  override readonly name = 'BadFaults';
  constructor(part: string, says: string) {
    super(`'${part}' ${says}`);
  }
}

const endings = ['refuse', 'cut-before', 'cut-after', 'truncate', 'garbage'] as const;
const NAMES = [
  'latency',
  ...endings,
  'a status like 503',
  'slow-body',
  'analytics-status',
  'only',
  'seed',
];
/** In milliseconds. */
const LONGEST_WAIT = 600_000;

/** Throws BadFaults, which names the invalid part. */
export function parseFaults(list: string): Faults {
  const parts = list.split(',').map((part) => part.replaceAll(/\s/g, ''));
  const only = new Set<string>();
  const each: Fault[] = [];
  let seed = 1;
  let analyticsStatus: AnalyticsStatus | undefined;
  for (const part of parts) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (!name) throw new BadFaults(part, 'must be like 503=10%, cut-after=#1 or latency=200ms');
    if (name === 'only') only.add(methodOf(part, value));
    else if (name === 'seed') seed = wholeOf(part, value, 0, 2_147_483_647);
    else if (name === 'analytics-status') analyticsStatus = analyticsStatusOf(part, value);
    else each.push(faultOf(part, name, value));
  }
  if (each.length === 0 && !analyticsStatus) throw new BadFaults(list, 'names no fault');
  const text = parts.join(',');
  return { text, seed, only, each, ...(analyticsStatus && { analyticsStatus }) };
}

function analyticsStatusOf(part: string, value: string): AnalyticsStatus {
  const status = analyticsStatuses.find((one) => one === value.toUpperCase());
  if (status) return status;
  throw new BadFaults(part, 'must be GREEN, YELLOW or RED, as in analytics-status=YELLOW');
}

const always: When = { kind: 'always' };

function faultOf(text: string, name: string, value: string): Fault {
  if (name === 'latency') return { text, name, when: always, effect: latencyOf(text, value) };
  if (name === 'slow-body') return { text, name, when: always, effect: slowBodyOf(text, value) };
  if (/^[45]\d\d$/.test(name)) {
    const [, when = value, seconds] = /^(.+):(.*)$/.exec(value) ?? [];
    const retryAfter =
      seconds === undefined ? {} : { retryAfter: String(wholeOf(text, seconds, 0, 86_400)) };
    const effect: Effect = { kind: 'status', status: Number(name), ...retryAfter };
    return { text, name, when: whenOf(text, when), effect };
  }
  const kind = endings.find((one) => one === name);
  if (kind) return { text, name, when: whenOf(text, value), effect: { kind } };
  throw new BadFaults(text, `is no fault; there are ${NAMES.join(', ')}`);
}

function whenOf(part: string, value: string): When {
  const share = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value);
  if (share && Number(share[1]) <= 100) return { kind: 'share', share: Number(share[1]) / 100 };
  const next = /^#(\d{1,9})$/.exec(value);
  if (next && Number(next[1]) > 0) return { kind: 'next', count: Number(next[1]) };
  const beyond = /^(\d{1,6})\/s$/.exec(value);
  if (beyond) return { kind: 'beyond', perSecond: Number(beyond[1]) };
  throw new BadFaults(part, 'must say how often: 10% up to 100%, #3 (the next three) or 10/s');
}

function latencyOf(part: string, value: string): Effect {
  const [, from, to, unit] = /^(\d{1,6})(?:-(\d{1,6}))?(ms|s)$/.exec(value) ?? [];
  const scale = unit === 's' ? 1000 : 1;
  const least = Number(from) * scale;
  const most = Number(to ?? from) * scale;
  if (least <= most && most <= LONGEST_WAIT) return { kind: 'latency', least, most };
  throw new BadFaults(part, 'must be a time like 200ms, 50-300ms or 2s, at most 600s');
}

const bytesIn: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };

function slowBodyOf(part: string, value: string): Effect {
  const [, amount, unit = ''] = /^(\d{1,6})(b|kb|mb)\/s$/i.exec(value) ?? [];
  const bytesPerSecond = Number(amount) * (bytesIn[unit.toLowerCase()] ?? 0);
  if (bytesPerSecond > 0) return { kind: 'slow-body', bytesPerSecond };
  throw new BadFaults(part, 'must be a speed like 500b/s, 1kb/s or 2mb/s');
}

function methodOf(part: string, value: string): string {
  const method = value.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw new BadFaults(part, 'must name a method, as in only=POST');
}

function wholeOf(part: string, value: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new BadFaults(part, `must be a whole number from ${least} to ${most}`);
}
