/**
 * A rate limit shared by all processes of a machine, without locks. The wall clock is divided into slots for one
 * request each, and a slot belongs to the process that creates the file with its number. A process that is killed
 * wastes at most one slot.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../storage/error-code.ts';
import { makeFolder } from '../../storage/folder.ts';
import type { Clock } from '../clock.ts';
import type { Spacing } from './pace.ts';

export interface SlotOptions {
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

/** Allows at most `perSecond` + 1 requests in any second, for any number of processes. */
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
