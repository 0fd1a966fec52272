/** Faults on demand: those of the store, which apply to every process that uses it, or of one server. */
import { createHash } from 'node:crypto';
import { METHODS, STATUS_CODES } from 'node:http';
import { parseDuration } from '../../dates/duration.ts';
import type { Database } from '../../storage/sqlite.ts';
import { type Clock, readText, writeSetting } from '../store/store.ts';
import { type AnalyticsStatus, analyticsStatuses, type Reply } from './handlers.ts';

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
  for (const [i, { name, frequency, effect }] of faults.each.entries()) {
    const isEnded = chosen.ending !== undefined || chosen.instead !== undefined;
    if (frequency && isEnded) continue;
    const drawn = drawFraction(faults.seed, requests, name);
    const before = times[i] ?? 0;
    if (frequency && !applies(frequency, drawn, before, passed[i], now)) continue;
    times[i] = before + 1;
    const { wait = 0, ...changes } = effect?.(drawn) ?? {};
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

/** `ownFaults` replace the faults of the store for this server. Throws BadFaults. */
export function faultsOf(db: Database, clock: Clock, ownFaults: string | undefined) {
  let own =
    ownFaults === undefined
      ? undefined
      : { faults: parseFaults(ownFaults).text, faultProgress: 'null' };

  const read = (name: 'faults' | 'faultProgress') => (own ? own[name] : readText(db, name));

  /** Reads the store every time, since another process may have changed the faults. */
  function current(): Faults | undefined {
    const text = read('faults');
    return text === undefined ? undefined : parseFaults(text);
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
      saveFaults(db, 'faults', list, parseFaults);
      own = undefined;
    },
    /** The faults as set (null for none), and the requests with the affected methods since then. */
    status() {
      const { text = null, each = [] } = current() ?? {};
      const { requests, times } = readProgress();
      return { faults: text, requests, took: tookOf(each, times) };
    },
    analyticsStatus: (): AnalyticsStatus => current()?.analyticsStatus ?? 'GREEN',
    hasNullRows: (): boolean => current()?.hasNullRows ?? false,
  };
}

const endings = ['refuse', 'cut-before', 'cut-after', 'truncate', 'garbage'] as const;

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

/** A share from 0 to 1, the next ones, or what exceeds a number of requests a second. */
export interface Frequency {
  readonly share?: number;
  readonly next?: number;
  readonly perSecond?: number;
}

/** Whether a fault applies that was chosen so many `times`. A rate limit adds what it allows to those that `passed`. */
export function applies(
  { share = 0, next, perSecond }: Frequency,
  drawn: number,
  times: number,
  passed: number[] = [],
  now = 0,
): boolean {
  if (next !== undefined) return times < next;
  if (perSecond === undefined) return drawn < share;
  if (passed.length >= perSecond) return true;
  passed.push(now);
  return false;
}

/** One part of a list: `text` is as typed, without blanks; the name is empty in a part of another form. */
export interface Part {
  readonly text: string;
  readonly name: string;
  readonly value: string;
}

/** What a part of the list does. Without an effect, it is a setting, which is not counted. */
interface Fault {
  /** Undefined if the fault applies to every request. */
  readonly frequency?: Frequency;
  readonly effect?: (drawn: number) => Partial<RequestFaults>;
  /** The status that the analytics service reports; GREEN by default. */
  readonly analyticsStatus?: AnalyticsStatus;
  /** Test fees in lists of orders have null in every field that can be null. */
  readonly hasNullRows?: boolean;
}

/** Names the invalid part of a list. The command line recognizes it by its name. */
export class BadFaults extends Error {
  override readonly name = 'BadFaults';
  constructor(part: string, says: string) {
    super(`'${part}' ${says}`);
  }
}

/**
 * Parses a list of faults, its seed, and the names after `only`, which must be in `scope`, ignoring case. Throws BadFaults,
 * which names the invalid part.
 */
export function parseList<F>(
  list: string,
  faultOf: (part: Part) => F,
  scope: { readonly names: readonly unknown[]; readonly says: string },
) {
  const parts = list.split(',').map((part): Part => {
    const text = part.replaceAll(/\s/g, '');
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    return { text, name, value };
  });
  const only = new Set<string>();
  const each: (F & Part)[] = [];
  let seed = 1;
  for (const part of parts) {
    const { text, name, value } = part;
    if (name === 'seed') seed = seedOf(part);
    else if (name !== 'only') each.push({ ...part, ...faultOf(part) });
    else if (scope.names.includes(value.toUpperCase())) only.add(value.toUpperCase());
    else throw new BadFaults(text, scope.says);
  }
  if (each.length === 0) throw new BadFaults(list, 'contains no fault.');
  return { text: parts.map(({ text }) => text).join(','), seed, only, each };
}

/** Sets or clears the faults of the store, and forgets how often the former ones were chosen. */
export function saveFaults(
  db: Database,
  name: 'faults' | 'insFaults',
  list: string | undefined,
  parse: (list: string) => { readonly text: string },
): void {
  const text = list === undefined ? undefined : parse(list).text;
  db.immediately(() => {
    writeSetting(db, name === 'faults' ? 'faultProgress' : 'insFaultProgress', undefined);
    writeSetting(db, name, text);
  });
}

