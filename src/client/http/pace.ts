/** Spaces requests out, so that a fast machine stays under the rate limit. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, makeFolder } from '../../storage/files.ts';
import { type Clock, cancelledBy } from '../clock.ts';

export interface Pace {
  /** Resolves when the next request may be sent, in the order of the calls. */
  turn(signal?: AbortSignal): Promise<void>;
  /** Sends nothing for this time from now; holds back all processes that share the pace as long as possible. */
  hold(milliseconds: number): void;
}

interface PaceOptions {
  /** Infinity does not wait. */
  readonly perSecond: number;
  readonly clock: Clock;
  /**
   * Shares the pace with the other processes that use this folder, which is private to this user and rate and is created
   * with the first request. Without it, or if it can't be used, this process has a pace of its own.
   */
  readonly folder?: string | undefined;
  onUnshared?(why: string): void;
}

/** Slots ahead that may be taken. Each process takes one at a time, so more than this means a damaged folder. */
const farthest = 256;

/** Maximum number of slots that a hold may take, which leaves the rest to waiting processes. */
const mostHeld = farthest / 2;

/**
 * A pace is shared without locks. The wall clock is divided into slots for one request each, and a slot belongs to the
 * process that creates the file with its number. A process that is killed wastes at most one slot. Allows at most
 * `perSecond` + 1 requests in any second, for any number of processes.
 */
export function openPace({ perSecond, clock, folder, onUnshared }: PaceOptions): Pace {
  const width = 1000 / perSecond;
  let shared = perSecond === Number.POSITIVE_INFINITY ? undefined : folder;
  let last: Promise<void> = Promise.resolve();
  let free = Number.NEGATIVE_INFINITY;
  let heldUntil = Number.NEGATIVE_INFINITY;

  // In the second half of a slot, the next one is due, which allows for time on the network.
  const slotAt = (time: number) => Math.ceil(time / width - 0.5);

  const takeTurn = async (signal?: AbortSignal) => {
    while (shared !== undefined) {
      const now = clock.wall();
      let slot: number;
      try {
        slot = claim(shared, slotAt(now));
      } catch (error) {
        shared = undefined;
        onUnshared?.((error as Error).message);
        break;
      }
      const wait = Math.ceil(slot * width - now);
      if (wait > 0) await clock.sleep(wait, signal);
      // After the machine was suspended, the slot may have passed and its time belong to another process.
      if (clock.wall() <= (slot + 0.5) * width) return;
    }
    const now = clock.now();
    const mine = Math.max(now, free);
    if (mine > now) await clock.sleep(mine - now, signal);
    free = mine + width;
  };

  return {
    turn(signal) {
      const mine = last.then(async () => {
        if (signal?.aborted) throw cancelledBy(signal);
        do {
          for (let left = heldUntil - clock.now(); left > 0; left = heldUntil - clock.now()) {
            await clock.sleep(left, signal);
          }
          await takeTurn(signal);
          // A hold may have begun while this request waited.
        } while (heldUntil > clock.now());
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds);
      if (shared === undefined) return;
      const first = slotAt(clock.wall());
      const end = Math.min(slotAt(clock.wall() + milliseconds), first + mostHeld);
      try {
        for (let slot = first; slot < end; slot++) create(join(shared, String(slot)));
      } catch {
        // Without the folder, only this process waits.
      }
    },
  };
}

/** Removes past slots and takes the first free one from `current` on. Throws if none is free or can be written. */
function claim(folder: string, current: number): number {
  makeFolder(folder);
  for (const name of readdirSync(folder)) {
    if (/^\d+$/.test(name) && Number(name) < current) rmSync(join(folder, name), { force: true });
  }
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
