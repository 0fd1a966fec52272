/** Spaces requests out, so that a fast machine stays under the rate limit. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../storage/error-code.ts';
import { makeFolder } from '../../storage/folder.ts';
import { cancelledBy } from '../abort.ts';
import type { Clock } from '../clock.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { backOff, retryAfterSeconds, tooManyRequests } from '../http/http-errors.ts';

export interface Pace {
  /** Resolves when the next request may be sent, in the order of the calls. */
  turn(signal?: AbortSignal): Promise<void>;
  /** Sends nothing for this time from now. */
  hold(milliseconds: number): void;
}

export interface Spacing {
  /** Resolves when the next request may be sent. Called again only after that. */
  (signal?: AbortSignal): Promise<void>;
  /** Holds back all processes that share the pace, for this time or as long as possible. */
  hold?(milliseconds: number): void;
}

export function paceOf(spacing: Spacing, clock: Clock): Pace {
  let last: Promise<void> = Promise.resolve();
  let heldUntil = Number.NEGATIVE_INFINITY;
  const released = async (signal?: AbortSignal) => {
    for (let left = heldUntil - clock.now(); left > 0; left = heldUntil - clock.now()) {
      await clock.sleep(left, signal);
    }
  };
  const take = async (signal?: AbortSignal) => {
    if (signal?.aborted) throw cancelledBy(signal);
    do {
      await released(signal);
      await spacing(signal);
      // A hold may have begun while this request waited.
    } while (heldUntil > clock.now());
  };
  return {
    turn(signal) {
      const mine = last.then(() => take(signal));
      last = mine.catch(() => undefined);
      return mine;
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds);
      spacing.hold?.(milliseconds);
    },
  };
}

/** An even rate for this process alone, in requests a second; Infinity does not wait. */
export function spacingOf(perSecond: number, clock: Clock): Spacing {
  const apart = 1000 / perSecond;
  let free = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = clock.now();
    const mine = Math.max(now, free);
    if (mine > now) await clock.sleep(mine - now, signal);
    free = mine + apart;
  };
}

interface SlotOptions {
  /** Private to this user and rate; created with the first request. */
  readonly folder: string;
  readonly perSecond: number;
  readonly clock: Clock;
  /** Replaces the slots permanently if the folder can't be used. */
  readonly otherwise: Spacing;
  onUnshared?(why: string): void;
}

/** Slots ahead that may be taken. Each process takes one at a time, so more than this means a damaged folder. */
const farthest = 256;

/** Maximum number of slots that a hold may take, which leaves the rest to waiting processes. */
const mostHeld = farthest / 2;

/** The name is a hash, so that a key in `identity` is never written. */
export function slotFolder(paceFolder: string, identity: string): string {
  const name = createHash('sha256').update(identity).digest('hex');
  return join(paceFolder, name.slice(0, 32));
}

/**
 * A rate limit shared by all processes of a machine, without locks. The wall clock is divided into slots for one request
 * each, and a slot belongs to the process that creates the file with its number. A process that is killed wastes at most
 * one slot. Allows at most `perSecond` + 1 requests in any second, for any number of processes.
 */
export function sharedSlots(options: SlotOptions): Spacing {
  const { clock, perSecond, folder, otherwise } = options;
  const width = 1000 / perSecond;
  // In the second half of a slot, the next one is due, which allows for time on the network.
  const slotAt = (time: number) => Math.ceil(time / width - 0.5);
  let isShared = true;
  const claimed = (now: number) => {
    try {
      return claim(folder, slotAt(now));
    } catch (error) {
      isShared = false;
      options.onUnshared?.((error as Error).message);
      return undefined;
    }
  };
  const spacing: Spacing = async (signal) => {
    while (isShared) {
      const now = clock.wall();
      const slot = claimed(now);
      if (slot === undefined) break;
      const begin = slot * width;
      const wait = Math.ceil(begin - now);
      if (wait > 0) await clock.sleep(wait, signal);
      // After the machine was suspended, the slot may have passed and its time belong to another process.
      if (clock.wall() <= begin + width / 2) return;
    }
    await otherwise(signal);
  };
  const hold = (milliseconds: number) => {
    const first = slotAt(clock.wall());
    const last = Math.min(slotAt(clock.wall() + milliseconds), first + mostHeld);
    try {
      for (let slot = first; slot < last; slot++) create(join(folder, String(slot)));
    } catch {
      // Without the folder, only this process waits.
    }
  };
  return Object.assign(spacing, { hold });
}