/** How often each fault was chosen, by its text. */
export function tookOf(each: readonly Part[], times: readonly number[]) {
  return each.map(({ text }, i) => ({ fault: text, times: times[i] ?? 0 }));
}

export function frequencyOf(part: string, value: string, hasRate: boolean): Frequency {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(value)?.[1]);
  if (percent <= 100) return { share: percent / 100 };
  const next = Number(/^#(\d{1,9})$/.exec(value)?.[1]);
  if (next > 0) return { next };
  const perSecond = Number(/^(\d{1,6})\/s$/.exec(value)?.[1]);
  if (hasRate && perSecond >= 0) return { perSecond };
  const forms = hasRate ? '10%, #3 (the next three), or 10/s' : '10% or #3 (the next three)';
  throw new BadFaults(part, `has an invalid frequency. Use ${forms}.`);
}

function seedOf({ text, value }: Part): number {
  const seed = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (seed <= 2_147_483_647) return seed;
  throw new BadFaults(text, 'must be a whole number from 0 to 2147483647.');
}

/** Throws BadFaults. */
function parseFaults(list: string) {
  const says = 'has an invalid method. Use a form such as only=POST.';
  const parsed = parseList(list, faultOf, { names: METHODS, says });
  return {
    ...parsed,
    each: parsed.each.filter((fault) => fault.effect),
    analyticsStatus: parsed.each.findLast((fault) => fault.analyticsStatus)?.analyticsStatus,
    hasNullRows: parsed.each.some((fault) => fault.hasNullRows),
  };
}

type Faults = ReturnType<typeof parseFaults>;

/** In milliseconds. */
const LONGEST_WAIT = 600_000;

const bytesIn: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };

/** Faults with values of their own: what a value does, and what is wrong with one that has no effect. */
const KINDS: Readonly<Record<string, readonly [(value: string) => Fault | undefined, string]>> = {
  latency: [
    (value) => {
      const range = /^([\d.]+)(?:-([\d.]+))?([a-z]+)$/i.exec(value) ?? [];
      const [, from = '', to = from, unit = ''] = range;
      const least = parseDuration(`${from}${unit}`) ?? Number.NaN;
      const most = parseDuration(`${to}${unit}`) ?? Number.NaN;
      const effect = (drawn: number) => ({ wait: least + drawn * (most - least) });
      return least <= most && most <= LONGEST_WAIT ? { effect } : undefined;
    },
    'has an invalid time. Use a time such as 200ms, 50-300ms, or 2s, up to 10m.',
  ],
  'slow-body': [
    (value) => {
      const [, amount, unit = ''] = /^(\d{1,6})(b|kb|mb)\/s$/i.exec(value) ?? [];
      const bytesPerSecond = Number(amount) * (bytesIn[unit.toLowerCase()] ?? 0);
      return bytesPerSecond > 0 ? { effect: () => ({ bytesPerSecond }) } : undefined;
    },
    'has an invalid speed. Use a speed such as 500b/s, 1kb/s, or 2mb/s.',
  ],
  'analytics-status': [
    (value) => {
      const analyticsStatus = analyticsStatuses.find((one) => one === value.toUpperCase());
      return analyticsStatus && { analyticsStatus };
    },
    'is invalid. Use GREEN, YELLOW, or RED, as in analytics-status=YELLOW.',
  ],
  'null-row': [
    (value) => (value.toLowerCase() === 'on' ? { hasNullRows: true } : undefined),
    'is invalid. Use null-row=on.',
  ],
};

function faultOf({ text, name, value }: Part): Fault {
  const known = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (known) {
    const [read, says] = known;
    const fault = read(value);
    if (fault) return fault;
    throw new BadFaults(text, says);
  }
  const ending = endings.find((one) => one === name);
  if (ending) return { frequency: frequencyOf(text, value, true), effect: () => ({ ending }) };
  if (!name) {
    const forms = '503=10%, cut-after=#1, or latency=200ms';
    throw new BadFaults(text, `is not a fault. Use a form such as ${forms}.`);
  }
  if (!/^[45]\d\d$/.test(name)) {
    const names = ['latency', ...endings, 'a status such as 503', 'slow-body', 'analytics-status'];
    const all = [...names, 'null-row', 'only', 'seed'].join(', ');
    throw new BadFaults(text, `is not a fault. Use one of ${all}.`);
  }
  const [, when = value, seconds] = /^(.+):(.*)$/.exec(value) ?? [];
  const instead = {
    status: Number(name),
    type: 'text/plain',
    body: STATUS_CODES[Number(name)] ?? 'Fault',
    headers: seconds === undefined ? {} : { 'Retry-After': String(secondsOf(text, seconds)) },
  };
  return { frequency: frequencyOf(text, when, true), effect: () => ({ instead }) };
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
