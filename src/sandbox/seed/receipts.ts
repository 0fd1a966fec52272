/** Generates unique receipts of eight upper-case letters and digits, without storing them. */
import type { Random } from './random.ts';

const ALL = 36 ** 8;
/** Coprime to 36, so that the steps reach every receipt before repeating one. */
const STEP = 1_743_392_200_193;
/** Maximum number of receipts of the seed; `DAILY` is that of one later day. */
const SEEDED = 2 ** 21;
const DAILY = 2 ** 12;
const DAY = 86_400;

/** Returns the first receipt number of a seed. Must be the first use of its random numbers. */
export function receiptOrigin(random: Random): number {
  return random.integer(0, 2 ** 31 - 1);
}

/** Returns the first receipt number of a later day, specified by its midnight. */
export function receiptOriginOn(origin: number, midnight: number): number {
  const steps = SEEDED + Math.floor(midnight / DAY) * DAILY;
  return Number((BigInt(origin) + BigInt(steps) * BigInt(STEP)) % BigInt(ALL));
}

export function receiptsAfter(start: number, taken: ReadonlySet<string>): () => string {
  let at = start;
  return function next(): string {
    at = (at + STEP) % ALL;
    const receipt = at.toString(36).toUpperCase().padStart(8, '0');
    return taken.has(receipt) ? next() : receipt;
  };
}