/** Takes the first free slot at or after `current`. Throws if none is free or the folder can't be written. */
function claim(folder: string, current: number): number {
  makeFolder(folder);
  clearBefore(folder, current);
  for (let slot = current; slot < current + farthest; slot++) {
    if (create(join(folder, String(slot)))) return slot;
  }
  throw new Error(`${farthest} requests are already waiting in ${folder}`);
}

/** Returns false if the file exists. */
function create(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function clearBefore(folder: string, current: number): void {
  for (const name of readdirSync(folder)) {
    if (/^\d+$/.test(name) && Number(name) < current) rmSync(join(folder, name), { force: true });
  }
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  /** The path names no single resource, so a 403 depends on the key alone. */
  readonly general: boolean;
  /** By the clock's `now`. */
  readonly at: number;
}

export interface RateLimit {
  /** Records a response. Throws an ApiError of kind `rate-limit` if it means too many requests. */
  judge(sent: SentRequest, response: HttpResponse): void;
}

/**
 * Longer than after a failure, since each attempt counts too: the limit of ten a second ends at once,
 * that of 25,000 a day does not.
 */
const waits = { first: 2000, longest: 60_000 };

/** The minimum wait if the service sends Retry-After: `Retry-After: 0` must not be taken literally. */
const leastWaits = { first: 500, longest: 30_000 };

/** Calls `hold` with the milliseconds for which nothing should be sent. */
export function rateLimitOf(clock: Clock, hold: (milliseconds: number) => void): RateLimit {
  const successes = recentSuccesses(clock);
  const state = backoffState(clock);
  return {
    judge(sent, response) {
      const { status, headers } = response;
      const isRead = sent.method === 'GET' || sent.method === 'HEAD';
      if (!isRead) successes.written();
      if (status >= 200 && status < 300) {
        if (sent.method === 'GET') successes.add(sent);
        state.succeeded(sent.at);
      }
      // A 403 to a HEAD is a regular response, and to a write often a business rule.
      const allowedAgo = status === 403 && sent.method === 'GET' ? successes.ago(sent) : undefined;
      if (status !== 429 && allowedAgo === undefined) return;
      const retryAfter = retryAfterSeconds(headers['retry-after'], clock.wall());
      const wait = state.refused(sent.at, retryAfter);
      hold(wait);
      successes.extend(sent, wait);
      throw tooManyRequests(response, { wait, allowedAgo });
    },
  };
}

/**
 * Milliseconds. Long enough for a list of slow pages; short enough that a 403 is rarely a
 * permission that was revoked in the meantime.
 */
const recent = 60_000;

/** What the key was allowed recently, to distinguish a rate limit from missing permission in a 403. */
function recentSuccesses(clock: Clock) {
  const known = new Map<string, { readonly at: number; readonly until: number }>();
  const nameOf = ({ path, url, general }: SentRequest) => (general ? path : url);
  return {
    add(sent: SentRequest): void {
      known.set(nameOf(sent), { at: clock.now(), until: clock.now() + recent });
    },
    /** Seconds since the same request was last allowed; undefined if that is not recent. */
    ago(sent: SentRequest): number | undefined {
      const one = known.get(nameOf(sent));
      if (!one || clock.now() > one.until) return undefined;
      return Math.round((clock.now() - one.at) / 1000);
    },
    /** Keeps a success recent beyond the wait for the rate limit that it revealed. */
    extend(sent: SentRequest, wait: number): void {
      const one = known.get(nameOf(sent));
      if (one) known.set(nameOf(sent), { ...one, until: clock.now() + wait + recent });
    },
    /** A write may change the response for single resources; these are stored by URL, the others by path. */
    written(): void {
      for (const name of known.keys()) if (!name.startsWith('/')) known.delete(name);
    },
  };
}

/** Counts consecutive refusals; refusals of concurrent requests count as one. */
function backoffState(clock: Clock) {
  let refusals = 0;
  let since = Number.NEGATIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds to wait from now. */
    refused(sentAt: number, retryAfter: number | undefined): number {
      const now = clock.now();
      const isNext = sentAt > since;
      if (isNext) refusals += 1;
      const wait =
        retryAfter === undefined
          ? backOff(refusals, waits, clock)
          : Math.max(retryAfter * 1000, backOff(refusals, leastWaits, clock));
      if (!isNext && retryAfter === undefined) return Math.max(0, until - now);
      since = now;
      until = Math.max(until, now + wait);
      return wait;
    },
    succeeded(sentAt: number): void {
      if (sentAt > since) refusals = 0;
    },
  };
}
