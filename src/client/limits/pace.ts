/** Spaces requests out, so that a fast machine stays under the rate limit. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../storage/error-code.ts';
import { makeFolder } from '../../storage/folder.ts';
import { cancelledBy } from '../abort.ts';
import type { Clock } from '../clock.ts';

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
