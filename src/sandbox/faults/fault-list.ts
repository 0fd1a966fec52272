/** Parses a list of faults such as `503=10%,cut-after=#1,only=POST`. */
import { METHODS, STATUS_CODES } from 'node:http';
import { parseDuration } from '../../dates/duration.ts';
import { type AnalyticsStatus, analyticsStatuses, type Reply } from '../request/handlers.ts';

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

/** The data that decides whether a fault applies to a request. */
interface Chance {
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly drawn: number;
  /** The number of times the fault was chosen before. */
  readonly times: number;
  /** When the rate limit allowed requests in the last second, in milliseconds since 1970. */
  readonly passed: number[];
  readonly now: number;
}

type Condition = (chance: Chance) => boolean;
type Effect = (drawn: number) => Partial<RequestFaults>;

interface Fault {
  /** As typed, without blanks. */
  readonly text: string;
  readonly name: string;
  /** Undefined if the fault applies to every request. A rate limit adds requests that it allows to `passed`. */
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

/** Throws BadFaults, which names the invalid part. */
export function parseFaults(list: string): Faults {
  const parts = list.split(',').map((part) => part.replaceAll(/\s/g, ''));
  const only = new Set<string>();
  const each: Fault[] = [];
  let seed = 1;
  let analyticsStatus: AnalyticsStatus | undefined;
  let hasNullRows = false;
  for (const part of parts) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (!name)
      throw new BadFaults(
        part,
        'is not a fault. Use a form such as 503=10%, cut-after=#1, or latency=200ms.',
      );
    if (name === 'only') only.add(methodOf(part, value));
    else if (name === 'seed') seed = wholeOf(part, value, 0, 2_147_483_647);
    else if (name === 'analytics-status') analyticsStatus = analyticsStatusOf(part, value);
    else if (name === 'null-row') hasNullRows = isOn(part, value);
    else each.push(faultOf(part, name, value));
  }
  if (each.length === 0 && !analyticsStatus && !hasNullRows)
    throw new BadFaults(list, 'contains no fault.');
  const text = parts.join(',');
  return { text, seed, only, each, hasNullRows, ...(analyticsStatus && { analyticsStatus }) };
}

function analyticsStatusOf(part: string, value: string): AnalyticsStatus {
  const status = analyticsStatuses.find((one) => one === value.toUpperCase());
  if (status) return status;
  throw new BadFaults(
    part,
    'is invalid. Use GREEN, YELLOW, or RED, as in analytics-status=YELLOW.',
  );
}

function isOn(part: string, value: string): true {
  if (value.toLowerCase() === 'on') return true;
  throw new BadFaults(part, 'is invalid. Use null-row=on.');
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
  const percent = Number(/^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value)?.[1]);
  if (percent <= 100) return ({ drawn }) => drawn < percent / 100;
  const count = Number(/^#(\d{1,9})$/.exec(value)?.[1]);
  if (count > 0) return ({ times }) => times < count;
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

function methodOf(part: string, value: string): string {
  const method = value.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw new BadFaults(part, 'has an invalid method. Use a form such as only=POST.');
}

/** Throws BadFaults unless the value is a whole number in this range. */
export function wholeOf(part: string, value: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new BadFaults(part, `must be a whole number from ${least} to ${most}.`);
}
